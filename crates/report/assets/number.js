// Numbers as people read them.
const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

function powerOfTen(exponent) {
  return "10" + String(exponent).replace(/./g, (digit) => SUPERSCRIPT[digit]);
}

// Four significant digits; large and small ones with a power of ten.
function readable(x, digits = 4) {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}·${powerOfTen(Number(exponent))}`.replace("-", "−");
  }
  return String(Number(x.toPrecision(digits))).replace("-", "−");
}

// 1, 2 or 5 times a power of ten, at or below x.
function roundDown125(x) {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  const lead = x / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

// Positions and labels of the ticks of a linear axis.
function linearTicks(low, high, wanted) {
  const raw = (high - low) / Math.max(wanted, 1);
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999);
  const ticks = [];
  const biggest = Math.max(Math.abs(low), Math.abs(high));
  const far = biggest >= 1e5 || biggest < 1e-3;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  for (let k = Math.ceil(low / step - 1e-6); k * step <= high + step * 1e-6; k++) {
    const value = k * step;
    const label = k === 0 ? "0" : far ? readable(Number(value.toPrecision(6))) : value.toFixed(decimals).replace("-", "−");
    ticks.push({ value, label });
  }
  return ticks;
}

// Decades, or 1-2-5 where there are few of them.
function logTicks(low, high) {
  const first = Math.floor(Math.log10(low) + 1e-9), last = Math.ceil(Math.log10(high) - 1e-9);
  const stride = Math.max(1, Math.ceil((last - first) / 7));
  const leads = last - first <= 2 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let d = first; d <= last; d += stride) {
    for (const lead of leads) {
      const value = lead * Math.pow(10, d);
      if (value < low * 0.999 || value > high * 1.001) continue;
      const plain = d >= -3 && d <= 4;
      ticks.push({ value, label: plain ? String(Number(value.toPrecision(3))) : (lead === 1 ? "" : lead + "·") + powerOfTen(d) });
    }
  }
  return ticks;
}

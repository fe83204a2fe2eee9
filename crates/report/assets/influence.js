// Which parameter matters for a metric: Sobol's indices where the cases were drawn for them, else the share of the variance between
// levels; with an interval from resampled cases, and none at all from too few.
const RESAMPLED = 200;
const FEWEST = 30;
const FEWEST_POINTS = 32;
const MOST_LEVELS = 16;
const SLICES = 10;

// Numbers in [0, 1), the same in every browser.
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// Level of each case: its value where there are few of them, else a slice with as many cases as the others.
function levelsOf(values, cases) {
  const order = cases.map((_, k) => k).sort((a, b) => values[cases[a]] - values[cases[b]]), level = new Int32Array(cases.length);
  let distinct = 0;
  order.forEach((k, rank) => {
    if (rank > 0 && values[cases[k]] !== values[cases[order[rank - 1]]]) distinct++;
    level[k] = distinct;
  });
  if (distinct < MOST_LEVELS) return { level, count: distinct + 1 };
  order.forEach((k, rank) => { level[k] = Math.floor((rank * SLICES) / order.length); });
  return { level, count: SLICES };
}

// Share of the variance that lies between levels, of the cases picked; less what chance alone gives: ω².
function shareBetween({ level, count }, y, picked) {
  const sums = new Float64Array(count), sizes = new Float64Array(count), n = picked.length;
  let mean = 0, squares = 0;
  for (const k of picked) mean += y[k] / n;
  for (const k of picked) { sums[level[k]] += y[k] - mean; sizes[level[k]]++; squares += (y[k] - mean) ** 2; }
  let explained = 0, groups = 0;
  for (let g = 0; g < count; g++) if (sizes[g]) { explained += (sums[g] * sums[g]) / sizes[g]; groups++; }
  const noise = n > groups ? (squares - explained) / (n - groups) : 0;
  return squares > 0 ? Math.max(0, (explained - (groups - 1) * noise) / (squares + noise)) : 0;
}

// Nine tenths of what the resampled cases give.
function interval(draws) {
  const sorted = [...draws].sort((a, b) => a - b), at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return [at(0.05), at(0.95)];
}

function resampled(n, estimate, seed) {
  const draw = random(seed), picked = new Int32Array(n), out = [];
  for (let r = 0; r < RESAMPLED; r++) {
    for (let k = 0; k < n; k++) picked[k] = Math.floor(draw() * n);
    out.push(estimate(picked));
  }
  return out;
}

// Rows { parameter, value, interval, total?, totalInterval? } with what they are, or why there are none.
function influences({ numbers, parameters, base, total }, metric) {
  const done = [];
  for (let i = 0; i < numbers.length; i++) if (Number.isFinite(metric.values[i])) done.push(i);
  const of = `${done.length} of ${total} cases`;
  if (base) {
    const width = parameters.length + 2, at = new Map(numbers.length ? Array.from(numbers, (number, i) => [number, i]) : []), points = [];
    for (let k = 0; k < base; k++) {
      const row = Array.from({ length: width }, (_, j) => { const i = at.get(k * width + j); return i === undefined ? NaN : metric.values[i]; });
      if (row.every(Number.isFinite)) points.push(row);
    }
    if (points.length >= FEWEST_POINTS) return { what: "Sobol's indices", note: `${points.length} of ${base} base points are complete.`, rows: sobol(parameters, points) };
    return { none: `Sobol's indices need ${FEWEST_POINTS} complete base points of ${width} cases each; ${points.length} are complete (${of}).` };
  }
  if (done.length < Math.max(FEWEST, 5 * parameters.length)) return { none: `${of} have this metric: too few to say which parameter matters. ${Math.max(FEWEST, 5 * parameters.length)} are needed.` };
  const y = done.map((i) => metric.values[i]), everyone = Int32Array.from(done, (_, k) => k);
  const rows = parameters.map((parameter, p) => {
    const levels = levelsOf(parameter.values, done);
    const value = shareBetween(levels, y, everyone);
    return { parameter, value, interval: interval(resampled(done.length, (picked) => shareBetween(levels, y, picked), 1 + p)) };
  });
  return { what: "share of the variance", note: `From ${of}. The share that chance alone would give is taken off.`, rows: rows.sort((a, b) => b.value - a.value) };
}

// Saltelli's and Jansen's estimates, as the program has them, each with its interval.
function sobol(parameters, points) {
  const n = points.length, mean = points.reduce((sum, f) => sum + f[0] + f[1], 0) / (2 * n);
  const all = points.map((f) => f.map((x) => x - mean)), everyone = Int32Array.from(points, (_, k) => k);
  const estimate = (i, kind) => (picked) => {
    let sum = 0, variance = 0;
    for (const k of picked) {
      const f = all[k];
      variance += (f[0] * f[0] + f[1] * f[1]) / 2;
      sum += kind === "first" ? f[1] * (f[i + 2] - f[0]) : (f[0] - f[i + 2]) ** 2 / 2;
    }
    return variance > 0 ? sum / variance : 0;
  };
  const rows = parameters.map((parameter, i) => {
    const [first, whole] = [estimate(i, "first"), estimate(i, "total")];
    return { parameter, value: first(everyone), interval: interval(resampled(n, first, 1 + i)), total: whole(everyone), totalInterval: interval(resampled(n, whole, 1001 + i)) };
  });
  return rows.sort((a, b) => b.total - a.total);
}

// Bars with whiskers.
function drawInfluences(root, found) {
  if (found.none) return root.replaceChildren(element("p", { class: "muted" }, found.none));
  const percent = (x) => `${Math.max(0, Math.min(100, 100 * x)).toFixed(2)}%`, shown = (x) => `${readable(100 * Math.max(0, x), 2)} %`;
  const bar = (value, [low, high], colour, name) => element("div", { class: "bar", title: `${name}: ${shown(value)}, from ${shown(low)} to ${shown(high)}` },
    element("i", { style: `width:${percent(value)};background:var(${colour})` }), element("b", { style: `left:${percent(low)};width:calc(${percent(high)} - ${percent(low)})` }));
  const rows = found.rows.map((row) => element("li", {}, element("span", { class: "of" }, breakable(row.parameter.name)),
    element("div", {}, bar(row.value, row.interval, "--s0", row.total === undefined ? "share" : "first"), row.total === undefined ? null : bar(row.total, row.totalInterval, "--s3", "total")),
    element("span", { class: "number" }, row.total === undefined ? shown(row.value) : `${shown(row.value)} / ${shown(row.total)}`)));
  const key = found.rows.some((row) => row.total !== undefined) ? " Above: by itself; below: with all it does together with others." : "";
  root.replaceChildren(element("ul", { class: "bars" }, ...rows), element("p", { class: "muted" }, `${found.note}${key} Whiskers: nine tenths of ${RESAMPLED} resampled sets of cases.`));
}

// A plot as SVG text. Scales map data to pixels; lines are thinned to the least and greatest sample of each pixel column.
const MARGIN = { left: 58, right: 12, top: 10, bottom: 38 };

function scaleOf(low, high, from, to, log) {
  const f = log ? Math.log10 : (x) => x;
  const a = f(low), k = (to - from) / (f(high) - a || 1);
  const map = (x) => from + (f(x) - a) * k;
  map.inverse = (pixel) => { const v = a + (pixel - from) / k; return log ? Math.pow(10, v) : v; };
  return map;
}

// First index with x[i] >= value.
function lowerBound(x, value) {
  let low = 0, high = x.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (x[mid] < value) low = mid + 1; else high = mid;
  }
  return low;
}

// The stretch of samples in [x0, x1], with one more on each side so that lines reach the edge.
function stretch(x, x0, x1) {
  return [Math.max(0, lowerBound(x, x0) - 1), Math.min(x.length, lowerBound(x, x1) + 1)];
}

// Path through (x, y) between two indices, at most four points for each pixel column.
function linePath(x, y, [from, to], sx, sy, log) {
  const parts = [];
  let pen = "M";
  const put = (i) => {
    if (!Number.isFinite(y[i]) || (log && y[i] <= 0)) { pen = "M"; return; }
    parts.push(pen, sx(x[i]).toFixed(1), " ", sy(y[i]).toFixed(1));
    pen = "L";
  };
  const width = Math.abs(sx(x[Math.max(from, to - 1)]) - sx(x[from]));
  if (to - from <= 3 * width + 2) {
    for (let i = from; i < to; i++) put(i);
    return parts.join("");
  }
  let i = from;
  while (i < to) {
    const column = Math.floor(sx(x[i]));
    let least = i, greatest = i, last = i;
    for (; i < to && Math.floor(sx(x[i])) === column; i++) {
      if (y[i] < y[least]) least = i;
      if (y[i] > y[greatest]) greatest = i;
      last = i;
    }
    const ends = [least, greatest].sort((a, b) => a - b);
    put(ends[0]);
    if (ends[1] !== ends[0]) put(ends[1]);
    if (last > ends[1]) put(last);
  }
  return parts.join("");
}

const DASH = { solid: "", dashed: "6 4", dotted: "2 3" };

function escapeText(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[c]));
}

// Axes, grid, bands, markers and data of a plot whose limits are known. `box`: {width, height, x0, x1, y0, y1}.
function drawPlot(plot, box) {
  const { width, height } = box;
  const right = width - MARGIN.right, bottom = height - MARGIN.bottom;
  const sx = scaleOf(box.x0, box.x1, MARGIN.left, right, plot.xLog);
  const sy = scaleOf(box.y0, box.y1, bottom, MARGIN.top, plot.yLog);
  const out = [];
  const xTicks = plot.xNames
    ? plot.xNames.map((label, value) => ({ value, label })).filter((t) => t.value >= box.x0 && t.value <= box.x1)
    : plot.xLog ? logTicks(box.x0, box.x1) : linearTicks(box.x0, box.x1, Math.max(3, (right - MARGIN.left) / 90));
  const yTicks = plot.yLog ? logTicks(box.y0, box.y1) : linearTicks(box.y0, box.y1, Math.max(3, (bottom - MARGIN.top) / 45));
  out.push(`<defs><clipPath id="clip-${plot.id}"><rect x="${MARGIN.left}" y="${MARGIN.top}" width="${right - MARGIN.left}" height="${bottom - MARGIN.top}"/></clipPath></defs>`);
  out.push(`<g stroke="var(--line)" stroke-width="1">`);
  for (const t of xTicks) out.push(`<path d="M${sx(t.value).toFixed(1)} ${MARGIN.top}V${bottom}"/>`);
  for (const t of yTicks) out.push(`<path d="M${MARGIN.left} ${sy(t.value).toFixed(1)}H${right}"/>`);
  out.push(`</g><g fill="var(--muted)" font-size="11.5">`);
  for (const t of xTicks) out.push(`<text x="${sx(t.value).toFixed(1)}" y="${bottom + 15}" text-anchor="middle">${escapeText(t.label)}</text>`);
  for (const t of yTicks) out.push(`<text x="${MARGIN.left - 7}" y="${(sy(t.value) + 4).toFixed(1)}" text-anchor="end">${escapeText(t.label)}</text>`);
  out.push(`<text x="${(MARGIN.left + right) / 2}" y="${height - 5}" text-anchor="middle">${escapeText(plot.xTitle)}</text>`);
  const middle = (MARGIN.top + bottom) / 2;
  out.push(`<text x="12" y="${middle}" text-anchor="middle" transform="rotate(-90 12 ${middle})">${escapeText(plot.yTitle)}</text></g>`);
  out.push(`<g clip-path="url(#clip-${plot.id})">`);
  for (const band of plot.bands || []) {
    const top = sy(Math.min(band.to, box.y1)), low = plot.yLog && band.from <= 0 ? bottom : sy(Math.max(band.from, box.y0));
    if (low > top) {
      out.push(`<rect x="${MARGIN.left}" y="${top.toFixed(1)}" width="${right - MARGIN.left}" height="${(low - top).toFixed(1)}" fill="var(--good)" opacity=".13"/>`);
      out.push(`<text x="${right - 6}" y="${(top + 13).toFixed(1)}" text-anchor="end" font-size="11" fill="var(--good)">${escapeText(band.label)}</text>`);
    }
  }
  if (!plot.yLog && box.y0 < 0 && box.y1 > 0) out.push(`<path d="M${MARGIN.left} ${sy(0).toFixed(1)}H${right}" stroke="var(--muted)" stroke-width="1" opacity=".6"/>`);
  for (const mark of plot.markers || []) {
    if (mark.x < box.x0 || mark.x > box.x1) continue;
    const at = sx(mark.x), flip = at > right - 120;
    out.push(`<path d="M${at.toFixed(1)} ${MARGIN.top}V${bottom}" stroke="var(--muted)" stroke-dasharray="3 3"/>`);
    out.push(`<text x="${(at + (flip ? -5 : 5)).toFixed(1)}" y="${MARGIN.top + 12 + 14 * (mark.row || 0)}" text-anchor="${flip ? "end" : "start"}" font-size="11" fill="var(--muted)">${escapeText(mark.label)}</text>`);
  }
  for (const cell of plot.cells || []) {
    const corners = cell.corners.map(([x, y]) => `${sx(x).toFixed(1)} ${sy(y).toFixed(1)}`).join("L");
    out.push(`<path d="M${corners}Z" fill="${cell.colour}" stroke="${cell.colour}" stroke-width=".6"/>`);
  }
  plot.series.forEach((series, k) => {
    if (plot.hidden.has(k)) return;
    const paint = `stroke="${series.colour || `var(--s${k % 8})`}" fill="none"`;
    if (series.points) {
      out.push(`<path d="${dotPath(series, box, sx, sy, plot)}" ${paint} stroke-width="${series.size || 5}" stroke-linecap="round" opacity="${series.opacity || 0.6}"/>`);
    } else if (series.curve) {
      out.push(`<path d="${curvePath(series, sx, sy)}" ${paint} stroke-width="1.6" stroke-linejoin="round" stroke-dasharray="${DASH[series.dash] || ""}"/>`);
    } else {
      const d = linePath(series.x, series.y, stretch(series.x, box.x0, box.x1), sx, sy, plot.yLog);
      out.push(`<path d="${d}" ${paint} stroke-width="1.6" stroke-linejoin="round" stroke-dasharray="${DASH[series.dash] || ""}"/>`);
    }
  });
  out.push(`</g><path d="M${MARGIN.left} ${MARGIN.top}V${bottom}H${right}" fill="none" stroke="var(--muted)"/>`);
  return { markup: out.join(""), sx, sy, right, bottom };
}

// Path through all points in their order, whichever way x goes.
function curvePath(series, sx, sy) {
  const parts = [];
  let pen = "M";
  for (let i = 0; i < series.x.length; i++) {
    if (!Number.isFinite(series.x[i]) || !Number.isFinite(series.y[i])) { pen = "M"; continue; }
    // Far outside of the picture a number is as good as another, and pixels stay printable.
    const far = (pixel) => Math.min(1e5, Math.max(-1e5, pixel)).toFixed(1);
    parts.push(pen, far(sx(series.x[i])), " ", far(sy(series.y[i])));
    pen = "L";
  }
  return parts.join("");
}

// Dots as zero-length strokes with round ends: one element however many there are.
function dotPath(series, box, sx, sy, plot) {
  const parts = [];
  for (let i = 0; i < series.x.length; i++) {
    const x = series.x[i], y = series.y[i];
    if (!Number.isFinite(x) || !Number.isFinite(y) || x < box.x0 || x > box.x1 || y < box.y0 || y > box.y1) continue;
    if ((plot.yLog && y <= 0) || (plot.xLog && x <= 0)) continue;
    parts.push("M", sx(x).toFixed(1), " ", sy(y).toFixed(1), "h0");
  }
  return parts.join("");
}

// Least and greatest of all shown data within [x0, x1], widened a little.
function fitY(plot, x0, x1) {
  let low = Infinity, high = -Infinity;
  plot.series.forEach((series, k) => {
    if (plot.hidden.has(k)) return;
    const loose = series.points || series.curve;
    const [from, to] = loose ? [0, series.x.length] : stretch(series.x, x0, x1);
    for (let i = from; i < to; i++) {
      const y = series.y[i];
      if (!Number.isFinite(y) || (plot.yLog && y <= 0)) continue;
      if (loose && (series.x[i] < x0 || series.x[i] > x1)) continue;
      if (y < low) low = y;
      if (y > high) high = y;
    }
  });
  for (const band of plot.bands || []) high = Math.max(high, band.to * 1.3);
  if (!(low <= high)) return plot.yLog ? [0.1, 1] : [0, 1];
  if (plot.yLog) return [Math.max(low, high * 1e-6) * 0.8, high * 1.25];
  if (plot.fromZero && low >= 0) low = 0;
  const pad = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return [plot.fromZero && low === 0 ? 0 : low - pad, high + pad];
}

// The entire x range of the data.
function fitX(plot) {
  if (plot.xRange) return plot.xRange;
  let low = Infinity, high = -Infinity;
  for (const series of plot.series) {
    for (let i = 0; i < series.x.length; i++) {
      const x = series.x[i];
      if (!Number.isFinite(x) || (plot.xLog && x <= 0)) continue;
      if (x < low) low = x;
      if (x > high) high = x;
    }
  }
  if (!(low <= high)) return [0, 1];
  const scattered = plot.series.some((series) => series.points);
  const pad = plot.xNames ? 0.5 : scattered ? (high - low) * 0.03 || Math.abs(high) * 0.1 || 1 : high > low ? 0 : 1;
  return plot.xLog ? [low / 1.1, high * 1.1] : [low - pad, high + pad];
}

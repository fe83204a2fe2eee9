// Plots of several columns of a study: scatter matrix, parallel coordinates, heat map, Pareto front.
const MATRIX = 5;
const BINS = 12;

// The parameters that matter most for a metric, with it and other metrics, as many as fit.
function foremost(state, views, metric, most) {
  const rows = views.influences && views.influences.rows, ordered = rows ? rows.map((row) => row.parameter) : state.parameters;
  const others = state.metrics.filter((other) => other !== metric), parameters = ordered.slice(0, Math.max(2, most - 2));
  return [...parameters, metric, ...others].slice(0, most);
}

function startMatrix(state, views) {
  const root = document.getElementById("matrix");
  if (!root) return null;
  const matrix = new ManyColumns(root, state, "matrix");
  views.matrix = matrix;
  const narrow = () => (root.clientWidth < 500 ? 3 : MATRIX);
  return { update: (metric) => matrix.show(foremost(state, views, metric, narrow()), state.constraints.length ? null : metric) };
}

function startParallel(state, views) {
  const root = document.getElementById("parallel");
  if (!root) return null;
  const parallel = new ManyColumns(root, state, "parallel");
  views.parallel = parallel;
  return { update: (metric) => parallel.show([...state.parameters, ...state.metrics].slice(0, root.clientWidth < 500 ? 4 : 9), metric) };
}

// Bins of a column: its values where there are few of them, else even ones.
function binsOf(column, mask) {
  if (column.words) return { count: column.words.length, of: (i) => column.values[i], edge: (k) => k - 0.5 };
  const distinct = new Set();
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < mask.length; i++) {
    const value = column.values[i];
    if (!mask[i] || !Number.isFinite(value)) continue;
    [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (distinct.size <= 2 * BINS) distinct.add(value);
  }
  if (!(low < high)) return null;
  if (distinct.size <= 2 * BINS) {
    const values = [...distinct].sort((a, b) => a - b), at = new Map(values.map((value, k) => [value, k])), n = values.length;
    const edge = (k) => (k === 0 ? values[0] - (values[1] - values[0]) / 2 : k === n ? values[n - 1] + (values[n - 1] - values[n - 2]) / 2 : (values[k - 1] + values[k]) / 2);
    return { count: n, of: (i) => at.get(column.values[i]) ?? -1, edge };
  }
  return { count: BINS, of: (i) => (Number.isFinite(column.values[i]) ? Math.min(BINS - 1, Math.floor(((column.values[i] - low) / (high - low)) * BINS)) : -1), edge: (k) => low + ((high - low) * k) / BINS };
}

function startHeat(state, views) {
  const figure = document.getElementById("plot-heat");
  if (!figure || state.parameters.length < 2) return null;
  let metric = state.metrics[0];
  const redraw = () => view.show(drawn());
  const first = columnChoice(state, "heat-x", "across", state.parameters, redraw), second = columnChoice(state, "heat-y", "up", state.parameters, redraw);
  second.set(state.parameters[1]);
  document.getElementById("heat-choices").replaceChildren(first.label, second.label);
  const drawn = () => {
    const [x, y] = [first.get(), second.get()], [bx, by] = [binsOf(x, state.mask), binsOf(y, state.mask)], cells = [];
    let low = Infinity, high = -Infinity;
    if (bx && by && x !== y) {
      const sums = new Float64Array(bx.count * by.count), sizes = new Float64Array(sums.length);
      for (let i = 0; i < state.mask.length; i++) {
        const [a, b, value] = [bx.of(i), by.of(i), metric.values[i]];
        if (state.mask[i] && a >= 0 && b >= 0 && Number.isFinite(value)) { sums[a * by.count + b] += value; sizes[a * by.count + b]++; }
      }
      const means = Array.from(sums, (sum, k) => sum / sizes[k]).filter(Number.isFinite);
      [low, high] = [Math.min(...means), Math.max(...means)];
      for (let a = 0; a < bx.count; a++) for (let b = 0; b < by.count; b++) {
        const n = sizes[a * by.count + b], value = sums[a * by.count + b] / n;
        if (!n) continue;
        const [x0, x1, y0, y1] = [bx.edge(a), bx.edge(a + 1), by.edge(b), by.edge(b + 1)];
        cells.push({ corners: [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], colour: `rgb(${rampColour((value - low) / (high - low || 1)).map(Math.round).join(",")})`, x: (x0 + x1) / 2, y: (y0 + y1) / 2, label: `${metric.name}: ${readable(value)} ${metric.units}, mean of ${n}` });
      }
    }
    // Invisible points in the cells carry their read-out.
    const series = [{ name: metric.name, points: true, size: 1, opacity: 0.01, colour: "var(--ink)", keyless: true, x: cells.map((cell) => cell.x), y: cells.map((cell) => cell.y), label: (k) => cells[k].label }];
    const range = (bins) => (bins ? [bins.edge(0), bins.edge(bins.count)] : [0, 1]);
    scale(low, high);
    return { id: "heat", title: `Mean of ${metric.name} over two parameters`, series, cells, height: 380, xRange: range(bx), yRange: range(by), xNames: x.words || null, xTitle: state.titled(x), yTitle: state.titled(y), xName: x.name, xUnits: x.units, yUnits: y.units };
  };
  const bar = element("div", { class: "scale-bar" });
  const scale = (low, high) => {
    const stops = Array.from({ length: 9 }, (_, k) => `rgb(${rampColour(k / 8).map(Math.round).join(",")})`);
    bar.replaceChildren(...(low <= high ? [readable(low, 3), element("i", { style: `background:linear-gradient(to right,${stops.join(",")})` }), `${readable(high, 3)} ${metric.units}`] : ["Choose two parameters."]));
  };
  const view = new Plot(figure, drawn());
  figure.append(bar);
  views.heat = view;
  return { update: (chosen) => { metric = chosen; redraw(); } };
}

// Cases that no other beats in both metrics, of those that pass.
function frontOf(x, y, signs, mask, passes) {
  const all = [];
  for (let i = 0; i < mask.length; i++) if (mask[i] && passes(i) && Number.isFinite(x.values[i]) && Number.isFinite(y.values[i])) all.push([signs[0] * x.values[i], signs[1] * y.values[i], i]);
  all.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const front = [];
  let best = Infinity;
  for (const [, b, i] of all) if (b < best) { front.push(i); best = b; }
  return front;
}

function startPareto(state, views) {
  const figure = document.getElementById("plot-pareto");
  if (!figure || state.metrics.length < 2) return null;
  const redraw = () => view.show(drawn());
  const [x, y] = [columnChoice(state, "pareto-x", "across", state.metrics, redraw), columnChoice(state, "pareto-y", "up", state.metrics, redraw)];
  const better = (name, label) => { const select = element("select", { "data-choice": name, "aria-label": label, onchange: redraw }, element("option", { value: "1" }, "less is better"), element("option", { value: "-1" }, "more is better")); return select; };
  const [bx, by] = [better("pareto-x-sign", "Which is better across"), better("pareto-y-sign", "Which is better up")];
  y.set(state.metrics[1]);
  if (state.front) {
    const named = state.front.map(([name]) => state.metrics.find((metric) => metric.name === name));
    if (named.every((metric) => metric)) { x.set(named[0]); y.set(named[1]); [bx.value, by.value] = state.front.map(([, more]) => (more ? "-1" : "1")); }
  }
  document.getElementById("pareto-choices").replaceChildren(x.label, bx, y.label, by);
  const drawn = () => {
    const [mx, my] = [x.get(), y.get()], passes = (i) => state.passes(i), groups = [];
    const rest = (name, test, colour) => {
      const indices = [];
      for (let i = 0; i < state.mask.length; i++) if (state.mask[i] && test(i)) indices.push(i);
      if (indices.length) groups.push({ name, points: true, size: 5, opacity: 0.35, colour, indices, x: indices.map((i) => mx.values[i]), y: indices.map((i) => my.values[i]), label: (k) => state.description(indices[k]) });
    };
    const front = frontOf(mx, my, [Number(bx.value), Number(by.value)], state.mask, passes);
    views.front = front.map((i) => state.numbers[i]);
    if (state.constraints.length) rest("fails a constraint", (i) => !passes(i), "var(--bad)");
    rest(state.constraints.length ? "passes" : "cases", passes, "var(--s0)");
    const of = (values) => front.map((i) => values[i]), label = (k) => `${state.description(front[k])}: ${state.text(mx, front[k])} ${mx.units}, ${state.text(my, front[k])} ${my.units}`;
    groups.push({ name: "front", curve: true, colour: "var(--s1)", x: of(mx.values), y: of(my.values), indices: front, label });
    groups.push({ name: "on the front", points: true, size: 9, opacity: 0.95, colour: "var(--s1)", keyless: true, x: of(mx.values), y: of(my.values), indices: front, label });
    groups.push(...state.marked(mx, my).map((series) => ({ ...series, colour: "var(--ink)" })));
    const note = front.length ? `${front.length} of the cases are beaten by none in both.` : "No case passes all constraints.";
    figure.querySelector(".note") && (figure.querySelector(".note").textContent = note);
    return { id: "pareto", title: `${my.name} against ${mx.name}: Pareto front`, note, series: groups, height: 400, xTitle: state.titled(mx), yTitle: state.titled(my), xName: mx.name, xUnits: mx.units, yUnits: my.units, pick: (found) => { if (found && found.series.indices) state.choose(found.series.indices[found.i]); } };
  };
  const view = new Plot(figure, drawn());
  views.pareto = view;
  state.listeners.push((what) => { if (what === "chosen") redraw(); });
  return { update: redraw };
}

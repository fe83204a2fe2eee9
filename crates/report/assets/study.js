// A study: its state, the plots of parameters against metrics, and the table of its cases.
const LEVELS = 7;

// Columns, the cases that the filter leaves, and the one that is chosen.
class StudyState {
  constructor(page) {
    this.columns = page.columns.map((column) => Object.assign({}, column, { values: arrayOf(column.values) }));
    const of = (role) => this.columns.filter((column) => column.role === role);
    [this.parameters, this.metrics, this.constraints] = ["parameter", "metric", "constraint"].map(of);
    this.numbers = arrayOf(page.numbers);
    this.reasons = new Map(page.reasons);
    this.files = new Map(page.files || []);
    this.base = page.sobol_base;
    this.total = this.numbers.length + (page.missing || 0);
    this.front = page.front;
    this.folder = page.folder || "";
    this.mask = new Uint8Array(this.numbers.length).fill(1);
    this.chosen = null;
    this.listeners = [];
  }

  titled(column) { return column.units ? `${column.name} (${column.units})` : column.name; }

  text(column, i) {
    if (column.role === "constraint") return column.values[i] === 1 ? "pass" : column.values[i] === 0 ? "fail" : "–";
    return column.words ? column.words[column.values[i]] ?? "" : readable(column.values[i], 5);
  }

  passes(i) { return this.constraints.every((column) => column.values[i] === 1); }

  description(i) { return [`case ${this.numbers[i]}`, ...this.parameters.map((column) => `${column.name} = ${this.text(column, i)}`)].join(", "); }

  // The filter has left other cases.
  shown(rows) {
    this.mask.fill(0);
    for (const i of rows) this.mask[i] = 1;
    for (const listener of this.listeners) listener("mask");
  }

  choose(i) {
    this.chosen = i;
    for (const listener of this.listeners) listener("chosen");
  }

  // The points of a pair of columns, in groups of the third's value.
  pair(x, y, colour, size) {
    const { mask } = this, base = { points: true, size };
    let groups;
    if (!colour) groups = [{ name: "cases", pick: () => true, colour: "var(--s0)" }];
    else if (colour.role === "constraint") groups = [["pass", 1, "--good"], ["fail", 0, "--bad"]].map(([name, value, paint]) => ({ name, pick: (i) => colour.values[i] === value, colour: `var(${paint})` }));
    else if (colour.words) groups = colour.words.map((word, k) => ({ name: word, pick: (i) => colour.values[i] === k, colour: `var(--s${k % 8})` }));
    else {
      let low = Infinity, high = -Infinity;
      for (const value of colour.values) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
      const level = (value) => Math.min(LEVELS - 1, Math.floor(((value - low) / (high - low || 1)) * LEVELS));
      groups = Array.from({ length: LEVELS }, (_, k) => ({
        name: `${k ? "" : `${colour.name} `}${readable(low + ((high - low) * k) / LEVELS, 3)}…`,
        pick: (i) => level(colour.values[i]) === k, colour: `rgb(${rampColour((k + 0.5) / LEVELS).map(Math.round).join(",")})`,
      })).filter((group) => high > low || group.pick(0));
    }
    const series = groups.map((group) => {
      const indices = [];
      for (let i = 0; i < mask.length; i++) if (mask[i] && group.pick(i)) indices.push(i);
      const of = (values) => indices.map((i) => values[i]);
      return Object.assign({}, base, group, { indices, x: of(x.values), y: of(y.values), label: (k) => `${this.description(indices[k])}: ${this.text(y, indices[k])} ${y.units}` });
    });
    return { series, xNames: x.words || null, xTitle: this.titled(x), yTitle: this.titled(y), xName: x.name, xUnits: x.units, yUnits: y.units };
  }

  // The chosen case as a series of its own.
  marked(x, y) {
    const i = this.chosen;
    return i == null ? [] : [{ name: `case ${this.numbers[i]}`, points: true, size: 13, opacity: 1, colour: "var(--s1)", x: [x.values[i]], y: [y.values[i]], label: () => this.description(i), keyless: true }];
  }
}

// A choice among columns.
function columnChoice(state, name, label, list, act, empty) {
  const select = element("select", { "data-choice": name, onchange: act }, ...(empty ? [element("option", { value: "" }, empty)] : []), ...list.map((column) => element("option", { value: column.id }, column.name)));
  return { label: element("label", {}, label, select), get: () => state.columns.find((column) => String(column.id) === select.value), set: (column) => { select.value = column ? column.id : ""; }, select };
}

function startStudy(page) {
  const state = new StudyState(page), { parameters, metrics, constraints, columns } = state, views = { state };
  const explores = metrics.length && parameters.length;
  // Plots are drawn when the filter has come to rest.
  let waiting = null;
  const later = (act) => { clearTimeout(waiting); waiting = setTimeout(act, 120); };
  if (explores) {
    const choice = (name, label, list, empty) => columnChoice(state, name, label, list, () => redraw(), empty);
    const x = choice("x", "across", [...parameters, ...metrics]), y = choice("y", "up", metrics), colour = choice("colour", "colour", columns, "none");
    const pick = (found) => { if (found && found.series.indices) state.choose(found.series.indices[found.i]); };
    const explored = () => {
      const drawn = state.pair(x.get(), y.get(), colour.get(), 6);
      drawn.series.push(...state.marked(x.get(), y.get()));
      return Object.assign(drawn, { id: "explore", title: `${y.get().name} against ${x.get().name}`, height: 420, pick });
    };
    const ranked = () => page.effects.filter((entry) => entry.metric === y.get().id);
    const small = (effect, k) => {
      const column = columns[effect.parameter], shares = [];
      if (effect.rank_correlation != null && state.enough) shares.push(`rank correlation ${effect.rank_correlation.toFixed(2).replace(/^-0\.00$/, "0").replace("-", "−")}`);
      return Object.assign(state.pair(column, y.get(), null, 4), { id: `small-${k}`, height: 200, title: column.name, xTitle: [state.titled(column), ...shares].join(" · ") });
    };
    // They are about all cases, whatever the filter leaves.
    const kept = new Map(), influencesOf = (metric) => { if (!kept.has(metric)) kept.set(metric, influences(state, metric)); return kept.get(metric); };
    const redraw = () => {
      const found = influencesOf(y.get());
      state.enough = !found.none;
      drawInfluences(document.getElementById("sensitivity"), found);
      views.influences = found;
      views.explore.show(explored());
      ranked().forEach((effect, k) => views[`small-${k}`].show(small(effect, k)));
      views.many.forEach((view) => view.update(y.get()));
    };
    document.getElementById("choices").replaceChildren(x.label, y.label, colour.label);
    views.explore = new Plot(document.getElementById("plot-explore"), explored());
    state.enough = !influencesOf(y.get()).none;
    const grid = document.getElementById("influences");
    ranked().forEach((effect, k) => {
      const figure = element("figure", { class: "plot", id: `plot-small-${k}` });
      grid.append(figure);
      views[`small-${k}`] = new Plot(figure, small(effect, k));
    });
    views.many = [startMatrix(state, views), startParallel(state, views), startHeat(state, views), startPareto(state, views)].filter((view) => view);
    redraw();
    state.listeners.push((what) => {
      if (what === "mask") return later(redraw);
      const zoom = views.explore.zoom;
      views.explore.show(explored());
      views.explore.zoom = zoom;
      views.explore.draw();
    });
  }
  const list = [
    { title: "case", text: (i) => String(state.numbers[i]), order: (i) => state.numbers[i] },
    ...columns.map((column) => ({
      title: state.titled(column), left: !!column.words, text: (i) => state.text(column, i), order: (i) => (column.words ? column.words[column.values[i]] : column.values[i]),
      mark: column.role === "constraint" ? (i) => (column.values[i] === 1 ? "badge good" : column.values[i] === 0 ? "badge bad" : null) : null,
    })),
  ];
  if (state.reasons.size) list.push({ title: "failed because", left: true, text: (i) => state.reasons.get(i) || "", order: (i) => state.reasons.get(i) || "" });
  const table = new CaseTable(document.getElementById("case-table"), state.numbers.length, list, {
    failed: (i) => state.reasons.has(i),
    words: (i) => list.map((column) => column.text(i)).join(" "),
    parse: (text, words) => parseFilter(text, columns, words),
    filtered: (rows) => state.shown(rows),
    choose: (i) => state.choose(i),
  });
  state.narrow = (name, [low, high]) => {
    const kept = table.filter.value.split(/\s+and\s+/).filter((term) => term.trim() && !term.trim().startsWith(name));
    table.filter.value = [...kept, `${name} >= ${low}`, `${name} <= ${high}`].join(" and ");
    table.refresh();
  };
  state.listeners.push((what) => { if (what === "chosen") { table.find(state.chosen); showCase(state); } });
  views.table = table;
  return views;
}

// All that is known of the chosen case, and how to open it.
function showCase(state) {
  const i = state.chosen, file = state.files.get(i), row = (column) => element("tr", {}, element("th", { scope: "row" }, breakable(state.titled(column))), element("td", {}, column.role === "constraint" ? element("span", { class: `badge ${column.values[i] === 1 ? "good" : "bad"}` }, state.text(column, i)) : state.text(column, i)));
  const open = [];
  if (file) {
    const path = [state.folder, file.path].filter((part) => part).join("/"), command = `pliant report ${/[^\w./-]/.test(path) ? `'${path}'` : path}`;
    if (file.page) open.push(element("a", { href: encodeURI(file.page), class: "open" }, "Open its report"));
    open.push(element("code", {}, command), element("button", { type: "button", onclick: () => navigator.clipboard && navigator.clipboard.writeText(command) }, "Copy"));
  } else open.push(element("span", { class: "muted" }, "Its results were not kept: `keep` of [study] says which are."));
  document.getElementById("case-detail").replaceChildren(element("div", { class: "panel case" },
    element("h3", {}, `Case ${state.numbers[i]}`), state.reasons.has(i) ? element("p", { class: "bad" }, state.reasons.get(i)) : null,
    element("div", { class: "scroll" }, element("table", {}, element("tbody", {}, ...state.columns.map(row)))), element("p", { class: "open-case" }, ...open)));
}

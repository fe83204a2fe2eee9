// A study: parameters against metrics, and the table of its cases.
const LEVELS = 7;

function startStudy(page) {
  const columns = page.columns.map((column) => Object.assign({}, column, { values: arrayOf(column.values) }));
  const parameters = columns.filter((column) => column.role === "parameter"), metrics = columns.filter((column) => column.role === "metric");
  const numbers = arrayOf(page.numbers);
  const reasons = new Map(page.reasons);
  const titled = (column) => (column.units ? `${column.name} (${column.units})` : column.name);
  const text = (column, i) => (column.words ? column.words[column.values[i]] ?? "" : readable(column.values[i], 5));
  const description = (i) => [`case ${numbers[i]}`, ...parameters.map((column) => `${column.name} = ${text(column, i)}`)].join(", ");
  const views = {};

  // The points of a pair of columns, in groups of the third's value.
  const pair = (x, y, colour, size) => {
    const base = { x: x.values, y: y.values, points: true, size, label: (i) => `${description(i)}: ${text(y, i)} ${y.units}` };
    let groups = [];
    if (!colour) groups = [Object.assign({ name: "cases", indices: null, colour: "var(--s0)" }, base)];
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
      if (!group.pick) return group;
      const indices = [];
      for (let i = 0; i < numbers.length; i++) if (group.pick(i)) indices.push(i);
      const of = (values) => indices.map((i) => values[i]);
      return Object.assign({}, base, group, { indices, x: of(x.values), y: of(y.values), label: (k) => base.label(indices[k]) });
    });
    return { series, xNames: x.words || null, xTitle: titled(x), yTitle: titled(y), xName: x.name, xUnits: x.units, yUnits: y.units };
  };

  const choice = (name, label, list, empty) => {
    const select = element("select", { "data-choice": name, onchange: () => redraw() }, ...(empty ? [element("option", { value: "" }, empty)] : []), ...list.map((column) => element("option", { value: column.id }, column.name)));
    return { label: element("label", {}, label, select), get: () => columns.find((column) => String(column.id) === select.value), select };
  };
  const x = choice("x", "across", [...parameters, ...metrics]), y = choice("y", "up", metrics), colour = choice("colour", "colour", columns, "none");
  const marked = { i: null };
  const explored = () => {
    const drawn = pair(x.get(), y.get(), colour.get(), 6);
    if (marked.i != null) drawn.series.push({ name: `case ${numbers[marked.i]}`, points: true, size: 13, opacity: 1, colour: "var(--s1)", x: [x.get().values[marked.i]], y: [y.get().values[marked.i]], label: () => description(marked.i), keyless: true });
    return Object.assign(drawn, {
      id: "explore", title: `${y.get().name} against ${x.get().name}`, height: 420,
      pick: (found) => { if (found && found.series.indices !== undefined) choose(found.series.indices ? found.series.indices[found.i] : found.i); },
    });
  };
  const ranked = () => page.effects.filter((entry) => entry.metric === y.get().id);
  const redraw = () => {
    views.explore.show(explored());
    ranked().forEach((effect, k) => views[`small-${k}`].show(small(effect, k)));
  };
  const small = (effect, k) => {
    const column = columns[effect.parameter], shares = [];
    if (effect.variance_share != null) shares.push(`${readable(100 * effect.variance_share, 2)} % of the variance`);
    if (effect.rank_correlation != null) shares.push(`rank correlation ${effect.rank_correlation.toFixed(2).replace("-", "−")}`);
    return Object.assign(pair(column, y.get(), null, 4), { id: `small-${k}`, height: 200, title: column.name, xTitle: [titled(column), ...shares].join(" · ") });
  };
  const choose = (i) => {
    marked.i = i;
    const zoom = views.explore.zoom;
    views.explore.show(explored());
    views.explore.zoom = zoom;
    views.explore.draw();
    table.find(i);
  };

  if (metrics.length && parameters.length) {
    document.getElementById("choices").replaceChildren(x.label, y.label, colour.label);
    views.explore = new Plot(document.getElementById("plot-explore"), explored());
    const grid = document.getElementById("influences");
    ranked().forEach((effect, k) => {
      const figure = element("figure", { class: "plot", id: `plot-small-${k}` });
      grid.append(figure);
      views[`small-${k}`] = new Plot(figure, small(effect, k));
    });
  }
  const list = [
    { title: "case", text: (i) => String(numbers[i]), order: (i) => numbers[i] },
    ...columns.map((column) => ({ title: titled(column), left: !!column.words, text: (i) => text(column, i), order: (i) => (column.words ? column.words[column.values[i]] : column.values[i]) })),
  ];
  if (reasons.size) list.push({ title: "failed because", left: true, text: (i) => reasons.get(i) || "", order: (i) => reasons.get(i) || "" });
  const table = new CaseTable(document.getElementById("case-table"), numbers.length, list, {
    failed: (i) => reasons.has(i),
    words: (i) => list.map((column) => column.text(i)).join(" "),
    choose: (i) => { if (views.explore) choose(i); },
  });
  views.table = table;
  return views;
}

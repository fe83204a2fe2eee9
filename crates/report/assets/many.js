// Many columns at once, on a canvas each: a scatter matrix and parallel coordinates.
const BATCH = 8;

class ManyColumns {
  constructor(root, state, what) {
    Object.assign(this, { root, state, what, columns: [] });
    this.canvas = element("canvas", { role: "img", tabindex: "0" });
    this.labels = element("div", { class: "many-labels" });
    this.box = element("div", { class: "many " + what }, this.canvas, this.labels);
    root.replaceChildren(this.box);
    new ResizeObserver(() => requestAnimationFrame(() => { if (this.canvas.clientWidth !== this.wide) this.draw(); })).observe(this.box);
    theme.listeners.push(() => this.draw());
    if (what === "parallel") this.listen();
  }

  show(columns, colour) {
    Object.assign(this, { columns, colour });
    this.canvas.setAttribute("aria-label", `${this.what === "matrix" ? "Scatter matrix" : "Parallel coordinates"} of ${columns.map((column) => column.name).join(", ")}`);
    this.draw();
  }

  // Share of a value between the least and the greatest of its column; words are spread evenly.
  static scale(column) {
    if (column.words) return { of: (v) => (v + 0.5) / column.words.length, low: column.words[0], high: column.words[column.words.length - 1], at: (share) => Math.floor(share * column.words.length) };
    let low = Infinity, high = -Infinity;
    for (const value of column.values) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
    return { of: (v) => (v - low) / (high - low || 1), low: readable(low, 3), high: readable(high, 3), at: (share) => low + share * (high - low) };
  }

  draw() {
    const { canvas, columns, state } = this, ratio = Math.min(2, devicePixelRatio || 1), width = this.box.clientWidth;
    if (!columns.length || !width) return;
    const height = this.what === "matrix" ? Math.min(width, 190 * columns.length) : 320;
    this.wide = width;
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.clearRect(0, 0, width, height);
    this.scales = columns.map(ManyColumns.scale);
    const rest = [], shown = [];
    for (let i = 0; i < state.numbers.length; i++) (state.mask[i] ? shown : rest).push(i);
    const paint = this.paint();
    this.drawn = shown.length;
    if (this.what === "matrix") this.matrix(context, width, height, rest, shown, paint);
    else this.parallel(context, width, height, rest, shown, paint);
  }

  // Colour of a case by a column, in sixteen steps so that few strokes draw many cases.
  paint() {
    const { colour } = this;
    if (!colour) return () => colourOf("--s0");
    const scale = ManyColumns.scale(colour), steps = Array.from({ length: 16 }, (_, k) => `rgb(${rampColour((k + 0.5) / 16).map(Math.round).join(",")})`);
    return (i) => { const share = scale.of(colour.values[i]); return Number.isFinite(share) ? steps[Math.max(0, Math.min(15, Math.floor(16 * share)))] : colourOf("--muted"); };
  }

  groups(cases, paint) {
    const groups = new Map();
    for (const i of cases) { const colour = paint(i); if (!groups.has(colour)) groups.set(colour, []); groups.get(colour).push(i); }
    return groups;
  }

  matrix(context, width, height, rest, shown, paint) {
    const n = this.columns.length, cell = [width / n, height / n], pad = 6;
    const names = [];
    context.lineWidth = 1;
    for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) {
      const x = c * cell[0], y = r * cell[1], w = cell[0] - 2 * pad, h = cell[1] - 2 * pad;
      context.strokeStyle = colourOf("--line");
      context.strokeRect(x + 0.5, y + 0.5, cell[0] - 1, cell[1] - 1);
      if (r === c) {
        const { low, high } = this.scales[c];
        names.push(element("span", { style: `left:${x}px;top:${y}px;width:${cell[0]}px;height:${cell[1]}px` }, breakable(this.state.titled(this.columns[c])), element("small", {}, `${low} to ${high}`)));
        continue;
      }
      const [sx, sy] = [this.scales[c], this.scales[r]], [vx, vy] = [this.columns[c].values, this.columns[r].values];
      const dots = (cases, colour, alpha) => {
        context.fillStyle = colour;
        context.globalAlpha = alpha;
        for (const i of cases) {
          const px = x + pad + w * sx.of(vx[i]), py = y + cell[1] - pad - h * sy.of(vy[i]);
          if (px === px && py === py) context.fillRect(px - 1, py - 1, 2, 2);
        }
      };
      if (rest.length) dots(rest, colourOf("--line"), 0.7);
      for (const [colour, cases] of this.groups(shown, paint)) dots(cases, colour, 0.6);
      context.globalAlpha = 1;
    }
    this.labels.replaceChildren(...names);
  }

  axis(k, width) { const n = this.columns.length; return 46 + (n > 1 ? (k * (width - 92)) / (n - 1) : 0); }

  parallel(context, width, height, rest, shown, paint) {
    const top = 44, bottom = height - 22, y = (k, i) => bottom - (bottom - top) * this.scales[k].of(this.columns[k].values[i]);
    const lines = (cases, colour, alpha) => {
      context.strokeStyle = colour;
      context.globalAlpha = alpha;
      context.beginPath();
      cases.forEach((i, count) => {
        // A path that crosses itself thousands of times takes seconds to fill with ink.
        if (count % BATCH === BATCH - 1) { context.stroke(); context.beginPath(); }
        let pen = false;
        for (let k = 0; k < this.columns.length; k++) {
          const at = y(k, i);
          if (at !== at) { pen = false; continue; }
          if (pen) context.lineTo(this.axis(k, width), at); else context.moveTo(this.axis(k, width), at);
          pen = true;
        }
      });
      context.stroke();
    };
    context.lineWidth = 1;
    if (rest.length) lines(rest, colourOf("--line"), 0.25);
    const alpha = Math.max(0.08, Math.min(0.7, 120 / Math.max(1, shown.length)));
    for (const [colour, cases] of this.groups(shown, paint)) lines(cases, colour, alpha);
    context.globalAlpha = 1;
    context.strokeStyle = colourOf("--muted");
    for (let k = 0; k < this.columns.length; k++) { context.beginPath(); context.moveTo(this.axis(k, width), top); context.lineTo(this.axis(k, width), bottom); context.stroke(); }
    const room = (width - 92) / Math.max(1, this.columns.length - 1);
    this.labels.replaceChildren(...this.columns.flatMap((column, k) => {
      const at = this.axis(k, width), label = (text, y, kind) => element("span", { class: kind, style: `left:${at}px;top:${y}px;max-width:${Math.max(64, room - 6)}px` }, text);
      return [label(breakable(this.state.titled(column)), 0, "head"), label(this.scales[k].high, top - 15, "end"), label(this.scales[k].low, bottom + 2, "end")];
    }));
    this.frame = { top, bottom, width };
  }

  // Dragging along an axis filters by its values.
  listen() {
    let from = null;
    const point = (event) => { const bounds = this.canvas.getBoundingClientRect(); return [event.clientX - bounds.left, event.clientY - bounds.top]; };
    this.canvas.addEventListener("pointerdown", (event) => {
      const [x, y] = point(event), near = this.columns.map((_, k) => Math.abs(this.axis(k, this.frame.width) - x)), k = near.indexOf(Math.min(...near));
      if (near[k] < 24 && !this.columns[k].words) { from = { k, y }; this.canvas.setPointerCapture(event.pointerId); }
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!from) return;
      const { top, bottom } = this.frame, [, y] = point(event), share = (at) => Math.max(0, Math.min(1, (bottom - at) / (bottom - top)));
      const ends = [from.y, y].map((at) => this.scales[from.k].at(share(at))).sort((a, b) => a - b), { name } = this.columns[from.k];
      if (Math.abs(y - from.y) > 5) this.state.narrow(name, ends.map((end) => Number(end.toPrecision(4))));
      from = null;
    });
  }
}

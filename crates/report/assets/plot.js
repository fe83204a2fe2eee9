// A plot in the page: zoom by dragging, read-out by pointing or with the arrow keys, series switched by their keys.
class Plot {
  constructor(figure, plot) {
    this.plot = Object.assign({ hidden: new Set() }, plot);
    this.figure = figure;
    this.zoom = null;
    this.cursor = null;
    const tool = (label, title, act) => element("button", { type: "button", title, "aria-label": `${title}: ${plot.title}`, onclick: act }, label);
    this.resetButton = tool("Reset", "Show everything again", () => this.reset());
    this.resetButton.disabled = true;
    const tools = element("div", { class: "tools" }, this.resetButton,
      tool("SVG", "Save as SVG", () => saveSvg(this)),
      tool("PNG", "Save as PNG", () => savePng(this)),
      tool("CSV", "Save the numbers as CSV", () => saveCsv(this)));
    const caption = element("figcaption", {}, element("h3", {}, plot.title), tools);
    this.area = element("div", { class: "area" });
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("tabindex", "0");
    this.svg.setAttribute("role", "img");
    this.svg.setAttribute("aria-label", this.summary());
    this.box = element("div", { class: "tip-box", hidden: true, role: "status" });
    this.area.append(this.svg, this.box);
    this.keys = element("div", { class: "keys" });
    figure.replaceChildren(caption, this.area, this.keys);
    if (plot.note) figure.append(element("p", { class: "note" }, plot.note));
    this.listen();
    this.drawKeys();
    this.draw();
    new ResizeObserver(() => requestAnimationFrame(() => { if (Math.round(this.area.clientWidth) !== this.frame.wide) this.draw(); })).observe(this.area);
    theme.listeners.push(() => this.draw());
    if (plot.time) clock.watch(() => this.drawClock());
  }

  // For those who do not see it.
  summary() {
    const parts = this.plot.series.slice(0, 8).map((series) => {
      let low = Infinity, high = -Infinity;
      for (const y of series.y) { if (y < low) low = y; if (y > high) high = y; }
      return `${series.name} from ${readable(low)} to ${readable(high)}`;
    });
    return `${this.plot.title}, ${this.plot.yTitle} against ${this.plot.xTitle}: ${parts.join("; ")}`;
  }

  // Replaces the data, as when another parameter is chosen.
  show(plot) {
    this.plot = Object.assign({ hidden: new Set() }, plot);
    this.figure.querySelector("h3").textContent = plot.title;
    this.svg.setAttribute("aria-label", this.summary());
    this.drawKeys();
    this.reset();
  }

  limits(width, height) {
    if (this.zoom) return this.zoom;
    // A circle is one: as many units a pixel along both axes.
    if (this.plot.square) {
      const { x, y, high } = this.plot.square, half = (high * (width - MARGIN.left - MARGIN.right)) / (height - MARGIN.top - MARGIN.bottom);
      return { x0: x - half, x1: x + half, y0: y - high, y1: y + high };
    }
    const [x0, x1] = fitX(this.plot);
    const [y0, y1] = this.plot.yRange || fitY(this.plot, x0, x1);
    return { x0, x1, y0, y1 };
  }

  draw() {
    // On paper a plot is half a page wide, one that stands alone a full one; drawn as for a small window its letters stay readable.
    const width = theme.printing ? (this.area.closest(".plots") ? 420 : 800) : Math.max(260, Math.round(this.area.clientWidth));
    const height = this.plot.height || Math.round(Math.min(300, Math.max(210, width * 0.46)));
    const frame = Object.assign({ width, height, wide: Math.round(this.area.clientWidth) }, this.limits(width, height));
    const drawn = drawPlot(this.plot, frame);
    this.frame = Object.assign(frame, drawn);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.innerHTML = drawn.markup +
      `<path class="clock" stroke="var(--accent)" stroke-width="1.2" opacity="0"/><g class="hover"></g>` +
      `<rect class="drag" fill="var(--accent)" opacity=".16" width="0" height="0"/>`;
    this.drawClock();
    this.resetButton.disabled = !this.zoom;
  }

  drawKeys() {
    this.keys.replaceChildren();
    if (this.plot.series.length < 2) return;
    this.plot.series.forEach((series, k) => {
      if (series.keyless) return;
      const key = element("button", { type: "button", "aria-pressed": String(!this.plot.hidden.has(k)), title: "Show or hide" });
      const stroke = series.colour || `var(--s${k % 8})`;
      key.innerHTML = series.points
        ? `<svg viewBox="0 0 22 8"><circle cx="11" cy="4" r="4" fill="${stroke}"/></svg>`
        : `<svg viewBox="0 0 22 8"><path d="M0 4H22" stroke="${stroke}" stroke-width="2.4" stroke-dasharray="${DASH[series.dash] || ""}"/></svg>`;
      key.append(series.name);
      key.addEventListener("click", () => {
        const hidden = this.plot.hidden;
        if (hidden.has(k)) hidden.delete(k); else hidden.add(k);
        key.setAttribute("aria-pressed", String(!hidden.has(k)));
        this.draw();
      });
      this.keys.append(key);
    });
  }

  drawClock() {
    const line = this.svg.querySelector(".clock");
    if (!line || !this.plot.time || clock.t == null || !this.frame) return;
    const { sx, x0, x1, bottom } = this.frame;
    const shown = clock.t >= x0 && clock.t <= x1;
    line.setAttribute("opacity", shown ? "0.8" : "0");
    if (shown) line.setAttribute("d", `M${sx(clock.t).toFixed(1)} ${MARGIN.top}V${bottom}`);
  }

  reset() {
    this.zoom = null;
    this.draw();
  }

  // Zooms about a point by a factor, x only.
  zoomBy(factor, about) {
    const { x0, x1 } = this.frame;
    this.zoomTo(about + (x0 - about) * factor, about + (x1 - about) * factor);
  }

  zoomTo(x0, x1, y0, y1) {
    if (!(x1 > x0)) return;
    if (y0 === undefined) [y0, y1] = fitY(this.plot, x0, x1);
    this.zoom = { x0, x1, y0, y1 };
    this.draw();
  }

  // Pixel of the drawing under a pointer.
  point(event) {
    const bounds = this.svg.getBoundingClientRect();
    const k = this.frame.width / bounds.width;
    return [(event.clientX - bounds.left) * k, (event.clientY - bounds.top) * k];
  }

  listen() {
    let from = null;
    const rect = () => this.svg.querySelector(".drag");
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = this.point(event);
      this.svg.setPointerCapture(event.pointerId);
      this.hover(null);
    });
    this.svg.addEventListener("pointermove", (event) => {
      const [px, py] = this.point(event);
      if (!from) return this.hover(px, py);
      const tall = Math.abs(py - from[1]) > 14;
      const { right, bottom } = this.frame;
      const a = Math.max(MARGIN.left, Math.min(from[0], px)), b = Math.min(right, Math.max(from[0], px));
      const c = tall ? Math.max(MARGIN.top, Math.min(from[1], py)) : MARGIN.top, d = tall ? Math.min(bottom, Math.max(from[1], py)) : bottom;
      for (const [name, value] of [["x", a], ["y", c], ["width", Math.max(0, b - a)], ["height", Math.max(0, d - c)]]) rect().setAttribute(name, value);
    });
    const finish = (event) => {
      if (!from) return;
      const [px, py] = this.point(event), start = from;
      from = null;
      const { sx, sy } = this.frame;
      rect().setAttribute("width", 0);
      if (Math.abs(px - start[0]) > 6) {
        const xs = [start[0], px].sort((a, b) => a - b).map(sx.inverse), tall = Math.abs(py - start[1]) > 14;
        const ys = tall ? [start[1], py].sort((a, b) => b - a).map(sy.inverse) : [];
        this.zoomTo(xs[0], xs[1], ys[0], ys[1]);
      } else if (this.plot.time) clock.set(sx.inverse(px), this);
      else if (this.plot.pick) this.plot.pick(this.nearest(px, py));
    };
    this.svg.addEventListener("pointerup", finish);
    this.svg.addEventListener("pointercancel", () => { from = null; rect().setAttribute("width", 0); });
    this.svg.addEventListener("pointerleave", () => this.hover(null));
    this.svg.addEventListener("blur", () => this.hover(null));
    this.svg.addEventListener("dblclick", () => this.reset());
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const { x0, x1, sx } = this.frame;
    const at = this.cursor == null || this.cursor < x0 || this.cursor > x1 ? (x0 + x1) / 2 : this.cursor;
    const step = (x1 - x0) / (event.shiftKey ? 20 : 200);
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") this.hover(sx(Math.min(x1, Math.max(x0, at + (event.key === "ArrowRight" ? step : -step)))));
    else if (event.key === "+" || event.key === "=") this.zoomBy(0.6, at);
    else if (event.key === "-") this.zoomBy(1 / 0.6, at);
    else if (event.key === "Escape" || event.key === "0") this.reset();
    else if (event.key === "Enter" && this.plot.time) clock.set(at, this);
    else return;
    event.preventDefault();
  }

  // Index and series of the dot nearest to a pixel, within reach.
  nearest(px, py) {
    const { sx, sy } = this.frame;
    let best = null, reach = 18 * 18;
    this.plot.series.forEach((series, k) => {
      if (!(series.points || series.curve) || this.plot.hidden.has(k)) return;
      for (let i = 0; i < series.x.length; i++) {
        const d = (sx(series.x[i]) - px) ** 2 + (sy(series.y[i]) - py) ** 2;
        if (d < reach) { reach = d; best = { series, i, x: sx(series.x[i]), y: sy(series.y[i]) }; }
      }
    });
    return best;
  }

  // Read-out at a pixel; none for null.
  hover(px, py) {
    const mark = this.svg.querySelector(".hover");
    this.cursor = null;
    if (mark) mark.innerHTML = "";
    this.box.hidden = true;
    if (px == null || !this.frame || px < MARGIN.left - 2 || px > this.frame.right + 2) return;
    const { sx, sy, bottom, width } = this.frame;
    const rows = [], dots = [];
    let title = "", at = px;
    if (this.plot.series.some((series) => series.points || series.curve)) {
      const found = py == null ? null : this.nearest(px, py);
      if (!found) return;
      at = found.x;
      title = found.series.label(found.i);
      dots.push(`<circle cx="${found.x}" cy="${found.y}" r="6" fill="none" stroke="var(--ink)" stroke-width="1.5"/>`);
    } else {
      this.cursor = sx.inverse(px);
      this.plot.series.forEach((series, k) => {
        if (this.plot.hidden.has(k) || series.x.length === 0) return;
        let i = Math.min(lowerBound(series.x, this.cursor), series.x.length - 1);
        if (i > 0 && this.cursor - series.x[i - 1] < series.x[i] - this.cursor) i--;
        const colour = series.colour || `var(--s${k % 8})`;
        at = sx(series.x[i]);
        title = `${this.plot.xName} ${readable(series.x[i], 5)} ${this.plot.xUnits}`;
        rows.push(`<span><i style="background:${colour}"></i>${escapeText(series.name)}: ${readable(series.y[i])} ${escapeText(this.plot.yUnits)}</span>`);
        if (Number.isFinite(series.y[i])) dots.push(`<circle cx="${at.toFixed(1)}" cy="${sy(series.y[i]).toFixed(1)}" r="3.2" fill="${colour}"/>`);
      });
      dots.unshift(`<path d="M${at.toFixed(1)} ${MARGIN.top}V${bottom}" stroke="var(--muted)"/>`);
    }
    mark.innerHTML = dots.join("");
    this.box.innerHTML = `<b>${escapeText(title)}</b>` + rows.join("<br>");
    this.box.hidden = false;
    const left = at > width * 0.55;
    this.box.style.left = left ? "" : `${at + 14}px`;
    this.box.style.right = left ? `${width - at + 14}px` : "";
    this.box.style.top = "14px";
  }
}

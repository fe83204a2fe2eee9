// The controls of the machine: time, speed, exaggeration, colour, views, keys and pointers.
class Player {
  constructor(root, machine) {
    this.root = root;
    this.machine = machine;
    this.stage = new Stage(root.querySelector("canvas"), machine);
    this.at = (name) => root.querySelector(`[data-control="${name}"]`);
    this.playing = false;
    const slider = this.at("time");
    slider.max = this.stage.times.length - 1;
    this.scaleTo(machine.scale);
    this.at("colour").replaceChildren(...this.choices().map(({ value, label }) => element("option", { value }, label)));
    if (!this.stage.parts.some((part) => part.thin)) this.at("spiders").closest("label").hidden = true;
    if (!this.stage.symbols.all.length) this.at("symbols").closest("label").hidden = true;
    this.drawRamp();
    this.controls();
    this.pointers();
    this.keys();
    this.stage.drawn = () => this.drawTriad();
    clock.watch((t, from) => { if (from !== this) this.show(nearestFrame(this.stage.times, t)); });
    this.choose();
    this.show(machine.first, true);
  }

  choices() {
    const fields = this.machine.fields.map((field) => ({ value: field.name, label: field.name, units: field.units, factor: field.factor, max: field.max }));
    return [{ value: "displacement", label: "displacement", ...this.machine.displacement }, ...fields, { value: "link", label: "link" }];
  }

  choice() { return this.choices().find((choice) => choice.value === this.stage.options.choice); }

  show(frame, announce) {
    const last = this.stage.times.length - 1;
    this.frame = Math.min(last, Math.max(0, frame));
    this.stage.frame = this.frame;
    for (const part of this.stage.parts) part.move(this.frame);
    this.range();
    this.stage.recolour();
    const t = this.stage.times[this.frame];
    const slider = this.at("time");
    slider.value = this.frame;
    slider.setAttribute("aria-valuetext", `${readable(t)} seconds`);
    this.status();
    if (announce) clock.set(t, this);
  }

  status() {
    const t = this.stage.times[this.frame], { units, factor } = this.machine.displacement;
    const largest = Math.max(...this.stage.parts.map((part) => part.largest));
    this.root.querySelector(".status").innerHTML =
      `<strong>${t.toFixed(4)} s</strong> · frame ${this.frame + 1} of ${this.stage.times.length}<br>` +
      `largest displacement ${readable(largest * factor)} ${units}<br>drawn × ${readable(this.stage.options.scale)}`;
  }

  // Limits of the colours: the entire run's or this frame's.
  range() {
    const choice = this.choice();
    let high = choice.max || 1;
    if (this.at("range").value === "frame" && choice.value !== "link") {
      high = 0;
      for (const part of this.stage.parts) for (let i = 0; i < part.count; i++) {
        const value = part.valueAt(i, choice.value, this.frame);
        if (value > high) high = value;
      }
    }
    this.stage.options.range = [0, high || 1];
    this.legend(choice, high || 1);
  }

  legend(choice, high) {
    const legend = this.root.querySelector(".legend");
    legend.querySelector(".title").textContent = choice.value === "link" ? "links" : `${choice.label} (${choice.units})`;
    legend.querySelector(".ramp").hidden = choice.value === "link";
    legend.querySelector(".ramp").style.display = choice.value === "link" ? "none" : "";
    const names = legend.querySelector(".links");
    names.replaceChildren(...(choice.value === "link" ? this.stage.parts.map((part) => element("li", {}, element("i", { style: `background:var(${part.colour})` }), part.name)) : []));
    const ticks = [4, 3, 2, 1, 0].map((k) => element("li", {}, readable((high * k * choice.factor) / 4, 3)));
    if (choice.value !== "link") legend.querySelector("ol").replaceChildren(...ticks);
  }

  drawRamp() {
    const canvas = this.root.querySelector(".legend canvas");
    Object.assign(canvas, { width: 1, height: 256 });
    const context = canvas.getContext("2d"), image = context.createImageData(1, 256), pixels = rampPixels();
    for (let i = 0; i < 256; i++) for (let c = 0; c < 4; c++) image.data[4 * i + c] = pixels[4 * (255 - i) + c];
    context.putImageData(image, 0, 0);
  }

  choose() {
    this.stage.options.choice = this.at("colour").value;
    this.range();
    this.stage.recolour();
  }

  scaleTo(scale) {
    const value = Math.min(1e5, Math.max(0, Number(scale) || 0));
    this.stage.options.scale = value;
    this.at("scale").value = Number(value.toPrecision(3));
    this.at("scale-slider").value = value > 0 ? Math.log10(value) : 0;
    if (this.frame !== undefined) this.status();
    this.stage.redraw();
  }

  play(on) {
    this.playing = on;
    const button = this.at("play");
    button.textContent = on ? "❚❚ Pause" : "▶ Play";
    button.setAttribute("aria-pressed", String(on));
    if (!on) return;
    const { times } = this.stage;
    if (this.frame === times.length - 1) this.show(0, true);
    let t = times[this.frame], before = null;
    const tick = (now) => {
      if (!this.playing) return;
      // A page that was out of sight does not jump.
      t += Math.min(0.1, before == null ? 0 : (now - before) / 1000) * Number(this.at("speed").value);
      before = now;
      if (t > times[times.length - 1]) {
        if (!this.at("loop").checked) { this.show(times.length - 1, true); return this.play(false); }
        t = times[0];
      }
      const frame = lastFrame(times, t);
      if (frame !== this.frame) this.show(frame, true);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  seek(frame) { this.show(frame, true); }

  step(by) {
    this.play(false);
    this.show(this.frame + by, true);
  }

  controls() {
    const on = (name, kind, act) => this.at(name).addEventListener(kind, act);
    on("play", "click", () => this.play(!this.playing));
    on("back", "click", () => this.step(-1));
    on("forward", "click", () => this.step(1));
    on("time", "input", () => { this.play(false); this.seek(Number(this.at("time").value)); });
    on("scale", "change", () => this.scaleTo(this.at("scale").value));
    on("scale-slider", "input", () => this.scaleTo(Math.pow(10, Number(this.at("scale-slider").value))));
    on("colour", "change", () => this.choose());
    on("range", "change", () => this.choose());
    for (const name of ["ghost", "edges", "floor", "path", "spiders", "symbols"]) if (this.at(name)) on(name, "change", () => { this.stage.options[name] = this.at(name).checked; this.stage.redraw(); });
    const views = { home: null, front: [-Math.PI / 2, 0], side: [0, 0], top: [-Math.PI / 2, 1.55] };
    for (const [name, angles] of Object.entries(views)) on(name, "click", () => {
      this.stage.home();
      if (angles) [this.stage.camera.azimuth, this.stage.camera.elevation] = angles;
      this.stage.redraw();
    });
    on("image", "click", () => { this.stage.draw(); this.stage.canvas.toBlob((blob) => download("machine.png", blob)); });
  }

  pointers() {
    const canvas = this.stage.canvas, held = new Map();
    canvas.addEventListener("pointerdown", (event) => { held.set(event.pointerId, event); canvas.setPointerCapture(event.pointerId); this.pointed(null); });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => held.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.pointed(null));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return this.pointed(event);
      const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY, high = canvas.clientHeight;
      if (held.size === 2) {
        const other = [...held.values()].find((e) => e.pointerId !== event.pointerId);
        const gap = (e) => Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY);
        this.stage.zoom(gap(before) / Math.max(1, gap(event)));
        this.stage.pan(dx / (2 * high), dy / (2 * high));
      } else if (event.shiftKey || before.button !== 0) this.stage.pan((0.73 * dx) / high, (0.73 * dy) / high);
      else this.stage.turn((4 * dx) / high, (4 * dy) / high);
      held.set(event.pointerId, { pointerId: event.pointerId, clientX: event.clientX, clientY: event.clientY, button: before.button });
    });
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.stage.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(0.3, Math.abs(event.deltaY) / 600))); }, { passive: false });
  }

  // What is under the pointer: link, grid, displacement and the colour's value.
  pointed(event) {
    const label = this.root.querySelector(".pick");
    label.hidden = true;
    if (!event || this.playing) return;
    const bounds = this.stage.canvas.getBoundingClientRect();
    const px = event.clientX - bounds.left, py = event.clientY - bounds.top, found = this.stage.pick(px, py);
    if (!found) return;
    Object.assign(label.style, { left: `${px}px`, top: `${py}px` });
    if (found.symbol) {
      label.textContent = `${found.symbol.name}: ${found.symbol.kind}`;
      label.hidden = false;
      return;
    }
    const { part, node } = found, choice = this.choice(), grid = part.grids.length ? `, grid ${part.grids[node]}` : "";
    const shown = choice.value === "link" ? this.choices()[0] : choice;
    label.textContent = `${part.name}${grid}: ${readable(part.valueAt(node, shown.value, this.frame) * shown.factor)} ${shown.units}`;
    label.hidden = false;
  }

  keys() {
    this.root.addEventListener("keydown", (event) => {
      const typing = event.target.matches("input, select, button");
      const turning = event.target === this.stage.canvas;
      const acts = {
        " ": () => this.play(!this.playing), ",": () => this.step(-1), ".": () => this.step(1),
        Home: () => { this.stage.home(); this.stage.redraw(); }, "+": () => this.stage.zoom(0.87), "=": () => this.stage.zoom(0.87), "-": () => this.stage.zoom(1.15),
        "[": () => this.scaleTo(this.stage.options.scale / 1.25), "]": () => this.scaleTo(this.stage.options.scale * 1.25),
      };
      const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (turning && arrows[event.key]) {
        const [x, y] = arrows[event.key];
        if (event.shiftKey) this.stage.pan(0.03 * x, 0.03 * y); else this.stage.turn(0.08 * x, 0.08 * y);
      } else if (acts[event.key] && !typing) acts[event.key]();
      else return;
      event.preventDefault();
    });
  }

  drawTriad() {
    const { right, up } = this.stage.axes();
    const arrows = [["x", [1, 0, 0], "--s1"], ["y", [0, 1, 0], "--s2"], ["z", [0, 0, 1], "--s0"]].map(([name, axis, colour]) => {
      const seen = this.machine.upright.map((row) => dot(row, axis));
      const x = 35 + 24 * dot(seen, right), y = 35 - 24 * dot(seen, up);
      return `<path d="M35 35L${x.toFixed(1)} ${y.toFixed(1)}" stroke="var(${colour})" stroke-width="2"/><text x="${(35 + 1.3 * (x - 35)).toFixed(1)}" y="${(39 + 1.3 * (y - 35)).toFixed(1)}" fill="var(${colour})" text-anchor="middle">${name}</text>`;
    });
    this.root.querySelector(".triad").innerHTML = arrows.join("");
  }
}

function lastFrame(times, t) { return Math.max(0, lowerBound(times, t + 1e-12) - 1); }

function nearestFrame(times, t) {
  const next = Math.min(times.length - 1, lowerBound(times, t));
  return next > 0 && t - times[next - 1] < times[next] - t ? next - 1 : next;
}

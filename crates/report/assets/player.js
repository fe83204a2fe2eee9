// Choices of colour that are no numbers.
const PLAIN = new Set(["link", "run"]);

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
    this.labels = new Labels(this.stage, root, machine);
    this.fit();
    this.drawRamp();
    this.controls();
    this.pointers();
    this.keys();
    new Panel(this);
    this.video = new Video(this, this.at("video"));
    this.stage.drawn = () => { this.drawTriad(); this.labels.place(); };
    clock.watch((t, from) => { if (from !== this) this.show(nearestFrame(this.stage.times, t)); });
    this.choose();
    this.show(machine.first, true);
  }

  // Hides what this machine has no use for, and begins with what suits it.
  fit() {
    const { stage, machine } = this, { parts, symbols } = stage;
    const hide = (name, hidden) => { const at = this.at(name); if (at) (at.closest("label") || at).hidden = hidden; };
    const has = (test) => symbols.all.some(test);
    hide("spiders", !parts.some((part) => part.thin));
    hide("symbols", !symbols.all.length);
    hide("axes", !has((symbol) => AXLES.has(symbol.kind)));
    hide("path", !stage.path);
    hide("load", !stage.arrows.kinds().has("load"));
    hide("reaction", !stage.arrows.kinds().has("reaction"));
    hide("runs", !machine.groups || machine.groups.length < 2);
    for (const name of ["scale", "ghost"]) hide(name, !stage.deforms);
    hide("range", !stage.deforms && !machine.fields.length);
    this.root.querySelector(".controls.first").hidden = stage.times.length < 2;
    if (machine.plain) for (const name of ["spiders", "axes", "frames"]) { this.at(name).checked = true; stage.options[name] = true; }
    if (!stage.deforms && !machine.fields.length) this.at("colour").value = "link";
    if (machine.groups && machine.groups.length > 1) {
      this.at("colour").value = "run";
      this.at("runs").append(...machine.groups.map((name, k) => element("option", { value: `only ${k}` }, `${name} alone`)));
    }
  }

  choices() {
    const fields = this.machine.fields.map((field) => ({ value: field.name, label: field.name, units: field.units, factor: field.factor, max: field.max }));
    const runs = this.machine.groups && this.machine.groups.length > 1 ? [{ value: "run", label: "run" }] : [];
    const displacement = this.stage.deforms ? [{ value: "displacement", label: "displacement", ...this.machine.displacement }] : [];
    return [...displacement, ...fields, { value: "link", label: "link" }, ...runs];
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
    const lines = this.stage.times.length > 1 ? [`<strong>${t.toFixed(4)} s</strong> · frame ${this.frame + 1} of ${this.stage.times.length}`] : [`<strong>${this.machine.plain ? "as described" : t.toFixed(4) + " s"}</strong>`];
    if (this.stage.deforms) lines.push(`largest displacement ${readable(largest * factor)} ${units}`, `drawn × ${readable(this.stage.options.scale)}`);
    this.root.querySelector(".status").innerHTML = lines.join("<br>");
  }

  // Limits of the colours: the entire run's or this frame's.
  range() {
    const choice = this.choice();
    let high = choice.max || 1;
    if (this.at("range").value === "frame" && !PLAIN.has(choice.value)) {
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
    const plain = PLAIN.has(choice.value), { parts } = this.stage;
    legend.querySelector(".title").textContent = choice.value === "link" ? "links" : choice.value === "run" ? "runs" : `${choice.label} (${choice.units})`;
    legend.querySelector(".ramp").hidden = plain;
    const key = (colour, name) => element("li", {}, element("i", { style: `background:var(${colour})` }), name);
    const entries = choice.value === "link" ? parts.filter((part) => part.visible).map((part) => key(part.colour, part.name)) : choice.value === "run" ? this.machine.groups.map((name, k) => key(`--s${k % 8}`, name)) : [];
    legend.querySelector(".links").replaceChildren(...entries);
    const ticks = [4, 3, 2, 1, 0].map((k) => element("li", {}, readable((high * k * choice.factor) / 4, 3)));
    if (!plain) legend.querySelector("ol").replaceChildren(...ticks);
  }

  drawRamp() {
    const colours = Array.from({ length: 17 }, (_, k) => `rgb(${rampColour(k / 16).map(Math.round).join(",")})`);
    this.root.querySelector(".legend").style.setProperty("--ramp", colours.join(","));
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

  // The speed that is written, of whatever size.
  speed() {
    const speed = Number(this.at("speed").value);
    return Number.isFinite(speed) && speed > 0 ? speed : 1;
  }

  play(on, { once = false, ended = null } = {}) {
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
      t += Math.min(0.1, before == null ? 0 : (now - before) / 1000) * this.speed();
      before = now;
      if (t > times[times.length - 1]) {
        if (once || !this.at("loop").checked) { this.show(times.length - 1, true); this.play(false); if (ended) ended(); return; }
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
    for (const name of ["ghost", "edges", "floor", "path", "spiders", "symbols", "axes", "frames", "load", "reaction"]) if (this.at(name)) on(name, "change", () => { this.stage.options[name] = this.at(name).checked; this.stage.redraw(); });
    const views = { home: undefined, front: [-Math.PI / 2, 0], side: [0, 0], top: [-Math.PI / 2, 1.55] };
    for (const [name, angles] of Object.entries(views)) on(name, "click", () => this.stage.home(angles));
    on("names", "change", () => { this.labels.show(this.at("names").checked); this.stage.redraw(); });
    on("runs", "change", () => this.lay(this.at("runs").value));
    on("full", "click", () => { if (document.fullscreenElement) document.exitFullscreen(); else this.root.requestFullscreen(); });
    this.root.addEventListener("fullscreenchange", () => { this.at("full").setAttribute("aria-pressed", String(document.fullscreenElement === this.root)); this.stage.redraw(); });
    const cut = () => {
      const [axis, sign] = this.at("cut").value.split(" ").map(Number);
      this.stage.options.cut = this.at("cut").value ? { axis, sign, share: Number(this.at("cut-at").value) } : null;
      this.at("cut-at").hidden = !this.stage.options.cut;
      this.stage.redraw();
    };
    on("cut", "change", cut);
    on("cut-at", "input", cut);
    on("image", "click", () => { this.stage.draw(); this.stage.canvas.toBlob((blob) => download("machine.png", blob)); });
  }

  // Several runs over each other, beside each other, or one of them alone.
  lay(how) {
    const { parts, symbols, camera } = this.stage, beside = how === "beside", only = how.startsWith("only ") ? Number(how.slice(5)) : null;
    const right = beside ? [0, 1, 2].map((c) => [0, 1, 2].reduce((sum, r) => sum + this.machine.upright[r][c] * camera.axes().right[r], 0)) : [0, 0, 0];
    symbols.shifts = this.machine.groups.map((_, k) => times(right, 0.9 * k * this.machine.size));
    symbols.hidden = only == null ? null : (group) => group !== only;
    for (const part of parts) {
      part.shift = symbols.shifts[part.group];
      part.visible = only == null || part.group === only;
    }
    this.show(this.frame);
    this.stage.home(this.stage.angles);
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
    if (found.arrow) {
      label.textContent = this.stage.arrows.text(found.arrow, this.frame);
      label.hidden = false;
      return;
    }
    if (found.symbol) {
      label.textContent = `${found.symbol.name}: ${found.symbol.kind}`;
      label.hidden = false;
      return;
    }
    const { part, node } = found, choice = this.choice(), grid = part.grids.length ? `, grid ${part.grids[node]}` : "";
    const shown = PLAIN.has(choice.value) ? this.choices()[0] : choice;
    if (PLAIN.has(shown.value)) label.textContent = part.name + grid;
    else label.textContent = `${part.name}${grid}: ${readable(part.valueAt(node, shown.value, this.frame) * shown.factor)} ${shown.units}`;
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

// A machine in the frequency domain: modes that play, frequencies along the poses, Bode, Nyquist, Nichols, maps.
const SHOWN_POSES = 6;

// Evenly spaced entries of a list, the first and the last among them.
function evenly(list, count) {
  if (list.length <= count) return list.map((_, k) => k);
  return Array.from({ length: count }, (_, k) => Math.round((k * (list.length - 1)) / (count - 1)));
}

// A choice with its label; `act` hears of changes.
function chooser(label, name, options, act) {
  const select = element("select", { "data-choice": name, onchange: () => act() }, ...options.map((text, value) => element("option", { value }, text)));
  return { label: element("label", {}, label + " ", select), get: () => Number(select.value) };
}

// Phase in degrees without jumps.
function unwrapped(re, im) {
  let turns = 0, last = null;
  return re.map((x, k) => {
    const angle = (Math.atan2(im[k], x) * 180) / Math.PI;
    if (last !== null) { if (angle - last > 180) turns--; else if (angle - last < -180) turns++; }
    last = angle;
    return angle + 360 * turns;
  });
}

const decibel = (x) => 20 * Math.log10(x);

// Modes instead of time: one oscillation of the chosen one after the other.
class ModePlayer extends Player {
  constructor(root, machine, modes, phases) {
    super(root, machine);
    this.phases = phases;
    const select = this.at("mode");
    select.replaceChildren(...modes.map((text, value) => element("option", { value }, text)));
    select.addEventListener("change", () => this.showPhase(phases >> 2));
    this.at("time").max = phases - 1;
    this.modeNames = modes;
    // Modes play for ever: there is no pass to record.
    this.at("video").hidden = true;
    this.showPhase(phases >> 2);
  }

  showPhase(phase) { this.show(Number(this.at("mode").value) * this.phases + ((phase % this.phases) + this.phases) % this.phases); }

  show(frame) {
    super.show(frame, false);
    if (!this.phases) return;
    const slider = this.at("time");
    slider.value = this.frame % this.phases;
    slider.setAttribute("aria-valuetext", `${Math.round((360 * slider.value) / this.phases)} degrees`);
  }

  status() {
    if (!this.modeNames) return;
    const [first, ...rest] = this.modeNames[Number(this.at("mode").value)].split(", ");
    const status = this.root.querySelector(".status");
    status.replaceChildren(element("strong", {}, "mode " + first), element("br"), rest.join(", "), element("br"), `drawn × ${readable(this.stage.options.scale)}`);
  }

  step(by) { this.play(false); this.showPhase((this.frame % this.phases) + by); }

  seek(value) { this.showPhase(value); }

  play(on) {
    this.playing = on;
    const button = this.at("play");
    button.textContent = on ? "❚❚ Pause" : "▶ Play";
    button.setAttribute("aria-pressed", String(on));
    if (!on) return;
    let before = null, phase = this.frame % this.phases;
    const tick = (now) => {
      if (!this.playing) return;
      // An oscillation takes a second and a half, however fast the machine's is.
      phase += (Math.min(0.1, before == null ? 0 : (now - before) / 1000) * Number(this.at("speed").value) * this.phases) / 1.5;
      before = now;
      const next = Math.floor(phase);
      if (next % this.phases !== this.frame % this.phases) this.showPhase(next);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}

function startResponse(page) {
  const views = {}, at = (id) => document.getElementById(id);
  const root = at("machine");
  if (root && page.machine) {
    try { views.machine = new ModePlayer(root.querySelector(".machine"), page.machine, page.modes, page.phases); }
    catch (error) { root.querySelector(".machine").replaceChildren(element("p", { class: "muted", style: "padding:1rem" }, error.message)); }
  }
  if (at("plot-campbell")) views.campbell = new Plot(at("plot-campbell"), campbell(page));
  if (at("plot-magnitude")) bode(page, views, at);
  if (at("plot-nyquist")) loops(page, views, at);
  if (at("plot-map")) maps(page, views, at);
  return views;
}

function campbell(page) {
  const x = arrayOf(page.axis.values);
  return {
    id: "campbell", title: "Frequencies without damping", xTitle: page.axis.units ? `${page.axis.name} (${page.axis.units})` : page.axis.name,
    xName: page.axis.name, xUnits: page.axis.units, yTitle: "frequency (Hz)", yUnits: "Hz", fromZero: true, height: 340,
    // Eight colours: the next eight are dashed, then dotted.
    series: page.tracks.map((hz, k) => ({ name: `mode ${k + 1}`, x, y: arrayOf(hz), dash: ["solid", "dashed", "dotted"][Math.floor(k / 8) % 3] })),
    note: "Modes keep their number from pose to pose by their shapes; lines may cross.",
  };
}

function bode(page, views, at) {
  const hz = arrayOf(page.frequencies), re = arrayOf(page.real), im = arrayOf(page.imag), O = page.outputs.length, I = page.inputs.length, F = hz.length;
  const redraw = () => { for (const [name, plot] of Object.entries(plots())) views[name].show(plot); };
  const input = chooser("input", "input", page.inputs.map(([name]) => name), redraw), output = chooser("output", "output", page.outputs.map(([name]) => name), redraw);
  at("bode-choices").replaceChildren(input.label, output.label);
  const plots = () => {
    const i = input.get(), o = output.get(), units = `${page.outputs[o][1]} per ${page.inputs[i][1]}`, title = `${page.inputs[i][0]} → ${page.outputs[o][0]}`;
    const curves = evenly(page.responsePoses, SHOWN_POSES).map((p) => {
      const take = (of) => Array.from(hz, (_, f) => of[((p * F + f) * O + o) * I + i]);
      return { name: page.poses[page.responsePoses[p]], re: take(re), im: take(im) };
    });
    const base = { xTitle: "frequency (Hz)", xName: "frequency", xUnits: "Hz", xLog: true, xRange: [hz[0], hz[F - 1]], height: 300 };
    return {
      magnitude: { ...base, id: "magnitude", title: `${title}: magnitude`, yTitle: `magnitude (${units})`, yUnits: units, yLog: true, series: curves.map((c) => ({ name: c.name, x: hz, y: c.re.map((x, k) => Math.hypot(x, c.im[k])) })) },
      phase: { ...base, id: "phase", title: `${title}: phase`, yTitle: "phase (°)", yUnits: "°", series: curves.map((c) => ({ name: c.name, x: hz, y: unwrapped(c.re, c.im) })) },
    };
  };
  for (const [name, plot] of Object.entries(plots())) views[name] = new Plot(at("plot-" + name), plot);
}

function loops(page, views, at) {
  const redraw = () => { for (const [name, plot] of Object.entries(plots())) views[name].show(plot); };
  const servo = chooser("servo", "servo", page.loops.map((loop) => loop.servo), redraw);
  at("loop-choices").replaceChildren(servo.label);
  const circle = Array.from({ length: 181 }, (_, k) => (k * Math.PI) / 90);
  const plots = () => {
    const loop = page.loops[servo.get()], hz = arrayOf(loop.frequencies), re = arrayOf(loop.real), im = arrayOf(loop.imag), F = hz.length / page.loopPoses.length;
    const curves = evenly(page.loopPoses, SHOWN_POSES).map((p, k) => {
      const part = (of) => Array.from(of.subarray(p * F, (p + 1) * F)), a = part(re), b = part(im), f = part(hz);
      const label = (i) => `${readable(f[i])} Hz: ${readable(decibel(Math.hypot(a[i], b[i])))} dB, ${readable((Math.atan2(b[i], a[i]) * 180) / Math.PI)}°`;
      return { name: page.poses[page.loopPoses[p]], re: a, im: b, label, colour: `var(--s${k % 8})` };
    });
    const line = (c, x, y) => ({ name: c.name, curve: true, x, y, label: c.label, colour: c.colour });
    const critical = (x, y) => ({ name: "−1", points: true, x: [x], y: [y], size: 11, opacity: 1, colour: "var(--bad)", label: () => "the critical point −1" });
    return {
      nyquist: {
        id: "nyquist", title: `${loop.servo}: Nyquist`, xTitle: "real part of L", xName: "Re L", xUnits: "", yTitle: "imaginary part of L", yUnits: "", height: 400, square: { x: -0.5, y: 0, high: 2.2 },
        series: [...curves.map((c) => line(c, c.re, c.im)), { name: "|L| = 1", curve: true, dash: "dashed", colour: "var(--muted)", x: circle.map(Math.cos), y: circle.map(Math.sin), label: () => "|L| = 1" }, critical(-1, 0)],
        note: "Drag to zoom; a stable loop turns about −1 as often as its plant has unstable poles.",
      },
      nichols: {
        id: "nichols", title: `${loop.servo}: Nichols`, xTitle: "phase of L (°)", xName: "phase", xUnits: "°", yTitle: "|L| (dB)", yUnits: "dB", height: 400,
        series: [...curves.map((c) => line(c, unwrapped(c.re, c.im), c.re.map((x, k) => decibel(Math.hypot(x, c.im[k]))))), critical(-180, 0)],
      },
    };
  };
  for (const [name, plot] of Object.entries(plots())) views[name] = new Plot(at("plot-" + name), plot);
}

function maps(page, views, at) {
  const { over: grid, first, second, quantities, tips } = page.maps, a = arrayOf(first.values), b = arrayOf(second.values), tip = tips ? arrayOf(tips) : null;
  const redraw = () => { views.map.show(plot()); legend(); };
  const quantity = chooser("quantity", "quantity", quantities.map((q) => q.name), redraw);
  // In the plane of the world in which the tip moves most.
  const spread = (c) => { let low = Infinity, high = -Infinity; for (let k = c; k < tip.length; k += 3) { low = Math.min(low, tip[k]); high = Math.max(high, tip[k]); } return high - low; };
  const plane = tip ? [0, 1, 2].sort((p, q) => spread(q) - spread(p)).slice(0, 2).sort() : [];
  const over = chooser("over", "over", [grid, ...(tip ? ["workspace"] : [])], redraw);
  const bar = element("div", { class: "scale-bar" });
  at("map-choices").replaceChildren(quantity.label, over.label, bar);
  let range = [0, 1];
  const plot = () => {
    const q = quantities[quantity.get()], values = arrayOf(q.values), inSpace = over.get() === 1, n = b.length;
    let low = Infinity, high = -Infinity;
    for (const v of values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    range = [low, high, q];
    const at = (i, j) => (inSpace ? plane.map((c) => tip[3 * (i * n + j) + c]) : [a[i], b[j]]);
    const cells = [];
    for (let i = 0; i + 1 < a.length; i++) for (let j = 0; j + 1 < n; j++) {
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
      const mean = corners.reduce((sum, [p, q]) => sum + values[p * n + q], 0) / 4;
      cells.push({ corners: corners.map(([p, q]) => at(p, q)), colour: Number.isFinite(mean) ? `rgb(${rampColour((mean - low) / (high - low || 1)).map(Math.round)})` : "var(--ghost)" });
    }
    const x = [], y = [];
    for (let i = 0; i < a.length; i++) for (let j = 0; j < n; j++) { const [u, v] = at(i, j); x.push(u); y.push(v); }
    const label = (k) => `${first.name} ${readable(a[Math.floor(k / n)])} ${first.units}, ${second.name} ${readable(b[k % n])} ${second.units}: ${Number.isFinite(values[k]) ? `${readable(values[k])} ${q.units}` : "out of reach"}`;
    const [xTitle, yTitle] = inSpace ? plane.map((c) => `tip ${"xyz"[c]} (m)`) : [first, second].map((axis) => `${axis.name} (${axis.units})`);
    return { id: "map", title: q.units ? `${q.name} (${q.units})` : q.name, xTitle, yTitle, xName: xTitle, xUnits: "", yUnits: q.units, height: 440, cells, series: [{ name: q.name, points: true, x, y, size: 3, opacity: 0.35, colour: "var(--ink)", label }] };
  };
  const legend = () => {
    const [low, high, q] = range;
    bar.replaceChildren(readable(low, 3), element("i", { style: `background:linear-gradient(to right, ${RAMP.map((c) => `rgb(${c})`)})` }), `${readable(high, 3)} ${q.units}`);
  };
  views.map = new Plot(at("plot-map"), plot());
  legend();
}

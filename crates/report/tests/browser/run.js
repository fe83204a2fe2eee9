// Uses the report of a run as a person would, and notes what it saw.
window.drive = async (seen) => {
  const { views, clock, csvOf, pngOf, standaloneSvg } = window.pliant;
  const player = views.machine, stage = player.stage, root = document.querySelector(".machine");
  const control = (name) => root.querySelector(`[data-control="${name}"]`);
  const change = (name, value, kind = "change") => { control(name).value = value; control(name).dispatchEvent(new Event(kind, { bubbles: true })); };
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const pixels = () => {
    stage.draw();
    const { gl } = stage, out = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return out;
  };
  const differing = (a, b) => { let n = 0; for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) n++; return n / (a.length / 4); };

  player.show(0, true);
  const first = pixels();
  const colours = new Set();
  for (let i = 0; i < first.length; i += 4) colours.add((first[i] << 16) | (first[i + 1] << 8) | first[i + 2]);
  seen.colours = colours.size;
  player.show(stage.times.length >> 1, true);
  const middle = pixels();
  seen.frames_differ = differing(first, middle);
  change("scale", 1);
  const small = pixels();
  change("scale", 200);
  seen.scale_differs = differing(small, pixels());
  seen.scale_shown = root.querySelector(".status").textContent;
  change("scale", 60);
  const displacement = pixels();
  change("colour", "von Mises stress");
  seen.colour_differs = differing(displacement, pixels());
  seen.legend = root.querySelector(".legend").innerText;
  const upper = stage.parts.find((part) => part.name === "upper"), hip = stage.parts.find((part) => part.name === "hip");
  seen.stress = Math.max(...Array.from({ length: upper.count }, (_, node) => upper.valueAt(node, "von Mises stress", player.frame)));
  seen.levels = new Set(upper.level).size;
  seen.without = new Set(hip.level).size === 1 && hip.level[0] === -1;
  change("colour", "displacement");
  control("ghost").click();
  seen.ghost_differs = differing(displacement, pixels());
  control("ghost").click();

  control("symbols").click();
  seen.symbols_differ = differing(displacement, pixels());
  control("symbols").click();
  // Ends of symbols are where the links are drawn, at any exaggeration.
  const lift = stage.symbols.all.find((symbol) => symbol.name === "lift"), last = upper.count ? upper.rest.length / 3 : 0;
  const drawn = (scale) => stage.symbols.at(lift, stage.parts, player.frame, scale).b.point;
  let gap = Infinity;
  for (const scale of [0, 1, 60]) {
    const p = drawn(scale), m = upper.matrix;
    let near = Infinity;
    for (let i = 0; i < last; i++) {
      const q = [0, 1, 2].map((c) => upper.rest[3 * i + c] + scale * upper.moved[3 * i + c]);
      near = Math.min(near, Math.hypot(...[0, 1, 2].map((r) => m[r] * q[0] + m[4 + r] * q[1] + m[8 + r] * q[2] + m[12 + r] - p[r])));
    }
    gap = gap === Infinity ? near : Math.max(gap, near);
  }
  seen.symbol_gap = gap;
  seen.kinds_drawn = new Set(stage.symbols.shapes(stage.parts, player.frame, 1, stage.times.length).map(([solid]) => solid)).size;

  const canvas = stage.canvas;
  const key = (target, name, more = {}) => target.dispatchEvent(new KeyboardEvent("keydown", Object.assign({ key: name, bubbles: true }, more)));
  const before = pixels();
  key(canvas, "ArrowLeft");
  seen.key_turns = differing(before, pixels());
  key(canvas, "Home");
  seen.home_returns = differing(before, pixels());
  const at = player.frame;
  key(canvas, ".");
  seen.key_steps = player.frame - at;
  const bounds = canvas.getBoundingClientRect();
  const pointer = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, { clientX: bounds.left + x, clientY: bounds.top + y, pointerId: 1, button: 0, bubbles: true }));
  canvas.setPointerCapture = () => {};
  pointer("pointerdown", 300, 200); pointer("pointermove", 380, 220); pointer("pointerup", 380, 220);
  seen.drag_turns = differing(before, pixels());
  stage.home();

  player.show(0, true);
  control("play").click();
  seen.pressed = control("play").getAttribute("aria-pressed");
  await wait(900);
  seen.played_to = player.frame;
  control("play").click();
  const stopped = player.frame;
  await wait(200);
  seen.stays = player.frame === stopped;

  const tip = views["tip-error"];
  seen.clock_line = tip.svg.querySelector(".clock").getAttribute("opacity");
  const range = () => tip.frame.x1 - tip.frame.x0;
  const full = range(), area = tip.svg.getBoundingClientRect();
  const mouse = (kind, x, y) => tip.svg.dispatchEvent(new PointerEvent(kind, { clientX: area.left + x, clientY: area.top + y, pointerId: 1, button: 0, bubbles: true }));
  tip.svg.setPointerCapture = () => {};
  mouse("pointermove", 200, 80);
  seen.readout = tip.box.hidden ? "" : tip.box.innerText;
  mouse("pointerdown", 150, 80); mouse("pointermove", 300, 84); mouse("pointerup", 300, 84);
  seen.zoomed = range() / full;
  tip.resetButton.click();
  seen.reset = range() / full;
  key(tip.svg, "+");
  seen.key_zoom = range() / full;
  key(tip.svg, "Escape");
  mouse("pointerdown", 400, 80); mouse("pointerup", 400, 80);
  seen.click_moves_machine = Math.abs(stage.times[player.frame] - clock.t);
  const csv = csvOf(tip.plot).trim().split("\n");
  seen.csv = { head: csv[0], rows: csv.length - 1 };
  seen.svg_parses = new DOMParser().parseFromString(standaloneSvg(tip), "image/svg+xml").querySelector("parsererror") === null;
  seen.svg_stands_alone = !standaloneSvg(tip).includes("var(");
  seen.png_bytes = (await pngOf(tip)).size;
  seen.spectrum_note = document.querySelector("#plot-spectrum .note").textContent;

  seen.loads = document.querySelector("#loads tbody tr").innerText;
  seen.analyses = [...document.querySelectorAll("#analyses tbody th")].map((head) => head.textContent);
  seen.overlaid = views["analyses-tip"].plot.series.map((series) => series.name);
  seen.apart = Math.max(...views["analyses-away"].plot.series[0].y);
  seen.stress_plot = views["history-0"].plot.yTitle;
  seen.worst = document.querySelector("#elements tbody tr").innerText;

  const light = getComputedStyle(document.body).backgroundColor;
  document.getElementById("theme").click();
  // From a dark screen to paper and back.
  dispatchEvent(new Event("beforeprint"));
  const paper = document.querySelector("canvas.paper");
  const inks = new Uint32Array(paper.getContext("2d").getImageData(0, 0, paper.width, paper.height).data.buffer);
  seen.paper = { corner: inks[0], colours: new Set(inks).size, light: getComputedStyle(document.body).backgroundColor === light };
  dispatchEvent(new Event("afterprint"));
  seen.theme_differs = getComputedStyle(document.body).backgroundColor !== light;
  document.getElementById("theme").click();
  const unnamed = [...document.querySelectorAll("button, select, input, canvas[tabindex], svg[tabindex]")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length && e.labels[0].textContent.trim())));
  seen.unnamed = unnamed.map((e) => e.outerHTML.slice(0, 80));
  seen.wider_than_window = document.documentElement.scrollWidth > document.documentElement.clientWidth;
};

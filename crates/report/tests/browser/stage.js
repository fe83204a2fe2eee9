// Uses the controls of the 3D view beyond time and colour, and notes what they change.
window.drive = async (seen) => {
  const { views } = window.pliant, player = views.machine, stage = player.stage, root = document.querySelector(".machine");
  const control = (name) => root.querySelector(`[data-control="${name}"]`);
  const set = (name, value, kind = "change") => { control(name).value = value; control(name).dispatchEvent(new Event(kind, { bubbles: true })); };
  const pixels = () => {
    stage.draw();
    const { gl } = stage, out = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return out;
  };
  const differing = (a, b) => { let n = 0; for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) n++; return n / (a.length / 4); };

  // The first view: no part of the machine is outside, and it reaches near an edge.
  const corners = () => {
    let most = 0;
    const { clientWidth: w, clientHeight: h } = stage.canvas;
    for (const part of stage.parts) for (let k = 0; k < 8; k++) {
      const p = [0, 1, 2].map((c) => part.box[(k >> c) & 1][c]), m = part.matrix;
      const [x, y] = stage.onScreen([0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]));
      most = Math.max(most, Math.abs((2 * x) / w - 1), Math.abs((2 * y) / h - 1));
    }
    return most;
  };
  seen.reaches = [];
  for (let frame = 0; frame < stage.times.length; frame += 10) { player.show(frame, true); stage.draw(); seen.reaches.push(corners()); }
  player.show(0, true);

  seen.toggles = {};
  for (const name of ["axes", "frames", "load", "reaction", "spiders", "edges", "floor"]) {
    const box = control(name);
    if (box.closest("label").hidden) continue;
    const before = pixels();
    box.click();
    seen.toggles[name] = differing(before, pixels());
    box.click();
  }
  const plain = pixels();
  // Names, as many as do not cover each other.
  control("names").click();
  stage.draw();
  const names = [...root.querySelectorAll(".labels .name")].filter((name) => !name.hidden);
  seen.names = names.map((name) => name.textContent);
  const boxes = names.map((name) => name.getBoundingClientRect());
  seen.names_overlap = boxes.some((a, i) => boxes.some((b, j) => j > i && a.left < b.right - 3 && b.left < a.right - 3 && a.top < b.bottom - 3 && b.top < a.bottom - 3));
  control("names").click();

  // A section that goes through the machine, from one end to the other.
  set("cut", "0 1");
  const cuts = [0, 0.5, 1].map((share) => { set("cut-at", share, "input"); return differing(plain, pixels()); });
  seen.cuts = cuts;
  seen.inside = (() => {
    set("cut-at", 0.45, "input");
    const solid = stage.parts.filter((part) => part.closed && part.solid).length;
    return solid;
  })();
  set("cut", "");
  seen.uncut = differing(plain, pixels());

  // Links shown alone and again with the others.
  const [first] = root.querySelectorAll(".panel-links li");
  first.querySelector("button").click();
  seen.alone = stage.parts.map((part) => part.visible);
  seen.alone_differs = differing(plain, pixels());
  first.querySelector("button").click();
  seen.together = stage.parts.every((part) => part.visible);
  const boxOfSecond = root.querySelectorAll(".panel-links li")[1].querySelector("input");
  boxOfSecond.click();
  seen.hidden = stage.parts.map((part) => part.visible);
  root.querySelector(".panel-links > button").click();
  seen.all = stage.parts.every((part) => part.visible);

  // Any speed: in the same time twenty times as many frames.
  const own = window.requestAnimationFrame;
  const played = (speed) => {
    let next = null;
    window.requestAnimationFrame = (act) => { next = act; return 0; };
    set("speed", speed);
    player.show(0, true);
    player.play(true);
    // Pictures a sixtieth of a second apart.
    for (let k = 0; k < 16; k++) { const act = next; act((1000 * k) / 60); }
    player.play(false);
    window.requestAnimationFrame = own;
    stage.waiting = false;
    return stage.times[player.frame];
  };
  seen.slow = played("0.2");
  seen.fast = played("4");
  set("speed", "-3");
  seen.no_speed = player.speed();
  set("speed", "1");

  // An arrow is read under the pointer.
  const arrow = stage.arrows.all[0];
  if (arrow) {
    player.show(0, true);
    stage.draw();
    const [x, y] = stage.onScreen(stage.arrows.at(arrow, stage.parts, 0, 1));
    seen.arrow = stage.arrows.text(arrow, 0);
    seen.arrow_found = !!stage.pickArrow(x, y);
  }
  control("full").click();
  seen.full_called = typeof root.requestFullscreen === "function";
  seen.bars = stage.parts.filter((part) => part.bars).map((part) => part.name);
  seen.phone_overlap = (() => {
    const legend = root.querySelector(".legend").getBoundingClientRect(), status = root.querySelector(".status").getBoundingClientRect();
    return legend.top < status.bottom && legend.left < status.right;
  })();
  const unnamed = [...document.querySelectorAll("button, select, input")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length && e.labels[0].textContent.trim())));
  seen.unnamed = unnamed.map((e) => e.outerHTML.slice(0, 80));
  seen.wider_than_window = document.documentElement.scrollWidth > document.documentElement.clientWidth;
};

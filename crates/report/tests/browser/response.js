// Uses the report of a response as a person would, and notes what it saw.
window.drive = async (seen) => {
  const { views } = window.pliant, player = views.machine, stage = player.stage;
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const pixels = () => {
    stage.draw();
    const { gl } = stage, out = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return out;
  };
  const differing = (a, b) => { let n = 0; for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1]) n++; return n / (a.length / 4); };
  const choose = (select, value) => { select.value = value; select.dispatchEvent(new Event("change", { bubbles: true })); };
  const control = (name) => document.querySelector(`.machine [data-control="${name}"]`);
  const first = pixels();
  control("time").value = 12;
  control("time").dispatchEvent(new Event("input", { bubbles: true }));
  seen.phase_differs = differing(first, pixels());
  control("time").value = 4;
  control("time").dispatchEvent(new Event("input", { bubbles: true }));
  seen.same_phase = differing(first, pixels());
  choose(control("mode"), 1);
  seen.mode_differs = differing(first, pixels());
  seen.status = document.querySelector(".status").innerText;
  const before = pixels();
  control("play").click();
  await wait(600);
  control("play").click();
  seen.played = differing(before, pixels());

  seen.tracks = views.campbell.plot.series.length;
  const magnitude = views.magnitude.plot.series[0], phase = views.phase.plot.series[0];
  seen.peak = Math.max(...magnitude.y);
  seen.last_phase = phase.y[phase.y.length - 1];
  seen.jump = Math.max(...phase.y.slice(1).map((y, k) => Math.abs(y - phase.y[k])));
  const nyquist = views.nyquist, series = nyquist.plot.series[0], at = series.x.findIndex((x, k) => Math.abs(x) < 1.5 && Math.abs(series.y[k]) < 2);
  nyquist.hover(nyquist.frame.sx(series.x[at]), nyquist.frame.sy(series.y[at]));
  seen.hovered = nyquist.box.innerText;
  seen.map_cells = views.map.plot.cells.length;
  const title = () => views.map.plot.title, titles = [title()];
  choose(document.querySelector('[data-choice="quantity"]'), 1);
  titles.push(title());
  seen.map_titles = titles;
  choose(document.querySelector('[data-choice="over"]'), 1);
  seen.workspace_axes = [views.map.plot.xTitle, views.map.plot.yTitle];
  seen.unnamed = [...document.querySelectorAll("button, select, input")].filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.closest("label"))).map((e) => e.outerHTML);
  seen.wider_than_window = document.documentElement.scrollWidth > innerWidth;
};

// A long run: how much is drawn, and whether the peak survives thinning.
window.drive = async (seen) => {
  const { views } = window.pliant;
  const start = performance.now();
  for (let k = 0; k < 20; k++) views.machine.show(100 * k, true);
  seen.frame_ms = (performance.now() - start) / 20;
  seen.frames = views.machine.stage.times.length;
  const tip = views["tip-error"], box = tip.frame;
  const redraw = performance.now();
  tip.draw();
  seen.plot_ms = performance.now() - redraw;
  const paths = [...tip.svg.querySelectorAll("g[clip-path] path")].map((path) => path.getAttribute("d"));
  seen.path_length = Math.max(...paths.map((d) => d.length));
  let peak = -Infinity, drawn = Infinity;
  for (const y of tip.plot.series[2].y) peak = Math.max(peak, y);
  for (const [, y] of paths.find((d) => d.length > 1000 && d.includes("L")) && paths[paths.length - 2].matchAll(/[ML][-\d.]+ ([-\d.]+)/g)) drawn = Math.min(drawn, Number(y));
  seen.peak_drawn = box.sy.inverse(drawn) / peak;
  seen.wider_than_window = document.documentElement.scrollWidth > document.documentElement.clientWidth;
};

// Puts the parts of the page to work.
function timePlot(plot) {
  const series = plot.series.map((s) => ({ name: s.name, dash: s.dash, colour: s.colour, x: arrayOf(s.x), y: arrayOf(s.y) }));
  return Object.assign({}, plot, { series });
}

function startRun(page) {
  const views = {};
  for (const plot of page.plots) {
    const figure = document.getElementById("plot-" + plot.id);
    views[plot.id] = new Plot(figure, timePlot(plot));
  }
  const root = document.getElementById("machine");
  if (root && page.machine) {
    try {
      views.machine = new Player(root.querySelector(".machine"), page.machine);
    } catch (error) {
      root.querySelector(".machine").replaceChildren(element("p", { class: "muted", style: "padding:1rem" }, error.message));
    }
  }
  return views;
}

function start() {
  startTheme();
  const page = description();
  const starts = { study: startStudy, response: startResponse, shapes: startShapes, run: startRun, view: startView };
  const views = starts[page.kind](page);
  // For people at the console and for tests.
  window.pliant = { page, views, clock, csvOf, pngOf, standaloneSvg, arrayOf };
  document.documentElement.dataset.ready = "true";
}

start();

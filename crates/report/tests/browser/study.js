// Uses the report of a study.
window.drive = async (seen) => {
  const { views } = window.pliant, table = views.table;
  const head = (title) => [...document.querySelectorAll("table.cases th")].find((th) => th.textContent.replaceAll("\u200b", "").startsWith(title));
  const values = (title) => {
    const at = [...head(title).parentElement.children].indexOf(head(title));
    return [...document.querySelectorAll("table.cases tbody tr")].map((row) => Number(row.children[at].textContent.replace("−", "-")));
  };
  seen.rows = document.querySelectorAll("table.cases tbody tr").length;
  for (const turn of ["up", "down"]) {
    const start = performance.now();
    head("tip_peak_error").querySelector("button").click();
    seen[turn] = { sort: head("tip_peak_error").getAttribute("aria-sort"), values: values("tip_peak_error"), ms: performance.now() - start };
  }
  table.only.click();
  seen.failed_only = table.status.textContent;
  table.only.click();
  table.filter.value = "Trapezoidal";
  table.filter.dispatchEvent(new Event("input"));
  seen.filtered = table.status.textContent;
  table.filter.value = "";
  table.filter.dispatchEvent(new Event("input"));
  seen.csv_rows = table.csv().trim().split("\n").length - 1;

  const dots = () => [...views.explore.svg.querySelectorAll("g[clip-path] path[stroke-linecap]")];
  seen.dots = (dots()[0].getAttribute("d").match(/M/g) || []).length;
  const choose = (name, text) => {
    const select = document.querySelector(`[data-choice="${name}"]`);
    select.value = [...select.options].find((option) => option.textContent === text).value;
    select.dispatchEvent(new Event("change"));
  };
  const start = performance.now();
  choose("colour", "payload.mass");
  seen.recolour_ms = performance.now() - start;
  seen.coloured_groups = dots().length;
  const before = views.explore.svg.innerHTML;
  choose("colour", "none");
  choose("y", "settling_time");
  seen.metric_changed = views.explore.svg.innerHTML !== before && views.explore.plot.yTitle.startsWith("settling_time");
  seen.first_influence = document.querySelector("#influences h3").textContent;
  // A click on a dot marks its row.
  const { sx, sy } = views.explore.frame, series = views.explore.plot.series[0], i = 700;
  const area = views.explore.svg.getBoundingClientRect();
  views.explore.svg.setPointerCapture = () => {};
  for (const kind of ["pointerdown", "pointerup"]) views.explore.svg.dispatchEvent(new PointerEvent(kind, { clientX: area.left + sx(series.x[i]), clientY: area.top + sy(series.y[i]), pointerId: 1, button: 0, bubbles: true }));
  seen.chosen_row = document.querySelectorAll("table.cases tr.chosen").length === 1;
  const unnamed = [...document.querySelectorAll("button, select, input, svg[tabindex]")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length && e.labels[0].textContent.trim())));
  seen.unnamed = unnamed.map((e) => e.outerHTML.slice(0, 80));
  seen.wider_than_window = document.documentElement.scrollWidth > document.documentElement.clientWidth;
};

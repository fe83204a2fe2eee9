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
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const filter = async (text) => { table.filter.value = text; table.filter.dispatchEvent(new Event("input")); await wait(250); };
  // Numbers in the units of the column, names by their ends, words beside them.
  const column = (name) => views.state.columns.find((column) => column.name === name), bound = 4;
  await filter(`tip_peak_error < ${bound} and payload.mass >= 2`);
  const fits = (i) => column("tip_peak_error").values[i] < bound && column("payload.mass").values[i] >= 2;
  seen.compared = table.rows.length;
  seen.compared_right = table.rows.every(fits) && views.state.numbers.filter((_, i) => fits(i)).length === table.rows.length;
  seen.explored = views.explore.plot.series.reduce((sum, series) => sum + series.x.length, 0);
  seen.matrix_drawn = views.matrix.drawn;
  await filter("light = pass");
  seen.passing = table.rows.length;
  const badges = () => [...document.querySelectorAll("table.cases .badge")].map((badge) => badge.textContent), passing_badges = badges();
  await filter("light = fail");
  const failing_badges = badges();
  await filter("nonsense < 3");
  seen.wrong = table.wrong.textContent;
  await filter("");
  seen.badges = [...new Set([...passing_badges, ...failing_badges])];
  seen.unit = [...document.querySelectorAll("table.cases th")].some((head) => /\(mm\)/.test(head.textContent));

  // The front: no case that passes beats one of it in both.
  const [fx, fy] = [column("tip_peak_error").values, column("peak_torque_shoulder").values], front = new Set(views.front);
  const passing = [...views.state.numbers.keys()].filter((i) => column("light").values[i] === 1 && Number.isFinite(fx[i]));
  const beaten = (i) => passing.some((j) => fx[j] <= fx[i] && fy[j] <= fy[i] && (fx[j] < fx[i] || fy[j] < fy[i]));
  seen.front = front.size;
  seen.front_right = passing.filter((i) => !beaten(i)).every((i) => front.has(views.state.numbers[i])) && [...front].every((number) => !beaten(views.state.numbers.indexOf(number)));

  seen.influences = views.influences.rows.map((row) => [row.parameter.name, row.value, ...row.interval]);
  seen.bars = document.querySelectorAll("ul.bars li").length;
  seen.heat = views.heat.plot.cells.length;
  const started = performance.now();
  views.parallel.draw();
  views.matrix.draw();
  seen.many_ms = performance.now() - started;
  const ink = (canvas) => { const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data; let n = 0; for (let i = 3; i < data.length; i += 4) if (data[i]) n++; return n / (data.length / 4); };
  seen.ink = [ink(views.matrix.canvas), ink(views.parallel.canvas)];
  // Dragging along an axis of the parallel coordinates keeps the cases between two values.
  const parallel = views.parallel, at = parallel.canvas.getBoundingClientRect(), axis = parallel.axis(0, parallel.frame.width);
  parallel.canvas.setPointerCapture = () => {};
  const drag = (kind, y) => parallel.canvas.dispatchEvent(new PointerEvent(kind, { clientX: at.left + axis, clientY: at.top + y, pointerId: 1, button: 0, bubbles: true }));
  drag("pointerdown", 120); drag("pointerup", 200);
  await wait(250);
  seen.dragged = table.filter.value;
  seen.dragged_rows = table.rows.length;
  await filter("");
  // Open one case.
  views.state.choose(6);
  const detail = document.getElementById("case-detail");
  seen.opened = [detail.querySelector("a.open") && detail.querySelector("a.open").getAttribute("href"), detail.querySelector("code").textContent];
  views.state.choose(7);
  seen.not_kept = detail.innerText.includes("were not kept");
  seen.csv_rows = table.csv().trim().split("\n").length - 1;

  const dots = () => [...views.explore.svg.querySelectorAll("g[clip-path] path[stroke-linecap]")].filter((path) => path.getAttribute("stroke-width") !== "13");
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

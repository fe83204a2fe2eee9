// A plot as a file of its own.
function download(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The drawing with its title, its keys and its colours written out, so that it stands alone.
function standaloneSvg(view) {
  const { width, height } = view.frame;
  const shown = view.plot.series.map((series, k) => ({ series, k })).filter(({ series, k }) => !view.plot.hidden.has(k) && !series.keyless);
  let x = MARGIN.left;
  const keys = shown.length < 2 ? "" : shown.map(({ series, k }) => {
    const colour = series.colour || `var(--s${k % 8})`;
    const key = `<path d="M${x} ${height + 34}h22" stroke="${colour}" stroke-width="2.4" stroke-dasharray="${DASH[series.dash] || ""}"/>` +
      `<text x="${x + 27}" y="${height + 38}" font-size="12" fill="var(--ink)">${escapeText(series.name)}</text>`;
    x += 45 + series.name.length * 7;
    return key;
  }).join("");
  const body = `<rect width="${width}" height="${height + 50}" fill="var(--card)"/>` +
    `<text x="${MARGIN.left}" y="17" font-size="14" font-weight="600" fill="var(--ink)">${escapeText(view.plot.title)}</text>` +
    `<g transform="translate(0 22)">${drawPlot(view.plot, view.frame).markup}</g>${keys}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + 50}" viewBox="0 0 ${width} ${height + 50}" font-family="sans-serif">` +
    body.replace(/var\((--[a-z0-9]+)\)/g, (_, name) => colourOf(name)) + "</svg>";
}

function fileName(view, ending) {
  return view.plot.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") + "." + ending;
}

function saveSvg(view) {
  download(fileName(view, "svg"), new Blob([standaloneSvg(view)], { type: "image/svg+xml" }));
}

function pngOf(view) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = element("canvas", { width: image.width * 2, height: image.height * 2 });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no image"))), "image/png");
    };
    image.onerror = () => reject(new Error("the drawing could not be read back"));
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(standaloneSvg(view));
  });
}

async function savePng(view) {
  download(fileName(view, "png"), await pngOf(view));
}

// One column of x where all series share it, else one for each; names carry their units.
function csvOf(plot) {
  const quote = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const titled = (name, units) => quote(units ? `${name} (${units})` : name);
  const shared = plot.series.every((series) => series.x === plot.series[0].x);
  const columns = [], heads = [];
  plot.series.forEach((series, k) => {
    if (k === 0 || !shared) {
      heads.push(titled(shared ? plot.xName : `${plot.xName} of ${series.name}`, plot.xUnits));
      columns.push(series.x);
    }
    heads.push(titled(series.name, plot.yUnits));
    columns.push(series.y);
  });
  const rows = [heads.join(",")];
  const count = Math.max(0, ...columns.map((column) => column.length));
  const cell = (column, i) => {
    if (i >= column.length || !Number.isFinite(column[i])) return "";
    if (plot.xNames && column === plot.series[0].x) return quote(plot.xNames[column[i]]);
    // Single precision has no more digits than these.
    return column instanceof Float32Array ? Number(column[i].toPrecision(8)) : column[i];
  };
  for (let i = 0; i < count; i++) rows.push(columns.map((column) => cell(column, i)).join(","));
  return rows.join("\n") + "\n";
}

function saveCsv(view) {
  download(fileName(view, "csv"), new Blob([csvOf(view.plot)], { type: "text/csv" }));
}

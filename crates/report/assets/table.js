// A table of many rows: sorted by any column, filtered, a page of it in the document at a time.
const PAGE = 50;

// Long dotted names may break after each part.
function breakable(name) {
  return name.replace(/[._]/g, "$&\u200b");
}

class CaseTable {
  // columns: {title, text(i), order(i), left, mark(i)}; failed(i); words(i) and parse(text, words) for the filter; filtered(rows); choose(i).
  constructor(root, count, columns, { failed, words, choose, parse, filtered }) {
    Object.assign(this, { root, columns, failed, words, choose, parse, filtered, count });
    this.sorted = { column: 0, down: false };
    this.at = 0;
    this.heads = columns.map((column, k) => {
      const head = element("th", { scope: "col", class: column.left ? "text" : null, "aria-sort": "none" }, element("button", { type: "button", onclick: () => this.sortBy(k) }, breakable(column.title)));
      return head;
    });
    this.body = element("tbody");
    const table = element("table", { class: "cases" }, element("caption", { class: "visually-hidden" }, "Cases"), element("thead", {}, element("tr", {}, ...this.heads)), this.body);
    this.filter = element("input", { type: "search", placeholder: "peak < 0.8 and mass >= 2", "aria-label": "Show cases that match: comparisons, or words that a row contains", oninput: () => this.refresh() });
    this.wrong = element("span", { class: "bad", role: "alert" });
    this.only = element("input", { type: "checkbox", onchange: () => this.refresh() });
    this.status = element("span", { role: "status" });
    this.previous = element("button", { type: "button", onclick: () => this.page(-1) }, "‹ Previous");
    this.next = element("button", { type: "button", onclick: () => this.page(1) }, "Next ›");
    root.replaceChildren(
      element("div", { class: "choices" }, this.filter, element("label", {}, this.only, "failed only"), this.wrong, element("button", { type: "button", onclick: () => this.save() }, "CSV")),
      element("div", { class: "panel" }, element("div", { class: "scroll" }, table), element("div", { class: "pager" }, this.previous, this.next, this.status)));
    this.refresh();
  }

  sortBy(column) {
    this.sorted = { column, down: this.sorted.column === column ? !this.sorted.down : false };
    this.refresh();
  }

  // Order of the rows shown: those without a value come last either way.
  refresh() {
    const { column, down } = this.sorted, { test, problem } = this.parse(this.filter.value, this.words);
    this.wrong.textContent = problem || "";
    const key = this.columns[column].order;
    const rows = [];
    for (let i = 0; i < this.count; i++) {
      if (this.only.checked && !this.failed(i)) continue;
      if (!test(i)) continue;
      rows.push(i);
    }
    const missing = (value) => value === "" || value == null || Number.isNaN(value);
    rows.sort((a, b) => {
      const x = key(a), y = key(b);
      if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b;
      const sign = typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : x - y;
      return (down ? -sign : sign) || a - b;
    });
    this.rows = rows;
    // Sorting leaves the same cases.
    const key_of = `${this.filter.value}\n${this.only.checked}`;
    if (this.told !== key_of) { if (this.told !== undefined) this.filtered(rows); this.told = key_of; }
    this.heads.forEach((head, k) => head.setAttribute("aria-sort", k !== column ? "none" : down ? "descending" : "ascending"));
    this.at = 0;
    this.show();
  }

  page(by) {
    this.at += by * PAGE;
    this.show();
  }

  show() {
    const shown = this.rows.slice(this.at, this.at + PAGE);
    this.body.replaceChildren(...shown.map((i) => {
      const cells = this.columns.map((column, k) => element(k === 0 ? "th" : "td", { class: column.left ? "text" : null, scope: k === 0 ? "row" : null }, column.mark && column.mark(i) ? element("span", { class: column.mark(i) }, column.text(i)) : column.text(i)));
      return element("tr", { class: (this.failed(i) ? "failed " : "") + (i === this.chosen ? "chosen" : ""), onclick: () => this.choose(i) }, ...cells);
    }));
    this.previous.disabled = this.at === 0;
    this.next.disabled = this.at + PAGE >= this.rows.length;
    this.status.textContent = this.rows.length ? `${this.at + 1} to ${this.at + shown.length} of ${this.rows.length} cases` : "no case";
  }

  // Turns to the page that holds a case.
  find(i) {
    const row = this.rows.indexOf(i);
    if (row >= 0) this.at = Math.floor(row / PAGE) * PAGE;
    this.chosen = i;
    this.show();
  }

  csv() {
    const quote = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    const lines = [this.columns.map((column) => quote(column.title)).join(",")];
    const plain = (value) => (value == null || Number.isNaN(value) ? "" : quote(String(value)));
    for (const i of this.rows) lines.push(this.columns.map((column) => plain(column.order(i))).join(","));
    return lines.join("\n") + "\n";
  }

  save() {
    download("cases.csv", new Blob([this.csv()], { type: "text/csv" }));
  }
}

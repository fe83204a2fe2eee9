// A filter of cases: comparisons such as `peak < 0.8 and mass >= 2`, or words that a row contains.
const COMPARISONS = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b, "==": (a, b) => a === b, "!=": (a, b) => a !== b };

// The column that is meant: by its name, or by the only one that ends or begins so.
function columnNamed(columns, name) {
  const wanted = name.toLowerCase(), all = columns.filter((column) => column.name.toLowerCase() === wanted);
  if (all.length) return all[0];
  const near = columns.filter((column) => { const own = column.name.toLowerCase(); return own.endsWith("." + wanted) || own.startsWith(wanted) || own.endsWith(wanted); });
  return near.length === 1 ? near[0] : null;
}

// { test(i), problem }: a test of a case by its index, and what is wrong with the text.
function parseFilter(text, columns, words) {
  const tests = [];
  let problem = null;
  for (const term of text.split(/\s+and\s+|[;&]+/i).map((part) => part.trim()).filter((part) => part)) {
    const found = term.match(/^(.+?)\s*(<=|>=|==|!=|<|>|=)\s*(.+)$/);
    if (!found) {
      const wanted = term.toLowerCase();
      tests.push((i) => words(i).toLowerCase().includes(wanted));
      continue;
    }
    const [, name, sign, value] = found, column = columnNamed(columns, name.trim()), compare = COMPARISONS[sign];
    if (!column) { problem = `no single column is called ${name.trim()}`; continue; }
    const text = value.trim().replace(/^["']|["']$/g, ""), number = Number(text.replace("−", "-"));
    if (column.words) tests.push((i) => compare(column.words[column.values[i]], text));
    else if (column.role === "constraint" && /^(pass|fail)$/i.test(text)) tests.push((i) => compare(column.values[i], /pass/i.test(text) ? 1 : 0));
    else if (!Number.isFinite(number)) problem = `${text} is no number`;
    else tests.push((i) => Number.isFinite(column.values[i]) && compare(column.values[i], number));
  }
  return { test: (i) => tests.every((test) => test(i)), problem };
}

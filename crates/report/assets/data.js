// What the page carries: one JSON description, and number arrays in base64 (little-endian) that it refers to.
const KINDS = { f32: Float32Array, f64: Float64Array, u16: Uint16Array, u32: Uint32Array };

function description() {
  return JSON.parse(document.getElementById("description").textContent);
}

// The array behind { array, kind }; an empty one for null. Decoded once.
const decoded = new Map();
function arrayOf(reference) {
  if (!reference) return new Float32Array(0);
  if (!decoded.has(reference.array)) {
    const binary = atob(document.getElementById("array-" + reference.array).textContent.trim());
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    decoded.set(reference.array, new KINDS[reference.kind](bytes.buffer));
  }
  return decoded.get(reference.array);
}

// The time shown, shared by the machine and the plots.
const clock = {
  t: null,
  listeners: [],
  watch(listener) { this.listeners.push(listener); },
  set(t, from) {
    this.t = t;
    for (const listener of this.listeners) listener(t, from);
  },
};

// A DOM element with attributes, properties beginning with "on" as handlers, and children.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

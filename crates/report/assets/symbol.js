// Joints, rods, springs, cylinders, payloads and the ground: solids of unit size, placed anew for each picture between points that
// move with the links.
const AROUND = 20;
const TURNS = 7;
const TEETH = 14;

// A cylinder of unit radius from z = 0 to 1; with four sides a box of half width one, with a top of radius 0 a cone.
function prism(sides, top) {
  const rest = [], normals = [], indices = [], phase = sides === 4 ? Math.PI / 4 : 0, reach = sides === 4 ? Math.SQRT2 : 1;
  const corner = (k) => [reach * Math.cos(phase + (2 * Math.PI * k) / sides), reach * Math.sin(phase + (2 * Math.PI * k) / sides)];
  const put = (point, normal) => { rest.push(...point); normals.push(...normal); return rest.length / 3 - 1; };
  for (let k = 0; k < sides; k++) {
    const [a, b] = [corner(k), corner(k + 1)], half = corner(k + 0.5);
    const at = (c) => (sides === 4 ? [half[0], half[1], 0] : [c[0], c[1], 0]);
    const quad = [put([...a, 0], at(a)), put([...b, 0], at(b)), put([top * b[0], top * b[1], 1], at(b)), put([top * a[0], top * a[1], 1], at(a))];
    indices.push(quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]);
    for (const [z, size] of [[0, 1], [1, top]]) {
      const up = [0, 0, z ? 1 : -1];
      indices.push(put([0, 0, z], up), put([size * a[0], size * a[1], z], up), put([size * b[0], size * b[1], z], up));
    }
  }
  return { rest, normals, indices };
}

function sphere() {
  const rest = [], indices = [], rings = 12;
  for (let r = 0; r <= rings; r++) for (let s = 0; s < AROUND; s++) {
    const polar = (Math.PI * r) / rings, angle = (2 * Math.PI * s) / AROUND;
    rest.push(Math.sin(polar) * Math.cos(angle), Math.sin(polar) * Math.sin(angle), Math.cos(polar));
    if (r === rings) continue;
    const a = r * AROUND + s, b = r * AROUND + ((s + 1) % AROUND);
    indices.push(a, b, a + AROUND, a + AROUND, b, b + AROUND);
  }
  return { rest, normals: rest, indices };
}

function solidOf(gl, { rest, normals, indices }) {
  const made = { mode: gl.TRIANGLES, count: indices.length, array: gl.createVertexArray() };
  gl.bindVertexArray(made.array);
  for (const [slot, values] of [[0, rest], [2, normals]]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(slot);
    gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 0, 0);
  }
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(indices), gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  return made;
}

const length = (a, b) => Math.hypot(...sub(a, b));
const between = (a, b, share) => add(a, times(sub(b, a), share));

// A unit vector across another.
function across(z) { return unit(cross(z, Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])); }

// Takes unit z to the way from one point to another, and the unit circle to one of a radius.
function along(from, to, radius) {
  const z = sub(to, from), x = across(unit(z)), y = cross(unit(z), x);
  return new Float32Array([...times(x, radius), 0, ...times(y, radius), 0, ...z, 0, ...from, 1]);
}

class Symbols {
  constructor(gl, machine) {
    this.solids = { cylinder: solidOf(gl, prism(AROUND, 1)), box: solidOf(gl, prism(4, 1)), cone: solidOf(gl, prism(AROUND, 0.25)), point: solidOf(gl, prism(AROUND, 0)), ball: solidOf(gl, sphere()) };
    this.unit = 0.011 * machine.size;
    this.up = machine.upright[2];
    this.height = machine.centre[2];
    // Where the machines of a picture are beside the first.
    this.shifts = (machine.groups || []).map(() => [0, 0, 0]);
    this.triads = machine.triads || [];
    this.all = machine.symbols.map((data) => ({ ...data, ends: data.ends.map((end) => ({ ...end, moved: arrayOf(end.moved) })) }));
  }

  // Interface and point of an end in the world, displacements times `scale`.
  end(end, parts, frame, scale) {
    if (end.part == null) return { interface: add(end.interface, end.shift), point: add(end.point, end.shift) };
    const m = parts[end.part].matrix, at = 6 * frame;
    const world = (p, k) => {
      const q = [0, 1, 2].map((c) => p[c] + (end.moved.length ? scale * end.moved[at + k + c] : 0));
      return [0, 1, 2].map((r) => m[r] * q[0] + m[4 + r] * q[1] + m[8 + r] * q[2] + m[12 + r]);
    };
    return { interface: world(end.interface, 0), point: world(end.point, 3) };
  }

  // Both ends, and the axis in the world.
  at(symbol, parts, frame, scale) {
    const shift = this.shifts[symbol.group || 0] || [0, 0, 0];
    // The axis of a guide is on its first end.
    const [a, b] = symbol.ends.map((end) => this.end({ ...end, shift }, parts, frame, scale)), { part } = symbol.ends[GUIDES.has(symbol.kind) ? 0 : 1];
    const m = part == null ? IDENTITY : parts[part].matrix, [x, y, z] = symbol.axis;
    return { a, b, axis: [0, 1, 2].map((r) => m[r] * x + m[4 + r] * y + m[8 + r] * z) };
  }

  // Shortest length of a cylinder in all frames: its barrel is not longer.
  shortest(symbol, parts, frames) {
    if (symbol.least === undefined) {
      symbol.least = Infinity;
      for (let frame = 0; frame < frames; frame++) {
        const ends = symbol.ends.map((end) => {
          if (end.part == null) return end.point;
          const m = poseMatrix(parts[end.part].poses, 12 * frame), p = [0, 1, 2].map((c) => end.point[c] + (end.moved.length ? end.moved[6 * frame + 3 + c] : 0));
          return [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
        });
        symbol.least = Math.min(symbol.least, length(...ends));
      }
    }
    return symbol.least;
  }

  // Those of which something is visible: what connects hidden links goes with them.
  shown(parts) {
    return this.all.filter((symbol) => symbol.kind !== "free" && symbol.ends.every((end) => end.part == null || parts[end.part].visible) && !(this.hidden && this.hidden(symbol.group || 0)));
  }

  // What to draw: [solid, matrix, name of the colour].
  shapes(parts, frame, scale, frames) {
    const out = [], T = this.unit;
    const rod = (solid, from, to, radius, paint) => { if (length(from, to) > 1e-6 * T) out.push([solid, along(from, to, radius), paint]); };
    const ball = (at, radius, paint) => out.push(["ball", along(at, add(at, [0, 0, radius]), radius), paint]);
    const centred = (solid, at, axis, half, radius, paint) => rod(solid, sub(at, times(axis, half)), add(at, times(axis, half)), radius, paint);
    const kit = { rod, ball, centred, T, up: this.up };
    for (const symbol of this.shown(parts)) {
      const { a, b, axis } = this.at(symbol, parts, frame, scale), has = Math.hypot(...axis) > 0.5, n = has ? unit(axis) : this.up;
      const joint = !SPANS[symbol.kind];
      if (WHEELS[symbol.kind]) { WHEELS[symbol.kind](b.point, n, kit); continue; }
      // Arms from interfaces to what hangs beside them.
      if (!LOOSE.has(symbol.kind)) for (const [k, end] of [[0, a], [1, b]]) if (symbol.ends[k].part != null) rod("cylinder", end.interface, end.point, 0.7 * T, "--arm");
      symbol.ends.forEach((end, k) => { if (end.part == null && !(joint && k === 1) && !GUIDES.has(symbol.kind)) this.anchor(k ? b.point : a.point, rod, T); });
      if (SPANS[symbol.kind]) SPANS[symbol.kind](a.point, b.point, { ...kit, n, least: () => this.shortest(symbol, parts, frames), radius: symbol.radius });
      else if (JOINTS[symbol.kind]) JOINTS[symbol.kind](b.point, n, kit);
    }
    return out;
  }

  // Thin lines along the axes of joints.
  axes(parts, frame, scale) {
    const T = this.unit, turning = this.shown(parts).filter((symbol) => AXLES.has(symbol.kind) && Math.hypot(...symbol.axis) > 0.5);
    return turning.map((symbol) => {
      const { b, axis } = this.at(symbol, parts, frame, scale), reach = times(unit(axis), 9 * T);
      return ["cylinder", along(sub(b.point, reach), add(b.point, reach), 0.25 * T), "--axle"];
    });
  }

  // Axes of the frames of links and of the interfaces that are known.
  frames(parts) {
    const T = this.unit, out = [];
    const draw = (m, size) => ["--s1", "--s2", "--s0"].forEach((paint, c) => {
      const from = [m[12], m[13], m[14]], way = times([m[4 * c], m[4 * c + 1], m[4 * c + 2]], size * T);
      out.push(["cylinder", along(from, add(from, times(way, 0.75)), 0.3 * T), paint], ["point", along(add(from, times(way, 0.75)), add(from, way), 0.7 * T), paint]);
    });
    for (const part of parts) if (part.visible) draw(part.matrix, 6);
    for (const triad of this.triads) {
      if (triad.part != null && !parts[triad.part].visible) continue;
      const own = poseMatrix(triad.pose, 0);
      draw(triad.part == null ? own : multiply(parts[triad.part].matrix, own), 4);
    }
    return out;
  }

  // Stands on the ground, or hangs from it where the machine is below.
  anchor(at, rod, T) {
    const height = dot(this.up, at), away = times(this.up, height > this.height ? 1 : -1);
    const foot = add(at, times(away, 4.2 * T));
    rod("cone", foot, add(at, times(away, 1.2 * T)), 2.4 * T, "--ground");
    rod("box", foot, add(foot, times(away, 0.8 * T)), 3.4 * T, "--ground");
  }
}

// What lies on a line or in a plane, what hangs on nothing beside its interface, what has an axle.
const GUIDES = new Set(["line", "plane"]);
const LOOSE = new Set(["payload", "mass", "line", "plane"]);
const AXLES = new Set(["revolute", "prismatic", "sliding", "cylindrical", "universal"]);

// What is drawn around a joint.
const WHEELS = {
  bearing: (p, n, { centred, T }) => { for (const side of [-1, 1]) centred("cylinder", add(p, times(n, 2.6 * side * T)), n, 0.35 * T, 2.9 * T, "--bearing"); },
  gear: (p, n, { centred, T }) => {
    const at = add(p, times(n, 3.6 * T)), x = across(n), y = cross(n, x);
    centred("cylinder", at, n, 0.5 * T, 3.2 * T, "--gear");
    for (let k = 0; k < TEETH; k++) {
      const angle = (2 * Math.PI * k) / TEETH, away = add(times(x, Math.cos(angle)), times(y, Math.sin(angle)));
      centred("box", add(at, times(away, 3.5 * T)), n, 0.5 * T, 0.38 * T, "--gear");
    }
  },
};

// How a joint is drawn about its point and axis.
const JOINTS = {
  revolute: (p, n, { centred, T }) => { centred("cylinder", p, n, 2.3 * T, 1.9 * T, "--joint"); centred("cylinder", p, n, 2.9 * T, 0.8 * T, "--pin"); },
  prismatic: (p, n, { centred, T }) => centred("box", p, n, 3 * T, 1.7 * T, "--joint"),
  sliding: (p, n, { centred, T }) => centred("box", p, n, 3.4 * T, 2 * T, "--joint"),
  cylindrical: (p, n, { centred, T }) => { centred("cylinder", p, n, 3 * T, 1.9 * T, "--joint"); centred("cylinder", p, n, 4.5 * T, 0.8 * T, "--pin"); },
  universal: (p, n, { centred, ball, T }) => { centred("cylinder", p, n, 2.8 * T, 0.8 * T, "--pin"); centred("cylinder", p, across(n), 2.8 * T, 0.8 * T, "--pin"); ball(p, 1.5 * T, "--joint"); },
  spherical: (p, _, { ball, T }) => ball(p, 2 * T, "--joint"),
  fixed: (p, n, { centred, T }) => centred("box", p, n, 1.4 * T, 1.4 * T, "--pin"),
};

// Barrel and rod of a cylinder or damper.
function telescope(a, b, { rod, ball, T, least }, barrel) {
  const share = Math.min(0.95, (0.75 * least()) / (length(a, b) || 1));
  rod("cylinder", a, between(a, b, share), 1.35 * T, barrel);
  rod("cylinder", a, b, 0.6 * T, "--rod");
  for (const end of [a, b]) ball(end, 1.3 * T, "--joint");
}

// A wire wound from end to end.
function coil(a, b, { rod, ball, T }) {
  const z = sub(b, a), x = across(unit(z)), y = cross(unit(z), x), steps = 10 * TURNS;
  const at = (k) => {
    const inside = Math.min(1, Math.max(0, (k / steps - 0.08) / 0.84)), angle = 2 * Math.PI * TURNS * inside, r = inside > 0 && inside < 1 ? 1.7 * T : 0;
    return add(add(a, times(z, k / steps)), add(times(x, r * Math.cos(angle)), times(y, r * Math.sin(angle))));
  };
  for (let k = 0; k < steps; k++) rod("cylinder", at(k), at(k + 1), 0.38 * T, "--spring");
  for (const end of [a, b]) ball(end, T, "--joint");
}

// What is drawn between two points.
const SPANS = {
  rod: (a, b, { rod, ball, T }) => { rod("cylinder", a, b, 0.7 * T, "--rod"); for (const end of [a, b]) ball(end, 1.2 * T, "--joint"); },
  cylinder: (a, b, kit) => telescope(a, b, kit, "--barrel"),
  damper: (a, b, kit) => telescope(a, b, kit, "--damper"),
  spring: (a, b, kit) => coil(a, b, kit),
  "spring and damper": (a, b, kit) => { coil(a, b, kit); telescope(a, b, { ...kit, T: 0.7 * kit.T }, "--damper"); },
  bushing: (a, b, { rod, T, up }) => {
    const middle = between(a, b, 0.5);
    rod("cylinder", a, b, 0.6 * T, "--rod");
    rod("cylinder", sub(middle, times(up, 1.3 * T)), add(middle, times(up, 1.3 * T)), 2.3 * T, "--bushing");
  },
  line: (a, b, { rod, ball, centred, T, n }) => {
    // A rail through the first end that reaches beyond the point on it.
    const reach = Math.max(6 * T, length(a, b) + 3 * T);
    centred("box", a, n, reach, 0.45 * T, "--guide");
    rod("cylinder", a, b, 0.3 * T, "--rod");
    centred("box", b, n, 1.6 * T, 1.2 * T, "--joint");
  },
  plane: (a, b, { ball, centred, T, n }) => {
    const foot = sub(b, times(n, dot(n, sub(b, a))));
    centred("box", sub(foot, times(n, 0.15 * T)), n, 0.12 * T, 6 * T, "--guide");
    ball(b, 1.3 * T, "--joint");
  },
  payload: (a, _, { ball, T, radius }) => ball(a, Math.max(radius, 1.5 * T), "--payload"),
  mass: (a, _, { ball, T, radius }) => ball(a, Math.max(radius, 1.2 * T), "--mass"),
};

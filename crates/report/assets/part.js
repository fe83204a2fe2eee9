// A link of the machine on the graphics card. Its displacement at a frame is the sum of a few shapes times coefficients.
const SIDES = 12;
// Stands for no value among the integers of a field.
const NO_VALUE = 65535;

class Part {
  constructor(gl, data, index) {
    this.gl = gl;
    this.name = data.name;
    this.colour = `--s${index % 8}`;
    this.group = data.group || 0;
    this.closed = !!data.closed;
    this.visible = true;
    // Where the machine of this part is beside the first one.
    this.shift = [0, 0, 0];
    this.rest = arrayOf(data.points);
    this.count = this.rest.length / 3;
    this.grids = arrayOf(data.grids);
    this.rank = data.rank;
    this.shapes = arrayOf(data.shapes);
    this.coefficients = arrayOf(data.coefficients);
    this.poses = arrayOf(data.poses);
    this.fields = Object.fromEntries(data.fields.map((field) => [field.name, Object.assign({}, field, { values: arrayOf(field.values) })]));
    this.moved = new Float32Array(this.rest.length);
    this.level = new Float32Array(this.count);
    this.solid = this.layer(null, null, arrayOf(data.triangles), gl.TRIANGLES);
    this.edges = this.layer(this.solid, null, arrayOf(data.edges), gl.LINES);
    this.thin = this.layer(this.solid, null, arrayOf(data.thin), gl.LINES);
    const lines = arrayOf(data.lines), sections = data.sections ? arrayOf(data.sections) : [];
    const plain = [], formed = [];
    for (let k = 0; k < lines.length / 2; k++) (sections[k] ? formed : plain).push(k);
    this.round = this.tubes(plain.flatMap((k) => [lines[2 * k], lines[2 * k + 1]]), arrayOf(data.balls));
    this.bars = formed.length ? this.profiled(formed, lines, sections, arrayOf(data.across), data.profiles) : null;
    this.box = boxOf(this.rest);
  }

  get layers() { return [this.solid, this.round, this.bars]; }

  // Bars with their sections.
  profiled(bars, lines, sections, across, profiles) {
    const made = { nodes: [], places: [], indices: [] };
    for (const k of bars) {
      const [a, b] = [lines[2 * k], lines[2 * k + 1]], from = this.at(a), to = this.at(b);
      const y = [0, 1, 2].map((c) => across[3 * k + c]), z = cross(unit(sub(to, from)), y);
      sweep(made, [a, b], [from, to], y, z, profiles[sections[k] - 1]);
    }
    return this.layer(null, { nodes: new Uint32Array(made.nodes), places: new Float32Array(made.places), offsets: new Float32Array(3 * made.nodes.length) }, new Uint32Array(made.indices), this.gl.TRIANGLES);
  }

  at(node) { return [this.rest[3 * node], this.rest[3 * node + 1], this.rest[3 * node + 2]]; }

  // Buffers of a set of vertices. Without `nodes` the vertices are the nodes; layers over the same vertices share buffers.
  layer(shared, tube, indices, mode) {
    if (!indices.length) return null;
    const gl = this.gl;
    const made = { mode, count: indices.length, nodes: tube && tube.nodes, array: gl.createVertexArray() };
    const from = shared || this.plain || {};
    gl.bindVertexArray(made.array);
    const attribute = (slot, size, old, values, usage) => {
      const buffer = old || gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      if (!old) gl.bufferData(gl.ARRAY_BUFFER, values, usage);
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribPointer(slot, size, gl.FLOAT, false, 0, 0);
      return buffer;
    };
    if (tube) {
      attribute(0, 3, null, tube.places || gather(this.rest, tube.nodes, 3), gl.STATIC_DRAW);
      made.movedBuffer = attribute(1, 3, null, new Float32Array(3 * tube.nodes.length), gl.DYNAMIC_DRAW);
      attribute(2, 3, null, tube.offsets, gl.STATIC_DRAW);
      made.levelBuffer = attribute(3, 1, null, new Float32Array(tube.nodes.length), gl.DYNAMIC_DRAW);
    } else {
      made.restBuffer = attribute(0, 3, from.restBuffer, this.rest, gl.STATIC_DRAW);
      made.movedBuffer = attribute(1, 3, from.movedBuffer, this.moved, gl.DYNAMIC_DRAW);
      made.levelBuffer = attribute(3, 1, from.levelBuffer, this.level, gl.DYNAMIC_DRAW);
      this.plain = made;
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return made;
  }

  // Bars as round tubes and interfaces as balls, of unit radius.
  tubes(lines, balls) {
    const nodes = [], offsets = [], indices = [];
    for (let k = 0; k + 1 < lines.length; k += 2) {
      const a = lines[k], b = lines[k + 1];
      const along = unit([0, 1, 2].map((c) => this.rest[3 * b + c] - this.rest[3 * a + c]));
      const x = unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), y = cross(along, x);
      const first = nodes.length;
      for (let s = 0; s < SIDES; s++) {
        const angle = (2 * Math.PI * s) / SIDES, offset = add(times(x, Math.cos(angle)), times(y, Math.sin(angle)));
        nodes.push(a, b);
        offsets.push(...offset, ...offset);
        const next = (s + 1) % SIDES;
        indices.push(first + 2 * s, first + 2 * next, first + 2 * s + 1, first + 2 * s + 1, first + 2 * next, first + 2 * next + 1);
      }
    }
    for (const node of balls) ball(node, nodes, offsets, indices);
    const tube = { nodes: new Uint32Array(nodes), offsets: new Float32Array(offsets) };
    return this.layer(null, tube, new Uint32Array(indices), this.gl.TRIANGLES);
  }

  // Displacements of all nodes at a frame, in the axes of the nominal link.
  move(frame) {
    const { moved, shapes, rank, coefficients } = this, size = moved.length;
    moved.fill(0);
    for (let r = 0; r < rank; r++) {
      const c = coefficients[frame * rank + r], at = r * size;
      if (c !== 0) for (let i = 0; i < size; i++) moved[i] += c * shapes[at + i];
    }
    this.largest = 0;
    for (let i = 0; i < size; i += 3) this.largest = Math.max(this.largest, Math.hypot(moved[i], moved[i + 1], moved[i + 2]));
    this.matrix = poseMatrix(this.poses, 12 * frame);
    for (let c = 0; c < 3; c++) this.matrix[12 + c] += this.shift[c];
  }

  // Value of a node for a choice of colour, at the frame last moved to.
  valueAt(node, choice, frame) {
    if (choice === "displacement") return Math.hypot(this.moved[3 * node], this.moved[3 * node + 1], this.moved[3 * node + 2]);
    const field = this.fields[choice];
    if (!field) return NaN;
    const raw = field.values[(field.steady ? 0 : frame * this.count) + node];
    return raw === NO_VALUE ? NaN : raw * field.step;
  }

  upload(choice, frame, low, high) {
    const gl = this.gl;
    for (let i = 0; i < this.count; i++) {
      const value = (this.valueAt(i, choice, frame) - low) / (high - low || 1);
      this.level[i] = Number.isFinite(value) ? value : -1;
    }
    const send = (buffer, values) => { gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.bufferSubData(gl.ARRAY_BUFFER, 0, values); };
    if (this.plain) { send(this.plain.movedBuffer, this.moved); send(this.plain.levelBuffer, this.level); }
    for (const tube of [this.round, this.bars]) {
      if (!tube) continue;
      send(tube.movedBuffer, gather(this.moved, tube.nodes, 3));
      send(tube.levelBuffer, gather(this.level, tube.nodes, 1));
    }
  }
}

function gather(values, nodes, size) {
  const out = new Float32Array(size * nodes.length);
  for (let i = 0; i < nodes.length; i++) for (let c = 0; c < size; c++) out[size * i + c] = values[size * nodes[i] + c];
  return out;
}

// A sphere about a node, half as thick again as a tube.
function ball(node, nodes, offsets, indices) {
  const rings = 10, first = nodes.length;
  for (let r = 0; r <= rings; r++) {
    for (let s = 0; s < SIDES; s++) {
      const polar = (Math.PI * r) / rings, angle = (2 * Math.PI * s) / SIDES;
      nodes.push(node);
      offsets.push(1.5 * Math.sin(polar) * Math.cos(angle), 1.5 * Math.sin(polar) * Math.sin(angle), 1.5 * Math.cos(polar));
      if (r === rings) continue;
      const a = first + r * SIDES + s, b = first + r * SIDES + ((s + 1) % SIDES);
      indices.push(a, b, a + SIDES, a + SIDES, b, b + SIDES);
    }
  }
}

// Least and greatest corner of a set of points; null without any.
function boxOf(points) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  return points.length ? [low, high] : null;
}

// The walls and ends of a bar with a section whose y and z are given.
function sweep({ nodes, places, indices }, [a, b], [from, to], y, z, profile) {
  const put = (node, at, [u, v]) => { nodes.push(node); places.push(...add(at, add(times(y, u), times(z, v)))); return nodes.length - 1; };
  const rings = profile.loops.map((line) => line.corners.map((corner) => [put(a, from, corner), put(b, to, corner)]));
  for (const ring of rings) ring.forEach(([p, q], k) => {
    const [r, s] = ring[(k + 1) % ring.length];
    indices.push(p, r, q, q, r, s);
  });
  const tubed = rings.length === 2 && profile.loops[1].hole && rings[0].length === rings[1].length;
  for (const end of [0, 1]) {
    if (tubed) rings[0].forEach((corner, k) => {
      const next = (k + 1) % rings[0].length, inner = rings[1];
      indices.push(corner[end], rings[0][next][end], inner[k][end], inner[k][end], rings[0][next][end], inner[next][end]);
    });
    else rings.forEach((ring, n) => { for (let k = 1; !profile.loops[n].hole && k + 1 < ring.length; k++) indices.push(ring[0][end], ring[k][end], ring[k + 1][end]); });
  }
}

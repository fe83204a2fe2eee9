// Draws the machine: camera, floor, ghost, tip path and parts.
class Stage {
  constructor(canvas, machine) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("This browser does not offer WebGL 2, so the machine cannot be drawn here.");
    this.gl = gl;
    Object.assign(this, compile(gl));
    this.parts = machine.parts.map((part, index) => new Part(gl, part, index));
    this.symbols = new Symbols(gl, machine);
    this.arrows = new Arrows(machine);
    const [x, y, z] = machine.upright;
    this.upright = new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, 0, 0, 0, 1]);
    this.world = new Float32Array([...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1]);
    this.times = arrayOf(machine.times);
    this.centre = machine.centre;
    this.size = machine.size;
    this.floor = machine.floor;
    this.frame = 0;
    this.deforms = machine.displacement.max > 0;
    this.options = { scale: 1, choice: "displacement", range: [0, 1], ghost: true, edges: true, floor: true, path: true, spiders: false, symbols: true, axes: false, frames: false, load: true, reaction: false, cut: null, fields: true };
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, rampPixels());
    for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, key, value);
    this.grid = this.lines(floorLines(this.centre, this.size, this.floor), null);
    this.path = machine.tip ? this.lines(arrayOf(machine.tip.nominal), arrayOf(machine.tip.error)) : null;
    this.camera = new Camera(this);
    this.home();
    new ResizeObserver(() => { if (!this.moved) this.camera.home(this.angles); this.redraw(); }).observe(canvas);
    // What WebGL draws reaches the page with its next frame; paper does not wait for that, and takes a copy.
    this.paper = element("canvas", { class: "paper", "aria-hidden": "true" });
    canvas.after(this.paper);
    theme.listeners.push(() => this.draw());
  }

  // A set of line vertices in the world.
  lines(points, moved) {
    const gl = this.gl, made = { array: gl.createVertexArray(), count: points.length / 3 };
    gl.bindVertexArray(made.array);
    [points, moved].forEach((values, slot) => {
      if (!values) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 0, 0);
    });
    gl.bindVertexArray(null);
    return made;
  }

  // The first view, or all of the machine from a side. It follows the size of the window until one has moved it.
  home(angles) {
    Object.assign(this, { moved: false, angles });
    this.camera.home(angles);
    this.redraw();
  }

  axes() { return this.camera.axes(); }

  turn(dx, dy) {
    this.moved = true;
    this.camera.azimuth -= dx;
    this.camera.elevation = Math.min(1.55, Math.max(-1.55, this.camera.elevation + dy));
    this.redraw();
  }

  pan(dx, dy) {
    this.moved = true;
    const { right, up } = this.axes(), k = this.camera.distance;
    this.camera.target = add(this.camera.target, add(times(right, -dx * k), times(up, dy * k)));
    this.redraw();
  }

  zoom(factor) {
    this.moved = true;
    this.camera.distance = Math.min(20 * this.size, Math.max(0.02 * this.size, this.camera.distance * factor));
    this.redraw();
  }

  show(frame) {
    this.frame = frame;
    for (const part of this.parts) part.move(frame);
    this.recolour();
  }

  recolour() {
    const [low, high] = this.options.range;
    for (const part of this.parts) part.upload(this.options.choice, this.frame, low, high);
    this.redraw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  draw() {
    const { gl, canvas, uniforms, options } = this;
    // On paper the copy is shown, and this has no size.
    if (!this.parts[0].matrix || !canvas.clientWidth) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(...(theme.printing ? [1, 1, 1] : rgbOf("--view")), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(this.program);
    const { back, up } = this.axes(), { distance, target } = this.camera;
    const camera = multiply(lookAt(add(target, times(back, distance)), target, up), this.upright);
    const view = multiply(perspective(this.camera.opening(), width / height, 0.01 * distance, distance + 8 * this.size), camera);
    this.view = view;
    this.cut(options.cut);
    gl.uniformMatrix4fv(uniforms.view, false, view);
    gl.uniformMatrix4fv(uniforms.camera, false, camera);
    gl.uniform1f(uniforms.thickness, 0.011 * this.size);
    const muted = rgbOf("--ghost");
    gl.uniform3fv(uniforms.blank, muted);
    gl.uniform3fv(uniforms.inside, rgbOf("--inside"));
    gl.uniform1f(uniforms.solid, 0);
    this.cut(null);
    gl.uniformMatrix4fv(uniforms.pose, false, this.world);
    if (options.floor) this.strokes(this.grid, gl.LINES, [...muted, 0.28], 0);
    gl.uniformMatrix4fv(uniforms.pose, false, IDENTITY);
    if (options.path && this.path) {
      this.strokes(this.path, gl.LINE_STRIP, [...muted, 0.9], 0);
      this.strokes(this.path, gl.LINE_STRIP, [...rgbOf("--accent"), 1], options.scale);
    }
    const parts = this.parts.filter((part) => part.visible);
    this.cut(options.cut);
    for (const part of parts) this.part(part);
    this.fittings();
    this.cut(null);
    if (options.spiders) this.spiders(parts);
    if (options.ghost && this.deforms) {
      gl.depthMask(false);
      for (const part of parts) {
        gl.uniformMatrix4fv(uniforms.pose, false, part.matrix);
        for (const layer of part.layers) this.layer(layer, [...muted, 0.24], 0, { lit: 1 });
        this.layer(part.thin, [...muted, 0.3], 0, {});
      }
      gl.depthMask(true);
    }
    if (this.drawn) this.drawn();
    if (theme.printing) {
      Object.assign(this.paper, { width, height });
      this.paper.getContext("2d").drawImage(canvas, 0, 0);
    }
  }

  part(part) {
    const { gl, uniforms, options } = this;
    gl.uniformMatrix4fv(uniforms.pose, false, part.matrix);
    const plain = PLAIN.has(options.choice), ramped = plain ? 0 : 1;
    const own = [...rgbOf(options.choice === "run" ? `--s${part.group % 8}` : part.colour), 1];
    gl.uniform1f(uniforms.solid, options.cut && part.closed ? 1 : 0);
    this.layer(part.solid, own, options.scale, { ramped, lit: 1 });
    gl.uniform1f(uniforms.solid, 0);
    this.layer(part.round, own, options.scale, { ramped, lit: 1 });
    this.layer(part.bars, own, options.scale, { ramped, lit: 1 });
    if (options.edges) this.layer(part.edges, [0, 0, 0, 0.26], options.scale, { bias: 2e-4 });
    this.layer(part.thin, [...rgbOf("--ghost"), 0.8], options.scale, {});
  }

  // Joints, rods, cylinders and what else is no link; arrows and frames.
  fittings() {
    const { gl, uniforms, options, symbols, parts, frame } = this;
    const paints = new Map(), shapes = [];
    const colour = (name) => paints.get(name) || (paints.set(name, [...rgbOf(name), 1]), paints.get(name));
    if (options.symbols) shapes.push(...symbols.shapes(parts, frame, options.scale, this.times.length));
    if (options.axes) shapes.push(...symbols.axes(parts, frame, options.scale));
    if (options.frames) shapes.push(...symbols.frames(parts));
    shapes.push(...this.arrows.shapes(parts, frame, options.scale, options));
    // Offsets of their vertices are normals alone.
    gl.uniform1f(uniforms.thickness, 0);
    for (const [solid, matrix, paint] of shapes) {
      gl.uniformMatrix4fv(uniforms.pose, false, matrix);
      this.layer(symbols.solids[solid], colour(paint), 0, { lit: 1 });
    }
    gl.uniform1f(uniforms.thickness, symbols.unit);
  }

  // Leaves out what is beyond a plane: { axis, share } with the share of the machine that stays.
  cut(plane) {
    const { gl, uniforms } = this;
    if (!plane || plane.share >= 1) return gl.uniform4fv(uniforms.cut, [0, 0, 0, 0]);
    const n = [0, 1, 2].map((c) => (c === plane.axis ? plane.sign : 0)), [low, high] = this.extent(plane.axis);
    const from = plane.sign > 0 ? low : -high, to = plane.sign > 0 ? high : -low;
    gl.uniform4fv(uniforms.cut, [...n, from + (to - from) * plane.share]);
  }

  // Least and greatest coordinate of the visible links along a world axis, now.
  extent(axis) {
    let low = Infinity, high = -Infinity;
    for (const part of this.parts) {
      if (!part.visible || !part.box) continue;
      for (let k = 0; k < 8; k++) {
        const x = [0, 1, 2].reduce((sum, c) => sum + part.matrix[4 * c + axis] * part.box[(k >> c) & 1][c], part.matrix[12 + axis]);
        [low, high] = [Math.min(low, x), Math.max(high, x)];
      }
    }
    const thick = 2 * this.symbols.unit;
    return low <= high ? [low - thick, high + thick] : [0, 1];
  }

  // Rigid elements and interfaces, seen through what is around them.
  spiders(parts) {
    const { gl, uniforms, options } = this;
    gl.disable(gl.DEPTH_TEST);
    for (const part of parts) {
      gl.uniformMatrix4fv(uniforms.pose, false, part.matrix);
      this.layer(part.thin, [...rgbOf("--s1"), 0.75], options.scale, {});
    }
    gl.enable(gl.DEPTH_TEST);
  }

  strokes(lines, mode, paint, scale) {
    const { gl, uniforms } = this;
    gl.uniform4fv(uniforms.paint, paint);
    gl.uniform1f(uniforms.scale, scale);
    for (const name of ["ramped", "lit", "bias"]) gl.uniform1f(uniforms[name], 0);
    gl.bindVertexArray(lines.array);
    gl.drawArrays(mode, 0, lines.count);
  }

  layer(layer, paint, scale, { ramped = 0, lit = 0, bias = 0 }) {
    if (!layer) return;
    const { gl, uniforms } = this;
    gl.uniform4fv(uniforms.paint, paint);
    gl.uniform1f(uniforms.scale, scale);
    gl.uniform1f(uniforms.ramped, ramped);
    gl.uniform1f(uniforms.lit, lit);
    gl.uniform1f(uniforms.bias, bias);
    gl.bindVertexArray(layer.array);
    gl.drawElements(layer.mode, layer.count, gl.UNSIGNED_INT, 0);
  }

  // Node nearest to a point on the canvas (CSS pixels), within reach.
  pick(px, py) {
    let best = null, reach = 14 * 14;
    const { clientWidth: w, clientHeight: h } = this.canvas, s = this.options.scale;
    for (const part of this.parts) {
      if (!part.visible) continue;
      const m = multiply(this.view, part.matrix), { rest, moved } = part;
      for (let i = 0; i < part.count; i++) {
        const a = rest[3 * i] + s * moved[3 * i], b = rest[3 * i + 1] + s * moved[3 * i + 1], c = rest[3 * i + 2] + s * moved[3 * i + 2];
        const depth = m[3] * a + m[7] * b + m[11] * c + m[15];
        const x = (m[0] * a + m[4] * b + m[8] * c + m[12]) / depth, y = (m[1] * a + m[5] * b + m[9] * c + m[13]) / depth;
        const d = ((x + 1) / 2 * w - px) ** 2 + ((1 - y) / 2 * h - py) ** 2;
        // Among those as near, the one in front.
        if (depth > 0 && (d < reach - 4 || (best && d < reach + 4 && depth < best.depth))) { reach = Math.min(reach, d); best = { part, node: i, depth }; }
      }
    }
    return best || this.pickArrow(px, py) || (this.options.symbols ? this.pickSymbol(px, py) : null);
  }

  // Pixel of a point in the world, and its depth.
  onScreen(p) {
    const { clientWidth: w, clientHeight: h } = this.canvas, m = this.view;
    const of = (r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r], depth = of(3);
    return [((of(0) / depth + 1) / 2) * w, ((1 - of(1) / depth) / 2) * h, depth];
  }

  // Arrow whose point is nearest, within reach.
  pickArrow(px, py) {
    let best = null, reach = 12;
    for (const arrow of this.arrows.all) {
      if (!this.options[arrow.kind]) continue;
      const [x, y] = this.onScreen(this.arrows.at(arrow, this.parts, this.frame, this.options.scale)), d = Math.hypot(x - px, y - py);
      if (d < reach) { reach = d; best = { arrow }; }
    }
    return best;
  }

  // Symbol whose line or point is nearest, within reach.
  pickSymbol(px, py) {
    let best = null, reach = 12;
    for (const symbol of this.symbols.shown(this.parts)) {
      const { a, b } = this.symbols.at(symbol, this.parts, this.frame, this.options.scale);
      const [x0, y0] = this.onScreen(SPANS[symbol.kind] ? a.point : b.point), [x1, y1] = this.onScreen(b.point), dx = x1 - x0, dy = y1 - y0;
      const share = Math.min(1, Math.max(0, ((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy || 1)));
      const d = Math.hypot(x0 + share * dx - px, y0 + share * dy - py);
      if (d < reach) { reach = d; best = { symbol }; }
    }
    return best;
  }
}

// A square grid at the height of the lowest point, with lines at round distances.
function floorLines([cx, cy], size, z) {
  const step = roundDown125(size / 5), half = step * Math.ceil((0.8 * size) / step);
  const x0 = Math.round(cx / step) * step, y0 = Math.round(cy / step) * step, points = [];
  for (let d = -half; d <= half + step / 2; d += step) {
    points.push(x0 + d, y0 - half, z, x0 + d, y0 + half, z, x0 - half, y0 + d, z, x0 + half, y0 + d, z);
  }
  return points;
}

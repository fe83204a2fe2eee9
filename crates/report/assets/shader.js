// One shader for surfaces, tubes and lines: a vertex sits at pose · (rest + scale · displacement + offset). Where the offset is not
// zero (tubes, balls) it is also the normal; elsewhere the normal is that of the face, from derivatives.
const VERTEX = `#version 300 es
in vec3 rest; in vec3 moved; in vec3 offset; in float level;
uniform mat4 view; uniform mat4 camera; uniform mat4 pose; uniform float scale; uniform float thickness; uniform float bias;
out vec3 point; out vec3 normal; out float value; out vec3 place;
void main() {
  vec4 world = pose * vec4(rest + scale * moved + thickness * offset, 1.0);
  vec4 seen = camera * world;
  point = seen.xyz;
  place = world.xyz;
  normal = mat3(camera) * mat3(pose) * offset;
  value = level;
  gl_Position = view * world;
  gl_Position.z -= bias * gl_Position.w;
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 point; in vec3 normal; in float value; in vec3 place;
uniform sampler2D ramp; uniform vec4 paint; uniform float ramped; uniform float lit; uniform vec3 blank;
uniform vec4 cut; uniform float solid; uniform vec3 inside;
out vec4 colour;
void main() {
  if (dot(cut.xyz, place) > cut.w) discard;
  // What is seen of a solid from within is where it was cut.
  if (solid > 0.5 && !gl_FrontFacing) { colour = vec4(inside, paint.a); return; }
  // Below zero: nothing is known here.
  vec3 known = value < -0.01 ? blank : texture(ramp, vec2((clamp(value, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  vec3 base = mix(paint.rgb, known, ramped);
  vec3 n = dot(normal, normal) > 1e-12 ? normalize(normal) : normalize(cross(dFdx(point), dFdy(point)));
  if (dot(n, point) > 0.0) n = -n;
  float light = 0.42 + 0.5 * max(0.0, dot(n, normalize(vec3(0.35, 0.55, 1.0)))) + 0.14 * max(0.0, dot(n, normalize(-point)));
  colour = vec4(base * mix(1.0, light, lit), paint.a);
}`;

function compile(gl) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  ["rest", "moved", "offset", "level"].forEach((name, at) => gl.bindAttribLocation(program, at, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const uniforms = {};
  for (const name of ["view", "camera", "pose", "scale", "thickness", "bias", "ramp", "paint", "ramped", "lit", "blank", "cut", "solid", "inside"]) uniforms[name] = gl.getUniformLocation(program, name);
  return { program, uniforms };
}

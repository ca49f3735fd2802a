// Where every body is at any time: frames of poses, with slerp between them. No drawing here.
import { indexBefore } from './data.js';

const FLOATS = 7; // px py pz qx qy qz qw

export class Motion {
  /** @param {{time: Float64Array, poses: Float32Array, moving: number}} scene */
  constructor(scene) {
    this.scene = scene;
    /** Poses of all bodies at the time of the last `at`; body 0 is the world and does not move. */
    this.now = new Float64Array((scene.moving + 1) * FLOATS);
    for (let body = 0; body <= scene.moving; body++) this.now[body * FLOATS + 6] = 1;
    this.at(scene.time[0]);
  }

  at(t) {
    const { time, poses, moving } = this.scene;
    const before = indexBefore(time, t);
    const after = Math.min(before + 1, time.length - 1);
    const span = time[after] - time[before];
    const s = span > 0 ? Math.min(1, Math.max(0, (t - time[before]) / span)) : 0;
    for (let body = 0; body < moving; body++) {
      const a = (before * moving + body) * FLOATS;
      const b = (after * moving + body) * FLOATS;
      const out = (body + 1) * FLOATS;
      // Where a run has diverged the body stays where it last was.
      if (!finite(poses, a) || !finite(poses, b)) continue;
      for (let k = 0; k < 3; k++) this.now[out + k] = poses[a + k] + s * (poses[b + k] - poses[a + k]);
      slerp(poses, a + 3, b + 3, s, this.now, out + 3);
    }
  }

  /** Puts the bodies elsewhere: poses of bodies 1, 2, … one after the other. */
  place(poses) {
    this.now.set(poses, FLOATS);
  }

  /** @returns {number[]} px, py, pz, qx, qy, qz, qw of one body at the present time */
  pose(body) {
    return Array.from(this.now.subarray(body * FLOATS, (body + 1) * FLOATS));
  }

  /** A point given in a body's axes, in world axes at the present time. */
  point(body, at) {
    return placed(this.pose(body), at);
  }

  /** The way of the tip as x, y, z after one another, one point per frame. */
  tipPath() {
    const { time, tip, moving } = this.scene;
    if (!tip || tip.body > moving) return new Float32Array(0);
    const present = this.now.slice();
    const path = new Float32Array(time.length * 3);
    time.forEach((t, i) => {
      this.at(t);
      path.set(this.point(tip.body, tip.at ?? [0, 0, 0]), i * 3);
    });
    this.now.set(present);
    return path;
  }

  /** Centre and radius of a sphere around all that is drawn, at all times. */
  bounds() {
    const { time, size } = this.scene;
    const marks = marksOf(this.scene);
    const present = this.now.slice();
    const low = [0, 0, 0];
    const high = [0, 0, 0];
    for (const t of time) {
      this.at(t);
      for (const [body, mark] of marks) {
        this.point(body, mark).forEach((x, k) => {
          low[k] = Math.min(low[k], x);
          high[k] = Math.max(high[k], x);
        });
      }
    }
    this.now.set(present);
    const centre = low.map((x, k) => (x + high[k]) / 2);
    return { centre, radius: Math.max(0.35 * size, Math.hypot(...high.map((x, k) => x - low[k])) / 2) };
  }
}

/** Where a pose brings a point. @param {number[]} pose px, py, pz, qx, qy, qz, qw */
function placed([px, py, pz, qx, qy, qz, qw], [x, y, z]) {
  // p + v + 2 q × (q × v + w v)
  const cx = qy * z - qz * y + qw * x;
  const cy = qz * x - qx * z + qw * y;
  const cz = qx * y - qy * x + qw * z;
  return [
    px + x + 2 * (qy * cz - qz * cy),
    py + y + 2 * (qz * cx - qx * cz),
    pz + z + 2 * (qx * cy - qy * cx),
  ];
}

/** The corners of the box around a mesh. */
function cornersOf({ body = 0, pose = [0, 0, 0, 0, 0, 0, 1], lower, step }) {
  const bits = [0, 1, 2, 3, 4, 5, 6, 7];
  return bits.map((bit) => [body, placed(pose, lower.map((x, k) => x + ((bit >> k) & 1) * 65535 * step[k]))]);
}

/** Origins of bodies, ends of shapes and the tip: pairs of a body and a point in its axes. */
function marksOf({ moving, shapes = [], tip }) {
  const marks = [];
  for (let body = 0; body <= moving; body++) marks.push([body, [0, 0, 0]]);
  for (const shape of shapes) {
    const { body = 0, to, pose, size, radius = 0, length = 0 } = shape;
    if (shape.kind === 'mesh') {
      marks.push(...cornersOf(shape));
      continue;
    }
    const [x, y, z] = to ?? pose ?? [0, 0, 0];
    const reach = size ? Math.hypot(...size) / 2 : Math.hypot(radius, length / 2);
    for (const r of [-reach, reach]) marks.push([body, [x + r, y, z]], [body, [x, y + r, z]], [body, [x, y, z + r]]);
  }
  if (tip) marks.push([tip.body, tip.at ?? [0, 0, 0]]);
  return marks.filter(([body]) => body <= moving);
}

function finite(poses, at) {
  for (let k = at; k < at + FLOATS; k++) if (!Number.isFinite(poses[k])) return false;
  return true;
}

function slerp(from, a, b, s, out, o) {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += from[a + k] * from[b + k];
  // q and −q are the same turn: the shorter way.
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  const wa = sine > 1e-6 ? Math.sin((1 - s) * angle) / sine : 1 - s;
  const wb = sign * (sine > 1e-6 ? Math.sin(s * angle) / sine : s);
  let norm = 0;
  for (let k = 0; k < 4; k++) {
    out[o + k] = wa * from[a + k] + wb * from[b + k];
    norm += out[o + k] ** 2;
  }
  norm = Math.sqrt(norm) || 1;
  for (let k = 0; k < 4; k++) out[o + k] /= norm;
}

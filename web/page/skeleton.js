// The arm as lines on a plain canvas, for browsers without WebGL and robots of very many parts. Looks along a direction that
// dragging turns; no perspective.
import { readMesh } from './data.js';
import { make, onceAFrame } from './dom.js';
import { number } from './format.js';
import { theme } from './theme.js';
import { Compass, gridCell, horizontal } from './viewpoint.js';

const START = { turn: -0.58, tilt: 0.4, zoom: 1 };
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export class Skeleton {
  #view = { ...START };
  #frames = false;
  #pathShown = true;
  #compass = new Compass();
  #meshes = {};
  #canvas = make('canvas', { role: 'img', 'aria-label': 'The arm at the present time, as lines. Drag turns the view, the wheel zooms.' });

  /** @param {HTMLElement} host @param {import('./motion.js').Motion} motion @param {string} why lines alone */
  constructor(host, motion, why) {
    this.host = host;
    this.motion = motion;
    this.data = motion.scene;
    this.bounds = motion.bounds();
    this.path = motion.tipPath();
    this.cell = gridCell(this.data.size);
    this.base = [...horizontal(this.data.up), this.data.up];
    this.request = onceAFrame(() => this.#draw());
    host.append(this.#canvas, this.#compass.element,
      make('p.scale', {}, `grid ${number(this.cell, 1)} m; lines only, because ${why}`));
    this.#bind();
    new ResizeObserver(this.request).observe(host);
    theme.listen(this.request);
    this.request();
  }

  #bind() {
    const canvas = this.#canvas;
    canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener('pointermove', (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      this.#view.turn -= event.movementX * 0.01;
      this.#view.tilt = Math.max(-1.5, Math.min(1.5, this.#view.tilt + event.movementY * 0.01));
      this.request();
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.#view.zoom *= Math.exp(-event.deltaY * 0.001);
      this.request();
    }, { passive: false });
  }

  remove() {
    this.host.replaceChildren();
  }

  reset() {
    this.#view = { ...START };
    this.request();
  }

  showFrames(shown) {
    this.#frames = shown;
    this.request();
  }

  showPath(shown) {
    this.#pathShown = shown;
    this.request();
  }

  update() {
    this.request();
  }

  print() {
    this.#draw();
  }

  /** The axes of the screen in the world: right, up, towards the eye. */
  #screen() {
    const [e1, e2, up] = this.base;
    const { turn, tilt } = this.#view;
    const mix = (a, b, c) => [0, 1, 2].map((k) => a * e1[k] + b * e2[k] + c * up[k]);
    const [ct, st, cp, sp] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
    return [mix(ct, -st, 0), mix(st * sp, ct * sp, cp), mix(-st * cp, -ct * cp, sp)];
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width <= 0 || height <= 0) return;
    const canvas = this.#canvas;
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    const ctx = canvas.getContext('2d');
    ctx.scale(devicePixelRatio, devicePixelRatio);
    ctx.lineJoin = 'round';
    const [right, up, eye] = this.#screen();
    const scale = (this.#view.zoom * 0.45 * Math.min(width, height)) / this.bounds.radius;
    const far = this.bounds.radius > 4 * this.data.size;
    const centre = far ? this.motion.point(Math.min(1, this.data.moving), [0, 0, 0]) : this.bounds.centre;
    const pixels = far ? (scale * this.bounds.radius) / (1.2 * this.data.size) : scale;
    const project = (p) => {
      const q = p.map((x, k) => x - centre[k]);
      return [width / 2 + pixels * dot(q, right), height / 2 - pixels * dot(q, up)];
    };
    const polyline = (points, colour, thickness, cap = 'round') => {
      ctx.lineCap = cap;
      ctx.strokeStyle = colour;
      ctx.lineWidth = thickness;
      ctx.beginPath();
      points.forEach((p, i) => (i === 0 ? ctx.moveTo(...project(p)) : ctx.lineTo(...project(p))));
      ctx.stroke();
    };
    this.#grid(polyline);
    if (this.#pathShown && this.path.length >= 6) {
      polyline(Array.from({ length: this.path.length / 3 }, (_, i) => [...this.path.subarray(3 * i, 3 * i + 3)]), theme.colour('--tip'), 1.2);
    }
    this.#shapes(polyline, pixels);
    this.#marks(ctx, project, polyline);
    this.#compass.turn([0, 1, 2].map((k) => [right[k], up[k], eye[k]]));
  }

  #grid(polyline) {
    const [e1, e2] = this.base;
    const cells = Math.min(40, Math.ceil((1.5 * this.bounds.radius) / this.cell));
    const end = cells * this.cell;
    const at = (a, b) => [0, 1, 2].map((k) => a * e1[k] + b * e2[k]);
    for (let i = -cells; i <= cells; i++) {
      polyline([at(i * this.cell, -end), at(i * this.cell, end)], theme.colour('--grid-3d'), 0.6);
      polyline([at(-end, i * this.cell), at(end, i * this.cell)], theme.colour('--grid-3d'), 0.6);
    }
  }

  #shapes(polyline, pixels) {
    for (const shape of this.data.shapes) {
      const body = shape.body ?? 0;
      if (body > this.data.moving) continue;
      const colour = shape.colour ?? theme.colour(body === 0 ? '--link-ground' : body % 2 ? '--link-odd' : '--link-even');
      if (shape.kind === 'mesh') {
        this.#cloud(shape, body, colour, polyline);
        continue;
      }
      const pose = shape.pose ?? [0, 0, 0, 0, 0, 0, 1];
      const half = { box: (shape.size?.[2] ?? 0) / 2, cylinder: (shape.length ?? 0) / 2 }[shape.kind] ?? 0;
      const along = rotateZ(pose.slice(3)).map((x) => x * half);
      const ends = shape.kind === 'capsule'
        ? [shape.from, shape.to]
        : [-1, 1].map((sign) => along.map((x, k) => pose[k] + sign * x));
      const radius = shape.radius ?? Math.min(...(shape.size ?? [0])) / 2;
      polyline(ends.map((p) => this.motion.point(body, p)), colour, Math.max(2, 2 * radius * pixels),
        half > 0 ? 'butt' : 'round');
    }
  }

  /** Some of a mesh's edges, which is what lines can show of it. */
  #cloud(shape, body, colour, polyline) {
    const mesh = (this.#meshes[this.data.shapes.indexOf(shape)] ??= readMesh(shape));
    const { positions, corners } = mesh;
    const every = 3 * Math.max(1, Math.ceil(corners.length / 3 / 400));
    const turn = new Float64Array(shape.pose ?? [0, 0, 0, 0, 0, 0, 1]);
    for (let i = 0; i + 2 < corners.length; i += every) {
      const points = [0, 1, 2, 0].map((k) => this.motion.point(body, placed(turn, positions.subarray(3 * corners[i + k], 3 * corners[i + k] + 3))));
      polyline(points, colour, 0.6);
    }
  }

  #marks(ctx, project, polyline) {
    const disc = (p, radius, colour) => {
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.arc(...project(p), radius, 0, 2 * Math.PI);
      ctx.fill();
    };
    const { joints, tip, moving, size } = this.data;
    joints.forEach((joint, k) => {
      if ((joint.body ?? 0) <= moving) disc(this.motion.point(joint.body ?? 0, joint.at ?? [0, 0, 0]), 5, theme.series(k).colour);
    });
    if (tip && tip.body <= moving) disc(this.motion.point(tip.body, tip.at ?? [0, 0, 0]), 4, theme.colour('--tip'));
    if (!this.#frames) return;
    for (let body = 0; body <= moving; body++) {
      ['--axis-x', '--axis-y', '--axis-z'].forEach((colour, k) => {
        const end = [0, 0, 0];
        end[k] = 0.11 * size;
        polyline([this.motion.point(body, [0, 0, 0]), this.motion.point(body, end)], theme.colour(colour), 1.5);
      });
    }
  }
}

/** A point by a pose: position, then quaternion x, y, z, w. */
function placed([px, py, pz, x, y, z, w], [a, b, c]) {
  const u = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
  return [px + a + 2 * (y * u[2] - z * u[1]), py + b + 2 * (z * u[0] - x * u[2]), pz + c + 2 * (x * u[1] - y * u[0])];
}

/** The z axis turned by a quaternion. */
function rotateZ([x, y, z, w]) {
  return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
}

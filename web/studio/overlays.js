// What can be drawn over the arm: mass centres, inertia ellipsoids, ellipsoids of velocity and force, the space that the
// tip reaches, torques against gravity.
import {
  ArrowHelper, BufferGeometry, Color, Float32BufferAttribute, Group, Matrix4, Mesh, MeshBasicMaterial, Points, PointsMaterial,
  SphereGeometry, Vector3,
} from 'three';
import { make } from '../page/dom.js';
import { theme } from '../page/theme.js';

const KINDS = [['centres', 'Mass centres'], ['inertia', 'Inertia ellipsoids'], ['velocity', 'Velocity ellipsoid'], ['force', 'Force ellipsoid'], ['cloud', 'Reach'], ['gravity', 'Gravity torques']];

// What is drawn anew with each posture shares one sphere and a few materials, so that the graphics card does not fill up.
const BALL = new SphereGeometry(1, 28, 18);
const glasses = new Map();
function glass(name, opacity, depthTest = true) {
  const colour = theme.colour(name);
  const key = `${colour} ${opacity} ${depthTest}`;
  if (!glasses.has(key)) glasses.set(key, new MeshBasicMaterial({ color: new Color(colour), transparent: true, opacity, depthWrite: false, depthTest }));
  return glasses.get(key);
}

/** Principal axes of a symmetric 3 × 3 matrix by Jacobi's rotations: columns of `axes`, and the moments. */
function principal([xx, yy, zz, xy, xz, yz]) {
  const a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
  const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (a[p][q] === 0) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; k++) [axes[k][p], axes[k][q]] = [c * axes[k][p] - s * axes[k][q], s * axes[k][p] + c * axes[k][q]];
    }
  }
  return { axes, moments: [a[0][0], a[1][1], a[2][2]] };
}

/** A unit sphere stretched along the columns of `axes` and put at a place. */
function stretched(material, axes, lengths, at) {
  const mesh = new Mesh(BALL, material);
  const column = (k) => new Vector3(axes[0][k], axes[1][k], axes[2][k]).multiplyScalar(Math.max(lengths[k], 1e-4));
  mesh.matrixAutoUpdate = false;
  mesh.matrix.copy(new Matrix4().makeBasis(column(0), column(1), column(2)).setPosition(...at));
  return mesh;
}

export class Overlays {
  #on = new Set();
  #view = null;
  #live = new Group();
  #fixed = [];
  #arrows = []; // by joint

  constructor(app, host) {
    this.app = app;
    for (const [kind, label] of KINDS) {
      const box = make('input', { type: 'checkbox', id: `show-${kind}` });
      box.addEventListener('change', () => {
        if (box.checked) this.#on.add(kind);
        else this.#on.delete(kind);
        this.show(this.#view);
      });
      host.append(make('label.check', {}, box, label));
    }
  }

  /** @param {import('../page/scene.js').ArmScene | null} view null where there is no WebGL */
  show(view) {
    this.#clear();
    this.#view = view;
    if (!view?.world || !this.app.robot) return;
    view.world.add(this.#live);
    if (this.#on.has('centres')) this.#addCentres();
    if (this.#on.has('inertia')) this.#addInertias();
    if (this.#on.has('cloud')) this.#addCloud();
    this.update();
  }

  /** Takes everything out of the picture, and out of the graphics card's memory. */
  #clear() {
    for (const mesh of this.#fixed) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    for (const arrow of this.#arrows) arrow?.dispose();
    for (const material of glasses.values()) material.dispose();
    BALL.dispose();
    glasses.clear();
    this.#fixed = [];
    this.#arrows = [];
    this.#live.clear();
    this.#live.removeFromParent();
  }

  #addCentres() {
    const { size } = this.app.robot.scene;
    const heaviest = Math.max(...this.app.robot.masses.map(({ mass }) => mass), 1e-9);
    for (const { body, mass, com } of this.app.robot.masses) {
      const mesh = new Mesh(BALL, glass('--event', 0.9, false));
      mesh.scale.setScalar(0.035 * size * Math.cbrt(Math.max(mass, 0) / heaviest));
      mesh.renderOrder = 3;
      mesh.position.set(...com);
      this.#add(body, mesh);
    }
  }

  /** The ellipsoid of the same mass and inertia: half axes √(5 (I₂ + I₃ − I₁) / 2m). */
  #addInertias() {
    for (const { body, mass, com, inertia } of this.app.robot.masses) {
      if (!(mass > 0)) continue;
      const { axes, moments } = principal(inertia);
      const sum = moments[0] + moments[1] + moments[2];
      const lengths = moments.map((moment) => Math.sqrt(Math.max(0, (2.5 * (sum - 2 * moment)) / mass)));
      this.#add(body, stretched(glass('--event', 0.35), axes, lengths, com));
    }
  }

  async #addCloud() {
    const view = this.#view;
    const { arrays } = await this.app.client.ask({ do: 'cloud', count: 6000 });
    if (!arrays || view !== this.#view || !this.#on.has('cloud')) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(Float32Array.from(arrays.points), 3));
    const points = new Points(geometry, new PointsMaterial({ color: new Color(theme.colour('--accent')), size: 0.008 * this.app.robot.scene.size, transparent: true, opacity: 0.55 }));
    view.world.add(points);
    this.#fixed.push(points);
    view.request();
  }

  #add(body, mesh) {
    this.#view.body(body)?.add(mesh);
    this.#fixed.push(mesh);
  }

  /** What changes with the posture. */
  update() {
    const { answer, robot } = this.app;
    this.#live.clear();
    if (!this.#view?.world || !answer?.arrays.ellipsoid) return;
    const { ellipsoid, ellipsoid_lengths: lengths, tip, g } = answer.arrays;
    const axes = [0, 1, 2].map((i) => [...ellipsoid.slice(3 * i, 3 * i + 3)]);
    const { size } = robot.scene;
    const at = [...tip.slice(0, 3)];
    const scaled = (values) => values.map((x) => (0.3 * size * x) / Math.max(...values, 1e-12));
    if (!this.app.run && !this.app.live) this.#live.add(this.#handle(at, size));
    if (this.#on.has('velocity')) this.#live.add(stretched(glass('--accent', 0.3), axes, scaled([...lengths]), at));
    if (this.#on.has('force')) this.#live.add(stretched(glass('--warn', 0.3), axes, scaled([...lengths].map((x) => 1 / Math.max(x, 1e-3))), at));
    if (this.#on.has('gravity')) this.#addTorques(g);
    this.#view.request();
  }

  /** What one takes hold of to drag the tip; shines through what is before it. */
  #handle(at, size) {
    const ball = new Mesh(BALL, glass('--tip', 0.75, false));
    ball.scale.setScalar(0.028 * size);
    ball.renderOrder = 4;
    ball.position.set(...at);
    return ball;
  }

  /** Along a joint's axis, as long as the torque is large. */
  #addTorques(g) {
    const { robot } = this.app;
    const largest = g.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
    for (const { body, v_index: k, quaternion, numbers } of robot.joints) {
      const group = this.#view.body(body);
      if (quaternion || numbers.length !== 1 || !group || g[k] === 0) continue;
      const axis = new Vector3(0, 0, Math.sign(g[k])).applyQuaternion(group.quaternion);
      this.#arrows[k] ??= new ArrowHelper();
      const arrow = this.#arrows[k];
      arrow.position.copy(group.position);
      arrow.setDirection(axis);
      arrow.setLength((0.35 * robot.scene.size * Math.abs(g[k])) / largest);
      arrow.setColor(theme.series(k).colour);
      this.#live.add(arrow);
    }
  }
}

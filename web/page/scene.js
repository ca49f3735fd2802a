// The arm in three dimensions, by three.js. Draws only when something has changed.
import {
  AxesHelper, BasicShadowMap, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DirectionalLight,
  DoubleSide, GridHelper, Group, HemisphereLight, Mesh, MeshStandardMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Quaternion, Scene,
  ShadowMaterial, SphereGeometry, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { indexBefore, readMesh } from './data.js';
import { make, onceAFrame } from './dom.js';
import { Fineness } from './fineness.js';
import { number } from './format.js';
import { theme } from './theme.js';
import { Compass, gridCell, viewDirection } from './viewpoint.js';

const Y = new Vector3(0, 1, 0); // the axis of three's cylinders, capsules and grids
const FIELD = 32; // of view, degrees
const CREASE = 0.6; // radians: sharper edges stay edges
const PAPER = [900, 640]; // size of the printed picture, pixels
const SHADOWS = 3; // frames for which the shadows of a coarse picture stand
const vector = (a) => new Vector3(...(a ?? [0, 0, 0]));

let byProcessor = null;

/** Whether the processor does a graphics card's work here, by a context of its own. */
export function isDrawnByProcessor() {
  if (byProcessor !== null) return byProcessor;
  const probe = make('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  const named = probe?.getExtension('WEBGL_debug_renderer_info');
  byProcessor = !probe || /swiftshader|llvmpipe|softpipe|software|basic render/i.test(probe.getParameter(named?.UNMASKED_RENDERER_WEBGL ?? probe.RENDERER));
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return byProcessor;
}

/**
 * A context, or null: asking first keeps three from writing an error to the console. To the processor four samples a pixel
 * are as much work as all else.
 * @returns {WebGL2RenderingContext | null}
 */
export function webgl(canvas) {
  try {
    return canvas.getContext('webgl2', { antialias: !isDrawnByProcessor(), alpha: true });
  } catch {
    return null;
  }
}

export class ArmScene {
  #renderer;
  #scene = new Scene();
  #camera = new PerspectiveCamera(FIELD, 1, 0.01, 100);
  #controls;
  #bodies = [];
  #axes = [];
  #materials = {};
  #own = {};
  #joints = [];
  #grid = null;
  #path = null;
  #done = null;
  #compass = new Compass();
  #followed = null;
  #watch = null;
  #gone = false;
  #byProcessor = isDrawnByProcessor();
  #fineness = new Fineness(() => this.#draw(this.#restRatio()), this.#byProcessor);
  #size = [0, 0];
  #frames = 0;

  /**
   * @param {HTMLElement} host
   * @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} context
   * @param {import('./motion.js').Motion} motion
   */
  constructor(host, canvas, context, motion) {
    this.motion = motion;
    this.data = motion.scene;
    this.host = host;
    this.canvas = canvas;
    this.request = onceAFrame(() => this.#render());
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'The arm at the present time. Drag turns the view, the wheel or two fingers zoom, the right button or two fingers move it.');
    this.#renderer = new WebGLRenderer({ canvas, context, alpha: true });
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#renderer.shadowMap.type = this.#byProcessor ? BasicShadowMap : PCFShadowMap;
    this.bounds = motion.bounds();
    // Who travels far is followed, or the arm would be a dot.
    this.follow = this.bounds.radius > 4 * this.data.size;
    this.reach = this.follow ? 1.2 * this.data.size : this.bounds.radius;

    this.#addMaterials();
    this.#addLights();
    this.#addGround();
    this.#addBodies();
    this.#addPath();
    this.still = make('img.still', { alt: 'The arm at the present time' });
    host.append(canvas, this.still, this.#compass.element,
      make('p.scale', {}, `grid ${number(this.cell, 1)} m`));

    this.#camera.up.copy(vector(this.data.up));
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.addEventListener('change', this.request);
    this.#watch = new ResizeObserver(() => this.#resize());
    this.#watch.observe(host);
    theme.listen(() => this.#recolour());
    this.#recolour();
    this.#resize();
    this.reset();
    this.update(this.data.time[0]);
  }

  #addMaterials() {
    const solid = () => new MeshStandardMaterial({ roughness: 0.55, metalness: 0.15, side: DoubleSide });
    this.#materials = { odd: solid(), even: solid(), ground: solid(), tip: solid() };
  }

  #addLights() {
    const up = vector(this.data.up);
    const sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.5);
    sky.position.copy(up);
    const sun = new DirectionalLight(0xffffff, 2.1);
    const centre = this.follow ? new Vector3() : vector(this.bounds.centre);
    const aside = vector(viewDirection(this.data.up)).applyAxisAngle(up, 0.9);
    sun.position.copy(centre).addScaledVector(up, 3 * this.reach).addScaledVector(aside, 1.6 * this.reach);
    sun.target.position.copy(centre);
    sun.castShadow = !this.follow;
    sun.shadow.mapSize.setScalar(this.#byProcessor ? 512 : 1024);
    sun.shadow.radius = 4;
    sun.shadow.normalBias = 0.01 * this.reach;
    const box = sun.shadow.camera;
    box.left = box.bottom = -1.6 * this.reach;
    box.right = box.top = 1.6 * this.reach;
    box.near = 0.1 * this.reach;
    box.far = 8 * this.reach;
    this.#scene.add(sky, sun, sun.target);
  }

  /** A grid through the world's origin, square to up, and a floor that only shows shadows. */
  #addGround() {
    const turn = new Quaternion().setFromUnitVectors(Y, vector(this.data.up));
    this.cell = gridCell(this.data.size);
    const cells = Math.min(80, 2 * Math.ceil((1.5 * this.reach) / this.cell));
    this.#grid = new GridHelper(cells * this.cell, cells);
    this.#grid.quaternion.copy(turn);
    this.#grid.material.transparent = true;
    const floor = new Mesh(new PlaneGeometry(cells * this.cell, cells * this.cell).rotateX(-Math.PI / 2), new ShadowMaterial({ opacity: 0.16, depthWrite: false }));
    floor.quaternion.copy(turn);
    floor.receiveShadow = true;
    this.#scene.add(this.#grid, floor);
  }

  #addBodies() {
    const { bodies, shapes, joints, tip, size } = this.data;
    for (let k = 0; k < Math.max(1, bodies.length); k++) {
      const group = new Group();
      const axes = new AxesHelper(0.11 * size);
      axes.material.depthTest = false;
      axes.renderOrder = 2;
      axes.visible = false;
      group.add(axes);
      this.#axes.push(axes);
      this.#bodies.push(group);
      this.#scene.add(group);
    }
    const girth = new Map();
    const clad = new Set(); // bodies whose own surface is shown
    for (const shape of shapes) {
      const mesh = shapeMesh(shape);
      const body = this.#bodies[shape.body ?? 0];
      if (!mesh || !body) continue;
      mesh.material = this.#material(shape);
      if (shape.kind === 'mesh') clad.add(shape.body ?? 0);
      mesh.castShadow = mesh.receiveShadow = !(shape.opacity < 1);
      body.add(mesh);
      if (shape.radius) girth.set(shape.body, Math.max(girth.get(shape.body) ?? 0, shape.radius));
    }
    joints.forEach((joint, k) => {
      // A little thicker than the link that it carries, so that it shows.
      const radius = Math.min(0.06 * size, Math.max(0.016 * size, 1.3 * (girth.get(joint.body) ?? 0)));
      const mesh = clad.has(joint.body ?? 0) ? null : jointMesh(joint, radius);
      const body = this.#bodies[joint.body ?? 0];
      if (!mesh || !body) return;
      mesh.material = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.1 });
      mesh.castShadow = true;
      body.add(mesh);
      this.#joints.push({ mesh, index: k });
    });
    if (tip && this.#bodies[tip.body]) {
      const ball = new Mesh(new SphereGeometry(0.016 * size, 24, 16), this.#materials.tip);
      ball.position.copy(vector(tip.at));
      this.#bodies[tip.body].add(ball);
    }
  }

  /** The colour that the robot's author gave it, else the theme's. */
  #material({ body, colour, opacity }) {
    if (!colour) return body ? (body % 2 ? this.#materials.odd : this.#materials.even) : this.#materials.ground;
    const key = `${colour} ${opacity ?? 1}`;
    this.#own[key] ??= new MeshStandardMaterial({
      color: new Color(colour), roughness: 0.6, metalness: 0.1, side: DoubleSide, transparent: opacity < 1, opacity: opacity ?? 1,
    });
    return this.#own[key];
  }

  /** The tip's way: all of it faintly, what lies behind strongly. */
  #addPath() {
    const path = this.motion.tipPath();
    if (path.length < 6 || !path.every(Number.isFinite)) return;
    const line = (width, opacity) => {
      const geometry = new LineGeometry();
      geometry.setPositions(path);
      const made = new Line2(geometry, new LineMaterial({ linewidth: width, transparent: true, opacity, depthWrite: false }));
      this.#scene.add(made);
      return made;
    };
    this.#path = line(1.2, 0.4);
    this.#done = line(2.2, 1);
  }

  /** For what others draw beside the arm, and let people do in its picture. */
  get world() {
    return this.#scene;
  }
  get camera() {
    return this.#camera;
  }
  get controls() {
    return this.#controls;
  }
  /** The solid of a body; what is added to it moves along. */
  body(index) {
    return this.#bodies[index];
  }

  /** Takes the view of another picture of the same arm. */
  lookAs(other) {
    this.#camera.position.copy(other.camera.position);
    this.#controls.target.copy(other.controls.target);
    this.#controls.update();
  }

  /** Gives the browser back what it drew with. */
  remove() {
    this.#gone = true;
    this.#fineness.stop();
    this.#watch.disconnect();
    this.#controls.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.host.replaceChildren();
  }

  #recolour() {
    if (this.#gone) return;
    const colour = (name) => new Color(theme.colour(name));
    this.#materials.odd.color = colour('--link-odd');
    this.#materials.even.color = colour('--link-even');
    this.#materials.ground.color = colour('--link-ground');
    this.#materials.tip.color = colour('--tip');
    for (const { mesh, index } of this.#joints) mesh.material.color = new Color(theme.series(index).colour);
    for (const line of [this.#path, this.#done]) if (line) line.material.color = colour('--tip');
    for (const axes of this.#axes) axes.setColors(colour('--axis-x'), colour('--axis-y'), colour('--axis-z'));
    const grid = this.#grid.geometry.attributes.color;
    const shade = colour('--grid-3d');
    for (let i = 0; i < grid.count; i++) grid.setXYZ(i, shade.r, shade.g, shade.b);
    grid.needsUpdate = true;
    this.request();
  }

  #resize() {
    this.#fit(this.host.clientWidth, this.host.clientHeight);
    this.request();
  }

  #fit(width, height) {
    if (width <= 0 || height <= 0) return;
    this.#size = [width, height];
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
  }

  /** Pixels of the picture for one of the page, when it stands still: without samples, more pixels make edges smooth. */
  #restRatio() {
    return Math.min(2, devicePixelRatio * (this.#byProcessor ? 2 : 1));
  }

  /** Where the first moving body is at the present time. */
  #travelled() {
    return vector(this.motion.point(Math.min(1, this.data.moving), [0, 0, 0]));
  }

  /** Back to the first view: the whole motion fits. */
  reset() {
    const centre = this.follow ? this.#travelled() : vector(this.bounds.centre);
    const narrow = Math.min(1, this.#camera.aspect);
    const distance = (1.06 * this.reach) / Math.sin(((FIELD * Math.PI) / 360) * narrow);
    this.#camera.near = distance / 200;
    this.#camera.far = distance * 20;
    this.#camera.updateProjectionMatrix();
    this.#camera.position.copy(centre).addScaledVector(vector(viewDirection(this.data.up)), distance);
    this.#controls.target.copy(centre);
    this.#followed = centre;
    this.#controls.update();
    this.request();
  }

  showFrames(shown) {
    for (const axes of this.#axes) axes.visible = shown;
    this.request();
  }

  showPath(shown) {
    if (this.#path) this.#path.visible = this.#done.visible = shown;
    this.request();
  }

  /** Puts the bodies where `motion` says they are at t. */
  update(t) {
    const { now } = this.motion;
    this.#bodies.forEach((group, body) => {
      group.position.fromArray(now, body * 7);
      group.quaternion.fromArray(now, body * 7 + 3);
    });
    if (this.#done) this.#done.geometry.instanceCount = indexBefore(this.data.time, t);
    if (this.follow) {
      const at = this.#travelled();
      this.#camera.position.add(at).sub(this.#followed);
      this.#controls.target.copy(at);
      this.#followed = at;
    }
    this.request();
  }

  #render() {
    const part = this.#fineness.next();
    this.#draw(part * Math.min(2, devicePixelRatio), part === 1 || this.#frames++ % SHADOWS === 0);
  }

  #draw(ratio, withShadows = true) {
    const [width, height] = this.#size;
    if (this.#gone || width === 0) return;
    this.#renderer.shadowMap.needsUpdate = withShadows;
    const [wide, high] = [Math.floor(width * ratio), Math.floor(height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) this.#renderer.setDrawingBufferSize(width, height, ratio);
    this.#renderer.render(this.#scene, this.#camera);
    const turn = this.#camera.quaternion.clone().invert();
    this.#compass.turn([[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => vector(axis).applyQuaternion(turn).toArray()));
  }

  /** Paper cannot show a WebGL canvas: a picture takes its place. */
  print() {
    this.#fit(...PAPER);
    this.#draw(2);
    this.still.src = this.canvas.toDataURL('image/png');
    this.#resize();
  }
}

function place(mesh, pose) {
  if (!pose) return mesh;
  mesh.position.fromArray(pose);
  mesh.quaternion.fromArray(pose, 3);
  return mesh;
}

/** @returns {Mesh | null} null for a kind that this page does not know */
function shapeMesh(shape) {
  switch (shape.kind) {
    case 'capsule': {
      const from = vector(shape.from);
      const along = vector(shape.to).sub(from);
      const length = along.length();
      const mesh = new Mesh(new CapsuleGeometry(shape.radius, length, 8, 24));
      mesh.position.copy(from).addScaledVector(along, 0.5);
      if (length > 0) mesh.quaternion.setFromUnitVectors(Y, along.normalize());
      return mesh;
    }
    case 'box':
      return place(new Mesh(new BoxGeometry(...shape.size)), shape.pose);
    case 'cylinder':
      // The axis of a cylinder is z here, as in URDF.
      return place(new Mesh(new CylinderGeometry(shape.radius, shape.radius, shape.length, 40).rotateX(Math.PI / 2)), shape.pose);
    case 'mesh': {
      const { positions, corners } = readMesh(shape);
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(positions, 3));
      geometry.setIndex(new BufferAttribute(corners, 1));
      return place(new Mesh(toCreasedNormals(geometry, CREASE)), shape.pose);
    }
    case 'sphere':
      return place(new Mesh(new SphereGeometry(shape.radius, 32, 20)), shape.pose);
    default:
      return null;
  }
}

/** The solid that the record asks for; none shows nothing. */
function jointMesh(joint, radius) {
  const geometry = {
    cylinder: () => new CylinderGeometry(radius, radius, 2.6 * radius, 32),
    hexagon: () => new CylinderGeometry(radius, radius, 2.6 * radius, 6),
    block: () => new BoxGeometry(1.8 * radius, 3 * radius, 1.8 * radius),
    plate: () => new BoxGeometry(4 * radius, 0.8 * radius, 4 * radius),
    ball: () => new SphereGeometry(1.15 * radius, 32, 20),
  }[joint.look]?.();
  if (!geometry) return null;
  const mesh = new Mesh(geometry);
  mesh.position.copy(vector(joint.at));
  const axis = vector(joint.axis ?? [0, 0, 1]);
  if (axis.length() > 0) mesh.quaternion.setFromUnitVectors(Y, axis.normalize());
  return mesh;
}

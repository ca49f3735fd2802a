// Pulling at the arm: a link is taken hold of in the picture and dragged in the plane that faces the viewer, or pulled
// along the picture's axes by keys. An arrow leads from the point that is held to the cursor.
import { ArrowHelper, Color, Plane, Raycaster, Vector2, Vector3 } from 'three';
import { theme } from '../page/theme.js';

const PULL_BY_KEY = 0.25; // of the robot's size: how far a key draws

/**
 * @param {import('../page/scene.js').ArmScene} view
 * @param {() => import('./live.js').Live | null} live what is pulled at; null: drags turn the view as ever
 */
export function bindPull(view, live) {
  const { canvas, camera, controls, world } = view;
  const ray = new Raycaster();
  const plane = new Plane();
  const arrow = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1);
  arrow.visible = false;
  world.add(arrow);
  let held = null; // {group, at, anchor}

  const aim = (event) => {
    const box = canvas.getBoundingClientRect();
    ray.setFromCamera(new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height), camera);
    return ray;
  };
  const hit = (event) => {
    aim(event);
    const found = [];
    for (let body = 1; view.body(body); body++) {
      const [first] = ray.intersectObject(view.body(body), true).filter(({ object }) => object.isMesh);
      if (first) found.push({ body, point: first.point, distance: first.distance });
    }
    return found.sort((a, b) => a.distance - b.distance)[0] ?? null;
  };
  const draw = () => {
    arrow.visible = held !== null && live() !== null;
    if (arrow.visible) {
      const from = held.group.localToWorld(held.at.clone());
      const along = held.anchor.clone().sub(from);
      const length = along.length();
      arrow.visible = length > 1e-6;
      arrow.position.copy(from);
      if (arrow.visible) arrow.setDirection(along.normalize());
      arrow.setLength(Math.max(length, 1e-6), Math.min(0.06 * view.data.size, 0.4 * length), Math.min(0.03 * view.data.size, 0.2 * length));
      arrow.setColor(new Color(theme.colour('--warn')));
    }
    view.request();
  };

  // Before the controls see it.
  canvas.addEventListener('pointerdown', (event) => {
    const on = live() ? hit(event) : null;
    if (!on) return;
    const group = view.body(on.body);
    held = { group, at: group.worldToLocal(on.point.clone()), anchor: on.point.clone() };
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), on.point);
    live().pull = { body: on.body, at: held.at.toArray(), anchor: on.point.toArray() };
    event.stopImmediatePropagation();
  }, { capture: true });
  canvas.addEventListener('pointermove', (event) => {
    if (!held) {
      if (live()) canvas.style.cursor = hit(event) ? 'grab' : '';
      return;
    }
    const point = aim(event).ray.intersectPlane(plane, new Vector3());
    if (!point || !live()) return;
    held.anchor.copy(point);
    live().pull.anchor = point.toArray();
  });
  const end = () => {
    if (!held) return;
    held = null;
    controls.enabled = true;
    if (live()) live().pull = null;
    draw();
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);

  /**
   * Pulls at a body without the mouse: at the tip, or where its frame is. The place that it is drawn to stays.
   * @param {number} body @param {number[]} along to the right, upwards and away from the viewer
   */
  const hold = (body, along) => {
    const group = view.body(body);
    if (!live() || !group || !along.some((x) => x !== 0)) return end();
    const { tip, size } = view.data;
    const at = tip?.body === body ? new Vector3(...tip.at) : new Vector3();
    const anchor = group.localToWorld(at.clone());
    const way = new Vector3();
    camera.updateMatrixWorld();
    along.forEach((x, k) => way.addScaledVector(new Vector3().setFromMatrixColumn(camera.matrixWorld, k), k === 2 ? -x : x));
    anchor.addScaledVector(way.normalize(), PULL_BY_KEY * size);
    held = { group, at, anchor };
    live().pull = { body, at: at.toArray(), anchor: anchor.toArray() };
    return undefined;
  };
  return { draw, hold, release: end };
}

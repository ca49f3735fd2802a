// Dragging the tip: in the plane through it that faces the viewer. The rest of the picture turns the view as ever.
import { Plane, Raycaster, Vector2, Vector3 } from 'three';

const NEAR = 26; // pixels from the tip that count as on it

/** @param {import('../page/scene.js').ArmScene} view @param {() => number[]} tip @param {(position: number[]) => void} drag */
export function bindTipDrag(view, tip, drag) {
  const { canvas, camera, controls } = view;
  const ray = new Raycaster();
  const plane = new Plane();
  let dragging = false;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
  };
  const isNear = (event) => {
    const place = tip();
    if (!place) return false;
    const on = new Vector3(...place).project(camera);
    const box = canvas.getBoundingClientRect();
    const away = at(event).sub(new Vector2(on.x, on.y));
    return Math.hypot((away.x * box.width) / 2, (away.y * box.height) / 2) < NEAR;
  };
  // Before the controls see it.
  canvas.addEventListener('pointerdown', (event) => {
    if (!isNear(event)) return;
    dragging = true;
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), new Vector3(...tip()));
    event.stopImmediatePropagation();
  }, { capture: true });
  canvas.addEventListener('pointermove', (event) => {
    if (!dragging) {
      canvas.style.cursor = isNear(event) ? 'move' : '';
      return;
    }
    ray.setFromCamera(at(event), camera);
    const point = ray.ray.intersectPlane(plane, new Vector3());
    if (point) drag(point.toArray());
  });
  const end = () => {
    dragging = false;
    controls.enabled = true;
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}

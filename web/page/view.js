// The picture of a motion: in 3-D where the browser has WebGL, as lines where it has none.
import { make } from './dom.js';
import { ArmScene, webgl } from './scene.js';
import { Skeleton } from './skeleton.js';

/** The arm in 3-D, as lines without WebGL, or a sentence without a motion. */
export function makeView(host, motion) {
  if (!motion) {
    host.classList.add('absent');
    host.append(make('p', {}, 'This run holds no poses of the arm to draw.'));
    return null;
  }
  const canvas = make('canvas');
  const context = webgl(canvas);
  return context ? new ArmScene(host, canvas, context, motion) : new Skeleton(host, motion);
}

// The picture of a motion: in 3-D where the browser has WebGL, as lines where it has none.
import { make } from './dom.js';
import { ArmScene, isDrawnByProcessor, webgl } from './scene.js';
import { Skeleton } from './skeleton.js';

const MOST_SOLIDS = { card: 4000, processor: 400 }; // of shapes and joints: more take longer than a picture may

/** The arm in 3-D; as lines without WebGL or with too many parts; or a sentence without a motion. */
export function makeView(host, motion) {
  if (!motion) {
    host.classList.add('absent');
    host.append(make('p', {}, 'This run holds no poses of the arm to draw.'));
    return null;
  }
  const { shapes, joints } = motion.scene;
  const parts = shapes.length + joints.length;
  const most = isDrawnByProcessor() ? MOST_SOLIDS.processor : MOST_SOLIDS.card;
  if (parts > most) return new Skeleton(host, motion, `its ${parts} parts are too many for solids here`);
  const canvas = make('canvas');
  const context = webgl(canvas);
  return context ? new ArmScene(host, canvas, context, motion) : new Skeleton(host, motion, 'this browser offers no WebGL');
}

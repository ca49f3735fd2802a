// The tours of the panel Learn: texts beside the live arm, things to try, and a check of the answer by the engine's numbers.

const degrees = (x) => (x * Math.PI) / 180;
const close = (x, y, part = 0.02) => Math.abs(x - y) <= part * Math.max(Math.abs(y), 1e-9);

/**
 * A step may set the stage (`begin`), ask a question that a number answers (`ask`, `answer`: what it should be), or wait
 * until the arm is as the text says (`until`).
 */
export const TOURS = [
  {
    title: 'A two-link arm',
    steps: [
      { text: 'This is the smallest arm whose equations are worth writing down: two links in a plane. Open Equations beside this text: M is 2 × 2, and it changes with the second joint alone.', begin: (app) => app.load({ robot: 'planar2r' }) },
      { text: 'Move joint 2 (panel Move) until the arm is folded: set it beyond 150° or below −150°. M₁₁, what the first motor feels, becomes small.', until: (app) => Math.abs(app.q[1]) > degrees(150) },
      { text: 'How large is M₁₁ now? Read it in Equations and type it.', ask: 'M₁₁', answer: (app) => app.answer.arrays.M[0] },
    ],
  },
  {
    title: 'Why C matters',
    steps: [
      { text: 'At rest C v vanishes. In motion it pulls at joints that do not even accelerate. The arm is bent by a right angle.', begin: async (app) => { await app.load({ robot: 'planar2r' }); await app.move([0, Math.PI / 2]); } },
      { text: 'In Equations, give both joints the velocity 2 (rad/s) and leave the accelerations at zero.', until: (app) => app.v.every((x) => close(x, 2)) },
      { text: 'τ is now C v + g. What does the first motor give beyond its share g₁? (τ₁ − g₁)', ask: 'τ₁ − g₁', answer: (app) => app.answer.arrays.id[0] - app.answer.arrays.g[0] },
    ],
  },
  {
    title: 'DeNOC and UDUᵀ',
    steps: [
      { text: 'Saha’s formulation factors M = U D Uᵀ without forming it: forward dynamics in O(n). Open Equations, press “Compare at this state”: denoc agrees with all others to rounding.', begin: (app) => app.load({ robot: 'puma560' }) },
      { text: 'Press “Count”. How many multiplications does forward dynamics by denoc take for this PUMA?', ask: 'multiplications', answer: async (app) => (await app.client.ask({ do: 'counts', of: 'fd' })).rows.find((row) => row.method === 'denoc').mul },
    ],
  },
  {
    title: 'Singularities',
    steps: [
      { text: 'Switch on the velocity ellipsoid below the picture. It shows in which directions the tip moves easily; flat means hard.', begin: async (app) => { await app.load({ robot: 'planar2r' }); await app.move([0.4, 1.2]); } },
      { text: 'Stretch the arm: set joint 2 to 0°. The ellipsoid becomes a line: no joint velocity moves the tip outward.', until: (app) => Math.abs(app.q[1]) < degrees(1) },
      { text: 'Equations names it a singular posture. What is the smallest singular value?', ask: 'smallest singular value', answer: (app) => app.answer.manipulability.smallest, slack: 0.02 },
    ],
  },
  {
    title: 'A satellite that turns when its arm moves',
    steps: [
      { text: 'Nothing holds this satellite. Whatever its arm does, momentum stays as it was: the body turns the other way.', begin: (app) => app.load({ robot: 'satellite_arm' }) },
      { text: 'Give a joint of the arm (not the first six rows) a velocity in Equations, then simulate free fall in Simulate. The base drifts and turns.', until: (app) => app.run !== null },
      { text: 'Look at the plots of momentum: flat lines. How much linear momentum does the run gain? (kg m/s)', ask: 'gained momentum', answer: () => 0, slack: 1e-3 },
    ],
  },
  {
    title: 'Closed loops',
    steps: [
      { text: 'A four-bar linkage: three joints of a tree and one cut joint. Move one joint: the engine closes the loop, the others follow.', begin: (app) => app.load({ robot: 'four_bar' }) },
      { text: 'Simulate a free fall of it. The plot “Residual of the closed loops” tells how well the loop stays closed.', until: (app) => app.run !== null },
      { text: 'The tree has three joints and a hinge in the plane takes two freedoms away. How many does the linkage have?', ask: 'freedoms', answer: () => 1 },
    ],
  },
];

/** Whether a typed number answers the question of a step. */
export async function isRight(step, app, value) {
  const wanted = await step.answer(app);
  return Math.abs(value - wanted) <= (step.slack ?? 0) || close(value, wanted);
}

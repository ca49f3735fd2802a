// Which plots stand under which heading. A plot goes where its first column belongs.

/** @type {{id: string, title: string, groups: string[]}[]} */
export const SECTIONS = [
  { id: 'positions', title: 'Motion', groups: ['position', 'deviation'] },
  { id: 'velocities', title: 'Velocities and accelerations', groups: ['velocity', 'acceleration'] },
  { id: 'torques', title: 'Torques', groups: ['torque'] },
  { id: 'tip', title: 'Tip', groups: ['tip', 'tip_velocity'] },
  { id: 'energy', title: 'Energy and balance', groups: ['energy', 'work', 'balance', 'momentum', 'angular_momentum'] },
  { id: 'loops', title: 'Closed loops', groups: ['reaction_force', 'reaction_moment', 'singularity', 'residual'] },
  { id: 'integration', title: 'Integration', groups: ['steps'] },
  { id: 'other', title: 'Other', groups: [] },
];

export const sectionOf = (group) => SECTIONS.find((section) => section.groups.includes(group)) ?? SECTIONS[SECTIONS.length - 1];

/** Plots of the integrator's steps; the file does not list them, because they have their own times. */
export const STEP_PLOTS = [
  { id: 'step-size', title: 'Step size', unit: 's', log: true, columns: ['h'] },
  { id: 'wall-clock', title: 'Wall clock against simulated time', unit: 's', log: false, columns: ['wall'] },
];

// A run as a scenario file (doc/scenario_files.md).

const list = (numbers) => `[${numbers.map(Number).join(', ')}]`;

function motionLines(motion) {
  if (motion.file) return ['[drive.motion]', 'kind = "spline"', `file = ${JSON.stringify(motion.file)}`];
  return ['[drive.motion]', 'kind = "quintic"', `from = ${list(motion.from)}`, `to = ${list(motion.to)}`, `start = ${motion.start}`, `time = ${motion.time}`];
}

/** @param {{kind: string, kp?: number, kd?: number, motion?: any}} drive */
function driveLines({ kind, kp, kd, motion }) {
  switch (kind) {
    case 'free': return [];
    // A PD drive without gains holds the weight alone; the motion that it must have does not matter.
    case 'gravity': return ['', '[drive]', 'kind = "pd"', 'kp = 0', 'kd = 0', 'gravity = true', '[drive.motion]', 'kind = "cycloid"', 'to = 0', 'time = 1'];
    case 'playback': return ['', '[drive]', 'kind = "playback"', ...motionLines(motion)];
    default: return ['', '[drive]', `kind = "${kind}"`, `kp = ${kp}`, `kd = ${kd}`, ...motionLines(motion)];
  }
}

/**
 * @param {{robot: string, seconds: number, every: number, integrator: string, step?: number, tolerance?: number, q: number[], v: number[],
 *   drive: {kind: string, kp?: number, kd?: number, motion?: any}, loads?: import('./studio').Load[]}} run
 */
export function scenarioText({ robot, seconds, every, integrator, step, tolerance, q, v, drive, loads = [] }) {
  const lines = [`robot = ${JSON.stringify(robot)}`, '', '[run]', `for = ${seconds}`, `every = ${every}`, `integrator = "${integrator}"`,
    step === undefined ? `tolerance = ${tolerance}` : `step = ${step}`, '', '[start]', `q = ${list(q)}`, `v = ${list(v)}`, ...driveLines(drive)];
  for (const { link, force, moment, from, until } of loads) {
    lines.push('', '[[load]]', `link = ${JSON.stringify(link)}`, `force = ${list(force)}`, `moment = ${list(moment)}`, `from = ${from}`, `until = ${until}`);
  }
  return `${lines.join('\n')}\n`;
}

// The fields of a run: drive, target, gains, integrator, accuracy. What they hold becomes a scenario.
import { make } from '../page/dom.js';
import { scenarioText } from './run_scenario.js';
import { button, field, numberInput, typed } from './widgets.js';

const DRIVES = [['free', 'free fall'], ['gravity', 'gravity compensation'], ['pd', 'PD along a motion'], ['computed_torque', 'computed torque along a motion'], ['playback', 'playback of the torques of a motion']];
const FOR_TREES = ['gravity', 'computed_torque', 'playback']; // drives that closed loops do not take
const OF_FILE = 'file:'; // before the name of a motion that is a file's

export class RunForm {
  #app;
  #marked = null;
  #motions = [];
  drive = make('select', { id: 'drive', 'aria-label': 'Drive' }, ...DRIVES.map(([value, label]) => make('option', { value }, label)));
  integrator = make('select', { id: 'integrator', 'aria-label': 'Integrator' });
  aim = make('select', { id: 'aim', 'aria-label': 'Target posture, or motion of a file' });
  #fields = Object.fromEntries([['seconds', 'seconds', 5, 'duration in seconds'], ['tolerance', 'tolerance', '1e-9', 'tolerance'], ['step', 'step-size', 0.001, 'step in seconds'],
    ['kp', 'kp', 100, 'gain of the position'], ['kd', 'kd', 20, 'gain of the velocity'], ['time', 'move-time', 2, 'time to the target in seconds']]
    .map(([key, id, value, label]) => [key, Object.assign(numberInput(value, label), { id })]));
  #gains = make('div.row', {}, field('kp', this.#fields.kp), field('kd', this.#fields.kd));
  #timeField = make('span.row', {}, field('in', this.#fields.time), 's');
  #file = make('input', { type: 'file', accept: '.csv', id: 'motion-file', 'aria-label': 'A motion of your own: CSV with t and a position per joint' });
  #goal = make('div', {}, make('div.row', {}, field('target', this.aim), this.#timeField), make('p.row.note', {}, 'or a motion as CSV (t, q1, q2, …): ', this.#file));

  constructor(app) {
    this.#app = app;
    this.integrator.append(...app.integrators.map(({ name, title }) => make('option', { value: name, title, selected: name === 'dop853' }, name)));
    for (const choice of [this.drive, this.integrator, this.aim]) choice.addEventListener('change', () => this.show());
    this.#file.addEventListener('change', async () => this.#file.files[0] && this.addMotion(this.#file.files[0].name, new Uint8Array(await this.#file.files[0].arrayBuffer())));
    const mark = button('Mark this posture as a target', () => {
      this.#marked = [...app.q];
      this.#showTargets();
      this.aim.value = 'marked';
    }, { id: 'mark' });
    this.element = make('div.fields', {}, make('div.row', {}, field('drive', this.drive), field('for', this.#fields.seconds), 's'), this.#goal, this.#gains, make('div.row', {}, mark),
      make('div.row', {}, field('integrator', this.integrator), field('tolerance', this.#fields.tolerance), field('step', this.#fields.step)));
    app.listen('robot', () => {
      this.#marked = null;
      if (app.robot) {
        this.#showTargets();
        this.#offerDrives();
      }
      this.show();
    });
  }

  #offerDrives() {
    const loops = this.#app.robot.loops > 0;
    for (const option of this.drive.options) option.disabled = loops && FOR_TREES.includes(option.value);
    if (this.drive.selectedOptions[0].disabled) this.drive.value = 'free';
  }

  /** A motion of a file, for all drives that follow one. */
  async addMotion(name, bytes) {
    const { client, file, q, v } = this.#app;
    const put = await client.put(name, bytes);
    if (put.error) return this.#app.trouble(put.error);
    const drive = { kind: 'pd', kp: 0, kd: 0, motion: { file: name } };
    const read = await client.ask({ do: 'motion', scenario: scenarioText({ robot: file, seconds: 1, every: 1, integrator: 'dop853', tolerance: 1e-9, q, v, drive }) });
    if (read.error) return this.#app.trouble(read.error);
    this.#app.trouble(null);
    if (!this.#motions.includes(name)) this.#motions.push(name);
    this.#showTargets();
    this.aim.value = OF_FILE + name;
    if (!this.follows) this.drive.value = this.#app.robot.loops > 0 ? 'pd' : 'playback';
    return this.show();
  }

  get follows() {
    return ['pd', 'computed_torque', 'playback'].includes(this.drive.value);
  }
  /** The file whose motion is followed, or null. */
  get motionFile() {
    return this.follows && this.aim.value.startsWith(OF_FILE) ? this.aim.value.slice(OF_FILE.length) : null;
  }

  show() {
    this.#goal.hidden = !this.follows;
    this.#gains.hidden = !this.follows || this.drive.value === 'playback';
    this.#timeField.hidden = this.motionFile !== null;
    const info = this.#app.integrators.find(({ name }) => name === this.integrator.value);
    this.#fields.tolerance.closest('label').hidden = info?.needs_step ?? false;
    this.#fields.step.closest('label').hidden = !info?.needs_step;
  }

  #targets() {
    const { robot } = this.#app;
    return { zero: robot.neutral, ...robot.postures, ...(this.#marked ? { marked: this.#marked } : {}) };
  }
  #showTargets() {
    const before = this.aim.value;
    this.aim.replaceChildren(...Object.keys(this.#targets()).map((name) => make('option', { value: name }, name)),
      ...this.#motions.map((name) => make('option', { value: OF_FILE + name }, `the motion of ${name}`)));
    if ([...this.aim.options].some(({ value }) => value === before)) this.aim.value = before;
  }

  /** The joints that have a drive, of a position. */
  #driven(q) {
    return this.#app.robot.joints.filter((joint) => !joint.quaternion).flatMap((joint) => joint.numbers.map((_, k) => q[joint.q_index + k]));
  }

  /** The fields as they are now, or null where one holds no number that a run can use. */
  read() {
    const byStep = !this.#fields.step.closest('label').hidden;
    const keys = ['seconds', byStep ? 'step' : 'tolerance', ...(this.#gains.hidden ? [] : ['kp', 'kd']), ...(this.follows && !this.motionFile ? ['time'] : [])];
    const values = Object.fromEntries(keys.map((key) => [key, typed(this.#fields[key])]));
    if (Object.values(values).some((value) => value === null || value < 0)) return null;
    return { ...values, kind: this.drive.value, integrator: this.integrator.value, file: this.motionFile, to: this.follows && !this.motionFile ? this.#driven(this.#targets()[this.aim.value]) : null };
  }

  /**
   * The scenario of a run, or of the piece of one that starts at the time t.
   * @param {ReturnType<RunForm['read']>} values @param {{q: number[], v: number[], from?: number[], t?: number, seconds?: number, every?: number, loads?: any[]}} piece
   */
  scenario(values, { q, v, from = q, t = 0, seconds = values.seconds, every = Math.max(0.005, seconds / 2000), loads = [] }) {
    const motion = values.file ? { file: values.file } : values.to && { from: this.#driven(from), to: values.to, start: -t, time: values.time };
    const { kind, kp, kd, integrator, step, tolerance } = values;
    return scenarioText({ robot: this.#app.file, seconds, every, integrator, step, tolerance, q, v, drive: { kind, kp, kd, motion }, loads });
  }
}

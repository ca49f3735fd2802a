// What is dropped on the page or chosen: a robot with its meshes, a scenario, a motion, or the folder of a run.

const MESH = /\.(stl|dae|obj)$/i;
const ROBOT = /\.(toml|urdf|xml|mjcf|sdf|xacro)$/i;
const baseOf = (path) => path.split('/').pop();

/** The files of a drop, those of folders included. @param {DataTransfer} transfer @returns {Promise<File[]>} */
export async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return [...transfer.files];
  const files = [];
  const walk = async (entry) => {
    if (files.length > 2000) return;
    if (entry.isFile) {
      files.push(await new Promise((done, fail) => entry.file(done, fail)));
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const part = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (part.length === 0) return;
      for (const inner of part) await walk(inner);
    }
  };
  for (const entry of entries) await walk(entry);
  return files;
}

/** Where a robot's text says that its meshes are, as paths of the engine: package://NAME/path is NAME/path beside it. */
export function meshPaths(text) {
  const named = text.match(/[^"'<>\s]+\.(?:stl|dae|obj)\b/gi) ?? [];
  return [...new Set(named)].map((name) => [baseOf(name), name.replace(/^(package|model|file):\/\//, '').split('/').filter((part) => part && part !== '.' && part !== '..').join('/')]);
}

/** Loads a robot with its meshes beside it; why one of them was refused stays in sight. @returns {Promise<boolean>} whether the robot is there now */
async function loadWithMeshes(app, source, files, options) {
  const refused = await putMeshes(app, source.text, files);
  const there = await app.load(source, options);
  if (there && refused) app.trouble(refused);
  return there;
}

/** @returns {Promise<string>} why one was refused */
async function putMeshes(app, text, files) {
  let refused = '';
  const meshes = new Map(files.filter(({ name }) => MESH.test(name)).map((file) => [file.name.toLowerCase(), file]));
  for (const [name, path] of meshPaths(text)) {
    const file = meshes.get(name.toLowerCase());
    const put = file ? await app.client.put(path, new Uint8Array(await file.arrayBuffer())) : {};
    refused ||= put.error ?? '';
  }
  return refused;
}

const isScenario = (text) => /^\s*robot\s*=/m.test(text) && !/^\s*\[\[(link|body)\]\]/m.test(text);

/** The robot of a run or a scenario: its file where it came along, else a bundled one of that name. */
async function loadNamed(app, robot, free_base, files) {
  const file = files.find(({ name }) => name === baseOf(robot));
  if (!file) return app.load({ robot: baseOf(robot) === robot ? robot : baseOf(robot).replace(/\.\w+$/, ''), free_base });
  const text = await file.text();
  return loadWithMeshes(app, { text, file: file.name, free_base }, files);
}

async function takeResult(app, run, trajectory, files) {
  const text = await run.text();
  const about = await app.client.ask({ do: 'named_robot', run: text });
  if (about.error) return app.trouble(about.error);
  if (!(await loadNamed(app, about.robot, about.free_base, files))) return undefined;
  const put = await app.client.put('trajectory.csv', new Uint8Array(await trajectory.arrayBuffer()));
  if (put.error) return app.trouble(put.error);
  const answer = await app.client.ask({ do: 'result', run: text, file: 'trajectory.csv' }, 60);
  if (answer.error) return app.trouble(answer.error);
  app.showPanel('Simulate');
  return app.simulate.takeRun(answer, answer.scenario, `${answer.status}, as run.json has it.`);
}

export async function takeScenario(app, text, files = []) {
  const about = await app.client.ask({ do: 'named_robot', scenario: text });
  if (about.error) return app.trouble(about.error);
  if (!(await loadNamed(app, about.robot, about.free_base, files))) return undefined;
  app.showPanel('Simulate');
  return app.simulate.runScenario(text);
}

/** @param {import('./app.js').App} app @param {File[]} files */
export async function takeFiles(app, files) {
  const named = (name) => files.find((file) => file.name === name);
  const run = named('run.json');
  if (run) {
    const trajectory = named('trajectory.csv');
    if (!trajectory) return app.trouble('run.json came alone; drop the folder, with its trajectory.csv');
    return takeResult(app, run, trajectory, files);
  }
  for (const file of files.filter(({ name }) => name.endsWith('.csv'))) {
    await app.simulate.addMotion(file.name, new Uint8Array(await file.arrayBuffer()));
    app.showPanel('Simulate');
  }
  const texts = await Promise.all(files.filter(({ name }) => ROBOT.test(name)).map(async (file) => ({ file: file.name, text: await file.text() })));
  const scenario = texts.find(({ file, text }) => file.endsWith('.toml') && isScenario(text));
  if (scenario) return takeScenario(app, scenario.text, files);
  const [robot] = texts;
  if (robot) return loadWithMeshes(app, robot, files);
  if (files.some(({ name }) => MESH.test(name))) {
    // Meshes after their robot: it is read again with them.
    const wanted = new Set(meshPaths(app.text).map(([name]) => name.toLowerCase()));
    if (!files.some(({ name }) => wanted.has(name.toLowerCase()))) return app.trouble(`the robot names no mesh that is called so (${wanted.size > 0 ? [...wanted].slice(0, 5).join(', ') : 'it names none'}); drop its file together with its meshes`);
    return loadWithMeshes(app, { text: app.text, file: app.file }, files, { remember: false, keep: true });
  }
  if (!files.some(({ name }) => name.endsWith('.csv'))) app.trouble('none of these files is a robot, a scenario, a motion or a run; drop TOML, URDF, MJCF, SDF, CSV or the folder of a run');
  return undefined;
}

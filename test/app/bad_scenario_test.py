"""Bad scenarios and options of `ulna simulate`: a line for each problem, exit 2, nothing written."""

import os
import random
import unittest

from command import CommandTest

ARM = 'robot = "planar2r"\n'
SATELLITE = 'robot = "satellite_arm"\n'
PLAYBACK = ARM + '[drive]\nkind = "playback"\n[drive.motion]\n'
PD = ARM + '[drive]\nkind = "pd"\n'
TABLE = ARM + '[drive]\nkind = "table"\nfile = "{}"\n'
LOAD = ARM + '[[load]]\nlink = "link2"\n'
PUSH = ARM + '[[disturbance]]\njoint = "joint1"\n'
EVENT = ARM + '[[event]]\njoint = "joint1"\n'

# name of the case: (content of s.toml, what stderr must say)
SCENARIOS = {
    "not toml": ("robot = \n", "s.toml:1: error: not valid TOML"),
    "binary": (random.Random(1).randbytes(100_000), "s.toml:1: error: not valid TOML"),
    "empty": ("", "s.toml:1: error: scenario: 'robot' is missing"),
    "without a robot": ('title = "x"\n[run]\nfor = 1\n', "s.toml:1: error: scenario: 'robot' is missing"),
    "robot is a number": ("robot = 3\n", "s.toml:1: error: scenario: 'robot' must be a text"),
    "unknown robot": ('robot = "puma56"\n', "did you mean 'puma560'?"),
    "missing robot file": ('robot = "gone.toml"\n', "gone.toml: error: no such file"),
    "its own robot": ('robot = "s.toml"\n', "s.toml:1: error: robot: this is a scenario, not a robot"),
    "robot is a folder": ('robot = "folder.toml"\n', "folder.toml: error: "),
    "unknown table": (ARM + "[rnu]\nfor = 1\n", "s.toml:2: error: scenario: unknown key 'rnu'; did you mean 'run'?"),
    "unknown key": (ARM + '[run]\nintegrater = "rk4"\n', "s.toml:3: error: [run]: unknown key 'integrater'; did you mean 'integrator'?"),
    "misspelt optional key": (ARM + '[drive]\nkind = "free"\nsampel = 0.1\n', "s.toml:4: error: [drive]: unknown key 'sampel'; did you mean 'sample'?"),
    "key twice": (ARM + ARM, "s.toml:2: error: not valid TOML"),
    "run is no table": (ARM + "run = 3\n", "s.toml:2: error: scenario: 'run' must be a table"),
    "name with a slash": (ARM + 'name = "../up"\n', "s.toml:2: error: scenario: 'name' contains a slash"),
    "unknown method": (ARM + 'method = "lagrange"\n', "s.toml:2: error: scenario: unknown method 'lagrange'; known: auto"),
    "method without forward dynamics": (ARM + 'method = "newton_euler"\n', "does not give forward dynamics; use one of: articulated_body"),
    "negative seed": (ARM + "seed = -1\n", "s.toml:2: error: scenario: 'seed' must be a whole number"),
    "broken seed": (ARM + "seed = 1.5\n", "'seed' must be a whole number"),
    "gravity of two": (ARM + "gravity = [0, 1]\n", "s.toml:2: error: scenario: 'gravity' must be a list of 3 numbers"),
    "negative time": (ARM + "[run]\nfor = -1\n", "s.toml:3: error: [run]: 'for' is -1; it must be positive"),
    "time as an angle": (ARM + '[run]\nfor = "10 deg"\n', "s.toml:3: error: [run]: 'for' is a text, and only angles may be one; write numbers without quotes"),
    "time in quotes": (LOAD + 'until = "2"\n', "s.toml:4: error: [[load]]: 'until' is a text"),
    "seed in quotes": (ARM + 'seed = "3"\n', "s.toml:2: error: scenario: 'seed' is a text"),
    "runs in quotes": (ARM + '[ensemble]\nruns = "3"\nvary = "q=normal:1deg"\n', "s.toml:3: error: [ensemble]: 'runs' is a text"),
    "torque as an angle": (ARM + '[drive]\nkind = "constant"\ntorque = [1, "2 deg"]\n', "s.toml:4: error: [drive]: 'torque' is a text"),
    "force in quotes": (LOAD + 'force = [0, 0, "-9"]\n', "s.toml:4: error: [[load]]: 'force' is a text"),
    "endless": (ARM + "[run]\nfor = inf\n", "s.toml:3: error: [run]: 'for' must be a finite number"),
    "never sampled": (ARM + "[run]\nevery = 0\n", "s.toml:3: error: [run]: 'every' is 0; it must be positive"),
    "too many samples": (ARM + "[run]\nevery = 1e-12\n", "are 1e+13 samples; take a larger time between samples"),
    "unknown integrator": (ARM + '[run]\nintegrator = "rk5"\n', "s.toml:3: error: [run]: unknown integrator 'rk5'; known: rk4"),
    "rk4 without a step": (ARM + '[run]\nintegrator = "rk4"\n', "'rk4' goes by fixed steps; give it a step"),
    "bdf with a step": (ARM + '[run]\nintegrator = "bdf"\nstep = 0.1\n', "'bdf' chooses its steps itself"),
    "tolerance NaN": (ARM + "[run]\ntolerance = nan\n", "s.toml:3: error: [run]: 'tolerance' must be a finite number"),
    "tolerance of one": (ARM + "[run]\ntolerance = 1\n", "tolerance is 1; give one"),
    "unknown action": (ARM + '[run]\nlimits = "bounce"\n', "use one of: ignore, record, stop"),
    "three positions": (ARM + "[start]\nq = [1, 2, 3]\n", "s.toml:3: error: start.q has 3 numbers; this robot wants 2"),
    "three velocities": (ARM + "[start]\nv = [1, 2, 3]\n", "start.v has 3 numbers; this robot wants 2"),
    "NaN position": (ARM + "[start]\nq = [nan, 1]\n", "s.toml:3: error: [start]: 'q' must be a finite number"),
    "empty list": (ARM + "[start]\nq = []\n", "'q' is an empty list"),
    "quaternion": (SATELLITE + "[start]\nq = [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]\n", "a quaternion x, y, z, w has length 2; it must be 1"),
    "drive without kind": (ARM + "[drive]\n", "s.toml:2: error: [drive]: 'kind' is missing"),
    "unknown drive": (ARM + '[drive]\nkind = "pid"\n', "use one of: free, constant, table, playback, pd, computed_torque"),
    "constant without torque": (ARM + '[drive]\nkind = "constant"\n', "s.toml:2: error: [drive]: 'torque' is missing"),
    "three torques": (ARM + '[drive]\nkind = "constant"\ntorque = [1, 2, 3]\n', "drive.torque has 3 numbers"),
    "three gains": (PD + 'kp = [1, 2, 3]\nkd = 1\nmotion = { kind = "cosine", amplitude = 1, period = 1 }\n', "drive.kp has 3 numbers"),
    "playback without motion": (ARM + '[drive]\nkind = "playback"\n', "s.toml:2: error: [drive]: 'motion' is missing"),
    "playback on a free base": (SATELLITE + '[drive]\nkind = "playback"\nmotion = { kind = "cycloid", to = 1, time = 1 }\n', "use pd for the others"),
    "unknown motion": (PLAYBACK + 'kind = "sine"\nto = 1\ntime = 1\n', "use one of: cycloid, quintic, trapezoid, cosine, spline"),
    "motion without end": (PLAYBACK + 'kind = "cycloid"\ntime = 1\n', "s.toml:4: error: [drive.motion]: 'to' is missing"),
    "motion in no time": (PLAYBACK + 'kind = "cycloid"\nto = 1\ntime = -1\n', "s.toml:7: error: [drive.motion]: 'time' is -1"),
    "blend": (PLAYBACK + 'kind = "trapezoid"\nto = 1\ntime = 1\nblend = 0.7\n', "between 0 and 0.5"),
    "period": (PLAYBACK + 'kind = "cosine"\namplitude = 1\nperiod = 0\n', "'period' is 0; it must be positive"),
    "missing table": (TABLE.format("gone.csv"), "gone.csv: error: no such file"),
    "table without a path": (TABLE.format(""), "s.toml:4: error: [drive]: 'file' is empty"),
    "table is a folder": (TABLE.format("."), "is a folder, not a torque table"),
    "falling times": (TABLE.format("falling.csv"), "falling.csv:3: error: time 0.5 does not come after 1; times must rise"),
    "empty table": (TABLE.format("empty.csv"), "empty.csv:1: error: holds no row of numbers"),
    "wide table": (TABLE.format("wide.csv"), "wide.csv:2: error: 4 columns, this robot wants 3"),
    "NaN in a table": (TABLE.format("nan.csv"), "nan.csv:1: error: column 3: 'nan' is not a finite number"),
    "huge table": (TABLE.format("huge.csv"), "huge.csv:1000001: error: has more than a million rows"),
    "degrees of torque in a table": (TABLE.format("degrees.csv"), "degrees.csv:2: error: column 2: 1 deg is an angle; give a number without a unit"),
    "degrees of a slide in a spline": (PLAYBACK.replace(ARM, 'robot = "rtx"\n') + 'kind = "spline"\nfile = "slide.csv"\n', "slide.csv:3: error: column 2: 'joint1' slides, and 1 deg is an angle; give metres"),
    "spline of one row": (TABLE.format("one.csv") + 'hold = "spline"\n', "one.csv: a spline needs at least two rows"),
    "unknown hold": (TABLE.format("one.csv") + 'hold = "foh"\n', "use one of: steps, spline"),
    "sampled backwards": (ARM + '[drive]\nkind = "free"\nsample = -1\n', "s.toml:4: error: [drive]: 'sample' is -1; it must be positive"),
    "sampled too often": (ARM + '[drive]\nkind = "free"\nsample = 1e-12\n', "take a longer time"),
    "load on nothing": (ARM + '[[load]]\nlink = "hand"\n', "'hand' is not a moving link of this robot"),
    "load on the ground": (ARM + '[[load]]\nlink = "base"\n', "'base' is not a moving link of this robot"),
    "load in two directions": (LOAD + "force = [0, 1]\n", "s.toml:4: error: [[load]]: 'force' must be a list of 3 numbers"),
    "load that ends before it begins": (LOAD + "from = 2\nuntil = 1\n", "s.toml:5: error: [[load]]: 'until' is 1, not after 'from', 2"),
    "one load": (ARM + '[load]\nlink = "link2"\n', "write [[load]]"),
    "push on no joint": (ARM + '[[disturbance]]\njoint = "joint9"\ntorque = 1\n', "did you mean 'joint1'?"),
    "push on a free joint": (SATELLITE + '[[disturbance]]\njoint = "free_base"\ntorque = 1\n', "is not a joint with one degree of freedom"),
    "push of nothing": (PUSH, "needs 'torque' for a pulse or 'noise' for noise"),
    "noise without a period": (PUSH + "noise = 1\n", "[[disturbance]]: 'every' is missing"),
    "negative noise": (PUSH + "noise = -1\nevery = 0.1\n", "'noise' is -1; it must be positive"),
    "frantic noise": (PUSH + "noise = 1\nevery = 1e-12\n", "take a longer time"),
    "event on nothing": (EVENT, "needs 'position' or 'velocity'"),
    "event on both": (EVENT + "position = 1\nvelocity = 2\n", "needs 'position' or 'velocity'; write one of the two"),
    "degrees of a slide at the start": ('robot = "rtx"\n[start]\nq = ["10 deg", 0, 0]\n', "s.toml:3: error: start.q: 'joint1' slides, and 10 deg is an angle; give metres"),
    "degrees for all joints": ('robot = "rtx"\n[start]\nv = "1 rad"\n', "s.toml:3: error: start.v: 'joint1' slides"),
    "degrees of a slide on the way": ('robot = "rtx"\n[drive]\nkind = "playback"\nmotion = { kind = "cycloid", to = ["90deg", 0, 0], time = 1 }\n', "s.toml:4: error: drive.motion.to: 'joint1' slides"),
    "degrees of a slide in an event": ('robot = "rtx"\n[[event]]\njoint = "joint1"\nposition = "1 deg"\n', "s.toml:4: error: event: 'joint1' slides"),
    "unknown event action": (EVENT + 'position = 1\naction = "halt"\n', "use one of: ignore, record, stop"),
}

TABLES = {
    "falling.csv": "0,1,2\n1,1,2\n0.5,1,2\n",
    "empty.csv": "",
    "wide.csv": "t,tau1,tau2\n0,1,2,3\n",
    "nan.csv": "0,1,nan\n",
    "one.csv": "0,1,2\n",
    "degrees.csv": "0,0,1\n1,1deg,1\n",
    "slide.csv": "t,q1,q2,q3\n0,0,90deg,0\n1,1deg,0,0\n",
}

OPTIONS = {
    "nothing": ([], "simulate what? Give a scenario"),
    "no such thing": (["nowhere"], "'nowhere' is no bundled scenario, no bundled robot and no file"),
    "no such file": (["nowhere.toml"], "nowhere.toml: error: no such file"),
    "two": (["planar2r", "stanford"], "stanford"),
    "again and a robot": (["planar2r", "--again", "x"], "leave the scenario out"),
    "again nowhere": (["--again", "nowhere"], "nowhere/run.json: error: no such file"),
    "rk4": (["planar2r", "--integrator", "rk4"], "give it a step"),
    "unknown integrator": (["planar2r", "--integrator", "rk5"], "unknown integrator 'rk5'; known: rk4"),
    "bdf": (["planar2r", "--integrator", "bdf", "--step", "0.1"], "give a tolerance instead of a step"),
    "unknown method": (["planar2r", "--method", "x"], "unknown method 'x'"),
    "no value": (["planar2r", "--integrator"], "--integrator wants one value"),
    "twice": (["planar2r", "--for", "1", "--for", "2"], "--for wants one value"),
    "unknown option": (["planar2r", "--fast"], "--fast"),
    "negative tolerance": (["planar2r", "--tol", "-1"], "--tol: '-1' is not a positive number"),
    "text": (["planar2r", "--tol", "small"], "--tol: 'small' is not a positive number"),
    "degrees of time": (["planar2r", "--for", "90deg"], "--for: '90deg' is not a positive number"),
    "endless": (["planar2r", "--for", "inf"], "--for: 'inf' is not a positive number"),
    "NaN": (["planar2r", "--every", "nan"], "--every: 'nan' is not a positive number"),
    "too many samples": (["planar2r", "--every", "1e-12"], "take a larger time between samples"),
    "sampled too often": (["planar2r", "--sample", "1e-12"], "take a longer time"),
    "two positions": (["puma560", "--q0", "1,2"], "error: --q0 has 2 numbers; this robot wants 6"),
    "degrees of a slide": (["rtx", "--q0", "10deg,0,0"], "error: --q0: 'joint1' slides, and 10 deg is an angle; give metres"),
    "positions": (["planar2r", "--q0", "1,2,3"], "has 3 numbers; this robot wants 2"),
    "degrees of a torque": (["planar2r", "--drive", "constant", "--tau", "5deg,0"], "--tau: 5 deg is an angle; give a number without a unit"),
    "position": (["planar2r", "--q0", "nan,1"], "--q0: 'nan' is not a finite number"),
    "torques": (["planar2r", "--tau", "1,2,3"], "has 3 numbers; this robot wants 2"),
    "constant what": (["planar2r", "--drive", "constant"], "--drive constant needs --tau"),
    "free but driven": (["planar2r", "--drive", "free", "--tau", "1"], "choose one"),
    "unknown drive": (["planar2r", "--drive", "pd"], "--drive: 'pd' is none of: free, constant"),
    "wrench": (["planar2r", "--wrench", "link2"], "must be LINK=nx,ny,nz,fx,fy,fz"),
    "wrench on nothing": (["planar2r", "--wrench", "hand=1,2,3,4,5,6"], "'hand' is not a moving link"),
    "limits": (["planar2r", "--limits", "bounce"], "--limits: 'bounce' is none of: ignore, record, stop"),
    "negative seed": (["planar2r", "--seed", "-1"], "--seed: '-1' is not a whole number"),
    "long seed": (["planar2r", "--seed", "9223372036854775807"], "is not a whole number of up to 15 digits"),
    "gravity": (["planar2r", "--gravity", "1,2"], "--gravity has 2 numbers; give 3"),
    "nonphysical": (["fake.toml"], "triangle inequality"),
}


class BadScenario(CommandTest):
    def expect_refusal(self, arguments, words):
        before = sorted(os.listdir(self.folder))
        done = self.run_ulna("simulate", "-o", "out", *arguments, timeout=20)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(words, done.stderr)
        for line in done.stderr.splitlines():
            self.assertIn("error: ", line)
            self.assertLess(len(line), 300)
        self.assertEqual(sorted(os.listdir(self.folder)), before, "something was written")
        return done.stderr.splitlines()

    def test_scenarios(self):
        os.mkdir(self.path("folder.toml"))
        for name, content in TABLES.items():
            self.write(name, content)
        self.write("huge.csv", "".join(f"{k},0,0\n" for k in range(1_000_001)))
        for case, (content, words) in SCENARIOS.items():
            with self.subTest(case):
                self.write("s.toml", content)
                lines = self.expect_refusal(["s.toml"], words)
                self.assertEqual(len(lines), 1, lines)

    def test_options(self):
        self.write("fake.toml", 'dh = "standard"\n[[link]]\njoint = "revolute"\na = 1\nmass = 1\ninertia = [0.01, 0.1, 0.3]\n')
        for case, (arguments, words) in OPTIONS.items():
            with self.subTest(case):
                lines = self.expect_refusal(arguments, words)
                self.assertEqual(len(lines), 1, lines)

    def test_all_problems_at_once(self):
        self.write("s.toml", PD + "kq = 3\n[[load]]\nforce = 1\n[run]\nfor = 0\n")
        lines = self.expect_refusal(["s.toml"], "[drive]: 'motion' is missing")
        places = [line.split(" error: ")[0] for line in lines]
        self.assertEqual(sorted(places), sorted(["s.toml:8:", *["s.toml:2:"] * 3, "s.toml:4:", "s.toml:5:", "s.toml:6:"]), lines)

    def test_a_scenario_where_a_robot_is_meant(self):
        self.write("s.toml", ARM)
        for command in ("show", "check", "fk", "id", "fd", "matrices"):
            done = self.run_ulna(command, "s.toml")
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("s.toml:1: error: robot: this is a scenario, not a robot; simulate it", done.stderr)

    def test_a_robot_where_a_scenario_is_meant_falls_freely(self):
        self.ulna("convert", "planar2r", "-o", "arm.toml")
        self.ulna("simulate", "arm.toml", "--for", "0.1", "-o", "out")

    def test_an_old_run_survives_a_refused_one(self):
        self.ulna("simulate", "planar2r", "--for", "0.1", "-o", "out")
        before = sorted(os.listdir(self.path("out")))
        self.assertEqual(self.run_ulna("simulate", "planar2r", "--integrator", "rk4", "-o", "out").returncode, 2)
        self.assertEqual(sorted(os.listdir(self.path("out"))), before)


if __name__ == "__main__":
    unittest.main()

"""`ulna simulate`: complete folders, repeatable runs, honest exits, and one clear line for every mistake."""

import base64
import csv
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import time
import unittest

from command import COMMAND, CommandTest

SHORT = ["--for", "0.2", "--every", "0.05"]
FILES = {"trajectory.csv", "run.json", "report.html"}


class SimulateTest(CommandTest):
    def simulate(self, *arguments, code=0, **options):
        done = self.run_ulna("simulate", *arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def read(self, *parts):
        with open(self.path(os.path.join(*parts)), encoding="utf-8") as file:
            return file.read()

    def rows(self, folder="out"):
        return list(csv.DictReader(self.read(folder, "trajectory.csv").splitlines()))

    def run_json(self, folder="out"):
        return json.loads(self.read(folder, "run.json"))

    def expect_complete(self, folder="out", also=()):
        """All files, no leftovers, and nothing half in them."""
        self.assertEqual(set(os.listdir(self.path(folder))), FILES | set(also))
        rows, run = self.rows(folder), self.run_json(folder)
        self.assertEqual(len(rows), run["samples"])
        self.assertEqual(float(rows[-1]["t"]), run["time"])
        self.assertTrue(all(None not in row.values() and None not in row for row in rows))
        return rows, run

    def expect_round_trip(self, *arguments):
        """Torques of the run's own motion: those that the run had, to rounding as the inertia matrix magnifies it."""
        self.simulate(*arguments, "-o", "out")
        robot = self.run_json()["robot"]["name"]
        self.ulna("id", robot, "--motion", "out/trajectory.csv", "-o", "tau.csv")
        rows, back = self.rows(), list(csv.DictReader(self.read("tau.csv").splitlines()))
        names = [name for name in rows[0] if re.fullmatch("tau[0-9]+", name)]
        scale = max(abs(float(row[name])) for row in rows for name in names) + max(
            abs(float(row[name.replace("tau", "a")])) for row in rows for name in names
        )
        for row, other in zip(rows, back, strict=True):
            for name in names:
                self.assertAlmostEqual(float(row[name]), float(other[name]), delta=1e-9 * max(1.0, scale), msg=f"{name} at {row['t']}")

    def test_inverse_dynamics_of_a_run_are_its_torques(self):
        """With friction at rest, at the turning points and in motion."""
        self.expect_round_trip("scara_pick")
        self.expect_round_trip("scara", "--for", "1", "--integrator", "bdf", "--q0", "0.5,0.5,0.1,0")
        for scenario in ("planar3r_forced", "puma_forced", "kuka_pd"):
            self.expect_round_trip(scenario, "--for", "0.5")

    def test_a_payload_is_repeated_with_the_run(self):
        self.simulate("planar2r", *SHORT, "--payload", "1.5@0.1,0,0", "-o", "out")
        self.simulate("--again", "out", "-o", "again")
        self.assertEqual(self.read("out", "trajectory.csv"), self.read("again", "trajectory.csv"))
        self.simulate("planar2r", *SHORT, "-o", "without")
        self.assertNotEqual(self.read("out", "trajectory.csv"), self.read("without", "trajectory.csv"))

    def test_a_run_that_leads_nowhere_ends(self):
        done = self.simulate("planar2r", "--v0", "1e100,0", code=1)
        self.assertIn("diverged at t = ", done.stdout)
        done = self.simulate("planar2r", "--integrator", "rk4", "--step", "1e-300", code=2)
        self.assertIn("take a longer one", done.stderr)
        done = self.run_ulna("bench", "planar2r", "--seconds", "1e300")
        self.assertEqual(done.returncode, 2)

    def report_data(self, folder="out"):
        html = self.read(folder, "report.html")
        self.assertNotIn("ULNA_DATA", html)
        found = re.search(r"<script[^>]*type=\"application/json\"[^>]*>(.*?)</script>", html, re.S)
        self.assertIsNotNone(found, "no data in the report")
        return json.loads(found.group(1))


class Folder(SimulateTest):
    def test_files_are_complete(self):
        self.simulate("satellite_reach", *SHORT, "-o", "out")
        rows, run = self.expect_complete()
        self.assertEqual([float(row["t"]) for row in rows], [0, 0.05, 0.1, 0.05 * 3, 0.2])
        numbered = lambda letter, n: [f"{letter}{k + 1}" for k in range(n)]
        columns = ["t"] + numbered("q", 14) + numbered("v", 13) + numbered("a", 13) + numbered("tau", 13)
        header = self.read("out", "trajectory.csv").splitlines()[0].split(",")
        self.assertEqual(header[: len(columns)], columns)
        for name in ("tip_x", "tip_qw", "tip_wx", "tip_vz", "kinetic", "potential", "energy", "work_drives", "work_friction", "work_loads", "balance", "momentum_x", "spin_z", "qd13"):
            self.assertIn(name, header)

    def test_run_json_holds_what_repeats_and_explains_the_run(self):
        self.simulate("kuka_pd", *SHORT, "-o", "out")
        run = self.run_json()
        for key in ("schema", "ulna", "status", "reason", "time", "robot", "method", "integrator", "relative", "absolute", "seed", "statistics", "wall", "samples", "energy_balance", "events", "final", "files", "scenario"):
            self.assertIn(key, run)
        self.assertEqual(set(run["robot"]), {"name", "file", "hash"})
        self.assertEqual((run["status"], run["integrator"], run["method"]), ("completed", "bdf", "articulated_body"))
        self.assertGreater(run["statistics"]["jacobians"], 0)
        self.assertEqual(len(run["final"]["q"]), 7)

    def test_json_on_stdout_is_the_file(self):
        done = self.simulate("planar2r", *SHORT, "-o", "out", "--json")
        self.assertEqual(done.stdout, self.read("out", "run.json"))

    def test_report_holds_the_numbers(self):
        self.simulate("planar3r_forced", *SHORT, "-o", "out")
        data, rows = self.report_data(), self.rows()
        times = base64.b64decode(data["time"])
        self.assertEqual(list(struct.unpack(f"<{len(rows)}d", times)), [float(row["t"]) for row in rows])
        values = struct.unpack(f"<{len(rows) * (len(data['columns']) - 1)}f", base64.b64decode(data["data"]))
        names = [column["name"] for column in data["columns"]]
        for name in ("q1", "tau3", "energy", "qd2"):
            first = (names.index(name) - 1) * len(rows)
            for got, row in zip(values[first : first + len(rows)], rows):
                self.assertAlmostEqual(got, float(row[name]), delta=1e-6 * (1 + abs(got)))  # floats
        self.assertTrue(data["scene"] and data["plots"] and data["statistics"])

    def test_report_draws_the_shapes_of_the_file_or_bars(self):
        def kinds(robot):
            self.simulate(robot, *SHORT, "-o", robot)
            drawn = {}
            for shape in self.report_data(robot)["scene"]["shapes"]:
                drawn.setdefault(shape["body"], set()).add(shape["kind"])
            return drawn

        for body, drawn in kinds("ur5e").items():
            self.assertEqual("capsule" in drawn, body == 0)  # the ground has no row in a table
        self.assertEqual(set.union(*kinds("ur5_like").values()), {"capsule"})

    def test_report_survives_a_hostile_title(self):
        title = "</script><script>alert(1)</script> \\\" größer"
        self.write("s.toml", f"robot = \"planar2r\"\ntitle = '''{title}'''\n")
        self.simulate("s.toml", *SHORT, "-o", "out")
        self.assertEqual(self.report_data()["subtitle"], title)

    def test_hdf5_equals_the_csv(self):
        reader = next((p for p in (sys.executable, "/usr/bin/python3") if subprocess.run([p, "-c", "import h5py"], capture_output=True).returncode == 0), None)
        if reader is None:
            self.skipTest("h5py is not installed")
        self.simulate("satellite_free", "--for", "0.2", "--every", "0.0001", "-o", "out", "--hdf5")  # more than a chunk
        self.expect_complete(also=["trajectory.h5"])
        program = (
            "import h5py, json, sys\nf = h5py.File(sys.argv[1])\nout = {}\n"
            "for name, d in f.items():\n"
            "    if name == 'run_json': out[name] = bytes(d[()]).decode()\n"
            "    else: out.update(zip(bytes(d.attrs['columns']).decode().split(','), d[()].T.tolist()))\n"
            "json.dump(out, sys.stdout)"
        )
        done = subprocess.run([reader, "-c", program, self.path("out/trajectory.h5")], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        data, rows = json.loads(done.stdout), self.rows()
        run = json.loads(self.read("out", "run.json"))
        run.pop("wall")
        self.assertEqual(data.pop("run_json"), json.dumps(run, indent=2, ensure_ascii=False) + "\n")
        self.assertEqual(set(data), set(rows[0]))
        for name, values in data.items():
            self.assertEqual(values, [float(row[name]) for row in rows], name)

    def test_default_folder_is_called_after_the_run(self):
        self.simulate("stanford_free_fall", *SHORT)
        self.assertEqual(os.listdir(self.folder), ["stanford_free_fall_run"])
        self.simulate("chain:3", *SHORT)
        self.expect_complete("chain_3_run")

    def test_a_second_run_replaces_the_first(self):
        self.simulate("planar2r", *SHORT, "-o", "a/b/out", "--hdf5")
        self.simulate("planar3r", *SHORT, "-o", "a/b/out")
        self.assertEqual(self.expect_complete("a/b/out")[1]["robot"]["name"], "planar3r")

    def test_a_path_that_is_not_utf8(self):
        done = subprocess.run([COMMAND, "convert", "planar2r", "-o", b"caf\xe9.toml"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([COMMAND, "simulate", b"caf\xe9.toml", "--for", "0.1", "-o", "out"], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_complete()


class Options(SimulateTest):
    SCENARIO = (
        'robot = "planar2r"\nseed = 5\n[run]\nfor = 3\nevery = 0.5\nintegrator = "rk4"\nstep = 0.01\ntolerance = 1e-5\nlimits = "stop"\n'
        '[start]\nq = [1, 2]\nv = [3, 4]\n[drive]\nkind = "constant"\ntorque = [5, 6]\n'
    )

    def test_override_the_file(self):
        self.write("s.toml", self.SCENARIO)
        self.simulate("s.toml", "-o", "out", "--for", "0.2", "--every", "0.1", "--integrator", "dp5", "--tol", "1e-7", "--q0", "0.1,90deg",
                      "--v0", "0.3", "--tau", "7,8", "--seed", "9", "--method", "denoc", "--limits", "ignore", "--gravity", "0,0,-1", "--saturate", "--sample", "0.05", "--wrench", "link2=1,2,3,4,5,6")  # fmt: skip
        rows, run = self.expect_complete()
        self.assertEqual((run["time"], len(rows)), (0.2, 3))
        self.assertEqual((run["integrator"], run["relative"], run["absolute"], run["step"], run["seed"], run["method"]), ("dp5", 1e-7, 1e-7, 0, 9, "denoc"))
        first = rows[0]
        self.assertEqual([float(first[k]) for k in ("q1", "v1", "v2", "tau1", "tau2")], [0.1, 0.3, 0.3, 7, 8])
        self.assertAlmostEqual(float(first["q2"]), 1.5707963267948966, places=15)
        for line in ('limits = "ignore"', "gravity = [0, 0, -1]", "saturate = true", "sample = 0.05", "moment = [1, 2, 3]", "force = [4, 5, 6]"):
            self.assertIn(line, run["scenario"])

    def test_the_scenario_may_come_last(self):
        self.simulate("--wrench", "link2=0,0,0,1,0,0", "--wrench", "link1=0,0,0,1,0,0", *SHORT, "-o", "out", "planar2r")
        self.assertEqual(self.run_json()["scenario"].count("[[load]]"), 2)

    def test_what_is_not_given_stays(self):
        self.write("s.toml", self.SCENARIO)
        self.simulate("s.toml", "-o", "out", "--every", "1")
        rows, run = self.expect_complete()
        self.assertEqual((run["integrator"], run["step"], run["seed"], run["time"], len(rows)), ("rk4", 0.01, 5, 3, 4))
        self.assertEqual([float(rows[0][k]) for k in ("q1", "q2", "v1", "v2", "tau1", "tau2")], [1, 2, 3, 4, 5, 6])

    def test_free_drive_takes_the_torques_away(self):
        self.write("s.toml", self.SCENARIO)
        self.simulate("s.toml", "-o", "out", "--drive", "free", *SHORT)
        self.assertTrue(all(float(row["tau1"]) == 0 for row in self.rows()))

    def test_relative_paths_are_relative_to_the_scenario(self):
        os.makedirs(self.path("deep/er"))
        self.ulna("convert", "planar2r", "-o", "deep/arm.toml")
        self.write("deep/er/table.csv", "t,tau1,tau2\n0,1,2\n0.1,3,4\n")
        self.write("deep/er/s.toml", 'robot = "../arm.toml"\n[drive]\nkind = "table"\nfile = "table.csv"\n')
        self.simulate("deep/er/s.toml", *SHORT, "-o", "out")
        first = self.rows()
        self.assertEqual([float(row["tau1"]) for row in first], [1, 1, 3, 3, 3])
        for where in ("deep", "deep/er", "/"):
            done = subprocess.run([COMMAND, "simulate", self.path("deep/er/s.toml"), *SHORT, "-o", self.path("again")], cwd=os.path.join(self.folder, where), capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.rows("again"), first)

    def test_robots_from_urdf(self):
        for name in ("panda", "ur5"):
            path = self.shared_robot(name + ".urdf")
            with self.subTest(name):
                self.simulate(path, *SHORT, "--allow-nonphysical", "as published", "-o", "out", "--limits", "ignore")
                rows, run = self.expect_complete()
                self.assertLess(run["energy_balance"]["largest"], 1e-7 * max(1, run["energy_balance"]["scale"]))


class Again(SimulateTest):
    RUNS = {
        "adaptive": ["puma_free_fall", "--for", "0.5"],
        "playback": ["stanford_forced", "--for", "0.5"],
        "bdf": ["kuka_pd", "--for", "0.5"],
        "free base": ["satellite_reach", "--for", "1.5", "--tol", "1e-8"],
        "fixed steps": ["planar2r", "--for", "0.5", "--integrator", "symplectic", "--step", "0.01", "--q0", "0.1,0.2", "--tau", "1,-0.1"],
        "options": ["scara", "--for", "0.3", "--q0", "0.3,0.1,0.05,1", "--wrench", "link2=0,0,0,1,2,3", "--gravity", "0.1,0.2,-9.7", "--free-base", "--limits", "stop"],
        "event": ["stanford_free_fall", "--for", "2.5", "--every", "0.3"],
    }

    def test_repeats_to_the_last_bit(self):
        for case, arguments in self.RUNS.items():
            with self.subTest(case):
                self.run_ulna("simulate", *arguments, "-o", "first")
                code = self.run_ulna("simulate", "--again", "first", "-o", "second").returncode
                self.assertEqual(self.read("first", "trajectory.csv"), self.read("second", "trajectory.csv"))
                first, second = self.run_json("first"), self.run_json("second")
                self.assertEqual(code, 0 if first["status"] == "completed" else 1)
                for run in (first, second):
                    del run["wall"]
                self.assertEqual(first, second)

    def test_noise_repeats_and_another_seed_differs(self):
        self.write("s.toml", 'robot = "planar2r"\n[[disturbance]]\njoint = "joint1"\nnoise = 2\nevery = 0.02\n[[disturbance]]\njoint = "joint2"\ntorque = 0\n')
        self.simulate("s.toml", *SHORT, "-o", "first")
        self.simulate("--again", "first", "-o", "second")
        self.simulate("--again", "first", "-o", "third", "--seed", "2")
        self.assertEqual(self.read("first", "trajectory.csv"), self.read("second", "trajectory.csv"))
        self.assertNotEqual(self.read("first", "trajectory.csv"), self.read("third", "trajectory.csv"))

    def test_options_change_the_repetition(self):
        self.simulate("planar2r", *SHORT, "-o", "first")
        self.simulate("--again", "first", "-o", "second", "--for", "0.4")
        self.assertEqual(self.run_json("second")["time"], 0.4)

    def test_from_anywhere_and_into_the_same_folder(self):
        os.mkdir(self.path("here"))
        self.ulna("convert", "planar2r", "-o", "here/arm.toml")
        self.simulate("here/arm.toml", *SHORT, "-o", "first")
        before = self.read("first", "trajectory.csv")
        done = subprocess.run([COMMAND, "simulate", "--again", self.path("first"), "-o", self.path("first")], cwd="/", capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("first", "trajectory.csv"), before)

    def test_a_changed_robot_is_refused(self):
        self.ulna("convert", "planar2r", "-o", "arm.toml")
        self.simulate("arm.toml", *SHORT, "-o", "first")
        self.write("arm.toml", self.read("arm.toml").replace("mass = 1", "mass = 1.5", 1))
        done = self.simulate("--again", "first", "-o", "second", code=2)
        self.assertIn("has changed since that run", done.stderr)
        self.assertFalse(os.path.exists(self.path("second")))

    def test_a_folder_that_is_none(self):
        os.mkdir(self.path("empty"))
        self.write("file", "x")
        for content in (None, "", "{", "[]", "{}", '{"scenario": 3}', '{"scenario": "robot = "}', '{"scenario": "robot = \\"planar2r\\"", "robot": 3}'):
            with self.subTest(content):
                if content is not None:
                    self.write("empty/run.json", content)
                done = self.simulate("--again", "empty", "-o", "out", code=2)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn("empty/run.json", done.stderr)
        self.simulate("--again", "file", "-o", "out", code=2)
        self.assertFalse(os.path.exists(self.path("out")))


class Endings(SimulateTest):
    LONG = ["planar2r", "--for", "1e6", "--every", "1", "-o", "out"]

    def test_a_run_that_fails_leaves_a_complete_folder(self):
        done = self.simulate("puma560_printed", "-o", "out", code=1)
        rows, run = self.expect_complete()
        self.assertEqual(run["status"], "step_too_small")
        self.assertIn("inertia matrix", run["reason"])
        self.assertIn("inertia matrix", done.stdout)
        self.assertAlmostEqual(run["time"], 1.8185, places=3)
        self.assertFalse(self.report_data()["status"]["ok"])

    def test_an_event_that_stops_is_exit_1(self):
        self.write("s.toml", 'robot = "planar2r"\n[[event]]\njoint = "joint1"\nposition = -0.5\naction = "stop"\ntext = "half a radian"\n')
        done = self.simulate("s.toml", "-o", "out", code=1)
        rows, run = self.expect_complete()
        self.assertEqual((run["status"], run["reason"]), ("stopped_by_event", "half a radian"))
        self.assertAlmostEqual(float(rows[-1]["q1"]), -0.5, delta=1e-11)
        self.assertIn("half a radian", done.stdout)

    def started(self, *arguments):
        """A long run that is under way."""
        process = subprocess.Popen([COMMAND, "simulate", *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not (os.path.exists(self.path("out")) and os.listdir(self.path("out"))):
            time.sleep(0.01)
        time.sleep(0.2)
        return process

    def test_control_c_leaves_a_complete_folder(self):
        process = self.started(*self.LONG)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, err), (130, ""))
        rows, run = self.expect_complete()
        self.assertEqual(run["status"], "interrupted")
        self.assertIn("interrupted", out)
        self.assertGreater(len(rows), 1)

    def test_control_c_while_the_growth_is_computed(self):
        """A playback's own run is short, the linearised system of 60 joints is not: whichever it meets, the files are there."""
        self.write("s.toml", 'robot = "chain:60"\n[run]\nfor = 0.5\ntolerance = 1e-4\n[drive]\nkind = "playback"\nmotion = { kind = "cycloid", to = 1, time = 1 }\n')
        process = self.started("s.toml", "-o", "out")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.expect_complete()

    def test_a_second_control_c_ends_at_once(self):
        # the first step needs a Jacobian of 2,000 columns: seconds in which the first one is not noticed
        process = self.started("chain:1000", "--integrator", "bdf", "-o", "out")
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        self.assertIsNone(process.poll(), "the first one was noticed")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=1)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(FILES & set(os.listdir(self.path("out"))), "half a run was put in place")

    def test_nothing_but_results_when_piped(self):
        done = self.simulate("chain100_swing", "--for", "0.5", "-o", "out")
        self.assertEqual(done.stderr, "")
        self.assertNotIn("\r", done.stdout)

    def on_a_terminal(self, *arguments, until, seconds):
        """What a terminal sees on stderr; interrupted when it has seen `until`, or after some seconds."""
        master, slave = pty.openpty()
        process = subprocess.Popen([COMMAND, "simulate", *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        seen, deadline, told = b"", time.monotonic() + seconds, False
        while True:
            ready, _, _ = select.select([master], [], [], 0.05)
            try:
                chunk = os.read(master, 65536) if ready else None
            except OSError:  # the other end is closed
                break
            if chunk == b"":
                break
            seen += chunk or b""
            if (until in seen or time.monotonic() > deadline) and not told:
                process.send_signal(signal.SIGINT)
                told = True
        os.close(master)
        process.wait(timeout=20)
        return seen.decode()

    def test_progress_comes_and_goes(self):
        seen = self.on_a_terminal(*self.LONG, until=b" left", seconds=20)
        heard = "interrupted; ending in order, once more to end at once\r\n"
        lines = [line for line in seen.split("\r\x1b[K") if line and line != heard]
        self.assertIn(heard, seen)
        self.assertTrue(lines, "no progress")
        self.assertRegex(lines[-1], r"^t = \S+ of 1e\+06 s, \S+ × real time, \d+ steps, .* left$")
        self.assertTrue(all(len(line) < 100 and "\n" not in line for line in lines))
        self.assertTrue(seen.endswith("\r\x1b[K"), "the line stays")
        replaced = "out: note: the earlier results in this folder were replaced\r\n"
        self.assertEqual(self.on_a_terminal(*self.LONG, "--json", until=b"t =", seconds=0.3), "\r\x1b[K" + heard + replaced)


class Places(SimulateTest):
    def expect_refusal(self, folder, words):
        done = self.simulate("planar2r", *SHORT, "-o", folder, code=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(words, done.stderr)

    def test_a_folder_that_cannot_be(self):
        self.write("file", "precious")
        for folder in ("file", "file/below", "/proc/none", "/dev/null"):
            with self.subTest(folder):
                self.expect_refusal(folder, f"{folder}: error: cannot be made a folder: ")
        self.assertEqual(self.read("file"), "precious")

    def test_a_folder_that_may_not_be_written(self):
        if os.geteuid() == 0:
            self.expect_refusal("/sys/kernel", "cannot be written")
            return
        os.mkdir(self.path("locked"), mode=0o500)
        self.expect_refusal("locked", "cannot be written")
        self.assertEqual(os.listdir(self.path("locked")), [])

    def test_a_file_in_the_way(self):
        for name in sorted(FILES):
            with self.subTest(name):
                os.makedirs(self.path(f"{name}.out/{name}"))
                self.expect_refusal(f"{name}.out", f"{name}: error: would be replaced")
                self.assertEqual(os.listdir(self.path(f"{name}.out")), [name])
                self.assertTrue(os.path.isdir(self.path(f"{name}.out/{name}")))

    def test_a_full_disk(self):
        disk = self.path("disk")
        os.mkdir(disk)
        mounted = os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode == 0
        if not mounted:
            self.skipTest("a small disk needs the right to mount one")
        try:
            for options in ([*SHORT], [*SHORT, "--hdf5"], ["--every", "0.001"]):
                with self.subTest(options):
                    done = self.simulate("puma560", *options, "-o", "disk/out", code=2)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                    self.assertIn("check the folder and the free space", done.stderr)
                    left = os.listdir(os.path.join(disk, "out")) if os.path.exists(os.path.join(disk, "out")) else []
                    self.assertFalse([f for f in left if ".part" in f or f == "run.json"], left)
                    subprocess.run(["rm", "-rf", os.path.join(disk, "out")])
        finally:
            subprocess.run(["umount", disk])


if __name__ == "__main__":
    unittest.main()

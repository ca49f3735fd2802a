"""`ulna simulate --runs`: complete folders, repeatable ensembles, honest exits, and one clear line for every mistake."""

import base64
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
import unittest

from command import COMMAND, CommandTest

SHORT = ["--for", "0.2", "--every", "0.05", "--integrator", "dp5", "--tol", "1e-6"]
FILES = {"ensemble.h5", "run.json", "report.html"}

SCENARIO = """robot = "ur5_like"
[run]
for = 0.2
every = 0.05
integrator = "dp5"
tolerance = 1e-6
[ensemble]
runs = 6
vary = [
  "q=normal:5deg",
  "friction=uniform:0..0.5",
]
keep = ["q", "tip", "energy"]
"""

READER = next((p for p in (sys.executable, "/usr/bin/python3")
               if subprocess.run([p, "-c", "import h5py"], capture_output=True).returncode == 0), None)


class EnsembleTest(CommandTest):
    def simulate(self, *arguments, code=0, **options):
        done = self.run_ulna("simulate", *arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def run_json(self, folder="out"):
        with open(self.path(f"{folder}/run.json"), encoding="utf-8") as file:
            return json.load(file)

    def hdf5(self, folder="out"):
        """Every dataset as a list, every attribute as a text."""
        if READER is None:
            self.skipTest("h5py is not installed")
        program = (
            "import h5py, json, sys\nf = h5py.File(sys.argv[1])\n"
            "text = lambda x: x.decode() if isinstance(x, bytes) else str(x)\n"
            "plain = lambda a: [text(x) for x in a] if a.dtype.kind == 'O' else a.tolist()\n"
            "print(json.dumps({'data': {k: plain(f[k][()]) for k in f if k != 'run_json'},\n"
            "  'attributes': {k: {n: text(v) for n, v in f[k].attrs.items()} for k in f},\n"
            "  'file': {n: text(v) for n, v in f.attrs.items()}, 'run_json': f['run_json'][()].tobytes().decode()}))\n"
        )
        done = subprocess.run([READER, "-c", program, self.path(f"{folder}/ensemble.h5")], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def report_data(self, folder="out"):
        with open(self.path(f"{folder}/report.html"), encoding="utf-8") as file:
            found = re.search(r"<script[^>]*type=\"application/json\"[^>]*>(.*?)</script>", file.read(), re.S)
        return json.loads(found.group(1))


class Folder(EnsembleTest):
    def test_files_are_complete(self):
        self.simulate(self.write("s.toml", SCENARIO), "-o", "out")
        self.assertEqual(set(os.listdir(self.path("out"))), FILES)
        run, h5 = self.run_json(), self.hdf5()
        self.assertEqual(run["status"], "completed")
        self.assertEqual(run["counts"]["completed"], 6)
        self.assertEqual([p["name"] for p in run["parameters"]], [f"{w}{k}" for w in ("q", "friction") for k in range(1, 7)])
        data, attributes = h5["data"], h5["attributes"]
        self.assertEqual(data["status"], [0] * 6)
        self.assertEqual(attributes["status"]["units"].split(",")[0], "completed")
        self.assertEqual(data["reason"], ["completed"] * 6)
        self.assertEqual(data["time"], [0.2] * 6)
        self.assertEqual(data["t"], [0, 0.05, 0.1, 0.05 * 3, 0.2])
        self.assertEqual(attributes["samples_tip"]["columns"], "tip_x,tip_y,tip_z")
        self.assertEqual(attributes["samples_q"]["units"], ",".join(["rad"] * 6))
        self.assertEqual(attributes["parameters"]["columns"].split(",")[6], "friction1")
        for k in range(6):
            self.assertEqual(data["samples_q"][k][0], data["parameters"][k][:6])
            self.assertEqual(data["samples_q"][k][-1], data["final_q"][k])
            self.assertAlmostEqual(data["samples_energy"][k][-1][0], data["final_energy"][k], places=9)
        self.assertIn("ulna", h5["file"])
        repeatable = {key: value for key, value in run.items() if key not in ("wall", "threads")}
        self.assertEqual(h5["run_json"], json.dumps(repeatable, indent=2, ensure_ascii=False) + "\n")

    def test_json_is_the_record(self):
        done = self.simulate(self.write("s.toml", SCENARIO), "-o", "out", "--json")
        self.assertEqual(json.loads(done.stdout), self.run_json())

    def test_bands_are_percentiles(self):
        self.simulate(self.write("s.toml", SCENARIO), "-o", "out", "--runs", "41")
        data, samples = self.report_data(), self.hdf5()["data"]["samples_q"]
        columns = [c["name"] for c in data["columns"]]
        self.assertEqual(columns[:5], ["q1_p5", "q1_p25", "q1_p50", "q1_p75", "q1_p95"])
        values = struct.unpack(f"<{len(columns) * 5}f", base64.b64decode(data["data"]))
        for i in range(5):
            of_run = sorted(run[i][0] for run in samples)
            for c, place in enumerate((2, 10, 20, 30, 38)):  # of 0 … 40: no interpolation
                self.assertAlmostEqual(values[5 * c + i], of_run[place], places=6)
        self.assertEqual(data["plots"][0]["bands"], [["q1_p95", "q1_p5"], ["q1_p75", "q1_p25"]])
        end = {row["column"]: row for row in self.run_json()["final"]}["q1"]
        self.assertEqual(end["p50"], sorted(run[-1][0] for run in samples)[20])

    def test_repeats_to_the_bit(self):
        scenario = self.write("s.toml", SCENARIO)
        self.simulate(scenario, "-o", "one", "--threads", "1")
        self.simulate(scenario, "-o", "two", "--threads", "2")
        self.simulate("--again", "one", "-o", "three")
        self.simulate(scenario, "-o", "more", "--runs", "9")
        one = self.hdf5("one")["data"]
        for other in ("two", "three", "more"):
            data = self.hdf5(other)["data"]
            for name in one:
                self.assertEqual(data[name] if name == "t" else data[name][:6], one[name], f"{other}: {name}")
        self.simulate(scenario, "-o", "seeded", "--seed", "2")
        self.assertNotEqual(self.hdf5("seeded")["data"]["parameters"], one["parameters"])

    def test_runs_zero_is_the_nominal_run(self):
        self.simulate(self.write("s.toml", SCENARIO), "--runs", "0", "-o", "out")
        self.assertIn("trajectory.csv", os.listdir(self.path("out")))

    def test_single_and_ensemble_agree(self):
        self.simulate("ur5_like", *SHORT, "--runs", "2", "--vary", "q1=uniform:1e-12", "-o", "out")
        self.simulate("ur5_like", *SHORT, "-o", "single")
        with open(self.path("single/run.json"), encoding="utf-8") as file:
            alone = json.load(file)["final"]["q"]
        for own in self.hdf5()["data"]["final_q"]:
            for a, b in zip(own, alone):
                self.assertAlmostEqual(a, b, delta=1e-4)

    def test_masses_and_payload_share_packs_by_code_alone(self):
        varied = ("ur5_like", *SHORT, "--runs", "5", "--vary", "mass=normal:5%", "--vary", "payload=uniform:0..2kg", "-o", "out")
        self.simulate(*varied, "--compiled")
        self.assertTrue(self.run_json()["in_packs"])
        packed = self.hdf5()["data"]["final_q"]
        self.simulate(*varied)
        run = self.run_json()
        self.assertFalse(run["in_packs"])
        self.assertEqual([p["name"] for p in run["parameters"]][-2:], ["link6.mass", "payload"])
        ends = self.hdf5()["data"]["final_q"]
        self.assertEqual(len({tuple(q) for q in ends}), 5)
        for mine, alone in zip(packed, ends):
            for a, b in zip(mine, alone):
                self.assertAlmostEqual(a, b, delta=1e-4)

    def test_kept_columns_in_any_order(self):
        self.simulate("ur5_like", "--runs", "3", *SHORT, "--vary", "q=normal:5deg", "--keep", "q1,tip_z,q2", "-o", "out")
        self.assertTrue(os.path.exists(self.path("out/ensemble.h5")))

    def test_a_single_run_leaves_no_ensemble_beside_it(self):
        self.simulate("ur5_like", "--runs", "3", *SHORT, "--vary", "q=normal:5deg", "-o", "out")
        self.simulate("ur5_like", *SHORT, "-o", "out")
        self.assertFalse(os.path.exists(self.path("out/ensemble.h5")))

    def test_bundled_scenario(self):
        self.simulate("ur5_like_scatter", "--for", "0.3", "--runs", "8", "-o", "out")
        self.assertTrue(self.run_json()["in_packs"])


class Exits(EnsembleTest):
    def test_a_failing_run_is_told_and_the_others_go_on(self):
        # one step of 0.05 s overflows where the start is fast enough
        done = self.simulate("ur5_like", "--for", "0.2", "--every", "0.1", "--integrator", "rk4", "--step", "0.01", "--runs", "9",
                             "--vary", "v=normal:3000", "-o", "out", code=1)
        run = self.run_json()
        failed = run["counts"]["not_finite"]
        self.assertGreater(failed, 0)
        self.assertEqual(len(run["failures"]), failed)
        self.assertIn("not finite", run["failures"][0]["reason"])
        self.assertRegex(done.stdout, rf"not_finite +{failed} of 9 runs")
        self.assertEqual(len(self.report_data()["events"]), failed)
        self.assertEqual(set(os.listdir(self.path("out"))), FILES)

    def test_interrupt_keeps_what_is_finished(self):
        process = subprocess.Popen([COMMAND, "simulate", "ur5_like", "--runs", "200000", "--vary", "q=normal:5deg", "--every", "5",
                                    "--integrator", "dp5", "--tol", "1e-6", "-o", "out"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not os.path.isdir(self.path("out")):
            time.sleep(0.05)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertEqual(errors, "")  # no progress where there is no terminal
        self.assertEqual(set(os.listdir(self.path("out"))), FILES | {"ensemble.partial"})
        run = self.run_json()
        self.assertEqual(run["status"], "interrupted")
        self.assertEqual(sum(run["counts"].values()), 200000)
        self.assertGreater(run["counts"]["interrupted"], 0)

    def test_mistakes_get_one_line(self):
        q = ["--vary", "q=normal:5deg"]
        for arguments, word in [
            (["--runs", "9"], "alike"),
            (q, "--runs"),
            (["--keep", "q"], "--runs"),
            (["--threads", "2"], "--runs"),
            (["--runs", "-1", *q], "whole number"),
            (["--runs", "1e3", *q], "whole number"),
            (["--runs", "9", *q, "--threads", "0"], "--threads"),
            (["--runs", "9", *q, "--threads", "many"], "--threads"),
            (["--runs", "9", *q, "--keep", "nothing"], "nothing to keep"),
            (["--runs", "9", *q, "--keep", ""], "names nothing"),
            (["--runs", "9", "--vary", "q"], "WHAT=LAW:SPREAD"),
            (["--runs", "9", "--vary", "w=normal:1"], "cannot be varied"),
            (["--runs", "9", "--vary", "q=cauchy:1"], "no law"),
            (["--runs", "9", "--vary", "q9=normal:1"], "6 degrees"),
            (["--runs", "9", "--vary", "elbow.q=normal:1"], "no such joint"),
            (["--runs", "9", "--vary", "link9.mass=normal:5%"], "did you mean"),
            (["--runs", "9", "--vary", "mass=normal:5"], "say kg"),
            (["--runs", "9", "--vary", "mass=uniform:-1..1x"], "no robot can have"),
            (["--runs", "9", "--vary", "payload=uniform:-1..1kg"], "no robot can have"),
            (["--runs", "9", *q, "--vary", "q2=normal:1"], "varied already"),
            (["--runs", "9", "--vary", "kp=normal:5%"], "gains"),
            (["--runs", "9", "--vary", "mass=normal:5%", "--keep", "energy", "--compiled"], "--compiled"),
            (["--runs", "9", *q, "--integrator", "rk4"], "fixed steps"),
            (["--runs", "999999999", *q], "GB"),
            (["--runs", "9", *q, "--seed", "x"], "whole number"),
        ]:
            done = self.simulate("ur5_like", *arguments, "--for", "0.1", "-o", "out", code=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(word, done.stderr)
            self.assertIn("error: ", done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertFalse(os.path.exists(self.path("out")), arguments)

    def test_mistakes_in_files_have_their_line(self):
        for change, line, word in [
            (("q=normal:5deg", "q=normal:5kg"), 10, "no mass"),
            (("q=normal:5deg", "q7=normal:1"), 10, "6 degrees"),
            (("friction=uniform:0..0.5", "friction=uniform:0.5..0"), 11, "rise"),
            (("runs = 6", "runs = 0"), 8, "whole number"),
            (("runs = 6", "rums = 6"), 8, "did you mean 'runs'"),
            (('keep = ["q"', 'keep = [1'), 13, "texts in quotes"),
        ]:
            path = self.write("bad.toml", SCENARIO.replace(*change))
            done = self.simulate(path, "-o", "out", code=2)
            self.assertRegex(done.stderr.splitlines()[-1], rf"bad\.toml:{line}: error: .*{re.escape(word)}")
            self.assertFalse(os.path.exists(self.path("out")))
        path = self.write("bad.toml", SCENARIO.replace('"tip"', '"tup"'))
        self.assertRegex(self.simulate(path, "-o", "out", code=2).stderr, r"bad\.toml: error: keep: 'tup'")


if __name__ == "__main__":
    unittest.main()

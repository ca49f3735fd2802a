"""`ulna select --vary` over many arms: in chunks, by one process and by several of mpirun, the same bytes for any number of
them and after any interruption; what it refuses."""

import csv
import json
import math
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from command import COMMAND, CommandTest
from ranks_test import ALLOWED, MPIRUN, mpirun

# Workspaces of rtx within its slide of 1 m are 4 pi a2 a3; 900 arms, more than are compared at once.
SWEEP = ["select", "rtx", "--range", "joint1=0..1", "--vary", "link2.a=0.2..0.6", "--vary", "link3.a=0.2..0.6", "--steps", "30",
         "--pareto", "workspace,energy", "--weights", "power=2"]  # fmt: skip
ARMS = 900
CHUNK = ["--chunk", "25"]
FILES = ["report.html", "select.json", "sweep.csv"]


class DesignTest(CommandTest):
    def contents(self, folder):
        self.assertEqual(sorted(os.listdir(self.path(folder))), FILES)
        files = {}
        for name in FILES:
            with open(self.path(f"{folder}/{name}"), "rb") as file:
                files[name] = file.read()
        return files

    def whole(self):
        """Of a sweep that one thread made without a stop."""
        if DesignTest.reference is None:
            self.ulna(*SWEEP, *CHUNK, "--threads", "1", "-o", "reference")
            DesignTest.reference = self.contents("reference")
        return DesignTest.reference

    reference = None

    def shards(self, folder):
        where = self.path(folder + "/sweep.shards")
        try:
            status = {name: os.stat(os.path.join(where, name)) for name in os.listdir(where) if name.endswith(".h5")}
        except FileNotFoundError:  # not begun, or just collected
            return {}
        return {name: (s.st_ino, s.st_mtime_ns) for name, s in status.items()}

    def wait_for_shards(self, process, folder, count):
        while process.poll() is None and len(self.shards(folder)) < count:
            time.sleep(0.002)


class OneProcess(DesignTest):
    def test_table_front_and_report(self):
        said = self.ulna(*SWEEP, "-o", "out")
        self.assertIn("900 arms by 3 criteria", said)
        with open(self.path("out/sweep.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), ARMS)
        points = []
        for row in rows:
            volume = 4 * math.pi * float(row["link2.a"]) * float(row["link3.a"])
            self.assertLess(abs(float(row["workspace"]) - volume), float(row["workspace_error"]))
            points.append((float(row["workspace"]), float(row["energy"])))
        front = {i for i, (w, e) in enumerate(points) if not any((x >= w and y < e) or (x > w and y <= e) for x, y in points)}
        self.assertEqual({i for i, row in enumerate(rows) if row["front"] == "1"}, front)
        document = json.loads(self.contents("out")["select.json"])
        self.assertEqual({point["arm"] for point in document["pareto"]["front"]}, front)
        self.assertEqual([row["key"] for row in document["criteria"]], ["workspace", "power", "energy"])
        first = document["ranking"][0]
        self.assertEqual(first["score"], max(float(row["score"]) for row in rows))
        self.assertEqual(document["design"]["ranked"], ARMS)
        page = self.contents("out")["report.html"].decode()
        self.assertLess(len(page), 500_000)
        self.assertIn("Pareto front", page)
        self.assertIn(first["name"], page)

    def test_threads_and_chunks_do_not_matter(self):
        self.ulna(*SWEEP, "--threads", "2", "-o", "two")
        self.assertEqual(self.contents("two"), self.whole())

    def test_interrupted_and_resumed(self):
        process = subprocess.Popen([COMMAND, *SWEEP, *CHUNK, "--threads", "1", "-o", "out"], cwd=self.folder,
                                   stdout=subprocess.PIPE, text=True)  # fmt: skip
        self.wait_for_shards(process, "out", 4)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, said)
        self.assertRegex(said, rf"interrupted: \d+ of {ARMS} arms are finished")
        before = self.shards("out")
        self.assertGreaterEqual(len(before), 4)
        for call in ([*SWEEP, *CHUNK], ["select", "rtx"], [*SWEEP, "--chunk", "24", "--resume"],
                     [*SWEEP, *CHUNK, "--resume", "--effort", "0.5"], [*SWEEP, *CHUNK, "--resume", "--criteria", "gim"]):  # fmt: skip
            done = self.run_ulna(*call, "-o", "out")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertEqual(self.shards("out"), before)
        name = sorted(before)[1]
        with open(self.path(f"out/sweep.shards/{name}"), "r+b") as file:
            file.seek(-20, os.SEEK_END)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        self.ulna(*SWEEP, *CHUNK, "-o", "out", "--resume")
        self.assertEqual(self.contents("out"), self.whole())

    def test_arms_that_cannot_be_compared_do_not_end_it(self):
        document = self.ulna_json("select", "planar2r", "--vary", "link2.a=0..1", "--steps", "600", "-o", "out")
        self.assertEqual((document["design"]["ranked"], document["design"]["refused"]), (599, 1))
        self.assertEqual(document["left"][0]["arm"], 0)
        self.assertIn("moves its tip", document["left"][0]["reason"])

    def test_refused(self):
        for arguments, word in ((["rtx", "--effort", "0.5"], "--vary"), (["rtx", "--vary", "link2.a=1..2", "--criteria", "cpu"], "cpu"),
                                (["rtx", "--vary", "link2.a=1..2", "--effort", "7"], "--effort"),
                                (["rtx", "--vary", "link2.a=1..2", "--steps", "100000", "--vary", "link3.a=1..2"], "--steps"),
                                (["rtx", "--vary", "link9.a=1..2", "--steps", "1000"], "link9"),
                                (["rtx", "--vary", "link2.a=1..2", "--resume"], "nothing to resume")):  # fmt: skip
            done = self.run_ulna("select", *arguments, "-o", "out")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(word, done.stderr)
            self.assertFalse(os.path.exists(self.path("out")))


@unittest.skipIf(MPIRUN is None, "this build has no MPI")
class Ranks(DesignTest):
    def run_ranks(self, ranks, *arguments):
        return subprocess.run([*mpirun(ranks), COMMAND, *arguments], capture_output=True, text=True, cwd=self.folder,
                              timeout=120, env=ALLOWED)  # fmt: skip

    def test_the_same_bytes_for_any_number_of_ranks(self):
        for ranks in (1, 2, 3, 5):
            done = self.run_ranks(ranks, *SWEEP, *CHUNK, "-o", f"out{ranks}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.count("900 arms"), 1)
            self.assertEqual(self.contents(f"out{ranks}"), self.whole(), ranks)

    def test_killed_and_resumed(self):
        choose = random.Random(3)
        finer, kills = ["--chunk", "10"], 0
        while kills < 5:
            before = self.shards("out")
            process = subprocess.Popen([*mpirun(choose.choice((2, 3))), COMMAND, *SWEEP, *finer, "-o", "out",
                                        *(["--resume"] if before else [])], cwd=self.folder, env=ALLOWED,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            self.wait_for_shards(process, "out", len(before) + choose.randrange(1, 6))
            found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout
            victims = [int(word) for word in found.split()]
            for victim in victims if choose.random() < 0.5 else victims[:1]:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            process.communicate(timeout=60)
            kills += 1
            if process.returncode == 0:  # quicker than the kill
                self.assertEqual(self.contents("out"), self.whole())
                shutil.rmtree(self.path("out"))
                continue
            if os.path.exists(self.path("out/select.json")):  # killed while the shards went
                continue
            after = self.shards("out")
            self.assertEqual({name: after.get(name) for name in before}, before)
        done = self.run_ranks(2, *SWEEP, *finer, "-o", "out", *(["--resume"] if self.shards("out") else []))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.contents("out"), self.whole())

    def test_errors_are_said_once(self):
        for arguments, word in ((["select", "rtx"], "one process"), (["select", "rtx", "--vary", "link9.a=1..2"], "link9"),
                                ([*SWEEP, "--resume", "-o", "none"], "nothing to resume")):  # fmt: skip
            done = self.run_ranks(3, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count("error: "), 1, done.stderr)
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()

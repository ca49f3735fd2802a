"""Full disks, closed pipes, signals and kill -9: no half files, nothing lost that was done, ensembles that go on."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest

from command import COMMAND, CommandTest

ENSEMBLE = ["simulate", "ur5_like", "--runs", "3000", "--vary", "q=normal:5deg", "--for", "2", "--every", "0.1",
            "--integrator", "dp5", "--tol", "1e-6", "--keep", "q,tip"]
RESULTS = {"ensemble.h5", "run.json", "report.html"}


def limited(size):
    """No file of the process may grow beyond this: as a full disk, for everybody and not for root alone."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class FaultTest(CommandTest):
    def files(self, folder):
        return set(os.listdir(self.path(folder))) if os.path.isdir(self.path(folder)) else set()

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def assert_one_error(self, done):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("error: ", done.stderr)

    def begin(self, *arguments):
        return subprocess.Popen([COMMAND, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def wait_for_runs(self, process, folder, size):
        """Until so many bytes of finished runs are kept."""
        partial, deadline = self.path(f"{folder}/ensemble.partial"), time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if os.path.exists(partial) and os.path.getsize(partial) > size:
                return
            time.sleep(0.002)
        self.fail("the ensemble ended before it could be cut off")


class FullDisk(FaultTest):
    def test_a_run_leaves_whole_files_or_none(self):
        whole = {"trajectory.csv", "trajectory.h5", "report.html", "run.json"}
        arguments = ["simulate", "ur5_like", "--for", "1", "--every", "0.001", "--hdf5", "-o"]
        self.ulna(*arguments, "good")
        sizes = {name: os.path.getsize(self.path(f"good/{name}")) for name in whole}
        for size in (0, 100, 10_000, sizes["trajectory.h5"] - 1, sizes["trajectory.csv"] - 1):
            done = self.run_ulna(*arguments, "full", preexec_fn=limited(size))
            self.assert_one_error(done)
            self.assertNotIn("run.json", self.files("full"))
            for name in self.files("full"):
                self.assertIn(name, whole)
                if name.startswith("trajectory.c"):
                    self.assertEqual(self.bytes_of(f"full/{name}"), self.bytes_of(f"good/{name}"))

    def test_an_ensemble_keeps_its_runs(self):
        self.ulna(*ENSEMBLE, "-o", "good")
        done = self.run_ulna(*ENSEMBLE, "-o", "full", preexec_fn=limited(1_000_000))
        self.assert_one_error(done)
        self.assertEqual(self.files("full"), {"ensemble.partial"})
        self.ulna(*ENSEMBLE, "-o", "full", "--resume")
        self.assertEqual(self.bytes_of("full/ensemble.h5"), self.bytes_of("good/ensemble.h5"))

    def test_other_outputs(self):
        for arguments in (["convert", "puma560", "-o", "x.urdf"], ["codegen", "puma560", "--of", "fd", "-o", "x.c"],
                          ["loop", "slider_crank", "--drive", "crank_pin=0..360deg", "--for", "2", "-o", "x"]):
            self.assert_one_error(self.run_ulna(*arguments, preexec_fn=limited(10)))
            self.assertEqual(os.listdir(self.folder), [], arguments)

    def test_full_device(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in (["show", "puma560"], ["robots"], ["id", "puma560", "--json"], ["count", "puma560"]):
                done = subprocess.run([COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
                self.assert_one_error(done)

    def test_folder_that_cannot_be(self):
        for arguments in (["simulate", "ur5_like", "--for", "0.1"], ENSEMBLE, ["convert", "puma560"]):
            for place in ("/proc/nowhere/x.urdf", "/dev/null/x.urdf"):
                self.assert_one_error(self.run_ulna(*arguments, "-o", place))


class ClosedPipe(FaultTest):
    def test_head_ends_it_quietly(self):
        for arguments in (["show", "general:3000"], ["id", "general:3000"], ["fk", "chain:3000", "--json"]):
            reader, writer = os.pipe()
            process = subprocess.Popen([COMMAND, *arguments], stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            os.read(reader, 10)
            os.close(reader)
            _, errors = process.communicate(timeout=60)
            self.assertEqual((errors, process.returncode), (b"", -signal.SIGPIPE), arguments)

    def test_files_are_in_place_before_the_summary(self):
        reader, writer = os.pipe()
        os.close(reader)
        process = subprocess.Popen([COMMAND, "simulate", "ur5_like", "--for", "0.1", "-o", "out"], cwd=self.folder,
                                   stdout=writer, stderr=subprocess.DEVNULL)
        os.close(writer)
        process.wait(timeout=60)
        self.assertEqual(self.files("out"), {"trajectory.csv", "run.json", "report.html"})


class Signals(FaultTest):
    def test_terminate_is_as_interrupt(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.begin("simulate", "ur5_like", "--for", "100000", "--every", "1", "-o", f"out{code}")
            while process.poll() is None and not self.files(f"out{code}"):
                time.sleep(0.01)
            time.sleep(0.2)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, code, errors)
            self.assertEqual(self.files(f"out{code}"), {"trajectory.csv", "run.json", "report.html"})
            self.assertEqual(json.loads(self.bytes_of(f"out{code}/run.json"))["status"], "interrupted")

    def test_a_second_one_leaves_no_half_file(self):
        for wait in (0.0005, 0.002, 0.005, 0.02):
            process = self.begin("simulate", "chain:2000", "--for", "1000", "--every", "0.01", "--hdf5", "-o", "out")
            while process.poll() is None and not self.files("out"):
                time.sleep(0.01)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            self.assertIn(process.returncode, (-signal.SIGINT, 130))
            self.assertEqual([name for name in self.files("out") if ".part" in name], [])

    def test_killed_in_the_middle_of_a_run(self):
        self.ulna("simulate", "ur5_like", "--for", "0.1", "-o", "out")
        before = {name: self.bytes_of(f"out/{name}") for name in self.files("out")}
        process = self.begin("simulate", "ur5_like", "--for", "100000", "--every", "1", "-o", "out")
        while process.poll() is None and len(self.files("out")) == len(before):
            time.sleep(0.01)
        time.sleep(0.2)
        process.kill()
        process.communicate()
        for name, content in before.items():
            self.assertEqual(self.bytes_of(f"out/{name}"), content)


class Resume(FaultTest):
    @classmethod
    def setUpClass(cls):
        cls.whole = None

    def whole_ensemble(self):
        if Resume.whole is None:
            self.ulna(*ENSEMBLE, "-o", "whole")
            run = json.loads(self.bytes_of("whole/run.json"))
            Resume.whole = (self.bytes_of("whole/ensemble.h5"), run)
        return Resume.whole

    def assert_whole(self, folder):
        h5, run = self.whole_ensemble()
        self.assertEqual(self.files(folder), RESULTS)
        self.assertEqual(self.bytes_of(f"{folder}/ensemble.h5"), h5)
        got = json.loads(self.bytes_of(f"{folder}/run.json"))
        for own in ("wall", "threads"):
            got.pop(own)
        self.assertEqual(got, {key: value for key, value in run.items() if key not in ("wall", "threads")})

    def cut_off(self, folder, number=signal.SIGKILL, size=200_000, arguments=()):
        process = self.begin(*ENSEMBLE, "-o", folder, *arguments)
        self.wait_for_runs(process, folder, size)
        process.send_signal(number)
        process.communicate(timeout=60)

    def test_killed_and_resumed_is_the_same_to_the_byte(self):
        self.cut_off("out")
        self.assertEqual(self.files("out"), {"ensemble.partial"})
        self.ulna(*ENSEMBLE, "-o", "out", "--resume", "--threads", "1")
        self.assert_whole("out")

    def test_killed_again_and_again(self):
        self.cut_off("out", size=100_000)
        for size in (600_000, 1_200_000):
            self.cut_off("out", size=size, arguments=["--resume"])
        self.ulna(*ENSEMBLE, "-o", "out", "--resume")
        self.assert_whole("out")

    def test_interrupted_and_resumed(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.cut_off("out", number)
            self.assertEqual(self.files("out"), RESULTS | {"ensemble.partial"})
            self.assertEqual(json.loads(self.bytes_of("out/run.json"))["status"], "interrupted")
            self.ulna(*ENSEMBLE, "-o", "out", "--resume")
            self.assert_whole("out")

    def test_a_torn_or_broken_end_is_dropped(self):
        self.cut_off("out")
        partial = self.bytes_of("out/ensemble.partial")
        for end in (partial[:-7], partial[:-3000], partial + b"\x09", partial + b"\x40" + bytes(7) + b"garbage" * 50,
                    partial[:-20] + bytes(20)):
            self.write("out/ensemble.partial", end)
            self.ulna(*ENSEMBLE, "-o", "out", "--resume")
            self.assert_whole("out")

    def test_runs_of_their_own(self):
        arguments = ["simulate", "ur5_like", "--runs", "400", "--vary", "mass=normal:5%", "--for", "1", "--every", "0.1",
                     "--integrator", "dp5", "--tol", "1e-6"]
        self.ulna(*arguments, "-o", "good")
        process = self.begin(*arguments, "-o", "out")
        self.wait_for_runs(process, "out", 20_000)
        process.kill()
        process.communicate()
        self.ulna(*arguments, "-o", "out", "--resume")
        self.assertEqual(self.bytes_of("out/ensemble.h5"), self.bytes_of("good/ensemble.h5"))

    def test_what_does_not_fit_is_refused(self):
        self.cut_off("out")
        partial = self.bytes_of("out/ensemble.partial")
        for change, word in ((["--seed", "2"], "seed"), (["--runs", "3001"], "number of runs"),
                             (["--vary", "v=normal:1"], "set of variations"), (["--for", "3"], "scenario"),
                             (["--keep", "q"], "scenario"), (["--gravity", "0,0,-1"], "robot")):
            changed = [change[1] if before == change[0] else word for before, word in zip([""] + ENSEMBLE, ENSEMBLE)]
            done = self.run_ulna(*changed, *([] if change[0] in ENSEMBLE else change), "-o", "out", "--resume")
            self.assert_one_error(done)
            self.assertIn(f"the {word} differs", done.stderr)
            self.assertEqual(self.bytes_of("out/ensemble.partial"), partial)
        self.assertIn("nothing to resume", self.run_ulna(*ENSEMBLE, "-o", "new", "--resume").stderr)
        self.assertFalse(os.path.exists(self.path("new")))
        for content in (b"", partial[:5], partial[:100], b"not ours at all, but long enough to look like it" * 3):
            self.write("out/ensemble.partial", content)
            done = self.run_ulna(*ENSEMBLE, "-o", "out", "--resume")
            self.assert_one_error(done)
            self.assertIn("nothing that could be resumed", done.stderr)
            self.assertEqual(self.bytes_of("out/ensemble.partial"), content)
        done = self.run_ulna("simulate", "ur5_like", "--for", "0.1", "--resume")
        self.assert_one_error(done)
        self.assertIn("--runs", done.stderr)

    def test_finished_runs_are_not_lost_by_a_slip(self):
        self.cut_off("out")
        partial = self.bytes_of("out/ensemble.partial")
        done = self.run_ulna(*ENSEMBLE, "-o", "out")
        self.assert_one_error(done)
        self.assertIn("go on with --resume, or delete it", done.stderr)
        self.assertEqual(self.bytes_of("out/ensemble.partial"), partial)
        os.remove(self.path("out/ensemble.partial"))
        self.ulna(*ENSEMBLE, "-o", "out")
        self.assert_whole("out")

    def test_what_a_killed_program_left_is_removed(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        os.makedirs(self.path("out"))
        self.write(f"out/run.json.part{gone.pid}.0", b"half")
        self.write(f"out/run.json.part{os.getpid()}.0", b"of a program that runs")
        self.write("out/run.json.partly", b"not ours")
        self.ulna("simulate", "planar2r", "--for", "0.1", "-o", "out")
        left = [name for name in os.listdir(self.path("out")) if ".part" in name]
        self.assertEqual(sorted(left), sorted([f"run.json.part{os.getpid()}.0", "run.json.partly"]))

    def test_two_at_once_do_not_mix(self):
        process = self.begin(*ENSEMBLE, "-o", "out")
        self.wait_for_runs(process, "out", 10_000)
        done = self.run_ulna(*ENSEMBLE, "-o", "out")
        self.assert_one_error(done)
        self.assertIn("another process", done.stderr)
        process.communicate(timeout=60)
        self.assert_whole("out")


if __name__ == "__main__":
    unittest.main()

"""`ulna simulate` in chunks, by one process and by several of mpirun: the same bytes for any number of them, after any
interruption; what is finished stays; one error, said once."""

import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from command import COMMAND, CommandTest

RUNS = 400
ENSEMBLE = ["simulate", "ur5_like", "--runs", str(RUNS), "--vary", "q=normal:5deg", "--for", "1", "--every", "0.1",
            "--integrator", "dp5", "--tol", "1e-6", "--keep", "q,tip", "--method", "articulated_body"]  # fmt: skip
CHUNKS = 40
CHUNK = ["--chunk", str(RUNS // CHUNKS)]
ALLOWED = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPIRUN = os.environ.get("ULNA_MPIRUN")


# Ranks that are killed leave their shared memory behind, in /dev/shm by default, and a later job of the same number crashes on it.
SHARED_MEMORY = tempfile.TemporaryDirectory()


def mpirun(ranks):
    return [MPIRUN, "--oversubscribe", "-n", str(ranks), "--bind-to", "none", "--mca", "btl_vader_backing_directory", SHARED_MEMORY.name]


class ChunkTest(CommandTest):
    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def shards(self, folder):
        """By name the finished shards, each with what tells whether it was written again."""
        where = self.path(folder + "/ensemble.shards")
        if not os.path.isdir(where):
            return {}
        status = {name: os.stat(os.path.join(where, name)) for name in os.listdir(where) if name.endswith(".h5")}
        return {name: (s.st_ino, s.st_mtime_ns) for name, s in status.items()}

    def contents(self, folder):
        """All files that must be the same bytes, and run.json without what is measured."""
        files = {"ensemble.h5": self.bytes_of(folder + "/ensemble.h5")}
        for name in self.shards(folder):
            files[name] = self.bytes_of(f"{folder}/ensemble.shards/{name}")
        run = json.loads(self.bytes_of(folder + "/run.json"))
        files["run.json"] = {key: value for key, value in run.items() if key not in ("wall", "threads")}
        return files

    def whole(self):
        """Of an ensemble that one process made without a stop."""
        if ChunkTest.reference is None:
            self.ulna(*ENSEMBLE, *CHUNK, "-o", "reference", "--threads", "1")
            ChunkTest.reference = self.contents("reference")
            self.assertEqual(len(ChunkTest.reference), CHUNKS + 2)
        return ChunkTest.reference

    reference = None


class OneProcess(ChunkTest):
    def test_merged_is_the_plain_ensemble_to_the_byte(self):
        self.ulna(*ENSEMBLE, "-o", "plain")
        self.ulna(*ENSEMBLE, *CHUNK, "--merge", "-o", "merged")
        self.assertEqual(sorted(os.listdir(self.path("merged"))), sorted(os.listdir(self.path("plain"))))
        self.assertEqual(self.contents("merged"), self.contents("plain"))

    def test_shards_are_one_file_to_the_reader(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is not installed")
        self.whole()
        self.ulna(*ENSEMBLE, "-o", "plain")
        self.ulna(*ENSEMBLE, *CHUNK, "-o", "shards")
        os.rename(self.path("shards"), self.path("moved"))
        with h5py.File(self.path("plain/ensemble.h5")) as plain, h5py.File(self.path("moved/ensemble.h5")) as shards:
            self.assertEqual(list(plain), list(shards))
            for name in plain:
                self.assertEqual(plain[name][:].tolist(), shards[name][:].tolist(), name)
                self.assertEqual(dict(plain[name].attrs), dict(shards[name].attrs), name)

    def test_very_many_shards_are_bound_into_volumes(self):
        """Readers of virtual datasets show NaN where they may open no more files, and the usual limit is 1024."""
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is not installed")
        arguments = ["simulate", "planar2r", "--runs", "1003", "--vary", "q=normal:5deg", "--for", "0.1", "--every", "0.1",
                     "--integrator", "dp5"]  # fmt: skip
        self.ulna(*arguments, "-o", "plain")
        self.ulna(*arguments, "--chunk", "2", "-o", "volumes")
        files = os.listdir(self.path("volumes/ensemble.shards"))
        self.assertEqual(len([name for name in files if name.startswith("volume_")]), 251)
        self.assertEqual(len(files), 252)
        with h5py.File(self.path("plain/ensemble.h5")) as plain, h5py.File(self.path("volumes/ensemble.h5")) as volumes:
            for name in plain:
                self.assertEqual(plain[name][:].tolist(), volumes[name][:].tolist(), name)
        done = self.run_ulna(*arguments, "--chunk", "2", "-o", "volumes", "--resume")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing to resume", done.stderr)
        self.ulna(*arguments, "-o", "volumes")
        self.assertEqual(sorted(os.listdir(self.path("volumes"))), sorted(os.listdir(self.path("plain"))))

    def test_memory_does_not_grow_with_the_runs(self):
        arguments = ["simulate", "planar2r", "--vary", "q=normal:5deg", "--for", "1", "--every", "0.001", "--integrator", "rk4",
                     "--step", "0.05", "--keep", "q,v,tip,energy", "--threads", "1"]  # fmt: skip
        most = []
        for runs in (256, 1024):
            process = subprocess.Popen([COMMAND, *arguments, "--runs", str(runs), "--chunk", "64", "-o", f"out{runs}"],
                                       cwd=self.folder, stdout=subprocess.DEVNULL)  # fmt: skip
            _, code, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(code)
            self.assertEqual(process.returncode, 0)
            most.append(used.ru_maxrss / 1024)
        kept = [os.path.getsize(self.path(f"out{runs}/ensemble.shards/{name}")) for name in self.shards("out1024")]
        self.assertLess(most[1], most[0] + 0.15 * sum(kept) / 2**20)

    def test_runs_of_their_own_and_failures(self):
        # one step of 0.01 s overflows where the start is fast enough
        arguments = ["simulate", "ur5_like", "--runs", "50", "--vary", "payload=uniform:0..2kg", "--vary", "v=normal:3000",
                     "--for", "0.2", "--every", "0.1", "--integrator", "rk4", "--step", "0.01"]  # fmt: skip
        for folder, more in (("plain", []), ("merged", ["--chunk", "7", "--merge"])):
            self.assertEqual(self.run_ulna(*arguments, *more, "-o", folder).returncode, 1)
        self.assertGreater(len(json.loads(self.bytes_of("plain/run.json"))["failures"]), 3)
        self.assertEqual(self.contents("merged"), self.contents("plain"))

    def test_a_damaged_shard_is_found_and_computed_again(self):
        self.ulna(*ENSEMBLE, *CHUNK, "-o", "out")
        for name, harm in (("0000003.h5", "a byte"), ("0000007.h5", "its end"), ("0000011.h5", "all"), ("0000012.h5", "a link")):
            path = self.path(f"out/ensemble.shards/{name}")
            content = bytearray(self.bytes_of(f"out/ensemble.shards/{name}"))
            if harm == "a byte":
                content[len(content) // 2] ^= 1
            os.remove(path)
            if harm == "a link":  # to a good shard of somebody else's, perhaps
                with open(self.path("elsewhere.h5"), "wb") as file:
                    file.write(content)
                os.symlink(self.path("elsewhere.h5"), path)
            elif harm != "all":
                with open(path, "wb") as file:
                    file.write(content if harm == "a byte" else content[:-100])
        before, elsewhere = self.shards("out"), self.bytes_of("elsewhere.h5")
        self.ulna(*ENSEMBLE, *CHUNK, "-o", "out", "--resume")
        self.assertEqual(self.contents("out"), self.whole())
        again = {name for name, own in self.shards("out").items() if before.get(name) != own}
        self.assertEqual(again, {"0000003.h5", "0000007.h5", "0000011.h5", "0000012.h5"})
        self.assertFalse(os.path.islink(self.path("out/ensemble.shards/0000012.h5")))
        self.assertEqual(self.bytes_of("elsewhere.h5"), elsewhere)

    def test_what_does_not_fit_is_refused(self):
        self.ulna(*ENSEMBLE, *CHUNK, "-o", "out")
        for arguments, word in (([*CHUNK], "--resume"), ([*CHUNK, "--resume", "--seed", "5"], "the seed differs"),
                                (["--chunk", "17", "--resume"], "the size of chunks differs")):  # fmt: skip
            done = self.run_ulna(*ENSEMBLE, *arguments, "-o", "out")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(word, done.stderr)
        self.assertEqual(self.contents("out"), self.whole())
        os.makedirs(self.path("trap"))
        os.symlink(self.path("out/ensemble.shards"), self.path("trap/ensemble.shards"))
        done = self.run_ulna(*ENSEMBLE, *CHUNK, "-o", "trap", "--resume")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a link", done.stderr)
        done = self.run_ulna("simulate", "planar2r", "--chunk", "5", "--for", "0.1")
        self.assertIn("--chunk is for ensembles", done.stderr)

    def test_an_unfinished_one_is_not_lost_by_a_slip(self):
        self.ulna(*ENSEMBLE, *CHUNK, "-o", "out")
        for name in ("run.json", "ensemble.h5", "report.html", "ensemble.shards/0000004.h5"):
            os.remove(self.path("out/" + name))
        for call in (ENSEMBLE, [*ENSEMBLE, *CHUNK], ["simulate", "planar2r", "--for", "0.1"]):
            done = self.run_ulna(*call, "-o", "out")
            self.assertEqual(done.returncode, 2, done.stdout)
        self.ulna(*ENSEMBLE, *CHUNK, "-o", "out", "--resume")
        self.assertEqual(self.contents("out"), self.whole())

    def test_a_later_result_leaves_no_shards(self):
        self.ulna(*ENSEMBLE, *CHUNK, "-o", "out")
        self.ulna("simulate", "planar2r", "--for", "0.1", "-o", "out")
        self.assertFalse(os.path.exists(self.path("out/ensemble.shards")))


@unittest.skipIf(MPIRUN is None, "this build has no MPI")
class Ranks(ChunkTest):
    def run_ranks(self, ranks, *arguments, **options):
        return subprocess.run([*mpirun(ranks), COMMAND, *arguments], capture_output=True, text=True, cwd=self.folder,
                              timeout=120, env=ALLOWED, **options)  # fmt: skip

    def begin(self, ranks, *arguments, how=()):
        return subprocess.Popen([*mpirun(ranks), *how, COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, cwd=self.folder, env=ALLOWED, start_new_session=True)  # fmt: skip

    def wait_for_shards(self, process, folder, count):
        while process.poll() is None and len(self.shards(folder)) < count:
            time.sleep(0.005)

    def ranks_of(self, process):
        """The processes that mpirun started, by their parent."""
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout
        return [int(word) for word in found.split()]

    def test_the_same_bytes_for_any_number_of_ranks(self):
        for ranks in (1, 2, 3, 5):
            done = self.run_ranks(ranks, *ENSEMBLE, *CHUNK, "-o", f"out{ranks}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.count("completed"), 1, done.stdout)
            self.assertEqual(self.contents(f"out{ranks}"), self.whole(), ranks)

    def test_merged_by_ranks(self):
        self.ulna(*ENSEMBLE, "-o", "plain")
        done = self.run_ranks(3, *ENSEMBLE, *CHUNK, "--merge", "-o", "merged")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.contents("merged"), self.contents("plain"))

    def test_killed_at_random_and_resumed(self):
        """Single ranks and whole jobs, thirty times: nothing that was finished is computed again, and all ends as one
        that was never stopped."""
        choose = random.Random(7)
        folder, kills = "out", 0
        while kills < 30:
            before = self.shards(folder)
            going = ["--resume"] if os.path.exists(self.path(folder + "/ensemble.shards/plan")) else []
            process = self.begin(choose.choice((2, 3)), *ENSEMBLE, *CHUNK, "-o", folder, *going,
                                 how=["--mca", "odls_base_sigkill_timeout", "0"])  # fmt: skip
            self.wait_for_shards(process, folder, min(CHUNKS - 1, len(before) + choose.randrange(1, 9)))
            time.sleep(choose.random() * 0.02)
            if process.poll() is None:
                victims = self.ranks_of(process)
                if choose.random() < 0.5 and victims:
                    self.kill(choose.choice(victims))
                else:
                    for victim in [process.pid, *victims]:
                        self.kill(victim)
                kills += 1
            process.communicate(timeout=60)
            after = self.shards(folder)
            self.assertEqual({name: after.get(name) for name in before}, before)
            if len(after) >= CHUNKS - 4 or process.returncode == 0:
                if process.returncode != 0:
                    self.finish(folder, choose.choice((1, 2, 4)), after)
                self.assertEqual(self.contents(folder), self.whole())
                shutil.rmtree(self.path(folder))

    def kill(self, process):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def finish(self, folder, ranks, before):
        done = self.run_ranks(ranks, *ENSEMBLE, *CHUNK, "-o", folder, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        after = self.shards(folder)
        self.assertEqual({name: after[name] for name in before}, before)
        self.assertEqual([name for name in os.listdir(self.path(folder + "/ensemble.shards")) if ".part" in name], [])

    def test_signals_end_in_order(self):
        for number, code in ((signal.SIGUSR1, 138), (signal.SIGTERM, None), (signal.SIGINT, None)):
            folder = number.name
            process = self.begin(2, *ENSEMBLE, *CHUNK, "-o", folder)
            self.wait_for_shards(process, folder, 3)
            began = time.monotonic()
            process.send_signal(number)
            out, _ = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - began, 5.0)
            self.assertNotEqual(process.returncode, 0)
            if code is not None:  # others mpirun takes for itself
                self.assertEqual(process.returncode, code)
                self.assertRegex(out, rf"interrupted: \d+ of {RUNS} runs are finished")
            before = self.shards(folder)
            self.assertGreaterEqual(len(before), 3)
            self.finish(folder, 3, before)
            self.assertEqual(self.contents(folder), self.whole())

    def test_a_full_disk_at_one_rank(self):
        script = f'[ "$OMPI_COMM_WORLD_RANK" = 1 ] && ulimit -f 4; exec "{COMMAND}" "$@"'
        done = subprocess.run([*mpirun(3), "bash", "-c", script, "ulna", *ENSEMBLE, *CHUNK, "-o", "out"],
                              capture_output=True, text=True, cwd=self.folder, timeout=60, env=ALLOWED)  # fmt: skip
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("check the folder and the free space"), 1, done.stderr)
        before = self.shards("out")
        self.finish("out", 2, before)
        self.assertEqual(self.contents("out"), self.whole())

    def test_errors_are_said_once(self):
        for arguments, word in ((["simulate", "nowhere.toml", "--runs", "5"], "nowhere.toml"),
                                (["simulate", "ur5_like", "--runs", "5", "--vary", "x=normal:1"], "cannot be varied"),
                                (["simulate", "ur5_like", "--runz", "5"], "--runz"),
                                (["simulate", "ur5_like"], "one process"),
                                ([*ENSEMBLE, "-o", "empty", "--resume"], "nothing to resume")):  # fmt: skip
            done = self.run_ranks(3, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count("error: "), 1, done.stderr)
            self.assertIn(word, done.stderr)

    def test_without_the_module(self):
        os.makedirs(self.path("bin"))
        library = os.path.join(os.path.dirname(COMMAND), "lib")
        shutil.copy(COMMAND, self.path("bin/ulna"))
        for name in os.listdir(library):
            if name.startswith("libulna.so"):
                shutil.copy(os.path.join(library, name), self.path("bin/" + name))
        # a library of that name that cannot be loaded is as good as none
        self.write("bin/libulna_mpi.so.0", "no library")
        done = subprocess.run([*mpirun(2), self.path("bin/ulna"), *ENSEMBLE, "-o", "out"], capture_output=True, text=True,
                              cwd=self.folder, timeout=60, env={**ALLOWED, "LD_LIBRARY_PATH": self.path("bin")})  # fmt: skip
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("cannot run over MPI"), 1, done.stderr)
        self.assertFalse(os.path.exists(self.path("out")))


if __name__ == "__main__":
    unittest.main()

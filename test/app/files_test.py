"""Files that are read and written: odd ones, huge ones, standard input, folders that hold something already."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest

from command import COMMAND, CommandTest

ARM = ('dh = "standard"\n[[link]]\njoint = "revolute"\na = 1\nmass = 1\nr = [0.5, 0, 0]\n'
       'inertia = [0.01, 0.1, 0.1]\n')
TWO_LINKS = ARM + ARM[ARM.index("[[link]]"):]
RUN = ["simulate", "planar2r", "--for", "0.1", "-o"]


class FilesTest(CommandTest):
    def refused(self, *arguments, **options):
        before = self.tree()
        done = self.run_ulna(*arguments, **options)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(self.tree(), before)
        return done.stderr

    def tree(self):
        """Every file with its content, every folder."""
        found = {}
        for folder, folders, files in os.walk(self.folder):
            for name in folders + files:
                path = os.path.join(folder, name)
                found[path] = os.readlink(path) if os.path.islink(path) else self.read(path) if os.path.isfile(path) else ""
        return found

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()


class Inputs(FilesTest):
    def star(self, n):
        link = ('<link name="l{0}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
                '</inertial></link><joint name="j{0}" type="continuous"><parent link="l0"/><child link="l{0}"/>'
                '<origin xyz="0.1 0 0.1" rpy="0.3 0 0"/><axis xyz="0 0 1"/></joint>')
        return '<robot name="r"><link name="l0"/>' + "".join(link.format(i) for i in range(1, n + 1)) + "</robot>"

    def seconds(self, *arguments):
        """Of the processor, so that others on the machine do not count."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.ulna(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_a_star_takes_time_in_proportion(self):
        self.write("small.urdf", self.star(5_000))
        self.write("large.urdf", self.star(40_000))
        for command in (["show", "--names", "joints"], ["check"], ["convert", "--form", "urdf"], ["convert", "--form", "explicit"]):
            small, large = (self.seconds(command[0], f"{size}.urdf", *command[1:]) for size in ("small", "large"))
            self.assertLess(large, 20 * max(small, 0.05), command)  # 8 if linear, 64 if quadratic

    def test_what_is_no_regular_file(self):
        os.mkfifo(self.path("pipe.toml"))
        for command in (["show", "pipe.toml"], ["simulate", "pipe.toml"], ["select", "pipe.toml", "puma560"],
                        ["select", "puma560", "rtx", "--task", "pipe.toml"]):
            self.assertIn("is a pipe or a device, not a", self.refused(*command))
        os.mkfifo(self.path("pipe.csv"))  # a table is read twice: for its hash, too
        for drive in ('kind = "table"\nfile = "pipe.csv"', 'kind = "pd"\nkp = 1\nkd = 1\nmotion = { kind = "spline", file = "pipe.csv" }'):
            self.write("s.toml", f'robot = "planar2r"\n[drive]\n{drive}\n')
            self.assertIn("is a pipe or a device, not a", self.refused("simulate", "s.toml"))
        os.symlink("loop.toml", self.path("loop.toml"))
        self.assertIn("Too many levels of symbolic links", self.refused("show", "loop.toml"))
        os.symlink("loop.csv", self.path("loop.csv"))
        self.assertIn("Too many levels of symbolic links",
                      self.refused("id", "puma560", "--motion", "loop.csv", "-o", "out.csv"))

    def test_monsters_are_refused_in_little_memory(self):
        def memory():
            if not os.environ.get("ULNA_SANITIZED"):  # sanitizers map more than there may be
                resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

        size = 63 << 20
        for name, content, words in (("tags.urdf", b"<robot>" + b"<a/>" * (size // 4), "tags and attributes"),
                                     ("attributes.urdf", b"<robot><a" + b"".join(b' a%d=""' % i for i in range(5_100_000)),
                                      "tags and attributes"),
                                     ("tables.toml", b"[[a]]\n" * (size // 6), "keys, numbers and tables"),
                                     ("numbers.toml", b"a = [" + b"1," * (size // 2), "keys, numbers and tables")):
            self.assertIn(words, self.refused("show", self.write(name, content), preexec_fn=memory))

    def test_standard_input(self):
        toml = self.write("arm.toml", ARM)
        urdf = self.ulna("convert", toml, "--form", "urdf").encode()
        want = self.ulna_json("id", toml, "--q", "1")["tau"]
        for content in (ARM.encode(), b"\xef\xbb\xbf\n " + urdf, urdf):
            for name in ("-", "/dev/stdin"):
                process = subprocess.run([COMMAND, "id", name, "--q", "1", "--json", "--gravity", "0,0,-9.81"], input=content,
                                         capture_output=True, timeout=60, check=False)
                self.assertEqual(process.returncode, 0, process.stderr)
                for got, tau in zip(json.loads(process.stdout)["tau"], want):
                    self.assertAlmostEqual(got, tau, places=12)
        done = self.run_ulna("show", "-", input="dh = 1\n")
        self.assertIn("standard input:1: error: ", done.stderr)
        done = self.run_ulna("simulate", "-", "--for", "0.1", input=ARM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("run.json", os.listdir(self.path("robot_run")))
        done = self.run_ulna("simulate", "-", "-o", "out", input='robot = "planar2r"\n[run]\nfor = 0.1\n')
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_ulna("select", "-", "--vary", "link1.a=0.5..1", "--steps", "2", input=TWO_LINKS)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_endless_standard_input(self):
        with open("/dev/zero", "rb") as zeros:
            self.assertIn("64 MB", self.refused("show", "-", stdin=zeros))

    def test_endings_in_capitals(self):
        self.write("ARM.TOML", ARM)
        self.ulna("convert", "ARM.TOML", "-o", "ARM.URDF")
        self.assertEqual(self.ulna_json("fk", "ARM.URDF")["position"], self.ulna_json("fk", "ARM.TOML")["position"])
        self.write("S.TOML", 'robot = "ARM.TOML"\n[run]\nfor = 0.1\n')
        self.ulna("simulate", "S.TOML")
        self.ulna("simulate", "ARM.TOML", "--for", "0.1")
        self.write("ARM.TOML", TWO_LINKS)
        self.ulna("select", "ARM.TOML", "--vary", "link1.a=0.5..1", "--steps", "2")

    def test_an_axis_whose_values_differ_by_rounding(self):
        self.ulna("select", "planar2r", "--vary", "link1.theta=0.1..0.7", "--steps", "2")
        self.assertLess(os.path.getsize(self.path("select/report.html")), 1_000_000)


class Outputs(FilesTest):
    def test_the_input_is_not_overwritten(self):
        self.write("arm.toml", ARM)
        os.symlink("arm.toml", self.path("link.toml"))
        os.link(self.path("arm.toml"), self.path("hard.toml"))
        for output in ("arm.toml", "./arm.toml", "link.toml", "hard.toml"):
            self.assertIn("the file that is read", self.refused("convert", "arm.toml", "-o", output))
        self.write("m.csv", "0,0,0,0,0,0,0\n")
        self.assertIn("the file that is read", self.refused("id", "planar2r", "--motion", "m.csv", "-o", "m.csv"))

    def test_names_that_are_none(self):
        for command in (["convert", "puma560"], ["codegen", "puma560"], ["simulate", "puma560"], ["reproduce", "bhangale2004"],
                        ["select", "puma560", "rtx"], ["loop", "four_bar", "--drive", "crank_pivot=0..1"]):
            self.assertIn("has no name behind it", self.refused(*command, "-o", ""))

    def test_names_that_no_include_can_have(self):
        for name in ('a"b.c', "a\\b.c", "a\nb.c", "a??(b.c"):
            self.assertIn("which must have no quotes", self.refused("codegen", "planar2r", "--of", "id", "-o", name))
        self.ulna("codegen", "planar2r", "--of", "id", "-o", "a'b c.c")
        subprocess.run(["cc", "-c", "a'b c.c", "-o", "x.o"], cwd=self.folder, check=True)

    def test_links_are_written_through(self):
        os.mkdir(self.path("far"))
        os.symlink("far/new.toml", self.path("link.toml"))  # leads to nothing yet
        for _ in range(2):
            self.ulna("convert", "planar2r", "-o", "link.toml")
            self.assertTrue(os.path.islink(self.path("link.toml")))
            self.assertIn(b"[[link]]", self.read("far/new.toml"))
        os.symlink("loop.toml", self.path("loop.toml"))
        self.refused("convert", "planar2r", "-o", "loop.toml")
        os.mkdir(self.path("out"))
        self.ulna(*RUN, "out", "--hdf5")
        for name in ("trajectory.csv", "trajectory.h5", "run.json"):
            os.rename(self.path(f"out/{name}"), self.path(f"far/{name}"))
            os.symlink(f"../far/{name}", self.path(f"out/{name}"))
        self.ulna("simulate", "planar2r", "--for", "0.2", "--hdf5", "-o", "out")
        for name in ("trajectory.csv", "trajectory.h5", "run.json"):
            self.assertTrue(os.path.islink(self.path(f"out/{name}")), name)
        self.assertEqual(json.loads(self.read("far/run.json"))["time"], 0.2)

    def test_folders_that_cannot_be(self):
        self.write("file", "")
        self.assertIn("file: error: cannot be made a folder: ", self.refused(*RUN, "file"))
        self.assertIn("Not a directory", self.refused(*RUN, "file/out"))
        os.symlink("loop", self.path("loop"))
        self.assertIn("Too many levels of symbolic links", self.refused(*RUN, "loop"))
        if os.geteuid() != 0:  # to whom nothing is denied
            os.mkdir(self.path("closed"), 0o500)
            self.assertIn("Permission denied", self.refused(*RUN, "closed/out"))

    def test_a_path_that_is_not_utf8(self):
        folder = os.fsencode(self.folder) + b"/\xff%41 \xc3"
        os.mkdir(folder)
        with open(folder + b"/arm.toml", "w", encoding="utf-8") as file:
            file.write(ARM)
        for arguments in ([b"simulate", folder + b"/arm.toml", b"--for", b"0.1", b"-o", folder + b"/out"],
                          [b"simulate", b"--again", folder + b"/out", b"-o", folder + b"/again"]):
            done = subprocess.run([COMMAND.encode(), *arguments], capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        with open(folder + b"/out/trajectory.csv", "rb") as one, open(folder + b"/again/trajectory.csv", "rb") as other:
            self.assertEqual(one.read(), other.read())
        done = subprocess.run([COMMAND.encode(), b"convert", folder + b"/arm.toml", b"--json", b"-o", folder + b"/b.urdf"],
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class ResultFolders(FilesTest):
    COMMANDS = {
        "simulate": RUN[:-1],
        "ensemble": ["simulate", "planar2r", "--for", "0.1", "--runs", "3", "--vary", "q=normal:5deg"],
        "loop": ["loop", "four_bar", "--drive", "crank_pivot=0..10deg", "--steps", "3"],
        "select": ["select", "planar2r", "--vary", "link1.a=0.5..1", "--steps", "2"],
        "reproduce": ["reproduce", "bhangale2004", "--fast"],
    }
    RESULTS = {
        "simulate": {"run.json", "trajectory.csv", "report.html"},
        "ensemble": {"run.json", "ensemble.h5", "report.html"},
        "loop": {"loop.json", "table.csv", "report.html"},
        "select": {"select.json", "report.html"},
        "reproduce": {"reproduce.json", "book.html"},
    }

    def test_a_whole_result_is_replaced_by_any_other_and_told(self):
        names = list(self.COMMANDS)
        for name in names + names[:1]:
            done = self.run_ulna(*self.COMMANDS[name], "-o", "out", timeout=300)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertEqual(set(os.listdir(self.path("out"))), self.RESULTS[name])
            notes = [line for line in done.stderr.splitlines() if "replaced" in line]
            self.assertEqual(notes, [] if name == names[0] and not hasattr(self, "seen") else
                             ["out: note: the earlier results in this folder were replaced"])
            self.seen = True

    def test_what_is_not_ours_is_kept(self):
        os.mkdir(self.path("out"))
        for name, content in (("run.json", '{"mine": 1}'), ("trajectory.csv", "t,q1\n0,0\n"), ("report.html", "<p>mine</p>"),
                              ("select.json", "x" * 10_000), ("table.csv", ""), ("ensemble.h5", "h5")):
            self.write(f"out/{name}", content)
            for command in ("simulate", "ensemble", "loop", "select"):
                self.assertIn("does not belong to a whole result of Ulna",
                              self.refused(*self.COMMANDS[command], "-o", "out"))
            os.remove(self.path(f"out/{name}"))
        os.mkdir(self.path("out/run.json"))
        self.assertIn("does not belong", self.refused(*RUN, "out"))
        os.rmdir(self.path("out/run.json"))
        self.write("out/notes.txt", "mine")  # has no name of ours
        self.ulna(*RUN, "out")
        self.assertEqual(self.read("out/notes.txt"), b"mine")

    def test_half_a_result_is_not_ours(self):
        self.ulna(*RUN, "out")
        os.remove(self.path("out/run.json"))
        self.assertIn("does not belong", self.refused(*RUN, "out"))

    def test_a_failed_run_leaves_the_earlier_result_whole(self):
        self.ulna(*RUN, "out")
        size = len(self.read("out/trajectory.csv"))
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2 * size, 2 * size))
        self.refused(*RUN, "out", preexec_fn=limit)  # the report is larger than the table

    def test_one_process_at_a_time(self):
        process = subprocess.Popen([COMMAND, "simulate", "ur5_like", "--for", "100000", "--every", "1", "-o", "out"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not os.path.isdir(self.path("out")) or not os.listdir(self.path("out")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        for name, command in self.COMMANDS.items():
            done = self.run_ulna(*command, "-o", "out")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("another process is writing its results there", done.stderr)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertEqual(set(os.listdir(self.path("out"))), self.RESULTS["simulate"])
        self.ulna(*RUN, "out")  # the lock has gone with its process

    def test_an_unfinished_ensemble_is_not_mixed_with_other_results(self):
        os.mkdir(self.path("out"))
        self.write("out/ensemble.partial", "runs")
        for command in ("simulate", "loop", "select"):
            self.assertIn("is of an unfinished ensemble", self.refused(*self.COMMANDS[command], "-o", "out"))


class Compiler(FilesTest):
    def environment(self, **changes):
        return {**os.environ, "ULNA_CACHE": self.path("cache"), **changes}

    def test_arguments_in_cc(self):
        want = self.ulna_json("id", "planar2r", "--q", "1,1")
        for compiler in ("cc -O0", "  gcc   -g -O1 ", "cc"):
            done = self.run_ulna("id", "planar2r", "--q", "1,1", "--compiled", "--json", env=self.environment(CC=compiler))
            self.assertEqual((done.returncode, done.stderr), (0, ""), compiler)
            for got, tau in zip(json.loads(done.stdout)["tau"], want["tau"]):
                self.assertAlmostEqual(got, tau, places=12)
        self.assertEqual(len([name for name in os.listdir(self.path("cache")) if name.endswith(".so")]), 3)
        os.mkdir(self.path("a b"))
        os.symlink("/usr/bin/cc", self.path("a b/cc"))
        done = self.run_ulna("id", "planar2r", "--compiled", env=self.environment(CC=self.path("a b/cc")))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_without_home(self):
        environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME", "ULNA_CACHE")}
        done = self.run_ulna("id", "planar2r", "--compiled", env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_a_killed_one_left_is_removed(self):
        slow = self.write("slow", "#!/bin/sh\nsleep 60\n")
        os.chmod(slow, 0o700)
        os.mkdir(self.path("tmp"))
        environment = self.environment(CC=slow, TMPDIR=self.path("tmp"))
        process = subprocess.Popen([COMMAND, "id", "planar2r", "--compiled"], env=environment, stdout=subprocess.DEVNULL,
                                   start_new_session=True)
        deadline = time.monotonic() + 60
        while not os.listdir(self.path("tmp")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.assertEqual(len(os.listdir(self.path("tmp"))), 1)
        os.mkdir(self.path(f"tmp/ulna-{os.getpid()}-living"))
        os.mkdir(self.path("tmp/ulna-mine"))
        self.run_ulna("id", "planar2r", "--compiled", env={**environment, "CC": "cc"})
        self.assertEqual(sorted(os.listdir(self.path("tmp"))), sorted([f"ulna-{os.getpid()}-living", "ulna-mine"]))


class WhatAReviewFound(CommandTest):
    def test_no_input_is_written_over(self):
        self.ulna("convert", "planar2r", "-o", "arm.toml")
        self.write("motion.csv", "0,0,0,0,0,0,0\n")
        arm = open(self.path("arm.toml"), "rb")
        self.addCleanup(arm.close)
        for call, options in ((["id", "arm.toml", "--motion", "motion.csv", "-o", "arm.toml"], {}), (["convert", "-", "-o", "arm.toml"], {"stdin": arm})):
            done = self.run_ulna(*call, **options)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("this is the file that is read", done.stderr)
        self.write("own.h", "/* by hand */\n")
        done = self.run_ulna("codegen", "planar2r", "-o", "own.c")
        self.assertEqual(done.returncode, 2)
        self.assertIn("Ulna did not write it", done.stderr)
        self.assertFalse(os.path.exists(self.path("own.c")))

    def test_results_that_somebody_changed_are_not_replaced(self):
        call = ("simulate", "planar2r", "--for", "0.1", "-o", "run")
        self.ulna(*call)
        self.ulna(*call)
        self.write("run/trajectory.csv", "precious\n")
        done = self.run_ulna(*call)
        self.assertEqual(done.returncode, 2)
        self.assertIn("trajectory.csv: error: would be replaced", done.stderr)

    def test_a_run_from_standard_input_is_not_repeated_from_it(self):
        with open(self.write("arm.toml", self.ulna("convert", "planar2r"))) as arm:
            self.run_ulna("simulate", "-", "--for", "0.1", "-o", "run", stdin=arm)
        done = self.run_ulna("simulate", "--again", "run", timeout=20)
        self.assertEqual(done.returncode, 2)
        self.assertIn("came on standard input", done.stderr)

    def test_a_pipe_without_a_writer_is_given_up(self):
        os.mkfifo(self.path("pipe.csv"))
        done = self.run_ulna("id", "planar2r", "--motion", "pipe.csv", "-o", "out.csv", timeout=30)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nobody writes into", done.stderr)

    def test_steps_that_were_asked_for_are_not_called_stiff(self):
        done = self.run_ulna("simulate", "planar2r", "--integrator", "rk4", "--step", "4e-7", "--for", "0.1", "-o", "run")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.run_ulna("simulate", "planar2r", "--q0", "1e300,1", "-o", "far")
        self.assertEqual(done.returncode, 2)
        self.assertIn("so far from zero", done.stderr)

    def test_frames_in_the_middle_and_at_the_base(self):
        answer = self.ulna_json("fk", "puma560", "--frame", "link2")
        self.assertEqual((answer["rank"], answer["singular"]), (answer["full_rank"], False))
        self.assertGreater(answer["manipulability"], 0)
        self.assertGreater(answer["smallest_singular_value"], 0)
        self.assertNotIn("singular)", self.ulna("fk", "planar2r", "--frame", "base"))
        self.assertNotRegex(self.ulna("fk", "kuka_lwr4"), r"e-[1-4][0-9]")
        self.assertNotRegex(self.ulna("matrices", "kuka_lwr4"), r"e-1[4-9]")

    def test_limits_in_a_motion_are_noted(self):
        self.write("motion.csv", "0,0,0,0,0,0,0,0,0,0,0,0,0\n1,5,0,0,0,0,0,0,0,0,0,0,0\n2,5,0,0,0,0,0,0,0,0,0,0,0\n")
        done = self.run_ulna("id", "scara", "--motion", "motion.csv", "-o", "tau.csv")
        self.assertEqual(done.stderr, "motion.csv:2: note: 'joint1' is outside its limits -2.44346 … 2.44346\n")


if __name__ == "__main__":
    unittest.main()

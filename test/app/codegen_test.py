"""`ulna codegen` and `ulna count`: the generated files compile without a warning under both compilers,
and check themselves against the generic path."""

import ctypes
import json
import os
import shutil
import subprocess
import unittest

from command import CommandTest

COMPILERS = [c for c in ("gcc", "clang", "clang-19", "clang-14") if shutil.which(c)][:2]
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
ALL = "id,fd,gim,c,mci,phi,fk,jacobian"


class Codegen(CommandTest):
    def robots(self):
        listed = self.ulna_json("robots")["robots"]
        # puma560_printed has no positive definite inertia matrix, so no accelerations to compare
        return [r["name"] for r in listed if ":" not in r["name"] and r["loops"] == 0 and r["name"] != "puma560_printed"]

    def check(self, source, compiler, *flags):
        program = source[:-2] + "_check"
        done = subprocess.run([compiler, *WARNINGS, *flags, "-DULNA_SELF_CHECK", source, "-o", program, "-lm"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{compiler} {source}\n{done.stderr[:2000]}")
        ran = subprocess.run([program], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, f"{compiler} {source}\n{ran.stdout}{ran.stderr}")
        self.assertNotIn("runtime error", ran.stderr)
        return ran.stdout

    def generate(self, robot, scalar, of=ALL):
        source = self.path(f"{robot.replace(':', '_')}_{scalar}.c")
        self.ulna("codegen", robot, "--of", of, "--scalar", scalar, "-o", source)
        return source

    def test_every_robot_in_double_and_packs(self):
        for k, robot in enumerate(self.robots()):
            for scalar in ("double", "pack"):
                # each robot by both compilers, each compiler on both scalars
                self.check(self.generate(robot, scalar), COMPILERS[(k + (scalar == "pack")) % len(COMPILERS)], "-O0")

    def test_a_payload_is_an_input(self):
        for robot, frame, scalar, compiler in (("ur5_like", "link6", "double", COMPILERS[0]), ("stanford", "link3", "pack", COMPILERS[-1])):
            source = self.path(f"{robot}_carries.c")
            self.ulna("codegen", robot, "--of", ALL + ",did,dfd,gravity", "--scalar", scalar, "--payload-input", frame, "-o", source)
            self.check(source, compiler, "-O1")
            with open(source[:-1] + "h") as header:
                text = header.read()
            self.assertIn(f"about the origin of '{frame}'", text)
            self.assertIn("payload, ", text.split(f"{robot}_id(")[1].split(";")[0])
            self.assertNotIn("payload", text.split(f"{robot}_fk(")[1].split(";")[0])
        for words, expected in ((["--payload-input", "nose"], "'nose' is not a link or frame"),
                                (["--payload-input", "base"], "is on the ground"),
                                (["--payload-input", "link6", "--method", "homogeneous"], "computes with inertias beforehand")):
            done = self.run_ulna("codegen", "ur5_like", "--of", "id", "-o", self.path("none.c"), *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)
            self.assertFalse(os.path.exists(self.path("none.c")))

    def test_wrench_frame_prefix_and_plain(self):
        """Each file checks itself; the check case has a wrench that is not zero, and the frame is not the tip."""
        strict = ["-pedantic", "-Wconversion"]
        for robot, link, scalar in (("ur5_like", "link3", "double"), ("stanford", "link4", "float"),
                                    ("satellite_arm", "link1", "double")):
            source = self.path(f"{robot}_{scalar}_plain.c")
            self.ulna("codegen", robot, "--of", "id,fd,fk,jacobian,gim", "--scalar", scalar, "--plain", "--prefix", "arm_",
                      "--frame", link, "--wrench-input", link, "--payload-input", link, "-o", source)
            for compiler in COMPILERS:
                self.check(source, compiler, "-O1", *strict)
            with open(source, encoding="utf-8") as file:
                text = file.read()
            self.assertNotIn("vector_size", text)
            self.assertNotIn("__attribute__", text)
            self.assertIn("restrict wrench, const", text.split("void arm__id(")[1].split("{")[0])
            self.assertNotIn("wrench", text.split("void arm__gim(")[1].split("{")[0])
        for words, expected in ((["--frame", "nose"], "'nose' is not a link or frame"),
                                (["--wrench-input", "base"], "is on the ground"),
                                (["--prefix", "2arm"], "is not a C identifier"),
                                (["--scalar", "pack", "--plain"], "plain")):
            done = self.run_ulna("codegen", "ur5_like", "--of", "id,fk", "-o", self.path("none.c"), *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(expected, done.stderr)
            self.assertFalse(os.path.exists(self.path("none.c")))

    def test_for_this_processor(self):
        for compiler in COMPILERS:
            out = self.check(self.generate("panda_like", "double", "id,fd"), compiler, "-O2", "-march=native",
                             "-ffp-contract=fast")
            self.assertIn("fd a", out)

    def test_joints_with_everything(self):
        link = 'a = 0.4\nmass = 3.0\ncom = [-0.2, 0, 0.02]\ninertia = [0.004, 0.05, 0.05]\n'
        data = 'friction = { viscous = 0.1, coulomb = 0.5 }\nspring = { stiffness = 10, rest = 0.2 }\narmature = 0.01\n'
        self.write("arm.toml", 'dh = "standard"\n'
                   + f'[[link]]\njoint = "revolute"\ntheta = "30 deg"\nalpha = "20 deg"\n{link}{data}'
                   + f'[[link]]\njoint = "screw"\npitch = 0.01\nalpha = "90 deg"\n{link}{data}'
                   + f'[[link]]\njoint = "prismatic"\nb = 0.1\n{link}{data}')
        for scalar, compiler in (("double", "gcc"), ("pack", "clang"), ("float", "gcc"), ("pack", "gcc")):
            source = self.path(f"arm_{scalar}.c")
            self.ulna("codegen", "arm.toml", "--of", ALL + ",did,dfd", "--scalar", scalar, "-o", source)
            self.check(source, compiler, "-O0")

    def test_derivatives(self):
        for robot, scalar in (("panda_like", "double"), ("stanford", "pack"), ("scara", "double"), ("satellite_arm", "double")):
            self.check(self.generate(robot, scalar, "did,dfd"), "gcc", "-O0")

    def test_every_method_has_its_own_C_and_MCI(self):
        for of, method in (("c", "spatial_operator"), ("c", "composite_body"), ("mci", "denoc"), ("mci", "newton_euler")):
            for robot in ("puma560", "stanford", "kuka_lwr4"):
                source = self.path(f"{robot}_{of}_{method}.c")
                self.ulna("codegen", robot, "--of", of, "--method", method, "-o", source)
                self.check(source, "gcc", "-O0")

    def test_the_C_makes_a_skew_matrix(self):
        """The rate of the generated M less twice the generated C, for every robot whose positions are plain numbers."""
        h = 1e-5
        for robot in self.robots():
            source = self.generate(robot, "double", "gim,c")
            library = source[:-2] + ".so"
            subprocess.run([COMPILERS[0], *WARNINGS, "-O0", "-fPIC", "-shared", source, "-o", library, "-lm"], check=True)
            shown = self.ulna_json("show", robot)
            n = shown["nv"]
            if shown["nq"] != n:
                continue
            functions = ctypes.CDLL(library)
            numbers = lambda values: (ctypes.c_double * len(values))(*values)
            q, v = [0.3 + 0.2 * k for k in range(n)], [0.5 - 0.3 * k for k in range(n)]
            C, before, after = (numbers([0] * (n * n)) for _ in range(3))
            getattr(functions, robot + "_c")(numbers(q), numbers(v), C)
            for M, step in ((before, -h), (after, h)):
                getattr(functions, robot + "_gim")(numbers([x + step * y for x, y in zip(q, v)]), M)
            scale = 1 + max(map(abs, before))
            for i in range(n):
                for j in range(n):
                    rate = (after[i * n + j] - before[i * n + j]) / (2 * h)
                    self.assertAlmostEqual(rate, C[i * n + j] + C[j * n + i], delta=1e-8 * scale, msg=robot)

    def test_float(self):
        """In float from end to end: no warning of a conversion, and no double in the object."""
        strict = ["-Wdouble-promotion", "-Wconversion", "-Wfloat-conversion"]
        for robot in ("puma560", "stanford", "satellite_arm", "scara"):
            for scalar in ("float", "float_pack"):
                source = self.generate(robot, scalar)
                for compiler in COMPILERS:
                    self.check(source, compiler, "-O1", *strict)
            assembly = subprocess.run(["gcc", "-O2", "-S", self.path(f"{robot}_float.c"), "-o", "-"],
                                      capture_output=True, text=True, check=True).stdout
            self.assertNotRegex(assembly, r"\b(v?cvts[sd]2s[sd]|v?(add|mul|sub|div)[sp]d)\b", robot)

    def test_float_of_joints_with_everything(self):
        self.write("arm.toml", 'dh = "standard"\n' + '[[link]]\njoint = "revolute"\na = 0.4\nalpha = "20 deg"\nmass = 3\n'
                   'inertia = [0.05, 0.05, 0.05]\nfriction = { viscous = 0.1, coulomb = 0.5 }\narmature = 0.01\n' * 3)
        for scalar in ("float", "float_pack"):
            source = self.path(f"arm_{scalar}.c")
            self.ulna("codegen", "arm.toml", "--of", ALL + ",did,dfd,gravity", "--scalar", scalar, "-o", source)
            self.check(source, "gcc", "-O1", "-Wdouble-promotion", "-Wconversion", "-Wfloat-conversion")

    def test_undefined_behaviour(self):
        for scalar in ("double", "pack"):
            self.check(self.generate("stanford", scalar), "gcc", "-O1", "-fsanitize=undefined",
                       "-fno-sanitize-recover=all")

    def test_library_without_main(self):
        source = self.generate("rp", "double", "id")
        done = subprocess.run(["gcc", *WARNINGS, "-c", source, "-o", self.path("rp.o")])
        self.assertEqual(done.returncode, 0)
        # its header in a program in C++
        program = self.write("program.cpp", '''#include "rp_double.h"
            int main() { double q[2] = {0.1, 0.2}, v[2] = {1, 1}, a[2] = {0, 1}, tau[2]; rp_id(q, v, a, tau); return tau[0] == 0; }
            ''')
        done = subprocess.run(["g++", "-Wall", "-Wextra", "-Werror", "-I", os.path.dirname(source), program,
                               self.path("rp.o"), "-o", self.path("program")])
        self.assertEqual(done.returncode, 0)
        self.assertEqual(subprocess.run([self.path("program")]).returncode, 0)

    def test_same_text_every_time(self):
        texts = []
        for _ in range(2):
            with open(self.generate("puma560", "double", "id"), encoding="utf-8") as file:
                texts.append(file.read())
        self.assertEqual(*texts)

    def test_bad_input(self):
        for arguments, word in (
            (["codegen", "puma560", "-o", self.path("x.txt")], "ends with .c"),
            (["codegen", "puma560", "--of", "nothing", "-o", self.path("x.c")], "unknown quantity 'nothing'"),
            (["codegen", "puma560", "--scalar", "half", "-o", self.path("x.c")], "'half' is none of: double, float, pack, float_pack"),
            (["codegen", "puma560", "-o", "/nowhere/at/all/x.c"], "/nowhere/at/all"),
            (["codegen", "chain:20000", "--of", "fd", "--method", "articulated_body", "-o", self.path("x.c")], "limit"),
            (["count", "puma560", "--of", "nothing"], "unknown quantity 'nothing'"),
            (["count", "puma560", "--method", "nothing"], "unknown method 'nothing'"),
            (["count", "puma560", "--of", "gim", "--method", "articulated_body"], "does not give"),
            (["count", "no_such_robot"], "unknown robot"),
            (["fd", "puma560", "--compiled", "--method", "denoc"], "--compiled"),
        ):
            done = self.run_ulna(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(word, done.stderr, arguments)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


class Count(CommandTest):
    def test_json(self):
        rows = self.ulna_json("count", "puma560", "--of", "gim,id", "--regroup")["counts"]
        row = next(r for r in rows if r["of"] == "id" and r["method"] == "newton_euler")
        self.assertEqual(row["robot"], "puma560")
        self.assertTrue(row["regrouped"])
        self.assertLessEqual(row["mul"] + row["div"], 174)
        self.assertLessEqual(row["add"], 137)
        self.assertEqual(row["sincos"], 5)  # the first joint turns about gravity
        self.assertEqual(sum(r["cheapest"] for r in rows if r["of"] == "id"), 1)

    def test_beside_the_papers(self):
        rows = self.ulna_json("count", "general:6", "rtx", "--of", "gim,mci,phi", "--paper")["counts"]
        printed = {(r["robot"], r["of"], r["method"]): r["printed"] for r in rows if "printed" in r}
        self.assertEqual(printed["general:6", "gim", "denoc"], {"mul": 630.0, "add": 498.0, "in": "bhangale2004 Table I, eq. (14)"})
        self.assertEqual(printed["general:6", "mci", "denoc"]["add"], 753.5)
        self.assertEqual(printed["general:6", "phi", "denoc"]["mul"], 862.0)
        self.assertEqual(printed["general:6", "phi", "composite_body"]["add"], 475.0)
        self.assertEqual(printed["rtx", "mci", "denoc"]["mul"], 389.0)


class CompiledRuns(CommandTest):
    def with_cache(self, *arguments, **environment):
        cache = dict(os.environ, ULNA_CACHE=self.path("cache"), **environment)
        return self.run_ulna(*arguments, env=cache)

    def test_fd_and_id(self):
        state = ["puma560", "--q", "0.1,0.2,0.3,0.4,0.5,0.6", "--v", "1,2,3,4,5,6", "--json"]
        for command, key in (("fd", "a"), ("id", "tau")):
            generic = json.loads(self.with_cache(command, *state).stdout)[key]
            done = self.with_cache(command, *state, "--compiled")
            self.assertEqual(done.stderr, "")
            for x, y in zip(json.loads(done.stdout)[key], generic):
                self.assertAlmostEqual(x, y, delta=1e-9 * max(map(abs, generic)))

    def test_no_compiler_is_said_once(self):
        done = self.with_cache("fd", "puma560", "--compiled", CC="/nowhere/cc")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("no C compiler", done.stderr)

    def test_simulate(self):
        for extra in ([], ["--compiled"]):
            done = self.with_cache("simulate", "planar2r", "--for", "0.5", "-o", "run" + "".join(extra), *extra)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, "")
        ends = []
        for run_folder in ("run", "run--compiled"):
            with open(os.path.join(self.folder, run_folder, "trajectory.csv"), encoding="utf-8") as file:
                ends.append([float(x) for x in file.read().strip().splitlines()[-1].split(",")[:5]])
        for x, y in zip(*ends):
            self.assertAlmostEqual(x, y, delta=1e-6)


    def test_bad_quantities(self):
        for words, expected in (
            (["codegen", "rp", "--of", "id,id", "-o", "x.c"], "asked for twice"),
            (["codegen", "rp", "--of", "", "-o", "x.c"], "no quantity is asked for"),
            (["codegen", "rp", "--of", "c", "--method", "denoc", "-o", "x.c"], "does not give the Coriolis matrix"),
            (["codegen", "rp", "--of", "mci", "--method", "composite_body", "-o", "x.c"], "does not give the matrix of convective inertia"),
            (["count", "rp", "--of", ""], "no quantity is asked for"),
            (["codegen", "chain:10000", "--of", "fd", "-o", "x.c"], "cannot be traced"),
            (["simulate", "rp", "--compiled", "--integrator", "symplectic", "--step", "0.01"], "does not go with"),
        ):
            with self.subTest(" ".join(words)):
                done = self.run_ulna(*words)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(expected, done.stderr)
                self.assertEqual(os.listdir(self.folder), [])

    def test_a_run_says_what_computed_it(self):
        for compiler, expected in (("cc", "compiled"), ("/bin/false", "articulated_body")):
            self.run_ulna("simulate", "planar2r", "--compiled", "--for", 0.1, "-o", "run",
                          env={**os.environ, "CC": compiler, "ULNA_CACHE": self.path("cache")})
            with open(self.path("run/run.json")) as file:
                self.assertEqual(json.load(file)["method"], expected)

    def test_fast_math_is_refused(self):
        source = self.path("rp.c")
        self.ulna("codegen", "rp", "--of", "id", "-o", source)
        done = subprocess.run([COMPILERS[0], "-std=c99", "-Ofast", "-c", source, "-o", source + ".o"],
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("compile without -ffast-math", done.stderr)


if __name__ == "__main__":
    unittest.main()

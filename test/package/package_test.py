"""Installs Ulna into a temporary folder and builds a user's project against it, by find_package
and by pkg-config. Also times how long a user's file takes to compile."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

BUILD, SOURCE = sys.argv.pop(), sys.argv.pop()
CONSUMER = os.path.join(SOURCE, "test", "package", "consumer")


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.prefix = os.path.join(cls.temporary.name, "prefix")
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_find_package(self):
        folder = os.path.join(self.temporary.name, "cmake")
        private = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("fmt", "TBB", "SUNDIALS", "Eigen3")]
        run("cmake", "-S", CONSUMER, "-B", folder, f"-DCMAKE_PREFIX_PATH={self.prefix}", *private)
        run("cmake", "--build", folder)
        self.assertEqual(len(run(os.path.join(folder, "consumer")).splitlines()), 6)

    def test_pkg_config_and_compile_time(self):
        libraries = subprocess.run(["find", self.prefix, "-name", "ulna.pc"], capture_output=True, text=True).stdout.strip()
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(libraries))
        flags = run("pkg-config", f"--define-variable=prefix={self.prefix}", "--cflags", "--libs", "ulna", env=environment).split()
        out = os.path.join(self.temporary.name, "by_pkg_config")
        source = os.path.join(CONSUMER, "main.cpp")
        started = time.monotonic()
        run("g++", "-O1", "-Wno-psabi", source, "-c", "-o", out + ".o", *[f for f in flags if f.startswith(("-I", "-std"))])
        print(f"a file that includes <ulna/ulna.hpp> compiles in {time.monotonic() - started:.1f} s")
        run("g++", out + ".o", "-o", out, *flags)
        folder = os.path.dirname(os.path.dirname(libraries))
        run(out, env=dict(os.environ, LD_LIBRARY_PATH=folder))  # the prefix is none that the loader knows

    def test_exports_are_names_of_ulna_alone(self):
        library = os.path.join(BUILD, "lib", "libulna.so")
        if not os.path.exists(library):
            self.skipTest("the library is static")
        names = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()]
        foreign = [n for n in names if not re.match(r"_Z(GV)?(T[ISV])?Z?NK?4ulna", n)]
        self.assertEqual(run("c++filt", *foreign[:20]) if foreign else "", "")
        for function in ("ulna::load_graph(", "ulna::build(", "ulna::save(", "ulna::load_scenario("):
            self.assertIn(function, run("nm", "-DC", "--defined-only", library))

    def test_private_functions_are_hidden(self):
        """Names that only headers of src/ declare, and that those hide."""
        library = os.path.join(BUILD, "lib", "libulna.so")
        if not os.path.exists(library):
            self.skipTest("the library is static")
        hidden, shown = set(), set()
        for root in ("src", "include"):
            for folder, _, files in os.walk(os.path.join(SOURCE, root)):
                for path in (os.path.join(folder, name) for name in files if name.endswith(".hpp")):
                    with open(path, encoding="utf-8") as file:
                        text = file.read()
                    names = hidden if "visibility push(hidden)" in text else shown
                    for found in re.findall(r"^(?:class|struct) (\w+)|^[\w:<>,&* ]+[ &*](\w+)\(", text, re.MULTILINE):
                        names.update(filter(None, found))
        self.assertGreater(len(hidden - shown), 100)
        exported = set(re.findall(r"ulna::(?:\w+::)*(\w+)\(", run("nm", "-DC", "--defined-only", library)))
        classes = set(re.findall(r"ulna::(?:\w+::)*(\w+)::", run("nm", "-DC", "--defined-only", library)))
        self.assertEqual(sorted((exported | classes) & (hidden - shown)), [])

    def test_installed_command(self):
        self.assertIn("puma560", run(os.path.join(self.prefix, "bin", "ulna"), "robots"))

    def test_debian_packages(self):
        if shutil.which("dpkg-shlibdeps") is None:
            self.skipTest("dpkg-dev is not installed")
        folder, root = (os.path.join(self.temporary.name, name) for name in ("deb", "root"))
        run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", folder)
        made = {name.split("_")[0]: os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".deb")}
        depends = run("dpkg-deb", "-f", made["ulna"], "Depends")
        self.assertIn("libfmt", depends)
        self.assertNotRegex(depends, "kdl|mujoco|mpi|python")  # what is optional has packages of its own
        for name, module in (("ulna-peers", "ulna_(kdl|mujoco).so"), ("ulna-mpi", "libulna_mpi")):
            if name in made:
                self.assertRegex(run("dpkg-deb", "-c", made[name]), module)
                self.assertIn("ulna (= ", run("dpkg-deb", "-f", made[name], "Depends"))
        for package in made.values():
            run("dpkg-deb", "-x", package, root)
        library = subprocess.run(["find", root, "-name", "libulna.so.0"], capture_output=True, text=True).stdout.strip()
        environment = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(library))
        self.assertIn("puma560", run(os.path.join(root, "usr", "bin", "ulna"), "robots", env=environment))
        if "python3-ulna" not in made:
            return
        depends = run("dpkg-deb", "-f", made["python3-ulna"], "Depends")
        self.assertIn("ulna (= ", depends)
        self.assertIn("python3-numpy", depends)
        self.assertRegex(depends, r"python3 \(>= 3\.\d+~\), python3 \(<< 3\.\d+\)")
        package = subprocess.run(["find", root, "-path", "*-packages/ulna/__init__.py"], capture_output=True, text=True).stdout
        environment["PYTHONPATH"] = os.path.dirname(os.path.dirname(package.strip()))
        self.assertEqual(run("/usr/bin/python3", "-c", "import ulna; print(ulna.load('puma560').nq)", env=environment), "6\n")


if __name__ == "__main__":
    unittest.main()

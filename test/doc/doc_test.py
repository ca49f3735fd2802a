"""Every command and every piece of C++ and Python in README.md and doc/, and the examples of every --help, as they stand.

What would take long runs smaller (SMALLER); what builds Ulna itself is left out. Arguments: source and build folder."""

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop()
SOURCE = sys.argv.pop()
ULNA = os.path.join(BUILD, "ulna")

SMALLER = {"--runs 10000": "--runs 40", "--runs 500": "--runs 20", "chain:1000000": "chain:2000", "10'000": "20",
           "ulna reproduce ": "ulna reproduce --fast ", "--vary link2.a=0.3..0.6 --vary link3.a=0.2..0.4": "--steps 2 --vary link2.a=0.3..0.6"}
# Other ends than 0: the answer is no; nothing was interrupted, so there is nothing to resume.
ENDS = {"ulna check puma560_printed": 1, "--resume": 2}
# A page may go on with files that its reader has made for himself.
MY_SCENARIO = 'robot = "my_arm.toml"\n[run]\nfor = 1\n[start]\nq = ["30 deg", 0]\n[ensemble]\nruns = 10\nvary = ["q=normal:5deg"]\n'
MY_MOTION = "t,q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0,0\n0.1,0.01,0,0.1,0,1,0\n"

PRELUDE = """#include <Eigen/Core>
#include <ulna/ulna.hpp>
"""
# What the text around a piece of code has made.
GIVEN = {
    "README.md": "const ulna::Model model = ulna::load(\"panda_like\");\n"
                 "Eigen::MatrixXd q = Eigen::MatrixXd::Random(7, 50), v = q, tau = q, a(7, 50);\n",
    "doc/batch.md": "",
    "doc/cpp.md": "",
    "doc/ensembles.md": "const std::vector<std::vector<double>> starts(20, std::vector<double>(6, 0.1));\n",
    "doc/inverse_kinematics.md": "",
    "doc/linearise.md": "",
    "doc/long_chains.md": "const ulna::Model model = ulna::load(\"chain:100\");\n"
                          "std::vector<double> q(100, 0.1), v(100), tau(100), a(100);\n",
    "doc/optimal_control.md": "",
    "doc/paths.md": "",
    "doc/robot_files.md": "",
    "doc/size.md": "",
    "doc/workspace.md": "",
}


def blocks(page, language):
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        return re.findall(rf"^```{language}\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE)


def pages():
    return ["README.md"] + sorted(os.path.relpath(path, SOURCE) for path in glob.glob(os.path.join(SOURCE, "doc", "*.md")))


def smaller(text):
    for long, short in SMALLER.items():
        text = text.replace(long, short)
    return text


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("my_arm.toml", blocks("README.md", "toml")[0])
        self.write("my_scenario.toml", MY_SCENARIO)
        self.write("motion.csv", MY_MOTION)
        self.write("path.toml", blocks("doc/paths.md", "toml")[0])
        for name, text in zip(("cycle.toml", "motors.toml"), blocks("doc/size.md", "toml")):
            self.write(name, text)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_line(self, line):
        line = smaller(line + " ").strip()
        path = BUILD + os.pathsep + os.environ["PATH"]
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env={**os.environ, "PATH": path}, capture_output=True,
                              text=True, timeout=120, check=False)
        end = next((code for part, code in ENDS.items() if part in line), 0)
        self.assertEqual(done.returncode, end, f"{line}\n{done.stdout[-500:]}\n{done.stderr[-500:]}")

    def test_pages(self):
        ran = 0
        for page in pages():
            for block in blocks(page, "sh"):
                for line in block.splitlines():
                    if not line.startswith(("ulna ", "cc ")):
                        continue
                    with self.subTest(page=page, line=line):
                        self.run_line(line)
                        ran += 1
        self.assertGreater(ran, 25)

    def test_the_first_ten_minutes_say_what_they_should(self):
        done = subprocess.run([ULNA, "check", "my_arm.toml"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_examples_of_help(self):
        names = re.findall(r"^  (\w+)  ", subprocess.run([ULNA], capture_output=True, text=True, check=True).stdout, re.MULTILINE)
        self.assertGreater(len(names), 15)
        for name in names:
            text = subprocess.run([ULNA, name, "--help"], capture_output=True, text=True, check=True).stdout
            examples = re.findall(r"^(?:Examples?:|         ) (ulna .*?)(?:   \(.*\))?$", text, re.MULTILINE)
            self.assertTrue(examples, f"{name} --help has no example")
            for line in examples:
                if "~/" in line or "man -l" in line:
                    continue
                with self.subTest(command=name, line=line):
                    self.run_line(line)


class Programs(unittest.TestCase):
    @unittest.skipIf(os.environ.get("ULNA_SANITIZED"), "programs of users are not built with sanitizers")
    def test_pieces_of_code(self):
        parts, calls = [PRELUDE], []
        for page, given in GIVEN.items():
            for k, block in enumerate(blocks(page, "cpp")):
                name = re.sub(r"\W", "_", page) + str(k)
                calls.append(f"{name}();")
                if "int main()" in block:
                    parts.append(block.replace("int main()", f"void {name}()"))
                else:
                    parts.append(f"void {name}() {{\n{given}{smaller(block)}}}\n")
        parts.append(f"int main() {{ {' '.join(calls)} }}\n")
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "snippets")
            built = subprocess.run(
                ["g++", "-std=c++20", "-Wno-psabi", f"-I{SOURCE}/include", f"-I{BUILD}/include", "-I/usr/include/eigen3", "-x", "c++",
                 "-", "-x", "none", "-o", program, f"-L{BUILD}/lib", f"-Wl,-rpath,{BUILD}/lib", "-lulna"],
                input="".join(parts), capture_output=True, text=True, check=False)
            self.assertEqual(built.returncode, 0, built.stderr[:3000])
            done = subprocess.run([program], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_page_with_code_is_compiled(self):
        self.assertEqual({page for page in pages() if blocks(page, "cpp")}, set(GIVEN))


class Python(unittest.TestCase):
    """The pieces of a page one after the other, as its reader goes through them."""

    @unittest.skipUnless(os.environ.get("ULNA_PYTHON"), "import ulna was not built")
    def test_pieces_of_code(self):
        ran = 0
        for page in pages():
            code = "".join(blocks(page, "python"))
            if not code:
                continue
            with self.subTest(page=page), tempfile.TemporaryDirectory() as folder:
                environment = {**os.environ, "PYTHONPATH": os.path.join(BUILD, "python"), "MPLBACKEND": "Agg",
                               "ULNA_CACHE": os.path.join(BUILD, "python_cache")}
                done = subprocess.run([os.environ["ULNA_PYTHON"], "-"], input=code, cwd=folder, env=environment, capture_output=True,
                                      text=True, timeout=120, check=False)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                ran += 1
        self.assertGreaterEqual(ran, 2)

    def test_every_name_of_the_table_is_there(self):
        with open(os.path.join(SOURCE, "doc", "python.md"), encoding="utf-8") as file:
            rows = [line.split("|")[1] for line in file.read().split("## Names side by side")[1].splitlines() if line.startswith("| `")]
        with open(os.path.join(SOURCE, "python", "ulna", "_core.pyi"), encoding="utf-8") as file:
            methods = set(re.findall(r"def (\w+)\(", file.read()))
        with open(os.path.join(SOURCE, "python", "ulna", "__init__.py"), encoding="utf-8") as file:
            functions = set(re.findall(r'"(\w+)"', file.read()))
        self.assertGreater(len(rows), 20)
        for row in rows:
            for name in re.findall(r"`arm\.(\w+)`", row):
                self.assertIn(name, methods)
            for name in re.findall(r"`ulna\.(\w+)`", row):
                self.assertIn(name, functions)


class Completion(unittest.TestCase):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = (f"source <({ULNA} completion bash); compopt() {{ :; }}; COMP_WORDS=({' '.join(repr(w) for w in words)}); "
                  f"COMP_CWORD={len(words) - 1}; _ulna; echo \"${{COMPREPLY[@]}}\"")
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd="/")
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("ulna", "sim"), ["simulate"])
        self.assertIn("puma560", self.complete("ulna", "fd", "pu"))
        self.assertIn("stanford_free_fall", self.complete("ulna", "simulate", "stan"))
        self.assertEqual(self.complete("ulna", "simulate", "--integrator", "rk"), ["rk4", "rkf45"])
        self.assertIn("constraint_force", self.complete("ulna", "fd", "puma560", "--method", "con"))
        self.assertEqual(self.complete("ulna", "fd", "puma560", "--comp"), ["--compiled"])
        self.assertIn("dh", self.complete("ulna", "convert", "puma560", "--form", ""))

    def test_values_of_options(self):
        self.assertEqual(self.complete("ulna", "count", "puma560", "--of", "gim,d"), ["gim,did", "gim,dfd"])
        self.assertIn("gravity", self.complete("ulna", "codegen", "puma560", "--of", "g"))
        self.assertEqual(self.complete("ulna", "codegen", "puma560", "--scalar", "f"), ["float", "float_pack"])
        self.assertEqual(self.complete("ulna", "select", "rtx", "--weights", "cpu=1,ener"), ["cpu=1,energy="])
        self.assertEqual(self.complete("ulna", "select", "rtx", "--pareto", "workspace,ener"), ["workspace,energy"])
        self.assertEqual(self.complete("ulna", "select", "rtx", "--pareto", "cp"), [])  # time is none of a sweep
        self.assertIn("q,tip_velocity", self.complete("ulna", "simulate", "rtx", "--keep", "q,tip"))
        self.assertEqual(self.complete("ulna", "simulate", "rtx", "--drive", "f"), ["free"])

    def test_names_of_the_robot(self):
        self.assertEqual(self.complete(ULNA, "loop", "four_bar", "--drive", "crank_piv"), ["crank_pivot="])
        self.assertEqual(self.complete(ULNA, "fk", "--json", "puma560", "--frame", "link6"), ["link6"])
        self.assertEqual(self.complete(ULNA, "fk", "nothing", "--frame", ""), [])
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/evil.toml", "w", encoding="utf-8") as file:
                file.write('dh = "standard"\n[[link]]\nname = "$(touch ran)"\njoint = "revolute"\nmass = 1\ninertia = [1, 1, 1]\n')
            self.assertIn("touch", " ".join(self.complete(ULNA, "fk", f"{folder}/evil.toml", "--frame", "")))
            self.assertFalse(os.path.exists("/ran"))

    def test_scripts_name_every_option(self):
        for shell in ("bash", "zsh", "fish"):
            script = subprocess.run([ULNA, "completion", shell], capture_output=True, text=True, check=True).stdout
            for word in ("simulate", "reproduce", "tol", "integrator", "json"):
                self.assertIn(word, script)

    def test_manual_page(self):
        page = subprocess.run([ULNA, "man"], capture_output=True, text=True, check=True).stdout
        for word in (".SH NAME", ".SH EXIT STATUS", ".SS ulna simulate", "\\-\\-tol", ".SS ulna reproduce",
                     ".SH ENVIRONMENT", "ULNA_CACHE", ".SH FILES", "loop.json"):
            self.assertIn(word, page)
        for line in page.splitlines():
            if line.startswith("."):
                self.assertRegex(line, r"^\.(TH|SH|SS|TP|PP|nf|fi|B|I)\b")


class Papers(unittest.TestCase):
    """The papers are cited in one place, doc/papers.md, and everywhere else by their keys."""

    def setUp(self):
        with open(os.path.join(SOURCE, "doc", "papers.md"), encoding="utf-8") as file:
            rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in file if line.startswith("| `")]
        self.papers = {row[0].strip("`"): dict(zip(("number", "authors", "title"), row[1:4])) for row in rows}
        self.assertEqual(len(self.papers), 5)

    def texts(self):
        names = subprocess.run(["git", "-C", SOURCE, "ls-files", "include", "src", "papers", "app", "doc", "README.md"],
                               capture_output=True, text=True, check=True).stdout.split()
        for name in names:
            if name.endswith((".hpp", ".cpp", ".md")) and name != "doc/papers.md":
                with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
                    yield name, file.read()

    def test_keys_are_known(self):
        wrong = [(name, key) for name, text in self.texts()
                 for key in re.findall(r"\b((?:saha|fijany|bhangale|wolinski|legnani)(?:_bejczy|[0-9]{4}))\b", text)
                 if key not in self.papers]
        self.assertEqual(wrong, [])

    def test_numbers_and_names_with_years_are_not_used_instead(self):
        names = r"seeds/00[0-4]|[Pp]aper 00[0-4]|Saha 2001|Agrawal,? \(?2004|Malczyk,? \(?2015|Legnani et al"
        self.assertEqual([name for name, text in self.texts() if re.search(names, text)], [])

    def test_the_book_has_the_same_authors_and_titles(self):
        with open(os.path.join(SOURCE, "papers", "papers.cpp"), encoding="utf-8") as file:
            code = re.sub(r'"\s+"', "", file.read())
        for key, paper in self.papers.items():
            for text in (key, *paper.values()):
                self.assertIn(f'"{text}"', code)


if __name__ == "__main__":
    unittest.main()

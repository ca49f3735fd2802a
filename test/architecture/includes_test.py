"""The dependency direction of design and doc/adr/0001: a folder includes only folders below it,
and every header compiles on its own."""

import os
import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

BUILD = sys.argv.pop()
SOURCE = sys.argv.pop()


def read_folders():
    """CMake's list: each folder, and all that it may include, which is what it names and what that may."""
    with open(os.path.join(BUILD, "folders.txt"), encoding="utf-8") as file:
        named = {line.split()[0]: [d for d in ";".join(line.split()[1:]).split(";") if d] for line in file}
    allowed = {}
    for folder, depends in named.items():  # they come after what they name
        allowed[folder] = set(depends).union(*(allowed[d] for d in depends))
    return allowed


ALLOWED = read_folders()


def folder_of(path):
    """The longest folder of the list that a path below include/ulna or src lies in; None for the roots themselves."""
    parts = path.split("/")
    for length in range(len(parts) - 1, 0, -1):
        if "/".join(parts[:length]) in ALLOWED:
            return "/".join(parts[:length])
    return None


def sources():
    for root in ("include/ulna", "src"):
        for folder, _, files in os.walk(os.path.join(SOURCE, root)):
            for name in files:
                path = os.path.join(folder, name)
                inside = os.path.relpath(path, os.path.join(SOURCE, root))
                if "/" in inside and name.endswith((".hpp", ".cpp")):
                    yield folder_of(inside), path


# Headers of src/ whose functions libulna.so shows, and who outside the library calls them. All others are hidden.
SHARED = {
    "base/plain_text.hpp": ["app"],
    "base/text_file.hpp": ["app"],
    "io/report/html_report.hpp": ["app", "web"],  # a part of loop_files.hpp and of run_head.hpp
    "io/report/page_data.hpp": ["app"],
    "io/report/run_head.hpp": ["app", "web"],
    "io/report/scene.hpp": ["web"],
    "io/results/book.hpp": ["papers"],
    "io/results/design_files.hpp": ["app"],
    "io/results/figure.hpp": ["papers", "test"],
    "io/results/ik_page.hpp": ["app"],
    "io/results/json_text.hpp": ["app"],
    "io/results/loop_files.hpp": ["app"],
    "io/results/output_folder.hpp": ["app"],
    "io/results/percentiles.hpp": ["test"],
    "io/results/plan_page.hpp": ["app"],
    "io/results/run_files.hpp": ["app"],
    "io/results/select_files.hpp": ["app"],
    "io/results/size_page.hpp": ["app"],
    "io/results/workspace_files.hpp": ["app"],
    "io/results/trajectory_csv.hpp": ["app"],  # a part of loop_files.hpp
    "io/robot/robot_text.hpp": ["app", "web"],
    "io/scenario/event_words.hpp": ["app"],
    "model/number_uses.hpp": ["app"],
    "simulate/column_words.hpp": ["app"],
    "study/joint_lookup.hpp": ["app"],
    "study/mpi_module.hpp": ["mpi"],
    "study/select/criterion_rows.hpp": ["app"],
    "trace/shared_object.hpp": ["peers"],
}
# They declare no function that is compiled once.
INLINE = {"dynamics/instantiate/all.hpp", "dynamics/instantiate/classics.hpp", "dynamics/instantiate/papers.hpp",
          "io/results/exact_sum.hpp", "kinematics/decompositions.hpp", "loop/loop_matrix_impl.hpp"}


def callers_of(header):
    """The folders beside the library that include a header of src/, or a shared one that does."""
    through = [h for h in SHARED if h != header and includes(os.path.join(SOURCE, "src", h), os.path.basename(header))]
    found = {name for other in through for name in callers_of(other)}
    for name in ("app", "papers", "peers", "python", "mpi", "test", "web"):
        for folder, _, files in os.walk(os.path.join(SOURCE, name)):
            paths = (os.path.join(folder, file) for file in files if file.endswith((".hpp", ".cpp")))
            if any(includes(path, header) for path in paths):
                found.add(name)
    return found


def includes(path, header):
    with open(path, encoding="utf-8") as file:
        return f'#include "{header}"' in file.read()


class Includes(unittest.TestCase):
    def test_private_headers_are_hidden(self):
        """What libulna.so shows is what include/ulna declares, and what the table above lists with its callers."""
        root = os.path.join(SOURCE, "src")
        for folder, _, files in os.walk(root):
            for path in (os.path.join(folder, name) for name in files if name.endswith(".hpp")):
                header = os.path.relpath(path, root)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                hides = "#pragma GCC visibility push(hidden)\nnamespace ulna" in text and text.endswith("#pragma GCC visibility pop\n")
                self.assertEqual(hides, header not in SHARED and header not in INLINE, header)
        for header, callers in SHARED.items():
            self.assertEqual(sorted(callers_of(header)), callers, header)

    def test_every_folder_is_listed(self):
        self.assertEqual([path for folder, path in sources() if folder is None], [])

    def test_the_picture_in_the_readme(self):
        with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
            picture = re.search(r"## How it is built\n.*?```text\n(.*?)```", file.read(), re.DOTALL).group(1)
        drawn = re.findall(r"(?:^  |[├└]── |  )([a-z]+(?:/[a-z]+)?)   ?", picture, re.MULTILINE)
        self.assertEqual(sorted(set(drawn)), sorted([*ALLOWED, "papers", "peers", "app", "python", "mpi"]))

    def test_direction(self):
        wrong = []
        for folder, path in sources():
            with open(path, encoding="utf-8") as file:
                for included in re.findall(r'#include "(?:ulna/)?([\w/]+)/[\w.]+"', file.read()):
                    other = folder_of(included + "/x")
                    if other not in {None, folder} and other not in ALLOWED[folder]:
                        wrong.append(f"{os.path.relpath(path, SOURCE)} includes {other}")
        self.assertEqual(wrong, [])

    def test_python_sees_public_headers_alone(self):
        """The binding is thin: it needs nothing that other users of the library do not see. The papers are no part of it."""
        folder = os.path.join(SOURCE, "python")
        wrong = []
        for path in (os.path.join(where, name) for where, _, names in os.walk(folder) for name in names):
            if path.endswith((".hpp", ".cpp")):
                own = os.path.dirname(path)
                with open(path, encoding="utf-8") as file:
                    for included in re.findall(r'#include "([^"]+)"', file.read()):
                        papers = own.endswith("papers") and included.startswith("papers/")
                        if not included.startswith("ulna/") and not papers and not os.path.exists(os.path.join(own, included)):
                            wrong.append(f"{os.path.relpath(path, SOURCE)} includes {included}")
        self.assertEqual(wrong, [])

    def test_nothing_below_the_command_names_its_options_or_prints(self):
        wrong = []
        for _, path in sources():
            if path.endswith("self_check_c.cpp"):  # the text of a program that prints
                continue
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    code = line.split("//")[0]
                    if re.search(r'"[^"]*(?<![\w-])--[a-z]|std::(cout|cerr)|fmt::print|\bf?printf\(', code):
                        wrong.append(f"{os.path.relpath(path, SOURCE)}:{number}: {line.strip()}")
        self.assertEqual(wrong, [])

    def test_headers_stand_alone(self):
        headers = [p for _, p in sources() if p.endswith(".hpp") and "/include/" in p]
        with ThreadPoolExecutor(2) as pool:
            for header, error in zip(headers, pool.map(self.error_of, headers)):
                self.assertEqual(error, "", header)

    def test_users_files_stay_small(self):
        """What a file that includes one formulation makes the compiler read decides how long its user waits: 3,000 lines
        of Ulna and the standard library take a second."""
        dynamics = os.path.join(SOURCE, "include", "ulna", "dynamics")
        for name in sorted(os.listdir(dynamics)):
            header = os.path.join(dynamics, name, name + ".hpp")
            if not os.path.isfile(header):
                continue
            rule = subprocess.run(["g++", "-std=c++20", "-M", "-I" + os.path.join(SOURCE, "include"), header],
                                  capture_output=True, text=True, check=True).stdout
            read = set(rule.replace("\\\n", " ").split()[1:])
            lines = 0
            for path in read:
                if "/ulna/" in path:
                    with open(path, encoding="utf-8") as file:
                        lines += sum(1 for _ in file)
            self.assertLess(lines, 4_000, name)
            self.assertEqual([path for path in read if "Eigen" in path or "/fmt/" in path], [], name)

    @staticmethod
    def error_of(header):
        """What the compiler says of a file that holds nothing but this header."""
        done = subprocess.run(
            ["g++", "-std=c++20", "-fsyntax-only", "-Wno-psabi", "-I" + os.path.join(SOURCE, "include"),
             "-I" + os.path.join(BUILD, "include"), "-x", "c++", "-"],
            input=f'#include "{header}"\n', capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stderr[:2000]


if __name__ == "__main__":
    unittest.main()

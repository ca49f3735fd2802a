"""The algorithms of the library are compiled for the processor, and no copy of them for any processor is beside them: of two
copies of a template the linker takes the one that it meets first."""

import os
import re
import subprocess
import sys
import unittest

BUILD = sys.argv.pop()
ALGORITHMS = re.compile(r"ulna::(LinkPoses|Kinematics|newton_euler|articulated_body|composite_body|denoc|constraint_force|"
                        r"spatial_operator|homogeneous)\b")


def templates_in(folders):
    """The functions in their object files that other files may define too, by name."""
    objects = [os.path.join(folder, name) for top in folders for folder, _, files in os.walk(top) for name in files
               if name.endswith(".o")]
    listed = subprocess.run(["nm", "-C", "--defined-only", *objects], capture_output=True, text=True, check=True).stdout
    return {line.split(" W ", 1)[1] for line in listed.splitlines() if " W " in line}


class Native(unittest.TestCase):
    def test_no_portable_copy_of_an_algorithm(self):
        root = os.path.join(BUILD, "src", "CMakeFiles")
        folders = [os.path.join(root, name) for name in os.listdir(root) if re.match(r"ulna_.*\.dir$", name)]
        native = templates_in([folder for folder in folders if folder.endswith("_native.dir")])
        portable = templates_in([folder for folder in folders if not re.search(r"_(native|x86-64-v\d)\.dir$", folder)])
        self.assertTrue(any("LinkPoses<double>::update" in name for name in native))
        both = [name for name in native & portable if ALGORITHMS.match(name) and "~" not in name]
        self.assertEqual(sorted(both), [])


if __name__ == "__main__":
    unittest.main()

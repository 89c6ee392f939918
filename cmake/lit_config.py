# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's configuration: where tests are and which programs they see."""
import os

import lit.formats

config.name = "tegula"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["build", "Inputs", "shared"]
config.test_source_root = config.source_root
config.test_exec_root = os.path.join(config.build_root, "lit")

programs = os.path.join(config.build_root, "bin")
config.environment["PATH"] = os.pathsep.join([programs, config.tools_folder, os.environ.get("PATH", "")])
for program in ("tegula", "tegula-opt"):
    if os.path.exists(os.path.join(programs, program)):
        config.available_features.add(program)

# SPDX-FileCopyrightText: The Tegula authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The generator refuses descriptions that break the shape rules."""
import copy
import json
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402


class Rules(unittest.TestCase):
    def setUp(self):
        self.data = json.loads((HERE / "abi.json").read_text())

    def make(self):
        abi = generate.Abi(json.dumps(self.data))
        return generate.header(abi) + generate.asserts(abi) + generate.slots(abi) + generate.page(abi)

    def struct(self, name):
        return next(s for s in self.data["structs"] if s["name"] == name)

    def test_same_text_twice(self):
        self.assertEqual(self.make(), self.make())

    def test_implicit_padding(self):
        self.struct("device_info")["fields"].insert(0, ["u32", "odd", ""])
        self.assertRaises(SystemExit, self.make)

    def test_padding_at_end(self):
        self.struct("device_info")["fields"].append(["u32", "odd", ""])
        self.assertRaises(SystemExit, self.make)

    def test_unknown_type(self):
        self.struct("device_info")["fields"].append(["size_t", "odd", ""])
        self.assertRaises(SystemExit, self.make)

    def test_struct_by_value(self):
        self.struct("device_info")["fields"].append(["host", "odd", ""])
        self.assertRaises(SystemExit, self.make)

    def test_zero_case(self):
        next(e for e in self.data["enums"] if e["name"] == "answer")["cases"].append(["NEVER", 0, ""])
        self.assertRaises(SystemExit, self.make)

    def test_name_twice(self):
        self.data["structs"].append(copy.deepcopy(self.struct("host")))
        self.assertRaises(SystemExit, self.make)

    def test_append_keeps_offsets(self):
        before = generate.Abi(json.dumps(self.data))
        generate.header(before)
        self.struct("device_info")["fields"].append(["u64", "later", ""])
        after = generate.Abi(json.dumps(self.data))
        generate.header(after)
        old, new = before.layouts["device_info"][1], after.layouts["device_info"][1]
        self.assertEqual(old, new[:len(old)])


if __name__ == "__main__":
    unittest.main()

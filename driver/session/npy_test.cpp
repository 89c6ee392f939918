// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/session/npy.h"
#include "driver/session/outputs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace tegula;
using namespace tegula::driver;

namespace {
class Npy : public testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("tegula-npy-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string file(const std::string &content) {
    std::string path = folder / "x.npy";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  static std::string npy(const std::string &dict, const std::string &body, int version = 1) {
    std::string head("\x93NUMPY", 6);
    head += static_cast<char>(version);
    head += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
      head += static_cast<char>(dict.size() >> 8 * i & 0xFF);
    return head + dict + body;
  }
  static bool writeNpy(const std::string &path, const Array &array, base::DiagnosticSink &sink) {
    Outputs outputs;
    return outputs.addNpy(path, array, sink) && outputs.place(sink);
  }
  std::string codeOf(const std::string &path, const char *as = nullptr) {
    base::DiagnosticList list;
    EXPECT_FALSE(readNpy(path, as ? findElementType(as) : nullptr, list));
    EXPECT_EQ(list.diagnostics().size(), 1u);
    return list.diagnostics().empty() ? "" : list.diagnostics()[0].code;
  }
  std::filesystem::path folder;
};

TEST_F(Npy, roundTripOfEveryType) {
  for (const char *name : {"i1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"}) {
    Array array;
    array.type = findElementType(name);
    array.shape = {2, 3};
    ASSERT_TRUE(array.bytes.allocate(array.byteCount()));
    for (size_t i = 0; i < array.bytes.size(); ++i)
      array.bytes[i] = static_cast<uint8_t>(i * 7 + 1);
    base::DiagnosticList list;
    std::string path = folder / "y.npy";
    ASSERT_TRUE(writeNpy(path, array, list));
    auto back = readNpy(path, nullptr, list);
    ASSERT_TRUE(back) << name;
    EXPECT_EQ(back->type, array.type);
    EXPECT_EQ(back->shape, array.shape);
    EXPECT_TRUE(back->bytes == array.bytes);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1); // no temporary file is left
  }
}

TEST_F(Npy, versionsAndShapes) {
  base::DiagnosticList list;
  for (int version : {1, 2, 3}) {
    auto array = readNpy(file(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }  \n", "abcd", version)), nullptr, list);
    ASSERT_TRUE(array) << version;
    EXPECT_EQ(array->shape, (std::vector<int64_t>{2}));
  }
  auto scalar = readNpy(file(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (), }", "\x01")), nullptr, list);
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->count(), 1u);
  auto empty = readNpy(file(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 5), }", "")), nullptr, list);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->count(), 0u);
}

TEST_F(Npy, reinterpretedTypesAreWrittenAsTheyWere) {
  base::DiagnosticList list;
  auto array = readNpy(file(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (1,), }", "\x80\x3f")), findElementType("bf16"), list);
  ASSERT_TRUE(array);
  EXPECT_EQ(readNumber(*array->type, array->bytes.data()), 1.0);
  std::string path = folder / "z.npy";
  ASSERT_TRUE(writeNpy(path, *array, list));
  EXPECT_EQ(readNpy(path, nullptr, list)->type, findElementType("i16"));
}

TEST_F(Npy, faults) {
  EXPECT_EQ(codeOf(folder / "absent.npy"), "D1002");
  EXPECT_EQ(codeOf(folder), "D1002");
  EXPECT_EQ(codeOf(file("")), "D1004");
  EXPECT_EQ(codeOf(file("PK\x03\x04 something else")), "D1004");
  EXPECT_EQ(codeOf(file(npy("{'descr': '<f4', 'fortran_order': False}", ""))), "D1004");
  EXPECT_EQ(codeOf(file(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999999,)}", ""))), "D1004");
  EXPECT_EQ(codeOf(file(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "").substr(0, 30))), "D1004");
  EXPECT_EQ(codeOf(file(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", std::string(16, 'x')))), "D1005");
  EXPECT_EQ(codeOf(file(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", std::string(8, 'x')))), "D1006");
  EXPECT_EQ(codeOf(file(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", std::string(4, 'x')))), "D1006");
  EXPECT_EQ(codeOf(file(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", std::string(4, 'x')))), "D1006");
  EXPECT_EQ(codeOf(file(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", std::string(7, 'x')))), "D1007");
  EXPECT_EQ(codeOf(file(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", std::string(4, 'x'))), "bf16"), "D1008");
  EXPECT_EQ(codeOf(file(npy("{'descr': '<u1', 'fortran_order': False, 'shape': (1,)}", "x")), "bf16"), "D1008");
}

TEST_F(Npy, nothingIsLeftWhereWritingFails) {
  Array array;
  array.type = findElementType("f32");
  base::DiagnosticList list;
  EXPECT_FALSE(writeNpy(folder / "no" / "such.npy", array, list));
  ASSERT_EQ(list.diagnostics().size(), 1u);
  EXPECT_EQ(list.diagnostics()[0].code, "D1003");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(Npy, filesThatDoNotFitInMemory) {
  std::string path = file(npy("{'descr': '|i1', 'fortran_order': False, 'shape': (900000000000,)}", ""));
  EXPECT_EQ(codeOf(path), "D1007"); // the header promises what is not there
  std::error_code refused;
  std::filesystem::resize_file(path, 900000001000, refused); // a hole
  if (!refused)
    EXPECT_EQ(codeOf(path), "D1103");
}

TEST_F(Npy, counts) {
  EXPECT_EQ(elementCount({}), 1u);
  EXPECT_EQ(elementCount({3, 0}), 0u);
  EXPECT_EQ(elementCount({-1}), std::nullopt);
  EXPECT_EQ(elementCount({1 << 30, 1 << 30}), std::nullopt);
}
} // namespace

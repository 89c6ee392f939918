// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/session/outputs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace tegula;
using namespace tegula::driver;

namespace {
class OutputFiles : public testing::Test {
protected:
  OutputFiles() : folder(std::filesystem::temp_directory_path() / ("tegula-outputs-" + std::to_string(::getpid()))) { std::filesystem::create_directory(folder); }
  ~OutputFiles() override { std::filesystem::remove_all(folder); }
  std::string content(const char *name) {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t count() { return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {})); }
  std::filesystem::path folder;
};

TEST_F(OutputFiles, nothingChangesBeforeAllAreWritten) {
  std::ofstream(folder / "a") << "before";
  base::DiagnosticList list;
  {
    Outputs outputs;
    ASSERT_TRUE(outputs.add(folder / "a", "he", "ad", list));
    EXPECT_EQ(content("a"), "before");
    EXPECT_FALSE(outputs.add(folder / "no" / "such", "", "x", list));
  }
  EXPECT_EQ(content("a"), "before");
  EXPECT_EQ(count(), 1u);
  ASSERT_EQ(list.diagnostics().size(), 1u);
  EXPECT_EQ(list.diagnostics()[0].code, "D1003");
  EXPECT_NE(list.diagnostics()[0].help.find("there is no folder"), std::string::npos);
  Outputs outputs;
  ASSERT_TRUE(outputs.add(folder / "a", "he", "ad", list) && outputs.add(folder / "b", "", "b", list) && outputs.place(list));
  EXPECT_EQ(content("a") + content("b"), "headb");
  EXPECT_EQ(count(), 2u);
}

TEST_F(OutputFiles, oneFileIsOneOutput) {
  base::DiagnosticList list;
  Outputs outputs;
  EXPECT_TRUE(outputs.add(folder / "a", "", "1", list));
  EXPECT_FALSE(outputs.add(folder / "a", "", "2", list));
  EXPECT_EQ(list.diagnostics()[0].code, "D1107");
}

TEST_F(OutputFiles, foldersAreNotWrittenAndDevicesAre) {
  base::DiagnosticList list;
  Outputs outputs;
  EXPECT_FALSE(outputs.add(folder, "", "x", list));
  EXPECT_TRUE(outputs.add("/dev/null", "", "x", list) && outputs.place(list));
  {
    Outputs full;
    EXPECT_TRUE(full.add(folder / "a", "", "x", list) && full.add("/dev/full", "", "x", list));
    EXPECT_FALSE(full.place(list));
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  }
  EXPECT_EQ(count(), 0u);
}
} // namespace

// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever can fail (folders, rights, room) fails while the temporary files are made; renaming within a folder comes last.
#include "driver/session/outputs.h"

#include "driver/session/option_text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::driver {

namespace {
/// Writes both parts; false with errno set.
bool writeTo(const std::string &path, std::string_view head, std::string_view body) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return false;
  bool good = std::fwrite(head.data(), 1, head.size(), file) == head.size() && std::fwrite(body.data(), 1, body.size(), file) == body.size() && std::fflush(file) == 0;
  int why = errno;
  good &= std::fclose(file) == 0 || (why = errno, false);
  errno = why;
  return good;
}

bool refuse(const std::string &path, base::DiagnosticSink &sink) {
  int why = errno;
  base::SourceRange where;
  where.file = path;
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  bool noFolder = why == ENOENT && !folder.empty() && !std::filesystem::exists(folder, ignored);
  fail(sink, "D1003", "cannot write '" + path + "': " + std::strerror(why), where, noFolder ? "there is no folder '" + folder.string() + "'" : "");
  return false;
}
} // namespace

Outputs::~Outputs() {
  for (const Output &output : outputs)
    if (!output.temporary.empty())
      ::unlink(output.temporary.c_str());
}

bool Outputs::add(const std::string &path, std::string head, std::string_view body, base::DiagnosticSink &sink) {
  for (const Output &other : outputs)
    if (other.path == path) {
      fail(sink, "D1107", "'" + path + "' is to hold two outputs", OptionText{"", path}.all(), "give each a file of its own");
      return false;
    }
  struct stat info;
  bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return errno = EISDIR, refuse(path, sink);
  if (exists && ::access(path.c_str(), W_OK) != 0)
    return refuse(path, sink);
  if (exists && !S_ISREG(info.st_mode)) {
    outputs.push_back({path, {}, std::move(head), body});
    return true;
  }
  std::string temporary = path + "." + std::to_string(::getpid()) + ".partial";
  outputs.push_back({path, temporary, {}, {}}); // first, so that half a file is removed, too
  return writeTo(temporary, head, body) || refuse(path, sink);
}

bool Outputs::addNpy(const std::string &path, const Array &array, base::DiagnosticSink &sink) {
  return add(path, npyHead(array), std::string_view(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size()), sink);
}

bool Outputs::place(base::DiagnosticSink &sink) {
  // Devices first: they may still refuse.
  std::stable_partition(outputs.begin(), outputs.end(), [](const Output &output) { return output.temporary.empty(); });
  for (Output &output : outputs) {
    bool good = output.temporary.empty() ? writeTo(output.path, output.head, output.body) : std::rename(output.temporary.c_str(), output.path.c_str()) == 0;
    if (!good)
      return refuse(output.path, sink);
    output.temporary.clear();
  }
  outputs.clear();
  return true;
}

} // namespace tegula::driver

// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a .npy file is a Python dict literal with three known keys; only that much of Python is read here.
#include "driver/session/npy.h"

#include "driver/session/option_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/stat.h>

namespace tegula::driver {

namespace {
base::SourceRange inFile(const std::string &path) {
  base::SourceRange range;
  range.file = path;
  return range;
}

struct FileCloser {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

struct Header {
  std::string descr;
  bool fortran = false;
  std::vector<int64_t> shape;
};

class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  std::optional<Header> parse() {
    Header header;
    bool descr = false, order = false, shape = false;
    if (!eat('{'))
      return std::nullopt;
    while (!eat('}')) {
      auto key = string();
      if (!key || !eat(':'))
        return std::nullopt;
      if (*key == "descr") {
        auto value = string();
        if (!value) // a list: a structured dtype
          header.descr = "a structured dtype", structured = true;
        else
          header.descr = *value;
        descr = true;
        if (structured)
          return header;
      } else if (*key == "fortran_order") {
        if (word("True"))
          header.fortran = true;
        else if (!word("False"))
          return std::nullopt;
        order = true;
      } else if (*key == "shape") {
        if (!eat('('))
          return std::nullopt;
        while (!eat(')')) {
          auto number = integer();
          if (!number)
            return std::nullopt;
          header.shape.push_back(*number);
          eat('L');
          eat(',');
        }
        shape = true;
      } else {
        return std::nullopt;
      }
      eat(',');
    }
    return descr && order && shape ? std::optional(header) : std::nullopt;
  }

private:
  std::string_view text;
  size_t pos = 0;
  bool structured = false;

  void space() {
    while (pos < text.size() && (text[pos] == ' ' || text[pos] == '\n' || text[pos] == '\t'))
      ++pos;
  }
  bool eat(char c) {
    space();
    if (pos >= text.size() || text[pos] != c)
      return false;
    ++pos;
    return true;
  }
  bool word(std::string_view w) {
    space();
    if (text.substr(pos, w.size()) != w)
      return false;
    pos += w.size();
    return true;
  }
  std::optional<std::string> string() {
    space();
    if (pos >= text.size() || (text[pos] != '\'' && text[pos] != '"'))
      return std::nullopt;
    size_t end = text.find(text[pos], pos + 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string value(text.substr(pos + 1, end - pos - 1));
    pos = end + 1;
    return value;
  }
  std::optional<int64_t> integer() {
    space();
    size_t begin = pos;
    int64_t value = 0;
    for (; pos < text.size() && text[pos] >= '0' && text[pos] <= '9'; ++pos) {
      if (value > (int64_t(1) << 48))
        return std::nullopt;
      value = value * 10 + (text[pos] - '0');
    }
    return pos == begin ? std::nullopt : std::optional(value);
  }
};
} // namespace

std::optional<uint64_t> elementCount(const std::vector<int64_t> &shape) {
  constexpr uint64_t kMost = uint64_t(1) << 48;
  uint64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0 || static_cast<uint64_t>(size) > kMost)
      return std::nullopt;
    if (size != 0 && count > kMost / static_cast<uint64_t>(size))
      return std::nullopt;
    count *= static_cast<uint64_t>(size);
  }
  return count;
}

std::nullopt_t failOfMemory(uint64_t bytes, const base::SourceRange &where, base::DiagnosticSink &sink) {
  auto gigabytes = [](uint64_t n) { return fmt::format("{:.1f} GB", static_cast<double>(n) * 1e-9); };
  uint64_t available = base::availableMemory();
  return fail(sink, "D1103", "the array has more elements than fit in memory: " + gigabytes(bytes) + " are needed" + (available == UINT64_MAX ? "" : ", and about " + gigabytes(available) + " are free"), where);
}

namespace {
/// The file, open for reading; null after an error.
File openFile(const std::string &path, base::DiagnosticSink &sink) {
  File file(std::fopen(path.c_str(), "rb"));
  struct stat info;
  if (file && fstat(fileno(file.get()), &info) == 0 && S_ISDIR(info.st_mode))
    fail(sink, "D1002", "cannot read '" + path + "': it is a folder", inFile(path)), file.reset();
  else if (!file)
    fail(sink, "D1002", "cannot read '" + path + "': " + std::strerror(errno), inFile(path));
  return file;
}
} // namespace

std::optional<std::string> readFile(const std::string &path, base::DiagnosticSink &sink) {
  File file = openFile(path, sink);
  if (!file)
    return std::nullopt;
  std::string text;
  char block[1 << 16];
  for (size_t n; (n = std::fread(block, 1, sizeof block, file.get())) > 0;)
    text.append(block, n);
  if (std::ferror(file.get()))
    return fail(sink, "D1002", "cannot read '" + path + "': " + std::strerror(errno), inFile(path));
  return text;
}

std::optional<Array> readNpy(const std::string &path, const ElementType *reinterpret, base::DiagnosticSink &sink, const base::SourceRange &named) {
  constexpr std::string_view kMark = "\x93NUMPY";
  constexpr uint64_t kLongestHeader = 1 << 20; // numpy itself refuses headers of more than 10000 characters
  File file = openFile(path, sink);
  if (!file)
    return std::nullopt;
  std::string text;
  auto read = [&](size_t count) {
    size_t before = text.size();
    text.resize(before + count);
    text.resize(before + std::fread(text.data() + before, 1, count, file.get()));
    return text.size() == before + count;
  };
  auto notNpy = [&](const std::string &why) { return fail(sink, "D1004", "'" + path + "' is no .npy file: " + why, inFile(path), "numpy.save writes such files"); };
  if (!read(10) || !text.starts_with(kMark))
    return notNpy("it does not begin with the mark of one");
  auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(text[i])); };
  uint64_t major = byte(6);
  if (major < 1 || major > 3)
    return notNpy("version " + std::to_string(major) + " is not known");
  if (major > 1 && !read(2))
    return notNpy("its header is cut short");
  size_t start = text.size();
  uint64_t length = major == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > kLongestHeader || !read(length))
    return notNpy("its header is cut short");
  auto header = HeaderParser(std::string_view(text).substr(start)).parse();
  if (!header)
    return notNpy("its header cannot be read");
  std::string_view descr = header->descr;
  bool bigEndian = !descr.empty() && descr[0] == '>';
  if (!descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos)
    descr.remove_prefix(1);
  Array array;
  array.type = findNumpyType(descr == "?" ? "b1" : descr);
  if (!array.type || (bigEndian && array.type->bytes > 1))
    return fail(sink, "D1006", "'" + path + "' holds elements of dtype '" + header->descr + "', which kernels cannot take", inFile(path),
                bigEndian ? "store it little-endian: x.astype(x.dtype.newbyteorder('<'))" : "store bool, int8 to int64, uint8 to uint64, float16, float32 or float64");
  array.stored = array.type->numpy;
  if (header->fortran && header->shape.size() > 1)
    return fail(sink, "D1005", "'" + path + "' is stored in Fortran order", inFile(path), "save numpy.ascontiguousarray(x)");
  if (reinterpret && reinterpret != array.type) {
    if (array.type->isFloat() || array.type->kind == ElementType::Kind::Bool || array.type->bytes != reinterpret->bytes)
      return fail(sink, "D1008", "'" + path + "' holds '" + std::string(array.type->name) + "', which cannot be read as '" + std::string(reinterpret->name) + "'", inFile(path),
                  "store the bits as " + std::to_string(reinterpret->bytes * 8) + "-bit integers: x.view(np.uint" + std::to_string(reinterpret->bytes * 8) + ")");
    array.type = reinterpret;
  }
  array.shape = header->shape;
  auto count = elementCount(array.shape);
  if (!count)
    return notNpy("its shape is too large");
  uint64_t bytes = *count * array.type->bytes;
  struct stat info;
  if (fstat(fileno(file.get()), &info) == 0 && S_ISREG(info.st_mode)) // a header may promise any number: what is there is known first
    if (uint64_t there = static_cast<uint64_t>(info.st_size) - text.size(); there < bytes)
      return fail(sink, "D1007", "'" + path + "' is cut short: its shape needs " + std::to_string(bytes) + " bytes and " + std::to_string(there) + " are there", inFile(path));
  if (!array.bytes.allocate(bytes))
    return failOfMemory(bytes, named.file.empty() ? inFile(path) : named, sink);
  if (uint64_t there = std::fread(array.bytes.data(), 1, bytes, file.get()); there < bytes)
    return fail(sink, "D1007", "'" + path + "' is cut short: its shape needs " + std::to_string(bytes) + " bytes and " + std::to_string(there) + " are there", inFile(path));
  return array;
}

std::string npyHead(const Array &array) {
  std::string stored = array.stored.empty() ? std::string(array.type->numpy) : array.stored;
  std::string dict = "{'descr': '" + std::string(array.type->bytes == 1 ? "|" : "<") + stored + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i)
    dict += (i ? ", " : "") + std::to_string(array.shape[i]);
  dict += array.shape.size() == 1 ? ",), }" : "), }";
  while ((10 + dict.size() + 1) % 64)
    dict += ' ';
  dict += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(dict.size() & 0xFF);
  head += static_cast<char>(dict.size() >> 8);
  return head + dict;
}

} // namespace tegula::driver

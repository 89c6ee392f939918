// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a job: buffers and scalars from their texts, and what each means to the compiler.
#pragma once

#include "driver/session/signature.h"
#include "driver/tools/job.h"

#include <deque>

namespace tegula::driver::tools {

/// A buffer of host memory, which one or more arguments point into.
struct HostBuffer {
  std::string name; ///< of the argument that made it
  Array array;
  base::SourceRange where; ///< the argument's text
  bool undefined = false, output = false;
  bool untouched = false; ///< made of zeros: its memory is taken when something else is written there
};

struct JobArgument {
  std::string name;
  ValueSpec spec;
  std::optional<SignatureItem> item; ///< instead of `spec`: only a type is known
  size_t buffer = 0;                 ///< index, where spec is a buffer
  const ElementType *type = nullptr;
  uint64_t offsetBytes = 0;
};

struct JobArguments {
  std::vector<JobArgument> arguments;
  std::vector<HostBuffer> buffers;

  const JobArgument *find(std::string_view name) const;
  /// The buffer that an argument made or shares; null where it has none.
  HostBuffer *bufferOf(std::string_view name);
};

/// Reads all texts and files; false after errors. With `typesOnly`, items of signatures are taken, too.
bool readArguments(const Job &job, bool typesOnly, JobArguments &arguments, base::DiagnosticSink &sink);

/// An argument for the compiler; the texts live in `keep`.
tegula_argument_spec_t specialise(const JobArgument &argument, std::deque<std::string> &keep);

} // namespace tegula::driver::tools

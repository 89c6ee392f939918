// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last words of a process that fell over one of our faults: what it was doing, and a file that reproduces it.
#include "driver/tools/command_line.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

namespace tegula::driver::tools {

namespace {
int resultFile = -1;
volatile sig_atomic_t crashed = 0;

void put(int file, const char *text) {
  size_t left = std::strlen(text);
  while (left > 0) {
    ssize_t n = ::write(file, text, left);
    if (n <= 0)
      return;
    text += n;
    left -= static_cast<size_t>(n);
  }
}

const char *nameOf(int signal) {
  switch (signal) {
  case SIGSEGV: return "segmentation fault";
  case SIGBUS: return "bus error";
  case SIGFPE: return "arithmetic fault";
  case SIGILL: return "illegal instruction";
  case SIGABRT: return "abort";
  case SIGTRAP: return "trap";
  }
  return "signal";
}

void number(char *to, unsigned long value) {
  char digits[24];
  int n = 0;
  do
    digits[n++] = static_cast<char>('0' + value % 10);
  while (value /= 10);
  while (n > 0)
    *to++ = digits[--n];
  *to = 0;
}

/// Only async-signal-safe calls but for printing the IR, which is attempted last and may fall over itself.
void onCrash(int signal) {
  if (crashed)
    ::_exit(70);
  crashed = 1;
  const char *phase = tegula_current_phase();
  char path[256] = "tegula-crash-";
  number(path + std::strlen(path), static_cast<unsigned long>(::getpid()));
  std::strcat(path, ".txt");
  int file = ::open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (file < 0) {
    char folder[256] = "/tmp/";
    std::strcat(folder, path);
    std::strcpy(path, folder);
    file = ::open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  }
  put(STDERR_FILENO, "error[D1901]: internal error: ");
  put(STDERR_FILENO, nameOf(signal));
  put(STDERR_FILENO, " in ");
  put(STDERR_FILENO, *phase ? phase : "the driver");
  put(STDERR_FILENO, "\nhelp: please report this with the reproducer ");
  put(STDERR_FILENO, path);
  put(STDERR_FILENO, "\n");
  if (resultFile >= 0) {
    // One line of JSON; phases hold no quotes but those around the kernel's name and no control characters.
    put(resultFile, "{\"crash\": \"");
    put(resultFile, nameOf(signal));
    put(resultFile, " in ");
    put(resultFile, *phase ? phase : "the driver");
    put(resultFile, "; reproducer ");
    put(resultFile, path);
    put(resultFile, "\"}\n");
  }
  if (file >= 0) {
    tegula_write_reproducer(file);
    ::close(file);
  }
  ::_exit(70);
}
} // namespace

void installCrashHandlers(int results) {
  resultFile = results;
  // A stack of its own, so that an overflow of the stack can still be reported.
  static char stack[1 << 16];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  ::sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    ::sigaction(signal, &action, nullptr);
  std::set_terminate([] { std::abort(); });
  ::signal(SIGPIPE, SIG_IGN);
}

} // namespace tegula::driver::tools

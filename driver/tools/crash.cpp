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
#include <new>
#include <unistd.h>

namespace tegula::driver::tools {

namespace {
int resultFile = -1;
volatile sig_atomic_t crashed = 0;

bool put(int file, const char *text) {
  size_t left = std::strlen(text);
  while (left > 0) {
    ssize_t n = ::write(file, text, left);
    if (n <= 0)
      return false;
    text += n;
    left -= static_cast<size_t>(n);
  }
  return true;
}

/// Memory ran out where nobody could do without it. That is no fault of ours and leaves no reproducer.
void onNoMemory() {
  const char *phase = tegula_current_phase();
  for (const char *text : {"error[D1902]: out of memory in ", *phase ? phase : "the driver", "\nhelp: take smaller arrays, or give the program more memory\n"})
    put(STDERR_FILENO, text);
  if (resultFile >= 0)
    for (const char *text : {"{\"memory\": \"out of memory in ", *phase ? phase : "the driver", "\"}\n"})
      put(resultFile, text);
  ::_exit(kInputIsWrong);
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

/// The command line, from the system, into `to`; words are separated by spaces.
void commandLine(char *to, size_t room) {
  int file = ::open("/proc/self/cmdline", O_RDONLY);
  ssize_t n = file < 0 ? 0 : ::read(file, to, room - 1);
  if (file >= 0)
    ::close(file);
  to[n > 0 ? n : 0] = 0;
  for (ssize_t i = 0; i + 1 < n; ++i)
    if (to[i] == 0)
      to[i] = ' ';
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
  // What is known without looking anywhere; a file that cannot hold even that is not left behind.
  static char command[4096];
  commandLine(command, sizeof command);
  for (const char *text : {nameOf(signal), " in ", *phase ? phase : "the driver", ": ", static_cast<const char *>(command), "\n"})
    if (file >= 0 && !put(file, text)) {
      ::close(file);
      ::unlink(path);
      file = -1;
    }
  for (const char *text : {"error[D1901]: internal error: ", nameOf(signal), " in ", *phase ? phase : "the driver", "\nhelp: please report this"})
    put(STDERR_FILENO, text);
  if (file >= 0) {
    put(STDERR_FILENO, " with the reproducer ");
    put(STDERR_FILENO, path);
  }
  put(STDERR_FILENO, "\n");
  if (resultFile >= 0) {
    // One line of JSON; phases hold no quotes but those around the kernel's name and no control characters.
    put(resultFile, "{\"crash\": \"");
    put(resultFile, nameOf(signal));
    put(resultFile, " in ");
    put(resultFile, *phase ? phase : "the driver");
    if (file >= 0) {
      put(resultFile, "; reproducer ");
      put(resultFile, path);
    }
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
  std::set_new_handler(onNoMemory);
  std::set_terminate([] { std::abort(); });
  ::signal(SIGPIPE, SIG_IGN);
}

} // namespace tegula::driver::tools

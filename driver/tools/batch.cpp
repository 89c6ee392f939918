// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tegula run --batch`: cases go one at a time to worker processes (this program again), which keep modules, plugins and devices between cases.
// A worker that dies takes one case with it and is replaced.
#include "driver/tools/command_line.h"

#include "driver/tools/batch_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tegula::driver::tools {

namespace {
using Clock = std::chrono::steady_clock;

struct Worker {
  pid_t process = -1;
  int toWorker = -1, fromWorker = -1;
  std::string pending; ///< what it has written of a line so far
  std::string id;      ///< of the case it is at
  bool busy = false;
  Clock::time_point begin;
};

/// What diagnostics call the file of a batch.
std::string batchName(const CommandLine &line) { return line.batch == "-" ? "<stdin>" : line.batch; }

class Batch {
public:
  Batch(CommandLine &line, const std::vector<std::string> &arguments) : file(batchName(line)), timeout(line.timeout), arguments(arguments) {}

  int run(std::istream &input, size_t workerCount) {
    uint32_t number = 0;
    workers.resize(workerCount);
    std::string text;
    bool more = true;
    for (;;) {
      bool anyBusy = false;
      for (Worker &worker : workers) {
        while (more && !worker.busy) {
          if (!std::getline(input, text)) {
            more = false;
            break;
          }
          ++number;
          if (text.find_first_not_of(" \t\r") != std::string::npos)
            give(worker, text, number);
        }
        anyBusy |= worker.busy;
      }
      if (!anyBusy)
        break;
      wait();
    }
    for (Worker &worker : workers)
      end(worker);
    return worst;
  }

private:
  std::string file;
  double timeout;
  const std::vector<std::string> &arguments;
  std::vector<Worker> workers;
  int worst = 0;

  bool start(Worker &worker) {
    int to[2], from[2];
    if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0)
      return false;
    std::vector<std::string> words{"tegula"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), {"--batch-worker", "3"});
    std::vector<char *> argv;
    for (std::string &word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    worker.process = ::fork();
    if (worker.process == 0) {
      // dup2 clears the close-on-exec flag of its copies. `from[1]` may be any number but 0, which is `to[0]`'s place.
      int result = ::fcntl(from[1], F_DUPFD_CLOEXEC, 10);
      ::dup2(to[0], STDIN_FILENO);
      ::dup2(STDERR_FILENO, STDOUT_FILENO);
      ::dup2(result, 3);
      ::execv("/proc/self/exe", argv.data());
      ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    worker.toWorker = to[1];
    worker.fromWorker = from[0];
    worker.pending.clear();
    return worker.process > 0;
  }

  void end(Worker &worker) {
    if (worker.process < 0)
      return;
    ::close(worker.toWorker);
    ::close(worker.fromWorker);
    int status = 0;
    ::waitpid(worker.process, &status, 0);
    worker.process = -1;
  }

  void give(Worker &worker, const std::string &text, uint32_t number) {
    worker.id = idOf(text, file, number);
    worker.begin = Clock::now();
    if (worker.process < 0 && !start(worker))
      return answer(worker, fault("D1602", "no worker process can be started", 70));
    std::string line = std::to_string(number) + " " + text + "\n"; // the worker reads the number, too
    for (size_t at = 0; at < line.size();) {
      ssize_t n = ::write(worker.toWorker, line.data() + at, line.size() - at);
      if (n <= 0)
        break; // it died: found out when its results are read
      at += static_cast<size_t>(n);
    }
    worker.busy = true;
  }

  static JobResult fault(const char *code, std::string message, int exit) {
    JobResult result;
    result.exit = exit;
    base::Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    result.diagnostics.push_back(std::move(diagnostic));
    return result;
  }

  void answer(Worker &worker, JobResult result) {
    result.ms = std::chrono::duration<double, std::milli>(Clock::now() - worker.begin).count();
    print(describeResult(worker.id, result), result.exit);
    worker.busy = false;
  }

  void print(const std::string &json, int exit) {
    std::cout << json << '\n' << std::flush;
    worst = std::max(worst, exit);
  }

  void wait() {
    std::vector<pollfd> polled;
    std::vector<Worker *> busy;
    for (Worker &worker : workers)
      if (worker.busy) {
        polled.push_back({worker.fromWorker, POLLIN, 0});
        busy.push_back(&worker);
      }
    ::poll(polled.data(), polled.size(), 200);
    for (size_t i = 0; i < busy.size(); ++i) {
      if (polled[i].revents)
        receive(*busy[i]);
      if (busy[i]->busy && std::chrono::duration<double>(Clock::now() - busy[i]->begin).count() > timeout) {
        ::kill(busy[i]->process, SIGKILL);
        end(*busy[i]);
        answer(*busy[i], fault("D1603", fmt::format("the case took more than {:g} seconds", timeout), 70));
      }
    }
  }

  void receive(Worker &worker) {
    char block[1 << 16];
    ssize_t n = ::read(worker.fromWorker, block, sizeof block);
    if (n > 0)
      worker.pending.append(block, static_cast<size_t>(n));
    size_t lineEnd = worker.pending.find('\n');
    if (lineEnd == std::string::npos && n > 0)
      return;
    std::string text = worker.pending.substr(0, lineEnd);
    worker.pending.erase(0, lineEnd == std::string::npos ? lineEnd : lineEnd + 1);
    auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_object() && json.contains("id")) {
      worker.busy = false;
      print(text, json.value("exit", 70));
      return;
    }
    int status = 0;
    ::close(worker.toWorker);
    ::close(worker.fromWorker);
    ::waitpid(worker.process, &status, 0);
    worker.process = -1;
    if (json.is_object() && json.contains("memory"))
      return answer(worker, fault("D1902", json["memory"].get<std::string>(), kInputIsWrong));
    std::string how = json.is_object() && json.contains("crash") ? json["crash"].get<std::string>()
                      : WIFSIGNALED(status)                      ? fmt::format("killed by signal {}", WTERMSIG(status))
                                                                 : fmt::format("the worker ended with {}", WEXITSTATUS(status));
    answer(worker, fault("D1602", "internal error: " + how, 70));
  }
};
} // namespace

int batchCommand(CommandLine &line, const std::vector<std::string> &arguments) {
  base::DiagnosticList sink;
  if (!finishJob(line, sink)) {
    printDiagnostics(sink.diagnostics(), false);
    return 2;
  }
  std::ifstream file;
  if (line.batch != "-") {
    file.open(line.batch);
    if (file && std::filesystem::is_directory(line.batch)) { // it opens, and then has no lines
      errno = EISDIR;
      file.setstate(std::ios::failbit);
    }
    if (!file) {
      base::SourceRange where;
      where.file = line.batch;
      fail(sink, "D1002", "cannot read '" + line.batch + "': " + std::strerror(errno), where);
      printDiagnostics(sink.diagnostics(), false);
      return kInputIsWrong;
    }
  }
  size_t workers = line.jobs > 0 ? static_cast<size_t>(line.jobs) : std::max(1u, std::thread::hardware_concurrency());
  return Batch(line, arguments).run(line.batch == "-" ? std::cin : file, workers);
}

int batchWorker(CommandLine &line) {
  installCrashHandlers(line.resultFile);
  base::DiagnosticList sink;
  finishJob(line, sink);
  Workplace workplace{openSession(line), {}};
  if (!workplace.session)
    return 2;
  std::string text;
  while (std::getline(std::cin, text)) {
    Job job = line.job;
    JobResult result;
    base::DiagnosticList faults;
    char *json = nullptr;
    auto number = static_cast<uint32_t>(std::strtoul(text.c_str(), &json, 10));
    if (readBatchLine(*json ? json + 1 : json, batchName(line), number, job, faults))
      result = runJob(job, workplace);
    else
      result.exit = statusOf(faults.diagnostics());
    for (base::Diagnostic &diagnostic : faults.take())
      result.diagnostics.push_back(std::move(diagnostic));
    std::string answer = describeResult(job.id, result) + "\n";
    for (size_t at = 0; at < answer.size();) {
      ssize_t n = ::write(line.resultFile, answer.data() + at, answer.size() - at);
      if (n <= 0)
        return 1;
      at += static_cast<size_t>(n);
    }
  }
  return 0;
}

} // namespace tegula::driver::tools

// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parent gives each worker a share of the cases by fork; the worker writes a line when it ends a case. A worker that dies, or is killed because
// its case takes too long, is replaced by one that goes on after that case.

#include "conformance/harness/workers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::conformance {

namespace {

using Clock = std::chrono::steady_clock;

struct Worker {
  pid_t process = -1;
  int pipe = -1;
  std::vector<size_t> share; ///< indices of its cases
  size_t next = 0;           ///< position in `share` of the case that is running, or comes next
  std::string buffered;
  Clock::time_point begin;   ///< of the case that is running
  bool killed = false;       ///< because that case took too long
};

void writeAll(int fd, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n <= 0)
      return;
    at += static_cast<size_t>(n);
  }
}

[[noreturn]] void work(const std::vector<const Case *> &cases, const Worker &worker, const RunOptions &options, int out) {
  std::string error;
  auto bench = Bench::open(options.target, error);
  if (!bench) {
    writeAll(out, nlohmann::json{{"fatal", error}}.dump() + "\n");
    _exit(3);
  }
  for (size_t i = worker.next; i < worker.share.size(); ++i) {
    Result result = bench->run(*cases[worker.share[i]], options.optimise, options.compareLevels);
    nlohmann::json line{{"status", static_cast<int>(result.status)}, {"text", result.text}, {"ms", result.milliseconds}};
    line["ratio"] = std::isfinite(result.worstRatio) ? nlohmann::json(result.worstRatio) : nlohmann::json(1e300);
    writeAll(out, line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }
  _exit(0);
}

/// The workers, and what comes from them.
class Pool {
public:
  Pool(const std::vector<const Case *> &cases, const RunOptions &options, const std::function<void(const Case &, const Result &)> &done)
      : cases(cases), options(options), done(done), workers(std::max(1u, std::min<unsigned>(options.jobs, static_cast<unsigned>(cases.size())))) {
    for (size_t i = 0; i < cases.size(); ++i)
      workers[i % workers.size()].share.push_back(i);
  }

  bool run(std::string &error) {
    for (Worker &w : workers)
      start(w);
    for (std::vector<pollfd> waits; waits.clear(), isOpen(waits);) {
      poll(waits.data(), waits.size(), 1000);
      for (const pollfd &ready : waits)
        if (Worker &w = *std::find_if(workers.begin(), workers.end(), [&](const Worker &x) { return x.pipe == ready.fd; }); ready.revents)
          receive(w);
      for (Worker &w : workers)
        if (w.pipe >= 0 && !w.killed && Clock::now() - w.begin > std::chrono::seconds(options.timeoutSeconds)) {
          w.killed = true;
          kill(w.process, SIGKILL); // its pipe ends, and so the next poll finds it
        }
    }
    error = fault;
    return fault.empty();
  }

private:
  bool isOpen(std::vector<pollfd> &waits) const {
    for (const Worker &w : workers)
      if (w.pipe >= 0)
        waits.push_back({w.pipe, POLLIN, 0});
    return !waits.empty();
  }

  void start(Worker &w) {
    if (w.next >= w.share.size())
      return;
    int ends[2];
    if (pipe(ends) != 0) {
      fault = "no pipe to a worker can be made";
      return;
    }
    fflush(nullptr);
    w.process = fork();
    if (w.process == 0) {
      close(ends[0]);
      work(cases, w, options, ends[1]);
    }
    close(ends[1]);
    if (w.process < 0) {
      close(ends[0]);
      fault = "no worker process can be started";
      return;
    }
    w.pipe = ends[0];
    w.buffered.clear();
    w.begin = Clock::now();
    w.killed = false;
  }

  void finish(Worker &w, const Result &result) {
    done(*cases[w.share[w.next++]], result);
    w.begin = Clock::now();
  }

  void receive(Worker &w) {
    char chunk[4096];
    const ssize_t n = read(w.pipe, chunk, sizeof chunk);
    if (n > 0)
      w.buffered.append(chunk, static_cast<size_t>(n));
    for (size_t end; (end = w.buffered.find('\n')) != std::string::npos; w.buffered.erase(0, end + 1)) {
      const auto line = nlohmann::json::parse(w.buffered.substr(0, end), nullptr, false);
      if (line.is_discarded())
        continue;
      if (line.contains("fatal")) {
        fault = line["fatal"];
        w.next = w.share.size();
      } else if (w.next < w.share.size()) {
        finish(w, {static_cast<Status>(line["status"].get<int>()), line["text"], line["ratio"], line["ms"]});
      }
    }
    if (n > 0)
      return;
    int status = 0;
    waitpid(w.process, &status, 0);
    close(w.pipe);
    w.pipe = -1;
    if (w.next >= w.share.size())
      return;
    const std::string how = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "exit status " + std::to_string(WEXITSTATUS(status));
    finish(w, w.killed ? Result{Status::Timeout, "no result after " + std::to_string(options.timeoutSeconds) + " s", 0, 0}
                       : Result{Status::Crash, "the worker ended with " + how, 0, 0});
    start(w);
  }

  const std::vector<const Case *> &cases;
  const RunOptions &options;
  const std::function<void(const Case &, const Result &)> &done;
  std::vector<Worker> workers;
  std::string fault;
};

} // namespace

bool runCases(const std::vector<const Case *> &cases, const RunOptions &options, const std::function<void(const Case &, const Result &)> &done,
              std::string &error) {
  return Pool(cases, options, done).run(error);
}

} // namespace tegula::conformance

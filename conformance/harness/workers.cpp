// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parent gives each worker a share of the cases by fork; the worker writes a line when it begins a case and one when it ends it. A worker that
// dies is replaced by one that goes on after the case it died in.

#include "conformance/harness/workers.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::conformance {

namespace {

struct Worker {
  pid_t process = -1;
  int pipe = -1;
  std::vector<size_t> share; ///< indices of its cases
  size_t next = 0;           ///< position in `share` of the case that is running, or comes next
  std::string buffered;
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

bool start(const std::vector<const Case *> &cases, Worker &worker, const RunOptions &options) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  fflush(nullptr);
  worker.process = fork();
  if (worker.process == 0) {
    close(ends[0]);
    work(cases, worker, options, ends[1]);
  }
  close(ends[1]);
  worker.pipe = ends[0];
  worker.buffered.clear();
  return worker.process > 0;
}

} // namespace

bool runCases(const std::vector<const Case *> &cases, const RunOptions &options, const std::function<void(const Case &, const Result &)> &done,
              std::string &error) {
  unsigned jobs = std::max(1u, std::min<unsigned>(options.jobs, static_cast<unsigned>(cases.size())));
  std::vector<Worker> workers(jobs);
  for (size_t i = 0; i < cases.size(); ++i)
    workers[i % jobs].share.push_back(i);
  size_t open = 0;
  for (Worker &w : workers)
    open += !w.share.empty() && start(cases, w, options);
  bool good = true;
  while (open) {
    std::vector<pollfd> waits;
    for (const Worker &w : workers)
      if (w.pipe >= 0)
        waits.push_back({w.pipe, POLLIN, 0});
    if (poll(waits.data(), waits.size(), -1) < 0)
      continue;
    for (const pollfd &ready : waits) {
      if (!ready.revents)
        continue;
      Worker &w = *std::find_if(workers.begin(), workers.end(), [&](const Worker &x) { return x.pipe == ready.fd; });
      char chunk[4096];
      ssize_t n = read(w.pipe, chunk, sizeof chunk);
      if (n > 0)
        w.buffered.append(chunk, static_cast<size_t>(n));
      for (size_t end; (end = w.buffered.find('\n')) != std::string::npos; w.buffered.erase(0, end + 1)) {
        auto line = nlohmann::json::parse(w.buffered.substr(0, end), nullptr, false);
        if (line.is_discarded())
          continue;
        if (line.contains("fatal")) {
          error = line["fatal"];
          good = false;
          w.next = w.share.size();
          continue;
        }
        done(*cases[w.share[w.next++]], {static_cast<Status>(line["status"].get<int>()), line["text"], line["ratio"], line["ms"]});
      }
      if (n > 0)
        continue;
      int status = 0;
      waitpid(w.process, &status, 0);
      close(w.pipe);
      w.pipe = -1;
      --open;
      if (w.next >= w.share.size())
        continue;
      std::string how = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "exit status " + std::to_string(WEXITSTATUS(status));
      done(*cases[w.share[w.next++]], {Status::Crash, "the worker ended with " + how, 0, 0});
      if (w.next < w.share.size())
        open += start(cases, w, options);
    }
  }
  return good;
}

} // namespace tegula::conformance

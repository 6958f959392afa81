// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/distributed/rank_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace disco {
namespace {

constexpr std::size_t kKeptLines = 20;
constexpr std::size_t kLongestLine = 64 << 10;  // longer ones are split, so that no rank can fill our memory

struct Pipe {
  FileHandle read, write;
};

Result<Pipe> open_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return failure("no pipe for a rank: " + errno_text(errno));
  return Pipe{FileHandle(ends[0]), FileHandle(ends[1])};
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));  // exec wants char*
  result.push_back(nullptr);
  return result;
}

/// Runs in the child between fork and exec: async-signal-safe calls only. Returns (with errno) when something failed.
void become(char* const* arguments, char* const* environment, const ProcessImage& image, int errors, pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  if (getppid() != parent) _exit(1);  // the parent died before the kernel knew that we want to die with it
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) return;
  if (image.inherited_socket >= 0 && fcntl(image.inherited_socket, F_SETFD, 0) != 0) return;
  sigprocmask(SIG_SETMASK, &image.signal_mask, nullptr);
  execvpe(arguments[0], arguments, environment);
}

}  // namespace

Result<MasterSocket> open_master_socket() {
  const auto failed = [] { return failure("no port on the loopback interface: " + errno_text(errno), "127.0.0.1"); };
  MasterSocket master{.socket = FileHandle(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), .port = 0};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (!master.socket.valid() || bind(master.socket.get(), generic, length) != 0) return failed();
  if (getsockname(master.socket.get(), generic, &length) != 0) return failed();
  master.port = ntohs(address.sin_port);
  return master;
}

void RankProcess::deliver(const std::function<void(std::string_view)>& take) {
  take(partial_line);
  last_lines.push_back(std::exchange(partial_line, {}));
  if (last_lines.size() > kKeptLines) last_lines.pop_front();
}

void RankProcess::read_lines(const std::function<void(std::string_view)>& take) {
  std::array<char, 16 << 10> buffer;
  // Not without end: a rank that never stops talking must not keep us from everything else.
  for (int reads = 0; reads < 64 && errors.valid(); ++reads) {
    const ssize_t count = ::read(errors.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      errors = FileHandle();
      return;
    }
    std::string_view arrived(buffer.data(), static_cast<std::size_t>(count));
    while (!arrived.empty()) {
      const std::size_t end = arrived.find('\n');
      partial_line += arrived.substr(0, end);
      if (end == std::string_view::npos && partial_line.size() < kLongestLine) break;
      deliver(take);
      arrived.remove_prefix(end == std::string_view::npos ? arrived.size() : end + 1);
    }
  }
}

void RankProcess::finish_lines(const std::function<void(std::string_view)>& take) {
  read_lines(take);
  if (!partial_line.empty()) deliver(take);
}

Result<RankProcess> start_process(const ProcessImage& image) {
  DISCO_TRY(Pipe errors, open_pipe());
  DISCO_TRY(Pipe started, open_pipe());  // closes when exec succeeds, else carries errno
  const std::vector<char*> arguments = pointers(image.command);
  const std::vector<char*> environment = pointers(image.environment);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return failure("a rank could not be started: " + errno_text(errno), image.command.front());
  if (pid == 0) {
    become(arguments.data(), environment.data(), image, errors.write.get(), parent);
    const int code = errno;
    [[maybe_unused]] const ssize_t written = ::write(started.write.get(), &code, sizeof code);
    _exit(127);
  }
  started.write = FileHandle();
  int code = 0;
  ssize_t count = 0;
  do {
    count = ::read(started.read.get(), &code, sizeof code);
  } while (count < 0 && errno == EINTR);
  if (count == sizeof code) {
    waitpid(pid, nullptr, 0);
    return failure("a rank could not be started: " + errno_text(code), image.command.front());
  }
  fcntl(errors.read.get(), F_SETFL, O_NONBLOCK);
  RankProcess process;
  process.pid = pid;
  process.ended = FileHandle(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));  // Debian 12's wrapper is C only
  process.errors = std::move(errors.read);
  if (!process.ended.valid()) {
    const int code_of_watching = errno;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return failure("a rank cannot be watched: " + errno_text(code_of_watching), image.command.front(),
                   "Linux 5.3 or later is needed");
  }
  return process;
}

}  // namespace disco

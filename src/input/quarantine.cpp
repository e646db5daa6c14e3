// SPDX-License-Identifier: Apache-2.0
//
// The child is a copy of this process (fork) with one thread, so it sees the mapped file without a
// copy, and glibc's allocator works in it. It shuts itself in before it looks at the file: a filter
// of system calls (seccomp), a limit of memory above what it has, and no core file. Signals of
// crashes are set back, so that nobody's handler (Python's faulthandler) prints about them.
//
// The child leaves by _exit: no destructors and no buffers of the parent run twice.
#include "input/quarantine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <system_error>
#include <vector>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#define MBN_HAS_SECCOMP
#endif

#include <mbn/error.hpp>

#include "base/checked.hpp"
#include "base/stopwatch.hpp"

namespace mbn {

namespace {

constexpr int kCompleted = 0;
constexpr int kGaveUp = 3;
// Without a byte: of waiting, on whatever, and of work, which no honest block takes. A small file
// has no reason to take long, and one that hangs is refused the sooner.
constexpr double kMostWaitSeconds = 600;
double most_work_seconds(std::uint64_t file_bytes) {
  constexpr double kMost = 10;
  return std::min(kMost, 2 + static_cast<double>(file_bytes) / 1e6);
}

[[noreturn]] void fail_system(const std::string& name, int code) {
  throw IoError(
      code, fmt::format("cannot read {}: {}", name, std::generic_category().message(code)), name);
}

#ifdef MBN_HAS_SECCOMP
/// From here on only memory, the end, and writing to one descriptor. All else fails with EPERM.
void allow_only_writing_to(int descriptor) {
#ifdef __x86_64__
  constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
  constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif
  constexpr std::array kAllowed = {__NR_mmap,       __NR_munmap,      __NR_mremap, __NR_brk,
                                   __NR_mprotect,   __NR_madvise,     __NR_futex,  __NR_exit,
                                   __NR_exit_group, __NR_rt_sigreturn};
  std::vector<sock_filter> filter;
  const auto add = [&](int code, std::size_t value, std::uint8_t if_equal, std::uint8_t if_not) {
    filter.push_back(
        {static_cast<std::uint16_t>(code), if_equal, if_not, static_cast<std::uint32_t>(value)});
  };
  const auto load = [&](std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); };
  const auto skip_if = [&](std::size_t value) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0); };
  const auto skip_unless = [&](std::size_t value, std::uint8_t lines) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, lines);
  };
  const auto answer = [&](std::size_t action) { add(BPF_RET | BPF_K, action, 0, 0); };
  constexpr std::size_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
  load(offsetof(seccomp_data, arch));
  skip_if(kArchitecture);
  answer(kRefuse);  // another architecture's numbers mean other calls
  load(offsetof(seccomp_data, nr));
  for (const int call : kAllowed) {
    skip_unless(static_cast<std::size_t>(call), 1);
    answer(SECCOMP_RET_ALLOW);
  }
  skip_unless(__NR_write, 3);
  load(offsetof(seccomp_data, args));  // the low half of the first one, on both architectures
  skip_unless(static_cast<std::size_t>(descriptor), 1);
  answer(SECCOMP_RET_ALLOW);
  answer(kRefuse);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#endif

/// What the process has now, and some bytes more.
void limit_memory(std::uint64_t more) {
  unsigned long long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return;
  const int read = std::fscanf(file, "%llu", &pages);
  std::fclose(file);
  const auto has = checked_product(pages, static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
  const auto most = has ? checked_sum(*has, more) : std::nullopt;
  if (read != 1 || !most) return;
  const rlimit limit{*most, *most};
  ::setrlimit(RLIMIT_AS, &limit);
}

/// Nothing that is open in the parent stays open here, above all no other quarantine's pipe: its
/// end would not be seen.
void close_all_but(int descriptor) {
#ifdef SYS_close_range
  const auto kept = static_cast<unsigned>(descriptor);
  if (kept > 0) ::syscall(SYS_close_range, 0U, kept - 1, 0U);
  ::syscall(SYS_close_range, kept + 1, ~0U, 0U);
#endif
  static_cast<void>(descriptor);
}

void shut_in(int descriptor, std::uint64_t file_bytes) {
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPIPE, SIGSYS}) {
    std::signal(crash, SIG_DFL);
  }
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  constexpr std::uint64_t kAlways = std::uint64_t{4} << 30;
  limit_memory(checked_product(file_bytes, 4).value_or(0) + kAlways);
  close_all_but(descriptor);
#ifdef MBN_HAS_SECCOMP
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  allow_only_writing_to(descriptor);
#endif
  static_cast<void>(descriptor);
}

int open_pipe(std::array<int, 2>& ends) {
#ifdef __linux__
  return ::pipe2(ends.data(), O_CLOEXEC);  // programs that other threads start do not get it
#else
  return ::pipe(ends.data());
#endif
}

}  // namespace

void QuarantineOutput::write(const void* bytes, std::size_t count) {
  const auto* from = static_cast<const std::byte*>(bytes);
  while (count > 0) {
    const ssize_t done = ::write(descriptor_, from, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) ::_exit(kGaveUp);
    from += done;
    count -= static_cast<std::size_t>(done);
  }
}

Quarantine::Quarantine(std::string name, std::uint64_t file_bytes, std::uint64_t limit,
                       const Work& work)
    : BufferedSource(std::move(name)),
      limit_(limit),
      most_work_seconds_(most_work_seconds(file_bytes)) {
  std::array<int, 2> ends{};
  if (open_pipe(ends) != 0) fail_system(this->name(), errno);
  child_ = ::fork();
  if (child_ == 0) {
    ::close(ends[0]);
    shut_in(ends[1], file_bytes);
    try {
      QuarantineOutput output(ends[1]);
      work(output);
      ::_exit(kCompleted);
    } catch (...) {
      ::_exit(kGaveUp);
    }
  }
  const int code = errno;
  ::close(ends[1]);
  if (child_ < 0) {
    ::close(ends[0]);
    fail_system(this->name(), code);
  }
  descriptor_ = ends[0];
}

Quarantine::~Quarantine() {
  ::close(descriptor_);
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

double Quarantine::worked_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(child_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::size_t Quarantine::fill(void* bytes, std::size_t count) {
  constexpr int kMilliseconds = 1000;
  const double before = worked_seconds();
  const Stopwatch waiting_time;
  while (true) {
    pollfd waiting{descriptor_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kMilliseconds);
    if (ready < 0 && errno != EINTR) fail_system(name(), errno);
    if (ready <= 0) {
      if (worked_seconds() - before > most_work_seconds_ ||
          waiting_time.seconds() > kMostWaitSeconds) {
        refuse_to_wait();
      }
      continue;
    }
    const ssize_t got = ::read(descriptor_, bytes, count);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail_system(name(), errno);
  }
}

void Quarantine::refuse_to_wait() const {
  throw FormatError(
      ErrorCode::damaged,
      fmt::format("{}: reading it took too long: {:.0f} seconds of work gave no further byte; the "
                  "file is damaged or made to last, fetch or write it again",
                  name(), most_work_seconds_),
      {.path = name()});
}

bool Quarantine::ended_well() {
  int status = 0;
  pid_t ended = -1;
  do {
    ended = ::waitpid(child_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  child_ = -1;
  // A program that ignores SIGCHLD gets no status.
  return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == kCompleted);
}

void Quarantine::finish() {
  if (peek(1).empty() && ended_well()) return;
  throw FormatError(ErrorCode::damaged,
                    fmt::format("{}: it cannot be read to its end; the file is damaged, fetch or "
                                "write it again",
                                name()),
                    {.path = name()});
}

}  // namespace mbn

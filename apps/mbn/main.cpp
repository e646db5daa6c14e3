// SPDX-License-Identifier: Apache-2.0
//
// The tool: declares the verbs, reads the arguments, runs the chosen verb, and turns what can go
// wrong into a message and an exit code: 0 done, 1 failed, 2 misused, 130 interrupted.
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "suggest.hpp"
#include "verbs.hpp"
#include "wording.hpp"

namespace {

using mbn::tool::in_tool_words;
using mbn::tool::Session;

constexpr int kFailed = 1;
constexpr int kMisused = 2;
constexpr int kInterrupted = 130;

// Some steps cannot look at the flag (the eigenvalues of a dense matrix, a library that reads a
// picture). What takes longer than this after a signal is ended where it stands; files that have no
// name yet vanish with the process.
constexpr itimerval kPatience = {.it_interval = {0, 0}, .it_value = {0, 700'000}};

void on_lost_patience(int) {
  constexpr std::string_view kMessage = "mbn: interrupted\n";
  if (mbn::tool::is_quiet) _exit(kInterrupted);
  if (::write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0) _exit(kInterrupted);
  _exit(kInterrupted);
}

// The first Ctrl-C cancels the work, so that no half-written file stays behind; the second ends the
// process. So does the first while files are being read: nothing is written, and nothing checks the
// flag yet.
void on_interrupt(int signal) {
  if (!mbn::tool::watching) _exit(kInterrupted);
  mbn::tool::interrupted = true;
  std::signal(signal, SIG_DFL);
  if (!mbn::tool::saves_when_interrupted) setitimer(ITIMER_REAL, &kPatience, nullptr);
}

// A mapped file that another program cuts short while it is read: its last pages are gone, and
// there is no way back into the work. Nothing was written under its final name.
void on_missing_page(int) {
  constexpr std::string_view kMessage =
      "mbn: a file became shorter, or its disk failed, while it was being read; no output was "
      "written. Run the command again when nothing else writes to that file\n";
  if (::write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0) _exit(kFailed);
  _exit(kFailed);
}

int complain(const std::string& message, int code) {
  std::fputs(fmt::format("mbn: {}\n", message).c_str(), stderr);
  return code;
}

// Where there is no memory, a message must not need any.
int complain_of_memory() {
  std::fputs(
      "mbn: out of memory: the system gives no more; try --memory-limit or fewer --threads, and "
      "'mbn plan' shows what is needed\n",
      stderr);
  return kFailed;
}

// CLI11 allocates in functions that must not throw, so running out of memory there ends here. No
// file has appeared under its name by then.
[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    _exit(complain_of_memory());
  } catch (...) {
  }
  std::abort();
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  const std::string nearest = mbn::tool::nearest_word(word, candidates);
  return nearest.empty() ? otherwise : fmt::format("did you mean '{}'?", nearest);
}

// What is wrong with a verb or an option that does not exist; empty when all exist.
std::string find_unknown_word(CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  const std::string verb_name = argv[1];
  const std::vector<std::string> verbs = verb_names(app);
  if (std::find(verbs.begin(), verbs.end(), verb_name) == verbs.end()) {
    return fmt::format("there is no verb '{}'; {}", verb_name,
                       did_you_mean(verb_name, verbs, "'mbn --help' lists them"));
  }
  const CLI::App* verb = app.get_subcommand(verb_name);
  std::vector<std::string> names;
  for (const CLI::Option* option : verb->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") break;
    if (argument.rfind("--", 0) != 0) continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return fmt::format(
        "'{}' has no option '{}'; {}", verb_name, name,
        did_you_mean(name, names, fmt::format("'mbn {} --help' lists them", verb_name)));
  }
  return {};
}

// The command as a person would type it again.
std::string command_text(int argc, char** argv) {
  std::string text = "mbn";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool plain = argument.find_first_of(" \t\n\"'\\$`!*?[](){}<>|;&#~") == std::string::npos;
    std::string quoted = argument;
    for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 4) {
      quoted.replace(at, 1, "'\\''");
    }
    text += plain && !argument.empty() ? " " + argument : " '" + quoted + "'";
  }
  return text;
}

// Also which instruction sets the library was compiled for, what this machine has of them, and
// which one is in use.
std::string version_text() {
  return fmt::format("mbn {}\ncompiled for {}\nthis machine has {}\nin use: {}", mbn::version(),
                     fmt::join(mbn::compiled_targets(), ", "),
                     fmt::join(mbn::processor_targets(), ", "), mbn::processor_target());
}

void declare(CLI::App& app, Session& session) {
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text());
  app.get_formatter()->column_width(34);
  app.footer(
      "'mbn VERB --help' explains a verb. Start with:\n"
      "  mbn generate moons -n 500 -o moons.csv --labels truth.csv\n"
      "  mbn cluster moons.csv --clusters 2 --truth truth.csv --plot map.svg");
  mbn::tool::add_fit(app, session);
  mbn::tool::add_transform(app, session);
  mbn::tool::add_map(app, session);
  mbn::tool::add_embed(app, session);
  mbn::tool::add_cluster(app, session);
  mbn::tool::add_report(app, session);
  mbn::tool::add_describe(app, session);
  mbn::tool::add_predict(app, session);
  mbn::tool::add_update(app, session);
  mbn::tool::add_recluster(app, session);
  mbn::tool::add_compress(app, session);
  mbn::tool::add_evaluate(app, session);
  mbn::tool::add_plan(app, session);
  mbn::tool::add_info(app, session);
  mbn::tool::add_vectorize(app, session);
  mbn::tool::add_index(app, session);
  mbn::tool::add_search(app, session);
  mbn::tool::add_lsa(app, session);
  mbn::tool::add_generate(app, session);
  mbn::tool::add_concat(app, session);
  mbn::tool::add_options(app, session);
}

int run(Session& session) {
  try {
    session.action();
    session.finish();
    if (session.stopped) return kInterrupted;
    return session.unanswered ? kFailed : 0;
  } catch (const mbn::Cancelled&) {
    session.say("interrupted; no output was written");
    return kInterrupted;
  } catch (const mbn::InvalidArgument& error) {
    return complain(in_tool_words(error.message()), kMisused);
  } catch (const mbn::Error& error) {
    return complain(in_tool_words(error.message()), kFailed);
  } catch (const std::bad_alloc&) {
    return complain_of_memory();
  } catch (const std::exception& error) {
    return complain(fmt::format("unexpected: {}", error.what()), kFailed);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  std::set_terminate(on_terminate);
  Session session;
  try {
    mbn::processor_target();
  } catch (const mbn::InvalidArgument& error) {
    return complain(error.what(), kMisused);
  }
  CLI::App app("Multilayer Bootstrap Networks: see, cluster and embed rows without labels.", "mbn");
  declare(app, session);
  session.command = command_text(argc, argv);
  if (const std::string problem = find_unknown_word(app, argc, argv); !problem.empty()) {
    return complain(problem, kMisused);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(
        fmt::format("{}\n     '{} --help' explains", error.what(),
                    argc > 1 && argv[1][0] != '-' ? fmt::format("mbn {}", argv[1]) : "mbn"),
        kMisused);
  }
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGALRM, on_lost_patience);
  std::signal(SIGBUS, on_missing_page);
  return run(session);
} catch (const std::bad_alloc&) {
  return complain_of_memory();
}

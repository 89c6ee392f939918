// SPDX-FileCopyrightText: The Tegula authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CLI11 says what is wrong in a sentence that names the option; the place is found again among the words.
#include "driver/tools/usage_error.h"

#include "driver/session/option_text.h"
#include "sdk/base/nearest_name.h"

#include <cctype>
#include <sstream>

namespace tegula::driver::tools {

namespace {
/// The command line as text, with a caret under words [begin, end); under what follows it where that is empty.
base::SourceRange placeOf(const std::vector<std::string> &words, size_t begin, size_t end) {
  OptionText text;
  size_t from = std::string::npos, to = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    bool quoted = words[i].empty() || words[i].find_first_of(" '\"\\$*?[](){}<>|&;") != std::string::npos;
    text.text += i ? " " : "";
    if (i == begin)
      from = text.text.size();
    text.text += quoted ? "'" + words[i] + "'" : words[i];
    if (i + 1 == end)
      to = text.text.size();
  }
  if (from == std::string::npos)
    from = (text.text += " ").size();
  return text.at(from, to);
}

const CLI::App &innermost(const CLI::App &app) {
  auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

std::vector<std::string> spellings(const CLI::App &command) {
  std::vector<std::string> out;
  for (const CLI::Option *option : command.get_options()) {
    if (option->get_group().empty() && !option->get_positional())
      continue; // hidden
    for (const std::string &name : option->get_lnames())
      out.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      out.push_back("-" + name);
  }
  return out;
}

base::Diagnostic usage(std::string message, base::SourceRange where, std::string help) { return {base::Severity::Error, "D1001", std::move(message), std::move(where), {}, std::move(help)}; }
} // namespace

base::Diagnostic describeUsageError(const CLI::App &app, const CLI::ParseError &error, const std::vector<std::string> &words) {
  const CLI::App &command = innermost(app);
  std::vector<std::string> known = spellings(command);
  std::string name = &command == &app ? app.get_name() : app.get_name() + " " + command.get_name(), list = "`" + name + " --help` lists the options";
  auto indexOf = [&](auto matches) { return static_cast<size_t>(std::find_if(words.begin() + 1, words.end(), matches) - words.begin()); };
  std::string message = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    // They are listed in another order: what comes first in the command line is told.
    std::string extras = message.substr(std::min(message.find(": "), message.size() - 1) + 1) + " ";
    auto isExtra = [&](const std::string &word) { return extras.find(" " + word + " ") != std::string::npos; };
    // A word that follows an unknown option may be its value, and may stand elsewhere, too.
    size_t at = indexOf([&](const std::string &word) { return word.starts_with("-") && isExtra(word); });
    if (at == words.size())
      at = indexOf(isExtra);
    std::string word = at < words.size() ? words[at] : std::string();
    if (!word.starts_with("-"))
      return usage("'" + word + "' is one word too many for `" + name + "`", placeOf(words, at, at + 1), list);
    std::string option = word.substr(0, word.find('='));
    return usage("unknown option '" + option + "' of `" + name + "`", placeOf(words, at, at + 1), base::didYouMean(option, known, list));
  }
  std::istringstream pieces(message);
  for (std::string piece; pieces >> piece;) {
    while (!piece.empty() && (piece.back() == ':' || piece.back() == ','))
      piece.pop_back();
    if (std::find(known.begin(), known.end(), piece) == known.end())
      continue;
    std::vector<std::string> names{piece};
    for (const CLI::Option *option : command.get_options())
      if (option->check_name(piece)) {
        for (const std::string &other : option->get_snames())
          names.push_back("-" + other);
        for (const std::string &other : option->get_lnames())
          names.push_back("--" + other);
      }
    size_t at = indexOf([&](const std::string &word) {
      return std::any_of(names.begin(), names.end(), [&](const std::string &n) { return word == n || word.starts_with(n + "=") || (n.size() == 2 && word.starts_with(n)); });
    });
    bool valueFollows = at + 1 < words.size() && std::find(names.begin(), names.end(), words[at]) != names.end() && error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExcludesError);
    if (size_t received = message.rfind(" received "); message.find("At Most 1 required") != std::string::npos && received != std::string::npos)
      message = "'" + piece + "' is given " + message.substr(received + 10) + " times";
    else if (message.starts_with(piece + ": "))
      message = "'" + piece + "': " + message.substr(piece.size() + 2);
    return usage(std::move(message), placeOf(words, at, at + 1 + valueFollows), list);
  }
  if (!message.empty() && message.size() > 1 && std::islower(static_cast<unsigned char>(message[1])))
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  return usage(std::move(message), placeOf(words, words.size(), 0), list);
}

std::optional<base::Diagnostic> checkCommand(const CLI::App &app, const std::vector<std::string> &words) {
  if (words.size() > 1 && words[1].starts_with("-"))
    return std::nullopt;
  std::vector<std::string> commands;
  std::string listed;
  for (const CLI::App *command : app.get_subcommands(nullptr)) {
    commands.push_back(command->get_name());
    listed += (listed.empty() ? "" : ", ") + command->get_name();
  }
  if (words.size() < 2)
    return usage("a command is missing", placeOf(words, words.size(), 0), "commands are " + listed + "; `tegula COMMAND --help` describes each");
  if (std::find(commands.begin(), commands.end(), words[1]) != commands.end())
    return std::nullopt;
  return usage("unknown command '" + words[1] + "'", placeOf(words, 1, 2), base::didYouMean(words[1], commands, "commands are " + listed));
}

} // namespace tegula::driver::tools

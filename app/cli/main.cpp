#include "command.h"
#include "interrupt.h"
#include "output.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <vector>

namespace kvasir::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;   // the work could not be done
constexpr int kBadInput = 2; // what was given can not be worked with

/// Commands that belong to the program but are not made yet, so that a script learns it in one line.
constexpr std::array kLater{"compare", "quantize", "selftest", "serve"};

std::vector<Command> allCommands()
{
    return {chatCommand(), generateCommand(), logitsCommand(), tokenizeCommand(), detokenizeCommand(),
        templateCommand(), perplexityCommand(), benchCommand(), inspectCommand(), planCommand(), makeModelCommand(),
        limitsCommand()};
}

int exitCode(ErrorCode code)
{
    switch (code) {
    case ErrorCode::OutOfMemory:
    case ErrorCode::Cancelled:
    case ErrorCode::FileUnwritable:
    case ErrorCode::Internal:
        return kFailed;
    default:
        return kBadInput;
    }
}

int report(const Error& error)
{
    std::string line = "kvasir-cli: " + error.detail;
    std::replace(line.begin(), line.end(), '\n', ' '); // the reason is one line, whatever a file's names hold
    note(line + '\n');
    return exitCode(error.code);
}

int reportUsage(const std::string& detail)
{
    return report(fail(ErrorCode::BadArgument, detail + "; kvasir-cli --help tells what there is").error);
}

std::string overview(const std::vector<Command>& commands)
{
    std::vector<std::vector<std::string>> rows;
    for (const Command& command : commands) {
        rows.push_back({"  " + std::string(command.name), command.summary});
    }
    return "kvasir-cli " KVASIR_VERSION " - run a language model on this machine and see where its time goes\n\n"
           "usage: kvasir-cli COMMAND [OPTIONS]\n\n"
        + table(rows)
        + "\n`kvasir-cli COMMAND --help` tells a command's options; --version the version.\n"
          "Exit codes: 0 done, 1 the work failed, 2 bad input or usage.\n";
}

std::string help(const Command& command)
{
    std::vector<std::vector<std::string>> rows;
    for (const Option& option : command.options) {
        std::string left = option.shortName ? std::string("  ").append(option.shortName).append(", ") : "      ";
        left += option.name;
        if (option.value) {
            left.append(" ").append(option.value);
        }
        rows.push_back({std::move(left), option.help});
    }
    rows.push_back({"  -h, --help", "this text"});
    return "kvasir-cli " + std::string(command.name) + " - " + command.summary + "\n\nusage: kvasir-cli " + command.name
        + ' ' + command.usage + (command.usage[0] ? " " : "") + "[OPTIONS]\n\n" + table(rows);
}

int printOrReport(const std::string& text)
{
    const auto printed = print(text);
    return printed ? kDone : report(printed.error());
}

bool asksForHelp(std::string_view word)
{
    return word == "--help" || word == "-h";
}

int runCommand(const Command& command, std::span<const std::string_view> words)
{
    if (std::any_of(words.begin(), words.end(), asksForHelp)) {
        return printOrReport(help(command));
    }
    const auto arguments = Arguments::parse(command.options, words, command.mostPositional);
    if (!arguments) {
        return report(arguments.error());
    }
    const auto done = command.run(*arguments);
    return done ? kDone : report(done.error());
}

int runProgram(std::span<const std::string_view> words)
{
    const std::vector<Command> commands = allCommands();
    if (words.empty()) {
        return reportUsage("no command was given");
    }
    const std::string_view name = words[0];
    if (name == "--version") {
        return printOrReport("kvasir-cli " KVASIR_VERSION "\n");
    }
    if (asksForHelp(name) || name == "help") {
        return printOrReport(overview(commands));
    }
    if (std::find(kLater.begin(), kLater.end(), name) != kLater.end()) {
        const std::string text(name);
        return report(
            fail(ErrorCode::Unsupported, text + " is not available yet", {{"what", "command"}, {"name", text}}).error);
    }
    const auto command =
        std::find_if(commands.begin(), commands.end(), [&](const Command& other) { return name == other.name; });
    if (command == commands.end()) {
        return reportUsage("unknown command '" + std::string(name) + "'");
    }
    return runCommand(*command, words.subspan(1));
}

} // namespace
} // namespace kvasir::cli

int main(int argc, char** argv)
{
    using namespace kvasir;
    cli::installSignalHandlers();
    // The engine returns its errors; this is for what the standard library throws on the way to it.
    try {
        const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
        return cli::runProgram(words);
    } catch (const std::bad_alloc&) {
        return cli::report(fail(ErrorCode::OutOfMemory, "out of memory").error);
    } catch (const std::exception& exception) {
        return cli::report(fail(ErrorCode::Internal, exception.what()).error);
    }
}

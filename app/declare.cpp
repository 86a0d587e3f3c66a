#include "app/declare.h"

#include "report/formats.h"

#include <map>

namespace app {
namespace {

std::vector<std::string> format_names() {
    std::vector<std::string> names;
    for (const report::Format& format : report::formats())
        names.emplace_back(format.name);
    return names;
}

void declare_isolation(CLI::App& command, Options& options) {
    static const std::map<std::string, model::IsolationLevel> levels{{"A", model::IsolationLevel::A},
                                                                     {"B", model::IsolationLevel::B},
                                                                     {"C", model::IsolationLevel::C},
                                                                     {"D", model::IsolationLevel::D},
                                                                     {"E", model::IsolationLevel::E}};
    command
        .add_option_function<std::string>(
            "--require-isolation",
            [&options](const std::string& name) {
                const auto found = levels.find(name);
                if (found == levels.end())
                    throw CLI::ValidationError("--require-isolation", "takes A, B, C, D or E");
                options.require_isolation = found->second;
            },
            "refuse with exit code 4 where isolation is weaker than this (A is the strongest)")
        ->type_name("A|B|C|D|E");
}

void declare_reports(CLI::App& command, Options& options) {
    command.add_option("--format", options.formats, "report format; repeatable")
        ->check(CLI::IsMember(format_names()))
        ->allow_extra_args(false);
    command
        .add_option("--output", options.outputs, "file for the format of the same position; default: stdout")
        ->type_name("FILE")
        ->allow_extra_args(false);
}

void declare_device(CLI::App& command, Options& options) {
    static const std::map<std::string, model::Device> devices{{"auto", model::Device::automatic},
                                                              {"cpu", model::Device::cpu},
                                                              {"cuda", model::Device::cuda},
                                                              {"emulated", model::Device::emulated}};
    command.add_option("--device", options.device, "where CUDA runs: auto, cpu, cuda or emulated")
        ->transform(CLI::CheckedTransformer(devices).description(""))
        ->type_name("DEVICE");
}

void declare_seed(CLI::App& command, Options& options, const char* says) {
    // Without the check, -1 becomes the largest number there is.
    command.add_option("--seed", options.seed, says)->check(CLI::NonNegativeNumber)->type_name("NUMBER");
}

void declare_ids(CLI::App& command, Options& options, bool needed, bool several) {
    CLI::Option* option = command.add_option("ID", options.ids,
                                             several  ? "problems; default: all"
                                             : needed ? "the problem"
                                                      : "the problem; default: the one you are at");
    if (!several) option->expected(needed ? 1 : 0, 1);
    if (needed) option->required();
}

} // namespace

void declare_common(CLI::App& command, Options& options) {
    static const std::map<std::string, terminal::ColourChoice> choices{
        {"auto", terminal::ColourChoice::automatic},
        {"always", terminal::ColourChoice::always},
        {"never", terminal::ColourChoice::never}};
    command.add_option("--color", options.colour, "colours: auto, always or never")
        ->transform(CLI::CheckedTransformer(choices).description(""))
        ->type_name("WHEN");
    command.add_flag("-v,--verbose", options.verbose, "more detail");
}

void declare_nothing(CLI::App&, Options&) {}

void declare_id(CLI::App& command, Options& options) {
    declare_ids(command, options, false, false);
}

void declare_needed_id(CLI::App& command, Options& options) {
    declare_ids(command, options, true, false);
}

void declare_judging(CLI::App& command, Options& options) {
    declare_ids(command, options, false, false);
    command
        .add_option("--from", options.from, "judge this file, or the files in this folder, instead of yours")
        ->type_name("FILE|DIR");
    declare_reports(command, options);
    declare_seed(command, options, "repeat a run: the seed that its report shows");
    declare_device(command, options);
    declare_isolation(command, options);
    command.add_flag("--timings", options.timings, "where the time went");
    command.add_flag("--exit-zero", options.exit_zero, "end with 0 after any completed judgement");
}

void declare_verify(CLI::App& command, Options& options) {
    declare_ids(command, options, false, true);
    declare_seed(command, options, "repeat a run: the seed that it printed");
    command.add_flag_callback(
        "--no-mutants", [&options] { options.mutants = false; }, "skip the mutants of the reference");
    command.add_flag("--timings", options.timings, "where the time went");
}

void declare_new_id(CLI::App& command, Options& options) {
    command.add_option("ID", options.ids, "what the problem shall be called: lower-case words joined by '-'")
        ->expected(1)
        ->required();
}

void declare_doctor(CLI::App& command, Options& options) {
    command.add_option("--format", options.formats, "console or json")
        ->check(CLI::IsMember({"console", "json"}))
        ->expected(1);
    declare_isolation(command, options);
}

void declare_shell(CLI::App& command, Options& options) {
    command.add_option("SHELL", options.shell, "bash or zsh")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));
}

} // namespace app

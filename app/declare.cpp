#include "app/declare.h"

#include "app/values.h"
#include "exports/formats.h"
#include "picture/formats.h"
#include "report/formats.h"

#include <algorithm>
#include <map>

namespace app {
namespace {

template <class Format>
std::vector<std::string> names_of(const std::vector<Format>& formats) {
    std::vector<std::string> names;
    names.reserve(formats.size());
    for (const Format& format : formats)
        names.emplace_back(format.name);
    return names;
}

void declare_isolation(CLI::App& command, Options& options) {
    static const auto levels = [] {
        std::map<std::string, model::IsolationLevel> map;
        for (const auto& level : model::isolation_levels)
            map.emplace(level.name, level.value);
        return map;
    }();
    command
        .add_option_function<std::string>(
            "--require-isolation",
            [&options](const std::string& name) {
                const auto found = levels.find(name);
                if (found == levels.end())
                    throw CLI::ValidationError("--require-isolation",
                                               not_one_of({"A", "B", "C", "D", "E"}, name));
                options.require_isolation = found->second;
            },
            "refuse with exit code 4 where isolation is weaker than this (A is the strongest)")
        ->type_name("A|B|C|D|E");
}

/// `option` and --output, as pairs in the order in which they are given.
void declare_outputs(CLI::App& command, std::vector<ReportOption>& list, const std::string& option,
                     const std::vector<std::string>& names, const char* says, const char* where) {
    // Each word as it is read: which format a file belongs to is told by their order alone.
    command
        .add_option_function<std::string>(
            option,
            [&list](const std::string& name) {
                list.push_back({name, {}});
            },
            says)
        ->check(one_of(names))
        ->trigger_on_parse();
    command
        .add_option_function<std::string>(
            "--output",
            [&list, option](const std::string& file) {
                if (file.empty()) throw CLI::ValidationError("--output", "needs a file, or - for stdout");
                if (list.empty() || !list.back().output.empty())
                    throw CLI::ValidationError("--output",
                                               "needs its own " + option + " before it, as in: " + option +
                                                   (option == "--format" ? " json --output report.json"
                                                                         : " csv --output grades.csv"));
                list.back().output = file;
            },
            where)
        ->type_name("FILE")
        ->trigger_on_parse();
}

void declare_formats(CLI::App& command, Options& options, const std::vector<std::string>& names,
                     const char* says) {
    declare_outputs(command, options.reports, "--format", names, says,
                    "file for the format before it; - or none: stdout");
}

void declare_device(CLI::App& command, Options& options) {
    static const std::map<std::string, model::Device> devices{{"auto", model::Device::automatic},
                                                              {"cpu", model::Device::cpu},
                                                              {"cuda", model::Device::cuda},
                                                              {"emulated", model::Device::emulated}};
    command.add_option("--device", options.device, "where CUDA runs: auto, cpu, cuda or emulated")
        ->transform(CLI::CheckedTransformer(devices).description(""))
        ->transform(one_of({"auto", "cpu", "cuda", "emulated"}).description(""))
        ->type_name("DEVICE");
}

void declare_seed(CLI::App& command, Options& options, const char* says) {
    // Without the check, -1 becomes the largest number there is.
    command.add_option("--seed", options.seed, says)->check(whole_number())->type_name("NUMBER");
}

void declare_ids(CLI::App& command, Options& options, bool needed, bool several) {
    CLI::Option* option = command.add_option("ID", options.ids,
                                             several  ? "problems; default: all of your collection"
                                             : needed ? "the problem: its id, its number, or its file"
                                                      : "the problem: its id, its number, or its file; "
                                                        "default: the one you are at");
    if (!several) option->expected(needed ? 1 : 0, 1);
    if (needed) option->required();
}

/// "TEXT:{a,b}" and "NUMBER:NONNEGATIVE", as CLI11 puts type and check together, as "a|b" and "NUMBER".
std::string value_words(const std::string& type) {
    const std::size_t colon = type.find(':');
    if (colon == std::string::npos) return type;
    if (type[colon + 1] != '{') return type.substr(0, colon);
    std::string names = type.substr(colon + 2, type.size() - colon - 3);
    std::ranges::replace(names, ',', '|');
    return names;
}

} // namespace

void declare_common(CLI::App& command, Options& options) {
    static const std::map<std::string, terminal::ColourChoice> choices{
        {"auto", terminal::ColourChoice::automatic},
        {"always", terminal::ColourChoice::always},
        {"never", terminal::ColourChoice::never}};
    command.add_option("--color", options.colour, "colours: auto, always or never")
        ->transform(CLI::CheckedTransformer(choices).description(""))
        ->transform(one_of({"auto", "always", "never"}).description(""))
        ->type_name("WHEN");
    command.add_flag("--plain", options.plain,
                     "words for symbols, no rules and no columns: for screen readers; also ENGINE_PLAIN=1");
    command
        .add_option("--content", options.content,
                    "use the problems of this collection, too: trusted code, which runs as you")
        ->type_name("DIR");
    command.add_flag("-v,--verbose", options.verbose, "more detail");
    command
        .add_option("--log-level", options.log_level,
                    "what is said on stderr besides: error, warning (as without it), info or debug")
        ->check(one_of({"error", "warning", "info", "debug"}))
        ->type_name("LEVEL");
    command
        .add_option("--log-file", options.log_file,
                    "write a debug log, to attach to a bug report: it names paths, and holds no source text")
        ->type_name("FILE");
}

std::vector<OptionWords> options_of(void (*declare)(CLI::App&, Options&)) {
    Options ignored;
    CLI::App command;
    command.set_help_flag();
    declare(command, ignored);
    declare_common(command, ignored);
    std::vector<OptionWords> words;
    for (const CLI::Option* option : command.get_options()) {
        const bool positional = option->get_positional();
        const bool flag = option->get_items_expected_max() == 0;
        words.push_back({option->get_name(positional, true),
                         flag || positional ? "" : value_words(option->get_type_name()),
                         option->get_description(), positional, option->get_required()});
    }
    return words;
}

void declare_nothing(CLI::App&, Options&) {}

void declare_folder(CLI::App& command, Options& options) {
    command.add_option("DIR", options.folder, "a folder that is empty or not there yet, or your workspace")
        ->required();
}

void declare_id(CLI::App& command, Options& options) {
    declare_ids(command, options, false, false);
}

void declare_show(CLI::App& command, Options& options) {
    declare_ids(command, options, false, false);
    CLI::Option* const task =
        command.add_flag("--task", options.task, "the task and its worked example alone");
    command.add_option("--section", options.section, "one section, by the beginning of its title")
        ->type_name("TITLE")
        ->excludes(task);
}

void declare_hint(CLI::App& command, Options& options) {
    command
        .add_option("ID", options.hint,
                    "the problem, and the number of a hint that you have seen or that comes next")
        ->expected(0, 2)
        ->type_name("ID NUMBER");
    command.add_flag("--all", options.all, "all hints that you have seen");
}

void declare_needed_id(CLI::App& command, Options& options) {
    declare_ids(command, options, true, false);
}

namespace {

/// What every command that judges takes, whatever names the problem and the seed.
void declare_judgement(CLI::App& command, Options& options,
                       const std::vector<report::Format>& formats = report::formats()) {
    command
        .add_option("--from", options.from, "judge this file, or the files in this folder, instead of yours")
        ->type_name("FILE|DIR");
    command.add_flag("--record", options.record, "keep the attempt even if --from is outside your exercises");
    declare_formats(command, options, names_of(formats), "report format; repeatable");
    declare_device(command, options);
    declare_isolation(command, options);
    command.add_flag("--timings", options.timings, "where the time went");
    command.add_flag("--exit-zero", options.exit_zero, "end with 0 after any completed judgement");
}

} // namespace

void declare_replay(CLI::App& command, Options& options) {
    command.add_option("REPORT", options.report, "a report that was written with --format json")->required();
    declare_judgement(command, options);
}

void declare_judging(CLI::App& command, Options& options) {
    declare_ids(command, options, false, false);
    declare_seed(command, options, "repeat a run: the seed that its report shows");
    declare_judgement(command, options);
}

void declare_bench(CLI::App& command, Options& options) {
    declare_ids(command, options, false, false);
    declare_seed(command, options, "repeat a run: the seed that its report shows");
    declare_judgement(command, options, report::formats_of_bench());
}

void declare_watching(CLI::App& command, Options& options) {
    declare_ids(command, options, false, false);
    declare_device(command, options);
    declare_isolation(command, options);
}

void declare_submitting(CLI::App& command, Options& options) {
    declare_judging(command, options);
    command.add_flag(
        "--thorough", options.thorough,
        "make every call that the tests know: takes several times as long, and finds little more");
    command.add_flag_callback(
        "--no-questions", [&options] { options.questions = false; }, "do not offer the questions");
}

void declare_justification(CLI::App& command, Options& options) {
    command.add_option("ID", options.ids, "the problem; default: the one that was accepted last")
        ->expected(0, 1);
    CLI::Option* const answers =
        command
            .add_option("--answers", options.answers, "mark the answers in this JSON file instead of asking")
            ->type_name("FILE");
    command.add_flag("--print", options.print, "print all questions, for paper")->excludes(answers);
    declare_seed(command, options, "the questions of this seed; default: of your newest accepted attempt");
}

void declare_harden(CLI::App& command, Options& options) {
    command.add_option("ID", options.ids, "the problem; default: the one that was accepted last")
        ->expected(0, 1);
    CLI::Option* const known = command.add_flag(
        "--known", options.known, "a mistake that learners make, in one of the course's programs");
    command.add_flag("--new", options.anew, "another one, even if the last one is not repaired yet");
    command.add_flag("--write-test", options.write_test,
                     "write a test instead, which is run on right and wrong programs");
    command.add_option("--from", options.from, "plant it in this program instead of yours")
        ->type_name("FILE|DIR")
        ->excludes(known);
    declare_seed(command, options, "the bug that this seed gives");
}

void declare_try(CLI::App& command, Options& options) {
    // A list of ids would take the file as well.
    command.add_option_function<std::string>(
        "ID", [&options](const std::string& id) { options.ids = {id}; },
        "the problem; default: the one you are at");
    CLI::Option* const file =
        command.add_option("FILE", options.program,
                           "a program's files, one with a main; default: that of the folder try/, which is "
                           "made for you");
    CLI::Option* const demo = command
                                  .add_option_function<std::string>(
                                      "--demo", [&options](const std::string& name) { options.demo = name; },
                                      "one of the course's programs; without a name: list them")
                                  ->expected(0, 1)
                                  ->type_name("NAME");
    command
        .add_option("--vocabulary", options.vocabulary,
                    "whether your tokenizer gives the ids of this one: a .tiktoken file, or a folder with "
                    "vocab.bpe and encoder.json")
        ->type_name("FILE|DIR")
        ->excludes(file)
        ->excludes(demo);
    command
        .add_option("--include", options.includes,
                    "a folder of headers that the program includes; repeatable")
        ->allow_extra_args(false)
        ->type_name("DIR");
    command
        .add_option_function<int>(
            "--limit", [&options](int seconds) { options.limit = std::chrono::seconds(seconds); },
            "how long the program may run, and be observed; default: 10")
        ->check(CLI::Range(1, 3600))
        ->type_name("SECONDS");
    command.add_option("--from", options.from, "try it with this file instead of yours")
        ->type_name("FILE|DIR");
}

void declare_debug(CLI::App& command, Options& options) {
    declare_ids(command, options, false, false);
    command.add_option("--test", options.test, "the visible test whose failing call is made again")
        ->required()
        ->type_name("NAME");
    declare_seed(command, options, "the inputs of a run: the seed that its report shows");
    command
        .add_option("--from", options.from, "debug this file, or the files in this folder, instead of yours")
        ->type_name("FILE|DIR");
}

void declare_pictures(CLI::App& command, Options& options) {
    declare_id(command, options);
    command.add_option("--from", options.from, "draw with this file instead of yours")->type_name("FILE|DIR");
    command.add_option("--text", options.text, "learn from this text; for problems that train a model")
        ->type_name("FILE");
    declare_formats(command, options, names_of(picture::formats()),
                    "picture format; repeatable; default: text here and a page in the folder pictures/");
}

void declare_verify(CLI::App& command, Options& options) {
    declare_ids(command, options, false, true);
    declare_seed(command, options,
                 "repeat a run with the seed that it printed, or try mistakes with another one");
    command
        .add_option("--seeds", options.seeds,
                    "try so many more seeds: accepted variants must pass with each, and none may contradict "
                    "kills.json")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("COUNT");
    command.add_flag(
        "--accept", options.accept,
        "measure which tests fail for which mistake, and write kills.json; with --seed or --seeds, measure "
        "mistakes that are new, and move what the seeds contradict to sometimes");
    command.add_flag_callback(
        "--no-mutants", [&options] { options.mutants = false; }, "skip the mutants of the reference");
    command.add_flag("--witnesses", options.witnesses, "judge the witnesses, and nothing else")
        ->excludes("--seeds");
    command.add_flag("--timings", options.timings, "where the time went");
}

void declare_new_id(CLI::App& command, Options& options) {
    command.add_option("ID", options.ids, "the problem's id: lower-case words joined by '-'")
        ->expected(1)
        ->required();
    command.add_flag("--cuda", options.cuda, "the learner writes a kernel");
}

void declare_mistake(CLI::App& command, Options& options) {
    // A list of ids would take the name as well.
    command
        .add_option_function<std::string>(
            "ID", [&options](const std::string& id) { options.ids = {id}; }, "the problem")
        ->required();
    command.add_option("NAME", options.mistake, "the mistake")->required();
    CLI::Option* const edit = command.add_flag(
        "--edit", options.edit, "open it in $VISUAL or $EDITOR and store the difference; begins a new one");
    command
        .add_option("--from", options.from,
                    "store this program, as its difference from the right one that is nearest")
        ->type_name("FILE")
        ->excludes(edit);
}

void declare_prepare(CLI::App& command, Options& options) {
    CLI::Option* ids = command.add_option("ID", options.ids, "problems; default: the one you are at");
    command.add_flag("--all", options.all, "every problem")->excludes(ids);
    command.add_flag("--system", options.system,
                     "for all users of this machine, in the folder that the engine looks in first");
}

void declare_doctor(CLI::App& command, Options& options) {
    command
        .add_option_function<std::string>(
            "--format",
            [&options](const std::string& name) {
                options.reports = {{name, {}}};
            },
            "console or json")
        ->check(one_of({"console", "json"}));
    declare_isolation(command, options);
}

namespace {

/// What the commands that judge a class have in common.
void declare_class(CLI::App& command, Options& options) {
    CLI::Option* const executor =
        command
            .add_option_function<std::string>(
                "--executor", [&options](const std::string& name) { options.slurm = name == "slurm"; },
                "where to judge: local, or slurm, on a cluster")
            ->check(one_of({"local", "slurm"}));
    command.add_option("--partition", options.partition, "the cluster's partition; default: the cluster's")
        ->needs(executor)
        ->type_name("NAME");
    command
        .add_option("--gpu-partition", options.gpu_partition,
                    "the partition for CUDA on a GPU; default: that of --partition")
        ->needs(executor)
        ->type_name("NAME");
    command
        .add_option("--jobs", options.jobs,
                    "judgements at a time; default: one more than cores, since judgements often wait")
        ->check(CLI::Range(1, 1000).description(""))
        ->type_name("NUMBER");
    declare_isolation(command, options);
}

void declare_pseudonyms(CLI::App& command, Options& options, const std::string& says) {
    command
        .add_option("--pseudonyms", options.pseudonyms,
                    says + ": this CSV file has what stands for each, and gets what is drawn")
        ->type_name("FILE");
}

} // namespace

void declare_grade(CLI::App& command, Options& options) {
    command.add_option("FOLDER", options.submissions,
                       "folders of submissions: a folder, an archive or a file for each student");
    command.add_option("--roster", options.roster, "the class list: CSV with a column id or email")
        ->type_name("FILE");
    command
        .add_option("--assignment", options.assignment,
                    "problems, weights, deadline and the like (engine.assignment/1); default: the problems "
                    "that there are "
                    "files for")
        ->type_name("FILE");
    command
        .add_option("--problem", options.ids,
                    "a problem that was assigned, instead of --assignment; repeatable")
        ->allow_extra_args(false)
        ->excludes("--assignment")
        ->type_name("ID");
    command
        .add_option("--gradebook", options.gradebook,
                    "the gradebook; default: named after the folder, and made here")
        ->type_name("FILE");
    declare_outputs(command, options.exports, "--export", names_of(exports::formats()),
                    "write the grades in this format; repeatable", "file or folder for the export before it");
    declare_pseudonyms(command, options, "write no name into exports");
    declare_class(command, options);
}

void declare_grade_task(CLI::App& command, Options& options) {
    command.add_option("FOLDER", options.folder)->required();
    command.add_option("NUMBER", options.task_number)->required();
    declare_isolation(command, options);
}

void declare_regrade(CLI::App& command, Options& options) {
    command.add_option("GRADEBOOK", options.gradebook, "a file that `grade` has made")->required();
    CLI::Option* const apply = command.add_flag(
        "--apply", options.apply, "give works their new judgements; else only show what would change");
    declare_class(command, options);
    CLI::Option* const percent =
        command.add_option("--percent", options.percent, "set a grade by hand, 0 to 100")
            ->check(CLI::Range(0.0, 100.0).description(""))
            ->excludes(apply)
            ->type_name("NUMBER");
    const auto of_a_change = [&](const char* name, auto& value, const char* says, const char* type) {
        CLI::Option* const option =
            command.add_option(name, value, says)->expected(1)->needs(percent)->type_name(type);
        percent->needs(option);
    };
    of_a_change("--student", options.student, "whose grade is set", "ID");
    of_a_change("--problem", options.ids, "for which problem", "ID");
    of_a_change("--who", options.who, "by whom", "NAME");
    of_a_change("--why", options.why, "why", "TEXT");
}

void declare_similarity(CLI::App& command, Options& options) {
    command.add_option("GRADEBOOK", options.gradebook, "a file that `grade` has made")->required();
    command
        .add_option("--with", options.earlier,
                    "compare with these, too: last year's gradebook or folder of submissions; repeatable")
        ->allow_extra_args(false)
        ->type_name("PATH");
    command.add_option("--problem", options.ids, "only this problem; repeatable")
        ->allow_extra_args(false)
        ->type_name("ID");
    command.add_option("--output", options.page, "write a page with the pairs side by side")
        ->type_name("FILE");
    declare_pseudonyms(command, options, "give no names");
}

void declare_shell(CLI::App& command, Options& options) {
    command.add_option("SHELL", options.shell, "bash or zsh")->required()->check(one_of({"bash", "zsh"}));
}

void declare_topic(CLI::App& command, Options& options) {
    command.add_option("COMMAND", options.topic, "the command; default: all of them");
}

} // namespace app

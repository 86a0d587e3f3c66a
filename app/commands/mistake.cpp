#include "app/commands.h"
#include "app/scaffold/mistake_file.h"
#include "build/file.h"
#include "catalogue/source.h"
#include "model/errors.h"
#include "system/attached.h"
#include "text/nearest.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

namespace app {
namespace {

namespace fs = std::filesystem;

const model::Mistake* find(const model::Problem& problem, const std::string& name) {
    const auto found = std::ranges::find(problem.mistakes, name, &model::Mistake::name);
    return found == problem.mistakes.end() ? nullptr : &*found;
}

[[noreturn]] void fail_unknown(const model::Problem& problem, const std::string& name) {
    std::vector<std::string> names;
    for (const model::Mistake& mistake : problem.mistakes)
        names.push_back(mistake.name);
    const auto near = text::nearest(name, names);
    throw model::UsageError(fmt::format("{} has no mistake called '{}'; {}", problem.id, name,
                                        near ? "did you mean " + *near + "?"
                                             : "--edit begins one, and problems/ has a file for each"));
}

/// The user's editor: a program and perhaps arguments, as other tools read VISUAL and EDITOR.
std::vector<std::string> editor() {
    for (const char* const variable : {"VISUAL", "EDITOR"}) {
        const char* const value = std::getenv(variable);
        std::istringstream words(value == nullptr ? "" : value);
        std::vector<std::string> command;
        for (std::string word; words >> word;)
            command.push_back(word);
        if (!command.empty()) return command;
    }
    throw model::UsageError(
        "cannot edit a mistake: neither VISUAL nor EDITOR names an editor; set one, or use "
        "--from FILE");
}

fs::path temporary_folder() {
    std::error_code ignored;
    std::string folder = (fs::temp_directory_path(ignored) / "engine-mistake-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr)
        throw model::EnvironmentError(
            "cannot make a folder for the text to edit: " + folder +
            "; is there space left, and may you write there? TMPDIR names another folder");
    return folder;
}

/// A file that was named on the command line.
fs::path named_file(const std::string& name) {
    std::error_code ignored;
    if (!fs::is_regular_file(name, ignored))
        throw model::UsageError("cannot read " + name + ": there is no such file; --from takes a program");
    return name;
}

scaffold::Draft draft_from(const fs::path& file, const catalogue::MistakeHeader& header) {
    return scaffold::read_draft(catalogue::read_source(file, {}).text, file.string(), header);
}

void print_stored(const Context& context, const model::Problem& problem, const std::string& name,
                  const scaffold::Draft& draft) {
    const scaffold::Stored stored = scaffold::store_mistake(problem, name, draft);
    std::cout << fmt::format("{}: {}\nNext: engine verify {}\n", context.shown(stored.file),
                             stored.base.empty() ? "the whole program, which shares less than half with "
                                                   "each right one"
                                                 : "the difference from " + stored.base,
                             problem.id);
}

/// Opens the mistake, or the reference for a new one, in the user's editor. What was written stays where it
/// is until it has been stored.
void edit(const Context& context, const model::Problem& problem, const std::string& name,
          const model::Mistake* mistake) {
    std::vector<std::string> command = editor();
    const catalogue::MistakeHeader header = scaffold::stored_header(problem, name);
    const std::string before = scaffold::editable(
        header, mistake != nullptr ? mistake->program : catalogue::read_bases(problem).front().code());
    const fs::path folder = temporary_folder();
    const fs::path file = folder / (name + problem.reference.front().extension().string());
    if (!build::write_atomically(file, before, 0600))
        throw model::EnvironmentError("cannot write " + file.string() +
                                      "; is the disk full? Another one: set TMPDIR to a folder there");
    const std::string program = command.front();
    command.push_back(file.string());
    if (const int status = sys::run_attached(command); status != 0)
        throw model::UsageError(fmt::format("the editor {} ended with status {}, so nothing was stored; what "
                                            "was written is in {}",
                                            program, status, file.string()));
    try {
        if (build::read_file(file) == before)
            std::cout << "Nothing was changed, so nothing was stored.\n";
        else
            print_stored(context, problem, name, draft_from(file, header));
    } catch (...) {
        context.warn("what was written is in " + file.string() + "; correct it there and use --from");
        throw;
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

/// What is still wrong with the mistakes of a package after one was stored.
void warn_of_faults(const Context& context, const std::string& id) {
    catalogue::Faults faults;
    (void)context.problem(id, {.whole = false, .faults = &faults});
    for (const std::string& fault : faults)
        context.warn(fault);
}

} // namespace

ExitCode run_mistake(Context& context) {
    const Options& options = context.options();
    const std::string& name = options.mistake;
    const bool writes = options.edit || !options.from.empty();
    // What is wrong elsewhere in the package is no reason to refuse, nor is what is stored under this name.
    catalogue::Faults faults;
    const std::string id = context.problem_id();
    const model::Problem problem =
        context.problem(id, {.whole = false, .faults = writes ? &faults : nullptr});
    const model::Mistake* const mistake = find(problem, name);
    if (mistake == nullptr && !writes) fail_unknown(problem, name);
    if (!catalogue::is_slug(name))
        throw model::UsageError("cannot store a mistake called '" + name +
                                "': a name is lower-case words of letters and digits joined by '-', such as "
                                "reads-column");
    if (options.edit)
        edit(context, problem, name, mistake);
    else if (writes)
        print_stored(context, problem, name,
                     draft_from(named_file(options.from), scaffold::stored_header(problem, name)));
    else
        std::cout << mistake->program;
    if (!faults.empty()) warn_of_faults(context, id);
    return ExitCode::accepted;
}

} // namespace app

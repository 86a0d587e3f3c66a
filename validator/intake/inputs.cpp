#include "intake/inputs.h"

#include "intake/archive.h"
#include "intake/folder.h"
#include "intake/gradescope.h"
#include "model/errors.h"
#include "system/fd.h"
#include "text/clean.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>

namespace intake {
namespace {

namespace fs = std::filesystem;

bool is_number(const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::string> words_between(const std::string& text, char separator) {
    std::vector<std::string> words{""};
    for (const char letter : text)
        letter == separator ? (void)words.emplace_back() : words.back().push_back(letter);
    return words;
}

/// "Ada Lovelace_1234_assignsubmission_file_row.cpp"; the number is a participant's, which no list of
/// students has.
std::optional<ExportName> moodle_name(const std::string& name) {
    constexpr std::string_view mark = "_assignsubmission_";
    const std::size_t at = name.find(mark);
    if (at == std::string::npos) return std::nullopt;
    const std::size_t number = name.rfind('_', at - 1);
    if (at == 0 || number == std::string::npos || number == 0 ||
        !is_number(name.substr(number + 1, at - number - 1)))
        return std::nullopt;
    const std::string kind = name.substr(at + mark.size()); // file, onlinetext, file_row.cpp
    const std::size_t end = kind.find('_');
    return ExportName{{name.substr(0, number)}, end == std::string::npos ? "" : kind.substr(end + 1)};
}

/// "lovelaceada_LATE_1234_5678_row.cpp": the numbers are those of the user and of the file. A file that was
/// handed in again has
/// "-1" before its ending.
std::optional<ExportName> canvas_name(const std::string& name) {
    std::vector<std::string> words = words_between(name, '_');
    if (words.size() > 1 && words[1] == "LATE") words.erase(words.begin() + 1);
    if (words.size() < 4 || words[0].empty() || !is_number(words[1]) || !is_number(words[2]))
        return std::nullopt;
    std::string file = words[3];
    for (std::size_t i = 4; i < words.size(); ++i)
        file += "_" + words[i];
    return ExportName{{words[1], words[0]}, file};
}

bool is_source_name(const std::string& name) {
    return is_kept(name) && !name.ends_with(".json");
}

/// Adds what has this name to the student's other files, or begins a submission with it.
void add_part(std::map<std::string, Input>& inputs, const fs::path& path, const ExportName& known,
              const std::string& name) {
    const std::string key = known.file.empty() ? name : known.who.front();
    Input& input = inputs[key];
    input.source = key;
    input.who = known.who;
    input.parts.push_back({path, known.file});
}

Entries read_part(const Input::Part& part) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(part.path, error);
    if (fs::is_symlink(status)) return {{}, {}, "it is a symbolic link, and links are not followed"};
    if (fs::is_directory(status)) return read_folder(part.path);
    const std::string name = part.name.empty() ? part.path.filename().string() : part.name;
    if (!is_archive_name(name)) return read_single_file(part.path, name);
    const sys::Fd fd(open(part.path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd) throw model::EnvironmentError("cannot read " + part.path.string() + ": " + std::strerror(errno));
    Entries entries = read_archive(fd.get());
    note_change(entries, changed(fd.get()));
    return entries;
}

/// Names from outside are shown, so what cannot be seen in them is spelled out.
void clean_names(Input& input) {
    for (std::string& word : input.who)
        word = text::cleaned(word, text::Lines::show);
    input.source = text::cleaned(input.source, text::Lines::show);
}

std::string read_metadata(const fs::path& file) {
    Entries entries = read_single_file(file, "metadata.json"); // a name whose text is kept
    if (!entries.trouble.empty() || entries.files.size() != 1 || entries.files[0].link)
        throw model::UsageError(file.string() + " is no file, or is larger than 4 MiB");
    return std::move(entries.files[0].text);
}

std::vector<Input> list_gradescope(const fs::path& folder, std::vector<std::string>& ignored) {
    const fs::path file = folder / gradescope_metadata;
    std::vector<Input> inputs;
    try {
        for (const ExportedSubmission& one : read_gradescope_metadata(file.string(), read_metadata(file))) {
            const auto name = plain_path(one.folder);
            if (!name || name->find('/') != std::string::npos || !fs::exists(folder / *name) ||
                one.submitters.empty()) {
                ignored.push_back(text::cleaned(one.folder, text::Lines::show));
                continue;
            }
            for (const std::vector<std::string>& who : one.submitters) {
                inputs.push_back({*name, who, {{folder / *name, ""}}, one.created});
                clean_names(inputs.back());
            }
        }
    } catch (const model::ContentError& error) {
        throw model::UsageError(error.what());
    }
    return inputs;
}

} // namespace

ExportName read_export_name(const std::string& name) {
    if (auto known = moodle_name(name)) return *known;
    if (auto known = canvas_name(name)) return *known;
    return {{name}, {}};
}

std::vector<Input> list_inputs(const fs::path& folder, std::vector<std::string>& ignored) {
    if (!fs::is_directory(folder))
        throw model::UsageError(folder.string() +
                                " is no folder; name the folder that the submissions are in");
    if (fs::exists(folder / gradescope_metadata)) return list_gradescope(folder, ignored);
    std::map<std::string, Input> inputs;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with('.') || name == "__MACOSX") continue;
        ExportName known = read_export_name(name);
        const fs::file_type type = it->symlink_status().type();
        const bool is_file = type == fs::file_type::regular;
        if (is_file && known.file.empty() && is_archive_name(name)) {
            known.who = {without_archive_ending(name)};
        } else if (is_file && known.file.empty() && is_source_name(name)) {
            known.who = {fs::path(name).stem().string()};
        } else if (is_file &&
                   (known.file.empty() || (!is_kept(known.file) && !is_archive_name(known.file)))) {
            ignored.push_back(name);
            continue;
        }
        add_part(inputs, it->path(), known, name);
    }
    if (error) throw model::EnvironmentError("cannot read " + folder.string() + ": " + error.message());
    std::ranges::sort(ignored);
    std::vector<Input> list;
    for (auto& [key, input] : inputs) {
        std::ranges::sort(input.parts, {}, &Input::Part::path);
        clean_names(input);
        list.push_back(std::move(input));
    }
    return list;
}

Entries read_input(const Input& input) {
    Entries all;
    for (const Input::Part& part : input.parts) {
        Entries entries = read_part(part);
        if (entries.newest) note_change(all, *entries.newest);
        if (all.trouble.empty()) all.trouble = entries.trouble;
        std::ranges::move(entries.files, std::back_inserter(all.files));
    }
    if (input.submitted) all.newest = input.submitted;
    return all;
}

} // namespace intake

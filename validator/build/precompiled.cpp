#include "build/precompiled.h"

#include "build/digest.h"
#include "build/file.h"
#include "build/lock.h"
#include "build/memo.h"
#include "build/scratch.h"
#include "build/stages.h"
#include "system/process.h"

#include <ctime>
#include <fcntl.h>
#include <sstream>
#include <sys/stat.h>

namespace build {
namespace {

namespace fs = std::filesystem;

constexpr const char* stamps_name = "stamps";
constexpr const char* digest_name = "digest";

/// Every line of the stamps is one file with its size and times: the precompiled header and all that went
/// into it.
bool stamps_hold(const fs::path& folder) {
    const auto text = read_memo(folder / stamps_name);
    if (!text || text->empty()) return false;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
        if (stamp(line.substr(0, line.rfind(": "))) != line) return false;
    return true;
}

/// The files named in a make rule `target: file file \`.
std::vector<fs::path> dependencies(const std::string& rule) {
    std::vector<fs::path> files;
    std::istringstream words(rule.substr(std::min(rule.find(": ") + 1, rule.size())));
    for (std::string word; words >> word;)
        if (word != "\\") files.emplace_back(word);
    return files;
}

/// Keeps the eviction away from what is in use.
void touch(const fs::path& folder) {
    struct stat status {};
    constexpr time_t day = 24 * 3600;
    if (stat(folder.c_str(), &status) == 0 && status.st_mtime + day < std::time(nullptr))
        utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);
}

std::string digest_of(const fs::path& precompiled) {
    const auto bytes = read_file(precompiled);
    return bytes ? Digest().add(*bytes).hex() : "";
}

} // namespace

fs::path Preludes::ready(Prelude prelude, Variant variant, int cancel_fd) const {
    Header header{.name = file_name(prelude), .called = "the standard headers"};
    if (header.name.empty()) return {};
    for (const Prelude each : {Prelude::light, Prelude::full, Prelude::cuda})
        header.files[file_name(each)] = read_if_there(layout_.preludes / file_name(each));
    header.flags = code_flags(toolchain_, variant);
    for (const std::string& flag : include_flags(layout_, variant))
        header.flags.push_back(flag);
    return ready(header, cancel_fd);
}

fs::path Preludes::ready(const Header& header, int cancel_fd) const {
    Digest key;
    // Two trees that two containers see under one path have headers each, or they would remake each other's.
    key.add("engine.prelude/1").add(toolchain_.identity).add(stamp(layout_.headers)).add(header.name);
    for (const std::string& flag : header.flags)
        key.add(flag);
    for (const auto& [name, text] : header.files)
        key.add(name).add(text);
    const fs::path folder = cache_folder_ / (std::string(prelude_prefix) + key.hex().substr(0, 32));

    if (!stamps_hold(folder)) {
        const sys::Fd mine = lock(folder.string() + std::string(lock_suffix), cancel_fd);
        if (!mine) return {};
        if (!stamps_hold(folder) && !make(folder, header, cancel_fd)) return {};
    }
    touch(folder);
    return folder / header.name;
}

bool Preludes::make(const fs::path& folder, const Header& source, int cancel_fd) const {
    if (progress_) progress_("preparing " + source.called + " (once)");
    std::error_code error;
    fs::remove_all(folder, error);
    if (!fs::create_directory(folder, error)) return false;
    for (const auto& [name, text] : source.files)
        if (!write_atomically(folder / name, text, 0600)) return false;

    const fs::path header = folder / source.name;
    const fs::path precompiled = precompiled_name(toolchain_, header);
    const Scratch scratch(cache_folder_);
    sys::Command command; // not confined: it reads our own header and nothing else
    command.program = toolchain_.compiler;
    command.arguments =
        prelude_arguments(toolchain_, source.flags, header, precompiled, folder / "dependencies");
    command.environment = compiler_environment(scratch.path());
    command.directory = scratch.path();
    const auto rule =
        run_compiler(toolchain_, layout_, command, {.wall = std::chrono::seconds(120)}, cancel_fd)
                .outcome.ok()
            ? read_file(folder / "dependencies")
            : std::nullopt;
    if (!rule) {
        fs::remove_all(folder, error);
        return false;
    }
    std::string stamps = stamp(precompiled);
    for (const fs::path& file : dependencies(*rule))
        stamps += "\n" + stamp(file);
    write_memo(folder / digest_name, digest_of(precompiled));
    write_memo(folder / stamps_name, stamps); // last: it says that all is there
    return true;
}

bool Preludes::discard_if_damaged(const fs::path& header) const {
    if (header.empty()) return false;
    const fs::path folder = header.parent_path();
    if (read_memo(folder / digest_name) == digest_of(precompiled_name(toolchain_, header))) return false;
    std::error_code error;
    fs::remove(folder / stamps_name, error);
    return true;
}

} // namespace build

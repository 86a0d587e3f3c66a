#include "app/teaching/cluster_files.h"

#include "build/file.h"
#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

namespace teaching {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

[[noreturn]] void cannot(const char* what, const fs::path& path, const std::string& why) {
    throw model::EnvironmentError(std::string("cannot ") + what + " " + path.string() + ": " + why);
}

void write_whole(const fs::path& path, std::string_view text, unsigned mode = 0600) {
    if (!build::write_atomically(path, text, mode)) cannot("write", path, std::strerror(errno));
}

std::string read_whole(const fs::path& path) {
    auto text = build::read_file(path);
    if (!text) cannot("read", path, "it is not there, or not whole");
    return std::move(*text);
}

/// Sources need not be UTF-8, so they are files and no strings of the list.
fs::path source_file(const fs::path& folder, const ClusterPiece& piece, std::size_t file) {
    return folder / "sources" / (piece.hash + "-" + std::to_string(file));
}

fs::path task_file(const fs::path& folder, std::size_t number) {
    return folder / "tasks" / std::to_string(number);
}

Json json_of(const ClusterPiece& piece) {
    Json files = Json::array();
    for (const model::SourceFile& file : piece.files)
        files.push_back(file.name);
    return {{"key", piece.key},
            {"hash", piece.hash},
            {"problem", piece.how.problem},
            {"seed", piece.how.seed},
            {"thorough", piece.how.thorough},
            {"on_gpu", piece.how.on_gpu},
            {"files", files}};
}

ClusterPiece piece_of(const Json& json, const fs::path& folder) {
    ClusterPiece piece{{json.at("problem"), json.at("seed"), json.at("thorough"), json.at("on_gpu")},
                       json.at("key"),
                       json.at("hash"),
                       {}};
    for (const Json& name : json.at("files"))
        piece.files.push_back({name, read_whole(source_file(folder, piece, piece.files.size()))});
    return piece;
}

} // namespace

void ClusterFiles::make() const {
    std::error_code ignored; // what cannot be removed cannot be written either
    fs::remove_all(folder_ / "refused", ignored);
    for (const char* part : {"sources", "tasks", "results", "refused", "log"}) {
        std::error_code error;
        fs::create_directories(folder_ / part, error);
        if (error) cannot("make the folder", folder_ / part, error.message());
    }
}

void ClusterFiles::remove() const {
    std::error_code error;
    fs::remove_all(folder_, error);
    if (error) cannot("remove", folder_, error.message());
}

fs::path ClusterFiles::write_script() const {
    fs::path script = folder_ / "task.sh";
    write_whole(script, "#!/bin/sh\nexec \"$@\" \"$SLURM_ARRAY_TASK_ID\"\n", 0700);
    return script;
}

void ClusterFiles::write_task(std::size_t number, const std::vector<ClusterPiece>& pieces,
                              std::optional<std::chrono::seconds> cpu) const {
    Json list = Json::array();
    for (const ClusterPiece& piece : pieces) {
        for (std::size_t i = 0; i < piece.files.size(); ++i)
            write_whole(source_file(folder_, piece, i), piece.files[i].text);
        list.push_back(json_of(piece));
    }
    write_whole(task_file(folder_, number), Json{{"cpu_s", cpu ? cpu->count() : 0}, {"pieces", list}}.dump());
}

void ClusterFiles::write_job(std::uint64_t job) const {
    write_whole(folder_ / "job", std::to_string(job));
}

std::uint64_t ClusterFiles::read_job() const {
    const auto text = build::read_file(folder_ / "job");
    return text ? std::strtoull(text->c_str(), nullptr, 10) : 0;
}

ClusterFiles::Task ClusterFiles::read_task(std::size_t number) const {
    const fs::path file = task_file(folder_, number);
    try {
        const Json json = Json::parse(read_whole(file));
        Task task;
        if (const long seconds = json.at("cpu_s"); seconds > 0) task.cpu = std::chrono::seconds(seconds);
        for (const Json& one : json.at("pieces"))
            task.pieces.push_back(piece_of(one, folder_));
        return task;
    } catch (const Json::exception& error) {
        cannot("read", file, error.what());
    }
}

void ClusterFiles::write_result(const std::string& key, const Result& result) const {
    if (const auto* report = std::get_if<std::string>(&result))
        write_whole(folder_ / "results" / (key + ".json"), *report);
    else
        write_whole(folder_ / "results" / (key + ".failed"), std::get<NotJudged>(result).why);
}

std::optional<Result> ClusterFiles::take_result(const std::string& key) const {
    for (const char* ending : {".json", ".failed"}) {
        const fs::path file = folder_ / "results" / (key + ending);
        auto text = build::read_file(file);
        if (!text) continue;
        std::error_code ignored; // what stays is taken away with the folder
        fs::remove(file, ignored);
        if (std::string_view(ending) == ".json") return std::move(*text);
        return NotJudged{std::move(*text)};
    }
    return std::nullopt;
}

void ClusterFiles::refuse_node(const std::string& node, const std::string& why) const {
    write_whole(folder_ / "refused" / node, why);
}

std::map<std::string, std::string> ClusterFiles::refused_nodes() const {
    std::map<std::string, std::string> nodes;
    std::error_code error;
    for (fs::directory_iterator it(folder_ / "refused", error), end; !error && it != end;
         it.increment(error)) {
        const std::string node = it->path().filename().string();
        if (!node.starts_with(build::part_prefix))
            nodes.emplace(node, build::read_file(it->path()).value_or(""));
    }
    return nodes;
}

} // namespace teaching

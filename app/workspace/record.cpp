#include "workspace/record.h"

#include "build/digest.h"
#include "build/file.h"
#include "workspace/write.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

namespace workspace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view format = "engine.workspace/";

constexpr const char* record_file = ".engine/workspace.json";

[[noreturn]] void refuse_damaged(const fs::path& folder, const std::string& fault) {
    throw Damaged((folder / record_file).string() + " " + fault);
}

[[noreturn]] void refuse_damaged(const fs::path& folder) {
    refuse_damaged(folder, "is damaged: no engine wrote what is in it");
}

[[noreturn]] void refuse_newer(const fs::path& folder, int found) {
    throw model::EnvironmentError(
        "cannot use the workspace " + folder.string() + ": a newer engine made it (version " +
        std::to_string(found) + ", this engine knows up to " + std::to_string(version) +
        "). It was left as it is. Update engine, or make another workspace with init");
}

/// The text, which is JSON up to its end.
nlohmann::json read_json(const fs::path& folder) {
    const fs::path file = folder / record_file;
    std::error_code error;
    const auto status = fs::status(file, error);
    if (error) refuse_damaged(folder, "cannot be read: " + error.message());
    if (!fs::is_regular_file(status)) refuse_damaged(folder, "is not a file");
    const auto text = build::read_file(file);
    if (!text) refuse_damaged(folder, std::string("cannot be read: ") + std::strerror(errno));
    if (text->empty()) refuse_damaged(folder, "is empty, as a copy on a full disk is");
    auto json = nlohmann::json::parse(*text, nullptr, false);
    if (json.is_discarded() && !text->ends_with("}\n"))
        refuse_damaged(folder, "ends in the middle, as a copy on a full disk does");
    if (!json.is_object()) refuse_damaged(folder);
    return json;
}

int version_of(const fs::path& folder, const nlohmann::json& json) {
    const auto found = json.find("format");
    if (found == json.end() || !found->is_string()) refuse_damaged(folder);
    const auto text = found->get<std::string>();
    const std::string number = text.starts_with(format) ? text.substr(format.size()) : "";
    if (number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != std::string::npos)
        refuse_damaged(folder);
    return std::stoi(number);
}

} // namespace

std::optional<Record> read_record(const fs::path& folder) {
    std::error_code error;
    const auto status = fs::status(folder / record_file, error);
    if (status.type() == fs::file_type::not_found) return std::nullopt;
    const nlohmann::json json = read_json(folder);
    Record record;
    record.version = version_of(folder, json);
    if (record.version > version) refuse_newer(folder, record.version);
    const auto files = json.find("files");
    if (files == json.end() || !files->is_object()) refuse_damaged(folder);
    for (const auto& [path, value] : files->items()) {
        if (!value.is_string()) refuse_damaged(folder);
        record.files[path] = value.get<std::string>();
    }
    return record;
}

void write_record(const fs::path& folder, const Record& record) {
    const nlohmann::ordered_json json{{"format", std::string(format) + std::to_string(record.version)},
                                      {"files", record.files}};
    write(folder, record_file, json.dump(1) + "\n");
}

std::string digest(const std::string& text) {
    return build::Digest().add(text).hex();
}

} // namespace workspace

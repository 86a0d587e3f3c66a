#include "workspace/record.h"

#include "build/digest.h"
#include "build/file.h"
#include "model/errors.h"

#include <nlohmann/json.hpp>

namespace workspace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view format = "engine.workspace/";

fs::path file_of(const fs::path& folder) {
    return folder / ".engine" / "workspace.json";
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& fault, const std::string& remedy) {
    throw model::EnvironmentError("cannot use the workspace " + folder.string() + ": " + fault +
                                  ". It was left as it is. " + remedy);
}

[[noreturn]] void refuse_damaged(const fs::path& folder) {
    const fs::path file = file_of(folder);
    refuse(folder, file.string() + " is damaged",
           "Move that file aside; the next command writes it again, and your code and progress stay");
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
    const auto status = fs::status(file_of(folder), error);
    if (status.type() == fs::file_type::not_found) return std::nullopt;
    const auto text = fs::is_regular_file(status) ? build::read_file(file_of(folder)) : std::nullopt;
    if (!text)
        refuse(folder, file_of(folder).string() + " cannot be read",
               "Check that it is a file and that you may read it");
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (!json.is_object()) refuse_damaged(folder);
    Record record;
    record.version = version_of(folder, json);
    if (record.version > version)
        refuse(folder,
               "a newer engine made it (version " + std::to_string(record.version) +
                   ", this engine knows up to " + std::to_string(version) + ")",
               "Update engine, or make another workspace with init");
    const auto files = json.find("files");
    if (files == json.end() || !files->is_object()) refuse_damaged(folder);
    for (const auto& [path, value] : files->items()) {
        if (!value.is_string()) refuse_damaged(folder);
        record.files[path] = value.get<std::string>();
    }
    return record;
}

bool write_record(const fs::path& folder, const Record& record) {
    const nlohmann::ordered_json json{{"format", std::string(format) + std::to_string(record.version)},
                                      {"files", record.files}};
    std::error_code error;
    fs::create_directories(file_of(folder).parent_path(), error);
    if (error) {
        errno = error.value();
        return false;
    }
    return build::write_atomically(file_of(folder), json.dump(1) + "\n", 0644);
}

std::string digest(const std::string& text) {
    return build::Digest().add(text).hex();
}

} // namespace workspace

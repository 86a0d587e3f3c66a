#include "build/layout.h"

#include "build/file.h"
#include "model/errors.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace build {

Layout read_layout(const std::filesystem::path& file) {
    const auto text = read_file(file);
    if (!text)
        throw model::ContentError(file.string(), "",
                                  "the file is missing; build or install the engine again");
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (!json.is_object()) throw model::ContentError(file.string(), "", "is not a JSON object");

    const auto value = [&](const char* key) {
        const auto found = json.find(key);
        if (found == json.end() || !found->is_string())
            throw model::ContentError(file.string(), std::string("/") + key, "must be a text");
        return found->get<std::string>();
    };

    Layout layout;
    layout.version = value("version");
    layout.compiler = value("compiler");
    layout.driver_flags = value("driver_flags");
    const std::array<std::pair<const char*, std::filesystem::path*>, 13> folders{{
        {"exercises", &layout.exercises},
        {"problems", &layout.problems},
        {"reference", &layout.reference},
        {"starters", &layout.starters},
        {"schemas", &layout.schemas},
        {"kits", &layout.kits},
        {"canary", &layout.canary},
        {"objects", &layout.objects},
        {"preludes", &layout.preludes},
        {"headers", &layout.headers},
        {"driver_library", &layout.driver_library},
        {"templates", &layout.templates},
        {"emulator", &layout.emulator},
    }};
    const auto here = std::filesystem::absolute(file).parent_path();
    for (const auto& [key, path] : folders)
        *path = (here / value(key)).lexically_normal();
    if (json.contains("commit")) layout.commit = value("commit");
    if (json.contains("nvcc")) layout.nvcc = value("nvcc");
    if (json.contains("compute_sanitizer")) layout.compute_sanitizer = value("compute_sanitizer");
    if (const auto files = json.find("gpu_files"); files != json.end()) {
        if (!files->is_array() || !std::ranges::all_of(*files, &nlohmann::json::is_string))
            throw model::ContentError(file.string(), "/gpu_files", "must be a list of texts");
        for (const auto& path : *files)
            layout.gpu_files.emplace_back(path.get<std::string>());
    }
    return layout;
}

} // namespace build

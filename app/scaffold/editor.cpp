#include "app/scaffold/editor.h"

#include "workspace/files.h"
#include "workspace/write.h"

namespace scaffold {
namespace {

namespace fs = std::filesystem;

/// The links, by which the flags reach `common/...` and `harness/...`.
constexpr std::string_view compile_flags = "-std=c++20\n-I.engine\n-I.engine/headers\n";
constexpr std::string_view ignored = "/.engine/\n/.cache/\n";

} // namespace

std::vector<fs::path> add_editor_files(const fs::path& collection, const build::Layout& layout) {
    workspace::link(collection, ".engine/common", layout.exercises / "common");
    workspace::link(collection, ".engine/headers", layout.headers);
    workspace::link(collection, workspace::copied_headers, layout.emulator);
    std::vector<fs::path> added;
    for (const workspace::File& file :
         {workspace::File{".clangd", workspace::clangd_text(std::string(workspace::copied_headers))},
          workspace::File{"compile_flags.txt", std::string(compile_flags)},
          workspace::File{".gitignore", std::string(ignored)}})
        if (workspace::add(collection, file.path, file.text)) added.push_back(collection / file.path);
    return added;
}

} // namespace scaffold

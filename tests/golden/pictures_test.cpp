#include "picture/formats.h"
#include "picture/scene.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

/// Every format of what each NAME.scene prints, against NAME.txt, NAME.html and NAME.svg beside it. With
/// ENGINE_APPROVE=1 these are written instead: read the difference, then commit both together.
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(ENGINE_SOURCE_DIR) / "tests/golden/pictures";

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool approving() {
    const char* value = std::getenv("ENGINE_APPROVE");
    return value != nullptr && std::string_view(value) == "1";
}

} // namespace

TEST_CASE("every format of every scene is as approved") {
    std::size_t scenes = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".scene") continue;
        ++scenes;
        const picture::Picture picture = picture::read_scene(content(entry.path()));
        for (const picture::Format& format : picture::formats()) {
            const std::string extension = format.name == "text" ? ".txt" : "." + std::string(format.name);
            const fs::path file = fs::path(entry.path()).replace_extension(extension);
            const std::string text = format.render(picture);
            if (approving()) std::ofstream(file, std::ios::binary) << text;
            INFO("if the change is meant: ENGINE_APPROVE=1 ctest --preset dev -L golden");
            CAPTURE(file.filename().string());
            CHECK(content(file) == text);
        }
    }
    CHECK(scenes == 2);
}

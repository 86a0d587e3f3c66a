#include "collections/configuration.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;
using collections::configuration_file;

namespace {

const std::string whole = R"({"format": "engine.config/1", "collections": ["/one", "/two"]})";

struct Home {
    explicit Home(const std::string& text) { folder.write("engine/config.json", text); }
    fs::path file() const { return folder.path() / "engine/config.json"; }
    collections::Configuration read() const {
        return collections::read_configuration(file(), ENGINE_SOURCE_DIR "/schemas");
    }
    test::Folder folder;
};

} // namespace

TEST_CASE("the configuration lies where the variables say, if they hold a whole path") {
    CHECK(configuration_file("/config", "/home/a") == "/config/engine/config.json");
    CHECK(configuration_file(nullptr, "/home/a") == "/home/a/.config/engine/config.json");
    CHECK(configuration_file("config", "/home/a") == "/home/a/.config/engine/config.json");
    CHECK(configuration_file(nullptr, "a").empty());
    CHECK(configuration_file(nullptr, nullptr).empty());
}

TEST_CASE("collections are read in order, and no file sets nothing") {
    CHECK(Home(whole).read().collections == std::vector<fs::path>{"/one", "/two"});
    CHECK(collections::read_configuration("", "").collections.empty());
    CHECK(collections::read_configuration("/nowhere/engine/config.json", "").collections.empty());
}

TEST_CASE("a configuration that others could have written is refused, with its path and a remedy") {
    const Home home(whole);
    for (const mode_t mode : {0664, 0646}) {
        chmod(home.file().c_str(), mode);
        CHECK_THROWS_WITH_AS(home.read(), doctest::Contains("chmod go-w"), model::EnvironmentError);
    }
    chmod(home.file().c_str(), 0600);
    CHECK(home.read().collections.size() == 2);
    chmod(home.file().parent_path().c_str(), 0777);
    CHECK_THROWS_WITH_AS(home.read(), doctest::Contains("others than you"), model::EnvironmentError);
}

TEST_CASE("a configuration of another user is refused" * doctest::skip(geteuid() != 0)) {
    const Home home(whole);
    REQUIRE(chown(home.file().c_str(), 65534, 65534) == 0);
    CHECK_THROWS_WITH_AS(home.read(), doctest::Contains("belongs to another user"), model::EnvironmentError);
}

TEST_CASE("a link and a folder are refused even where they lead to a whole configuration") {
    const Home home(whole);
    fs::rename(home.file(), home.folder.path() / "real.json");
    fs::create_symlink(home.folder.path() / "real.json", home.file());
    CHECK_THROWS_WITH_AS(home.read(), doctest::Contains("symbolic link"), model::EnvironmentError);
    fs::remove(home.file());
    fs::create_directory(home.file());
    CHECK_THROWS_AS(home.read(), model::EnvironmentError);
}

TEST_CASE("a broken configuration is named with the place") {
    const auto refused = [](const std::string& text, const char* words) {
        CAPTURE(text.substr(0, 60));
        CHECK_THROWS_WITH_AS(Home(text).read(), doctest::Contains(words), model::ContentError);
    };
    refused("{", "line 1");
    refused(R"({"format": "engine.config/2", "collections": []})", "/format");
    refused(R"({"format": "engine.config/1", "collections": [1]})", "/collections/0");
    refused(R"({"format": "engine.config/1", "collections": ["~/mine"]})", "/collections/0");
    refused(R"({"format": "engine.config/1", "collections": [], "colections": []})", "unknown key");
    refused(std::string(100'000, '[') + std::string(100'000, ']'), "nested too deep");
}

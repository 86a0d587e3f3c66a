// Submissions that cannot even be read: each is judged as one that does not compile, with one clear sentence.
#include "engine_run.h"

#include <doctest/doctest.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using hostile::Folder;
using hostile::run_engine;

namespace {

namespace fs = std::filesystem;

/// `engine test` of a folder in which lookup.cpp is whatever `make` leaves there.
template <class Make>
void expect_unreadable(const char* sentence, bool unprivileged, Make make) {
    const Folder folder;
    make(folder.path() / "lookup.cpp");
    const auto outcome =
        run_engine({folder.path(), folder.path() / "cache", {}, unprivileged},
                   {"test", "token-lookup", "--from", folder.path().string(), "--format", "json"});
    INFO(outcome.output);
    CHECK(outcome.exit.code == 1);
    const auto report = hostile::report_of(outcome);
    REQUIRE(report.is_object());
    CHECK(report["verdict"] == "compile_error");
    CHECK(report["score"]["points"] == 0);
    const std::string message = report["compile"]["diagnostics"][0]["message"];
    CHECK(message.find(sentence) != std::string::npos);
}

void write(const fs::path& path) {
    std::ofstream(path) << "#include \"contract.h\"\n";
}

} // namespace

TEST_CASE("a missing file is not judged") {
    const Folder folder;
    const auto outcome =
        run_engine({folder.path(), folder.path() / "cache", {}, false},
                   {"test", "token-lookup", "--from", folder.path().string(), "--format", "json"});
    INFO(outcome.output);
    CHECK(outcome.exit.code == 2);
    CHECK(outcome.output.find("nothing was judged: ") != std::string::npos);
    CHECK(outcome.output.find("lookup.cpp does not exist") != std::string::npos);
    CHECK(outcome.output.find("compile_error") == std::string::npos);
}

TEST_CASE("a folder in place of the file does not compile") {
    expect_unreadable("is a folder; a source file is needed", false,
                      [](const fs::path& path) { fs::create_directory(path); });
}

TEST_CASE("a pipe that nobody writes to is not waited for") {
    expect_unreadable("is not a regular file", false,
                      [](const fs::path& path) { REQUIRE(mkfifo(path.c_str(), 0666) == 0); });
}

TEST_CASE("a link that leads to itself does not compile") {
    expect_unreadable("cannot be read", false,
                      [](const fs::path& path) { fs::create_symlink(path.filename(), path); });
}

TEST_CASE("a link to a device without end is not followed") {
    expect_unreadable("links are not followed", false,
                      [](const fs::path& path) { fs::create_symlink("/dev/zero", path); });
}

TEST_CASE("a link to another file is not followed, whoever may read that file") {
    expect_unreadable("links are not followed", false, [](const fs::path& path) {
        write(path.parent_path() / "secret.txt");
        fs::create_symlink("secret.txt", path);
    });
}

TEST_CASE("what is named itself is read through links above it") {
    const Folder folder;
    fs::create_directory(folder.path() / "real");
    fs::copy_file(fs::path(ENGINE_SOURCE_DIR) / "reference/token-lookup/lookup.cpp",
                  folder.path() / "real/lookup.cpp");
    fs::create_symlink("real", folder.path() / "link");
    for (const char* from : {"link", "link/lookup.cpp"}) {
        CAPTURE(from);
        const auto outcome = run_engine({folder.path(), ENGINE_CACHE},
                                        {"test", "token-lookup", "--from", from, "--format", "json"});
        INFO(outcome.output);
        CHECK(outcome.exit.code == 0);
    }
}

TEST_CASE("a file that may not be read does not compile") {
    const bool root = geteuid() == 0;
    if (root && access(ENGINE_PROGRAM, X_OK) != 0) return;
    expect_unreadable("cannot be read", root, [](const fs::path& path) {
        write(path);
        REQUIRE(chmod(path.c_str(), 0) == 0);
    });
}

TEST_CASE("five megabytes are not read into memory") {
    expect_unreadable("is larger than 4 MiB", false, [](const fs::path& path) {
        write(path);
        fs::resize_file(path, 5 << 20);
    });
}

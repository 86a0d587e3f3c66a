#include "app/pager.h"

#include "build/file.h"
#include "system/attached.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace app {
namespace {

namespace fs = std::filesystem;

/// The user's pager, a program and perhaps arguments; none where PAGER is set to nothing.
std::vector<std::string> pager() {
    const char* const value = std::getenv("PAGER");
    std::istringstream words(value == nullptr ? "less" : value);
    std::vector<std::string> command;
    for (std::string word; words >> word;)
        command.push_back(word);
    // Colours and links as they are, and the screen stays when it ends.
    if (!command.empty() && fs::path(command.front()).filename() == "less" && command.size() == 1)
        command.insert(command.end(), {"-R", "-F", "-X"});
    return command;
}

} // namespace

void show_in_pager(const Context& context, std::string_view text) {
    const terminal::Capabilities& out = context.out();
    std::vector<std::string> command = pager();
    const bool fits = std::ranges::count(text, '\n') < out.rows;
    if (!out.is_terminal || out.plain || fits || ::isatty(STDIN_FILENO) != 1 || command.empty()) {
        std::cout << text;
        return;
    }
    std::error_code ignored;
    std::string file = (fs::temp_directory_path(ignored) / "engine-page-XXXXXX").string();
    const sys::Fd fd(mkstemp(file.data()));
    if (!fd || !build::write_all(fd.get(), text)) {
        std::cout << text;
        return;
    }
    command.push_back(file);
    constexpr int no_such_program = 127;
    if (sys::run_attached(command) == no_such_program) std::cout << text;
    fs::remove(file, ignored);
}

} // namespace app

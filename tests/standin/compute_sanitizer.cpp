// NVIDIA's checker for tests: starts the program that it is given, and reports what the file `sanitizer` has
// for its tool once that program has printed the line "standin: fault". Or it fails as the file's first word
// says.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Orders {
    std::string mode;
    std::string report; ///< of this tool
};

/// Lines "memcheck Invalid __global__ read …": what is after the tool's name follows the tool's prefix.
Orders read_orders(const std::string& tool) {
    Orders orders;
    std::ifstream file(STANDIN_STATE "/sanitizer");
    std::getline(file, orders.mode);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(tool + " ")) orders.report += "=========" + line.substr(tool.size()) + "\n";
    return orders;
}

[[noreturn]] void give_up(const char* why) {
    std::printf("========= Error: %s\n", why);
    std::exit(1);
}

/// What the real one is believed to do in its sandbox, and what the sandbox must refuse.
void try_sandbox() {
    const int local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un name{AF_UNIX, "/tmp/standin.sock"};
    if (local < 0 || bind(local, reinterpret_cast<sockaddr*>(&name), sizeof name) != 0 ||
        listen(local, 1) != 0)
        give_up("no socket with a path");
    close(local);
    std::ofstream file("/tmp/standin.txt");
    if (!(file << "x" << std::flush)) give_up("no file in /tmp");
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0) give_up("there is a network");
    if (access("/etc/passwd", F_OK) == 0) give_up("there is a file of the host's");
}

[[noreturn]] void fail(const std::string& mode) {
    if (mode == "refuses") {
        std::puts("========= Unable to find injection library libsanitizer-collection.so");
        std::exit(1);
    }
    if (mode == "garbage") {
        std::puts("========= \x01\xff Inv\x1b[31malid\n=========\n========= at at at\n\xfe\xfe");
        std::exit(0);
    }
    while (mode == "endless")
        std::puts("========= more and more and more and more and more and more and more and more and more");
    while (mode == "hangs")
        pause();
    std::abort();
}

/// Runs the program with its output going through here; returns whether it printed the line.
bool run(char** command) {
    int ends[2];
    if (pipe(ends) != 0) give_up("no pipe");
    const pid_t child = fork();
    if (child < 0) give_up("no process");
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(command[0], command);
        _exit(127);
    }
    close(ends[1]);
    std::string all;
    char some[4096];
    for (ssize_t got = 0; (got = read(ends[0], some, sizeof some)) > 0;) {
        all.append(some, static_cast<std::size_t>(got));
        std::fwrite(some, 1, static_cast<std::size_t>(got), stdout);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) std::puts("========= Target application returned an error");
    return all.find("standin: fault\n") != std::string::npos;
}

} // namespace

int main(int count, char** arguments) {
    if (count == 2 && std::strcmp(arguments[1], "--version") == 0) {
        const std::string mode = read_orders("").mode;
        std::printf("NVIDIA (R) Compute Sanitizer\nCopyright (c) 2020-2024 NVIDIA Corporation\nVersion %s\n",
                    mode == "mute"  ? "unknown"
                    : mode == "old" ? "2021.2.0.0 (build 30080091)"
                                    : "2024.1.1.0 (build 34057636) (public-release)");
        return 0;
    }
    std::string tool;
    int at = 1;
    for (; at < count && arguments[at][0] == '-'; at += 2)
        if (std::strcmp(arguments[at], "--tool") == 0) tool = arguments[at + 1];
    if (at >= count) give_up("no program was given");

    std::puts("========= COMPUTE-SANITIZER");
    std::fflush(stdout);
    const Orders orders = read_orders(tool);
    if (orders.mode != "works") fail(orders.mode);
    try_sandbox();
    const bool faulty = run(arguments + at) && !orders.report.empty();
    if (faulty)
        std::fputs(orders.report.c_str(), stdout);
    else
        std::puts(tool == "racecheck"
                      ? "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"
                      : "========= ERROR SUMMARY: 0 errors");
    return 0;
}

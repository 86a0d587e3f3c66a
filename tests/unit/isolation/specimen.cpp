// What the tests run in a worker's place: "specimen ACT [NUMBER | PATH]".
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/random.h>
#include <pthread.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

void* sleeps(void*) {
    pause();
    return nullptr;
}

int start_threads(int wanted) {
    int started = 0;
    pthread_t thread{};
    while (started < wanted && pthread_create(&thread, nullptr, sleeps, nullptr) == 0)
        ++started;
    std::printf("%d\n", started);
    return 0;
}

int touch_memory(std::size_t mebibytes) {
    for (std::size_t i = 0; i < mebibytes; ++i) {
        void* memory = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return std::puts("refused"), 0;
        std::memset(memory, 1, 1 << 20);
    }
    std::puts("touched");
    std::fflush(stdout);
    usleep(300'000); // long enough to be looked at
    return 0;
}

int open_file(const char* path) {
    const int fd = open(path, O_RDONLY);
    std::puts(fd >= 0 ? "opened" : strerrorname_np(errno));
    return 0;
}

/// As NVIDIA's driver does.
int name_thread() {
    const std::string path = "/proc/self/task/" + std::to_string(gettid()) + "/comm";
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    std::puts(fd >= 0 && write(fd, "named", 5) == 5 ? "named" : strerrorname_np(errno));
    return 0;
}

/// What the driver does with a socket, and what it is not to do.
int use_socket() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path + 1, "specimen");
    const auto* name = reinterpret_cast<const sockaddr*>(&address);
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const int on = 1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0 || unlink("") == 0 ||
        errno != ENOENT || bind(fd, name, sizeof address) != 0 || listen(fd, 1) != 0)
        return std::puts("refused"), 0;
    const int other = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    std::puts(connect(other, name, sizeof address) == 0 ? "connected" : "listening");
    return 0;
}

/// One of the commands that a random device knows.
int command_device(const char* path) {
    const int fd = open(path, O_RDONLY);
    int bits = 0;
    std::puts(ioctl(fd, RNDGETENTCNT, &bits) == 0 ? "answered" : strerrorname_np(errno));
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) return 2;
    const std::string act = arguments[1];
    const char* what = count > 2 ? arguments[2] : "0";
    if (act == "exit") return std::atoi(what);
    if (act == "abort") std::abort();
    if (act == "crash") raise(SIGSEGV);
    if (act == "spin")
        for (volatile unsigned turns = 0;;)
            turns = turns + 1;
    if (act == "sleep") pause();
    if (act == "threads") return start_threads(std::atoi(what));
    if (act == "touch") return touch_memory(static_cast<std::size_t>(std::atoll(what)));
    if (act == "open") return open_file(what);
    if (act == "socket") return use_socket();
    if (act == "name") return name_thread();
    if (act == "command") return command_device(what);
    if (act == "stat") {
        struct stat status {};
        std::puts(stat(what, &status) == 0 ? "seen" : strerrorname_np(errno));
    }
    if (act == "self") std::printf("%d %d %u\n", getpid(), getppid(), getuid());
    return 0;
}

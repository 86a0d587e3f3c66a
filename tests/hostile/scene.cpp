#include "scene.h"

#include "build/file.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <random>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>

namespace hostile {
namespace {

namespace fs = std::filesystem;

/// The same for the same place, so that a program's text stays the same and its build can be taken from the
/// cache; another for another, so that a judge beside this one has a port of its own.
int first_port(const fs::path& place) {
    unsigned sum = 0;
    for (const char letter : place.string())
        sum = sum * 31 + static_cast<unsigned char>(letter);
    return 20'000 + static_cast<int>(sum % 12'000); // below what the kernel hands out
}

std::string random_word() {
    std::random_device random;
    std::ostringstream word;
    word << "hush-" << std::hex << random() << random() << random();
    return word.str();
}

sys::Fd listen_locally(int port) {
    sys::Fd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int yes = 1;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(fd.get(), 16) != 0)
        fd.reset();
    return fd;
}

} // namespace

Scene::Scene(const fs::path& place, const fs::path& programs, const fs::path& suite, const fs::path& driver)
    : place_(place), programs_(programs), suite_(suite), driver_(driver), secret_(random_word()),
      port_(first_port(place)) {
    constexpr int most = 20; // somebody else may have the first
    for (int tried = 0; tried < most && !(listener_ = listen_locally(port_)); ++tried)
        ++port_;
    if (!listener_) throw std::runtime_error("cannot listen on the loopback interface");
    // Open to everybody: nothing but the sandbox keeps a program from it.
    fs::create_directories(place_);
    if (!build::write_atomically(place_ / "secret", secret_ + "\n", 0644))
        throw std::runtime_error("cannot write " + (place_ / "secret").string());
}

Scene::~Scene() {
    std::error_code ignored;
    fs::remove(place_ / "secret", ignored);
}

bool Scene::was_connected() const {
    const sys::Fd caller(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    return static_cast<bool>(caller);
}

std::string Scene::text(const fs::path& file) const {
    std::string text = build::read_file(file).value();
    std::ostringstream names; // those in use: without any, a program is the same in every scene
    const auto define = [&](const char* name, const auto& value) {
        if (text.find(name) != std::string::npos) names << "#define " << name << ' ' << value << '\n';
    };
    define("SCENE_SECRET", place_ / "secret");
    define("SCENE_SUITE", suite_);
    define("SCENE_DRIVER", driver_);
    define("SCENE_CACHE", place_);
    define("SCENE_PORT", port_);
    for (const char* header : {"arena.h", "honest.h"}) {
        const std::string include = "#include \"" + std::string(header) + "\"\n";
        const std::size_t at = text.find(include);
        if (at == std::string::npos) continue;
        std::string body = build::read_file(programs_ / header).value();
        if (header == std::string("honest.h")) body = names.str() + body;
        text.replace(at, include.size(), body);
    }
    return text;
}

model::Submission Scene::submission(const std::string& name) const {
    const fs::path folder = programs_ / name;
    if (!fs::is_directory(folder))
        return {name + ".cpp", {{"lookup.cpp", text(programs_ / (name + ".cpp"))}}};
    model::Submission submission{name, {}};
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        submission.files.push_back({entry.path().filename().string(), text(entry.path())});
    return submission;
}

} // namespace hostile

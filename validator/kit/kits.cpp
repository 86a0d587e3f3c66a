#include "kit/kits.h"

#include "build/file.h"
#include "build/lock.h"
#include "kit/make.h"
#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kit {
namespace {

namespace fs = std::filesystem;

/// The mistakes are made meanwhile: they give way to the compiler of the submission.
constexpr int background_niceness = 10;

/// What an entry says of itself, so that one cannot be put in another's place.
std::string note_of(Part part, const std::string& key) {
    return "engine.kit/1 " + std::string(name(part)) + " " + key;
}

/// The folder, if only root and this user can have put something there.
fs::path trusted(const build::Workshop& workshop) {
    const fs::path& folder = workshop.layout().kits;
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0) return {};
    if ((status.st_uid == 0 || status.st_uid == geteuid()) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0)
        return folder;
    workshop.warn(
        "what is prepared in " + folder.string() +
        " is not used: others than root and you can write there; chmod go-w it, or chown it to root");
    return {};
}

} // namespace

Kits::Kits(const build::Workshop& workshop)
    : workshop_(workshop), system_(trusted(workshop)),
      cache_(workshop.cache().folder() / "kits",
             [&workshop](std::string_view text) { workshop.warn(text); }) {}

std::string Kits::key(const Plan& plan) const {
    return key_of(plan, workshop_.toolchain(), workshop_.layout(), inputs_);
}

std::string Kits::key_of_mistakes(const Package& package) const {
    return kit::key_of_mistakes(package, workshop_.toolchain(), workshop_.layout(), inputs_);
}

std::optional<build::CachedWorker> Kits::find(Part part, const std::string& key) const {
    const std::string note = note_of(part, key);
    if (!system_.empty())
        if (auto known = build::open_entry(system_, key); known && known->note == note) return known;
    if (auto known = cache_.find(key); known && known->note == note) return known;
    return std::nullopt;
}

build::CachedWorker Kits::obtain(const Plan& plan, const std::string& key,
                                 const std::function<void()>& announce, int cancel_fd) const {
    const std::string what = note_of(plan.part, key);
    if (auto known = find(plan.part, key)) {
        workshop_.note(what + " is in the cache");
        return std::move(*known);
    }
    workshop_.note(what + " is made");
    announce();
    const fs::path file = cache_.folder() / (key + std::string(build::lock_suffix));
    const sys::Fd mine = build::lock(file, cancel_fd);
    if (!mine) {
        const int error = errno;
        pollfd cancelled{cancel_fd, POLLIN, 0};
        if (poll(&cancelled, 1, 0) > 0) throw model::Interrupted{};
        throw model::EnvironmentError("cannot lock " + file.string() + ": " + std::strerror(error));
    }
    if (auto known = find(plan.part, key)) return std::move(*known);
    const bool background = plan.part == Part::mistakes;
    return cache_.store(key,
                        make(plan, workshop_, background ? others_ : urgent_,
                             background ? background_niceness : 0, cancel_fd),
                        what);
}

void Kits::publish(const build::CachedWorker& made) const {
    const fs::path& folder = workshop_.layout().kits;
    const auto fail = [&](const std::string& what, const fs::path& path) {
        throw model::EnvironmentError("cannot " + what + " " + path.string() + ": " + std::strerror(errno) +
                                      "; root prepares kits for all users of this machine");
    };
    if (const auto known = build::open_entry(folder, made.path.stem().string());
        known && known->note == made.note)
        return;
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) fail("make", folder);
    const fs::path path = folder / made.path.filename();
    const auto bytes = build::read_all(made.fd.get(), 256ULL << 20);
    if (!bytes) fail("read", made.path);
    if (!build::write_atomically(path, *bytes, 0555)) fail("write", path);
}

} // namespace kit

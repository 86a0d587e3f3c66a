#pragma once

#include "isolation/worker.h"
#include "system/process.h"

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

inline model::Limits small_limits() {
    model::Limits limits;
    limits.memory_mib = 32;
    limits.threads = 4;
    limits.cpu = std::chrono::seconds(1);
    return limits;
}

/// The program specimen.cpp in a worker's place.
struct Specimen {
    sys::Fd program{open(SPECIMEN, O_RDONLY | O_CLOEXEC)};

    sys::Command command(std::vector<std::string> arguments, bool sanitized = false) const {
        sys::Command command;
        command.program = "specimen";
        command.program_fd = program.get();
        command.arguments = std::move(arguments);
        command.confinement = isolation::confine_worker({small_limits(), program.get(), 0, sanitized});
        return command;
    }

    sys::RunOutcome run(std::vector<std::string> arguments, bool sanitized = false) const {
        return sys::run(command(std::move(arguments), sanitized), {std::chrono::minutes(1), 4096});
    }

    std::string answer(std::vector<std::string> arguments, bool sanitized = false) const {
        std::string text = run(std::move(arguments), sanitized).output;
        if (text.ends_with('\n')) text.pop_back();
        return text;
    }
};

/// Folders of groups made by this process that are still there: one a group on v2, two on v1.
inline int groups_left() {
    int left = 0;
    const std::string name = "engine-group-" + std::to_string(getpid()) + "-";
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator it("/sys/fs/cgroup", error), end; !error && it != end;
         it.increment(error))
        if (it->path().filename().string().starts_with(name)) ++left;
    return left;
}

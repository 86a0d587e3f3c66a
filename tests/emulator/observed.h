#pragma once

#include "emulator/locations.h"
#include "emulator/trace.h"
#include "emulator/worker.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>

/// What a fault left behind, with places resolved, and the device as new.
inline emulator::Trace observe() {
    emulator::Trace trace = emulator::take_trace();
    char program[4096] = {};
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return trace;
    std::string command;
    for (const auto& argument : emulator::addr2line_arguments(trace, program))
        command += "'" + argument + "' ";
    if (!command.empty()) {
        std::string output;
        FILE* pipe = popen(command.c_str(), "r");
        char line[4096];
        while (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr)
            output += line;
        if (pipe != nullptr) pclose(pipe);
        emulator::apply_locations(trace, output);
    }
    emulator::reset_device();
    return trace;
}

/// The line of a file of kernels that carries the comment "// line: mark".
inline int line_of(const std::string& mark, const std::string& name = "faults.cu") {
    std::ifstream file(std::string(ENGINE_SOURCE_DIR) + "/tests/emulator/kernels/" + name);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number)
        if (line.ends_with("// line: " + mark)) return number;
    return -1;
}

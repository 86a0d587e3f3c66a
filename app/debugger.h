#pragma once

#include "build/scratch.h"
#include "build/workshop.h"
#include "model/problem.h"

#include <cstdint>
#include <filesystem>
#include <string>

/// gdb, and what it is given. It and the program in it run in one sandbox, which sees neither suite nor
/// reference nor anything else of the user's.
namespace app {

/// The program where the system keeps it. Throws model::EnvironmentError, with the package to install, where
/// it is not there.
std::filesystem::path find_debugger();

/// Names in the scratch folder that gdb starts in.
inline constexpr const char* debugged_program = "program";
inline constexpr const char* recorded_calls = "recording";
inline constexpr const char* debugger_script_name = "start.gdb";

/// What gdb does at first: it makes the recorded calls up to this one, and stops where the learner's code
/// begins in it. With number 0 there is no call: it runs the program until that ends. `asks`: somebody is at
/// a terminal, which shows colours or not; else it goes on to the end of the call, and tells what it returned
/// or where it broke off.
std::string debugger_script(const model::Problem& problem, std::uint64_t call, bool asks, bool colour);

/// Runs gdb on what lies in the folder, on our terminal or without any. Returns the words on how it ended;
/// nothing where it ended by itself. Throws model::EnvironmentError and judge::Interrupted.
std::string run_debugger(const build::Workshop& workshop, const build::Scratch& scratch,
                         const std::filesystem::path& debugger, bool asks, int cancel_fd);

} // namespace app

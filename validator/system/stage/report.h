#pragma once

#include <cstdint>

namespace sys {

/// What a stage program owns beside 0, 1 and 2: where it reports, and a pipe whose other end the engine alone
/// has.
inline constexpr int stage_report_fd = 3;
inline constexpr int stage_engine_fd = 4;

/// How one program of a compiler ended, as the stage program writes it: at once, since a pipe takes that much
/// whole.
struct StageReport {
    char name[16];            ///< "cc1plus"
    std::int32_t status;      ///< as wait() gives it
    std::int32_t start_error; ///< why it could not be started; 0: it was
    std::int64_t cpu_us;
    std::int64_t peak_kib;
};

} // namespace sys

#pragma once

#include <cstddef>
#include <cstdint>

namespace fuzz {

enum class Ending : std::uint8_t { reply, crash, exit, miscount };

/// What an input begins with: how the worker answers a call with the bytes that follow.
struct Script {
    Ending ending = Ending::reply;
    std::uint8_t site = 0;     ///< which kind of function is called
    std::uint8_t damage = 0;   ///< a bit a region whose bytes and canaries are overwritten
    std::uint8_t emulated = 0; ///< not 0: the program is said to run kernels
    std::uint32_t reply = 0;   ///< a subject::ReplyKind, or not
    std::uint32_t reply_bytes = 0;
    std::uint32_t launches = 0; ///< also the other numbers that a worker tells of a call
    std::uint32_t bytes = 0;    ///< of what follows; the driver's side fills it in
};

/// What fits into a message behind the regions.
constexpr std::size_t max_script = 4096;

} // namespace fuzz

#pragma once

#include "emulator/trace.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cuda_emulator {

class Region;

enum class Space { global, shared, variable };

/// Memory that an access may lie in: one allocation, one shared variable, or all variables of the program.
struct Place {
    std::uintptr_t low = 0;
    std::size_t bytes = 0;
    Region* region = nullptr; ///< which may hold more than the place
    Space space{};

    bool holds(std::uintptr_t address, std::size_t size) const {
        const std::uintptr_t at = address - low;
        return at < bytes && size <= bytes - at;
    }
};

/// What a word remembers of an access, ready for the other lanes of a warp that make the same one.
struct Mark {
    std::uint64_t key = 0; ///< by which an access is the same: see RaceDetector
    std::uint32_t value = 0;
};

/// An instruction that accesses memory.
struct Instruction {
    const void* at = nullptr; ///< the return address of the call that stands for it
    std::uint32_t number = 0;
    bool reported_uninitialized = false;
    bool reported_variable = false;
    bool reported_kept = false;
    bool member = false;             ///< of a vector: see `members.h` of the headers
    bool in_pieces = false;          ///< of more bytes than a device moves at a time for a thread
    bool before_swap = false;        ///< a load whose thread went on with a compare-and-swap there
    std::uint64_t place_version = 0; ///< `recent` is good as long as this is the present one
    Place recent;                    ///< where its last access was
    std::array<Mark, 4> marks;       ///< the last ones, by the first byte in the word
};

/// One access by the current thread.
struct Access {
    std::uintptr_t address;
    std::uint32_t bytes;
    emulator::AccessKind kind;
    Instruction* instruction;

    /// A copy to hand to a function, so that this one may stay in registers.
    Access again() const { return {address, bytes, kind, instruction}; }
};

/// All instructions met so far, numbered in that order.
class Instructions {
  public:
    Instruction& at(const void* return_address) {
        const auto slot = (reinterpret_cast<std::uintptr_t>(return_address) >> 2) % cache_.size();
        Instruction* known = cache_[slot];
        if (known != nullptr && known->at == return_address) return *known;
        return *(cache_[slot] = &find(return_address));
    }
    Instruction& numbered(std::uint32_t number) { return *by_number_[number]; }

  private:
    Instruction& find(const void* return_address);

    std::array<Instruction*, 1024> cache_{};
    std::unordered_map<const void*, Instruction> all_;
    std::vector<Instruction*> by_number_;
};

emulator::Location location(const Instruction& instruction);

} // namespace cuda_emulator

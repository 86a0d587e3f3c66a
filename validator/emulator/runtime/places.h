#pragma once

#include "runtime/instructions.h"
#include "runtime/shadow.h"

#include <map>
#include <memory>
#include <string>

namespace cuda_emulator {

/// What memory a kernel may touch, and what is known of it.
class Places {
  public:
    explicit Places(ShadowStore& store) : store_(store) {}

    void launch_begins();
    void block_begins();
    /// A block has its shared memory back: all of it counts as written.
    void block_continues();
    void allocated(const void* address, std::size_t bytes, bool initialized);
    void freed(const void* address);
    void initialized(const void* address, std::size_t bytes);
    void copied(void* to, const void* from, std::size_t bytes);
    void kept(const void* address);
    void given(const void* address, std::size_t bytes);
    bool is_kept(const void* address, std::size_t bytes);
    void shared_placed(std::uint32_t offset, std::uint32_t bytes, const char* names);

    /// Where an access lies. One that lies nowhere ends the kernel, with a finding.
    [[gnu::always_inline]] const Place& of(const Access& access) {
        Instruction& instruction = *access.instruction;
        if (instruction.place_version != version_ ||
            !instruction.recent.holds(access.address, access.bytes)) {
            instruction.recent = find(access.again());
            instruction.place_version = version_;
        }
        return instruction.recent;
    }
    template <class Visit>
    void for_each_allocation(Visit visit) const {
        for (const auto& [low, region] : allocations_)
            visit(low, region.bytes());
    }
    /// False for most addresses that are no memory of the device.
    bool may_be_allocated(std::uintptr_t address) const { return address >= lowest_ && address < highest_; }

  private:
    struct SharedVariable {
        std::uint32_t offset, bytes;
        std::string names;
    };

    Place find(Access access);
    Place find_shared_variable(Access access);
    Place find_allocation(Access access);
    Region* region_of(const void* address);

    ShadowStore& store_;
    std::uint64_t version_ = 1; ///< changes whenever a place does
    std::map<std::uintptr_t, Region> allocations_;
    std::uintptr_t lowest_ = ~std::uintptr_t{0}, highest_ = 0; ///< of all allocations there were
    std::vector<SharedVariable> shared_;
    std::unique_ptr<Region> static_region_, dynamic_region_, program_region_;
};

/// Ends the kernel for an access that no device would let pass; `where` ends the sentence about it.
[[noreturn]] void refuse(Access access, emulator::FindingKind kind, const std::string& where);

} // namespace cuda_emulator

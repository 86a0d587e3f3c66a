#pragma once

#include "runtime/memory.h"
#include "runtime/observer.h"
#include "runtime/races.h"
#include "runtime/traffic.h"

#include <map>
#include <unordered_map>

namespace cuda_emulator {

/// Sees every access of instrumented code.
///
/// Theory of operation. GCC's -fsanitize=thread puts a call in front of each access to memory. Linked to the
/// entry points of this library instead of the sanitizer's, these calls come here. An access of a kernel is
/// first placed: in an allocation, a shared variable, a device variable, the thread's own stack (which is of
/// no interest), or nowhere, which ends the kernel as it would on a device. Then it is logged for the
/// traffic, and its bytes are checked for earlier conflicting accesses and for ever having been written. Host
/// code is watched for touching device memory only.
class Tracer final : public Observer {
  public:
    void access(std::uintptr_t address, std::uint32_t bytes, emulator::AccessKind kind, bool aligned,
                const void* return_address);

    void launch_begins(const Configuration& configuration, const Work& work) override;
    void launch_ends() override {}
    void block_begins() override;
    void warp_ends(std::uint32_t warp) override { traffic_.settle(warp); }
    void barrier() override;
    void warp_barrier(std::uint32_t warp, std::uint32_t lanes) override { races_.warp_barrier(warp, lanes); }
    void fence() override { races_.fence(); }
    void atomic(const void* address, std::uint32_t bytes, const void* return_address) override;
    void allocated(const void* address, std::size_t bytes, bool initialized) override;
    void freed(const void* address) override;
    void initialized(const void* address, std::size_t bytes) override;
    void copied(void* to, const void* from, std::size_t bytes) override;
    void shared_placed(std::uint32_t offset, std::uint32_t bytes, const char* names) override;
    void fill(emulator::Trace& trace) override;

  private:
    enum class Space { global, shared, variable };
    struct Place {
        Region* region = nullptr;
        Space space{};
    };
    struct SharedVariable {
        std::uint32_t offset, bytes;
        std::string names;
    };
    /// An instruction that accesses memory.
    struct Instruction {
        const void* at = nullptr;
        std::uint32_t number = 0;
        bool reported_uninitialized = false;
        bool reported_race = false;
    };
    struct Access {
        std::uintptr_t address;
        std::uint32_t bytes;
        emulator::AccessKind kind;
        Instruction* instruction;
    };

    void kernel_access(const Access& access, bool aligned);
    void host_access(std::uintptr_t address, std::uint32_t bytes, const void* return_address);
    bool is_private(std::uintptr_t address) const;
    Place place(const Access& access);
    Place place_shared_variable(const Access& access);
    Place place_global(const Access& access);
    void log(const Access& access, Space space);
    void check_bytes(const Access& access, const Place& place);
    void report_race(const Access& access, const Conflict& conflict);
    [[noreturn]] void refuse(const Access& access, emulator::FindingKind kind, const std::string& where);
    Instruction& instruction_at(const void* return_address);
    emulator::Location location(std::uint32_t number) const;
    Region* region_of(const void* address);

    RaceDetector races_;
    TrafficCounter traffic_;
    std::map<std::uintptr_t, Region> allocations_;
    Region* recent_ = nullptr;
    std::uintptr_t lowest_ = ~std::uintptr_t{0}, highest_ = 0; ///< of all allocations there were
    std::vector<SharedVariable> shared_;
    std::uint32_t recent_shared_ = 0;
    std::unique_ptr<Region> static_region_, dynamic_region_, program_region_;
    std::uintptr_t program_low_ = 0, program_high_ = 0;
    std::uintptr_t arguments_ = 0;
    std::size_t arguments_bytes_ = 0;
    std::unordered_map<const void*, Instruction> instructions_;
    std::array<Instruction*, 1024> instruction_cache_{};
    std::vector<const void*> instruction_numbers_;
};

/// Made by the first call, which instrumented code makes before anything else it does.
Tracer& start_tracer();

} // namespace cuda_emulator

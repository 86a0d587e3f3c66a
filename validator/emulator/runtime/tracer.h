#pragma once

#include "runtime/block.h"
#include "runtime/instructions.h"
#include "runtime/observer.h"
#include "runtime/places.h"
#include "runtime/races.h"
#include "runtime/stream_races.h"
#include "runtime/traffic.h"

namespace cuda_emulator {

/// Sees every access of instrumented code.
///
/// Theory of operation. GCC's -fsanitize=thread puts a call in front of each access to memory. Linked to the
/// entry points of this library instead of the sanitizer's, these calls come here. An access of a kernel is
/// first placed: in an allocation, a shared variable, a device variable, the thread's own stack (which is of
/// no interest), or nowhere, which ends the kernel as it would on a device. Then it is logged for the
/// traffic, and its bytes are checked for earlier conflicting accesses and for ever having been written. Host
/// code is watched for touching device memory only.
///
/// All of this is done once an access, so what is common is short and inline: an instruction stays in its
/// place, lanes follow the first one, a word belongs to one thread. The rest is a call.
class Tracer final : public Observer {
  public:
    /// An access of a size known to the compiler. `aligned` says that an address which is no multiple of
    /// `bytes` is a fault.
    template <std::uint32_t bytes, emulator::AccessKind kind, bool aligned>
    [[gnu::always_inline]] void access(std::uintptr_t address, const void* return_address) {
        if (!in_kernel) return host_access(address, bytes, kind, return_address);
        if (!is_private(address)) kernel_access<bytes, kind, aligned>(address, return_address);
    }
    /// An access of any size, at any address.
    void range(std::uintptr_t address, std::uint32_t bytes, emulator::AccessKind kind,
               const void* return_address);

    void task_asked(const TaskPointer& task) override { streams_.asked(task); }
    void task_begins(const TaskPointer& task, bool waited_for) override { streams_.begins(task, waited_for); }
    void task_ends() override { streams_.ends(); }
    void used(const void* address, std::size_t bytes, emulator::AccessKind kind) override;
    void host_waited(const Clock& host) override { streams_.host_waited(host); }
    void streams_forgotten() override { streams_.forget(); }
    void call_begins(const TaskPointer& task) override;
    void call_ends(const TaskPointer& task) override { streams_.call_ends(task); }
    void launch_begins(const Configuration& configuration, const Work& work) override;
    bool begins_with_the_last() const override { return turn_->ordering && turn_->launches % 2 == 0; }
    void launch_ends() override;
    void block_begins() override;
    void warp_ends(std::uint32_t warp) override { traffic_.settle(warp); }
    void barrier() override;
    void warp_barrier(std::uint32_t warp, std::uint32_t lanes) override { races_.warp_barrier(warp, lanes); }
    void tile_barrier(std::uint32_t first_thread, std::uint32_t threads) override {
        races_.tile_barrier(first_thread, threads);
    }
    void fence(Scope scope) override {
        turn_->ordering = true;
        races_.fence(block->current->thread, scope);
    }
    void atomic(const void* address, std::uint32_t bytes, AtomicUse use, const void* return_address) override;
    void block_put_aside() override;
    void block_continues(std::uint32_t block) override;
    void grid_barrier() override;
    void allocated(const void* address, std::size_t bytes, bool initialized) override;
    void freed(const void* address) override { places_.freed(address); }
    void initialized(const void* address, std::size_t bytes) override;
    void copied(void* to, const void* from, std::size_t bytes) override;
    void kept(const void* address) override { places_.kept(address); }
    void given(const void* address, std::size_t bytes) override { places_.given(address, bytes); }
    void shared_placed(std::uint32_t offset, std::uint32_t bytes, const char* names) override {
        places_.shared_placed(offset, bytes, names);
    }
    void fill(emulator::Trace& trace) override;

  private:
    /// The thread's own stack, the kernel's arguments, and what a thread knows about itself.
    bool is_private(std::uintptr_t address) const {
        const auto lies_in = [address](const void* low, std::size_t bytes) {
            return address - reinterpret_cast<std::uintptr_t>(low) < bytes;
        };
        return lies_in(block->current->low, FiberPool::stack_bytes) ||
               lies_in(&cuda_emulator_block_size, sizeof(dim3)) ||
               lies_in(&cuda_emulator_grid_size, sizeof(dim3)) || lies_in(arguments_, arguments_bytes_);
    }

    /// Not inline, so that private accesses need no registers saved.
    template <std::uint32_t bytes, emulator::AccessKind kind, bool aligned>
    [[gnu::noinline]] void kernel_access(std::uintptr_t address, const void* return_address) {
        observe({address, bytes, kind, &instructions_.at(return_address)}, aligned);
    }

    [[gnu::always_inline]] void observe(const Access& access, bool aligned) {
        const Place& place = places_.of(access);
        if (aligned && access.address % access.bytes != 0) refuse_misaligned(access.again());
        log(access, place.space);
        note_for_streams(access, place.space);
        check_written(access, place);
        if (aligned && access.bytes % 4 == 0) {
            std::uint32_t fresh = 0;
            for (std::uint32_t done = 0; done < access.bytes; done += 4)
                fresh += check_word(access, place, access.address + done, 0xfu);
            traffic_.touch(fresh);
        } else if (access.address % 4 + access.bytes <= 4) {
            const std::uint32_t mask = ((1u << access.bytes) - 1) << access.address % 4;
            traffic_.touch(check_word(access, place, access.address, mask));
        } else {
            check_words(access.again(), place);
        }
    }

    /// Variables of the program are left out: a trace cannot tell `__constant__` ones, which have a cache of
    /// their own.
    [[gnu::always_inline]] void log(const Access& access, Space space) {
        if (space == Space::variable) return;
        if (access.instruction->in_pieces) return log_in_pieces(access.again(), space);
        log_whole(access, space);
    }
    [[gnu::always_inline]] void log_whole(const Access& access, Space space) {
        traffic_.log(block->current->thread, access.address,
                     AccessShape(access.instruction->number, access.bytes, access.kind,
                                 access.instruction->member, space == Space::shared));
    }

    [[gnu::always_inline]] void note_for_streams(const Access& access, Space space) {
        if (streams_.recording() && space != Space::shared) [[unlikely]]
            streams_.add(access.address, access.bytes, access.kind, access.instruction->number);
    }

    [[gnu::always_inline]] void check_written(const Access& access, const Place& place) {
        if (access.kind != emulator::AccessKind::store && !access.instruction->reported_uninitialized &&
            !place.region->is_initialized(access.address, access.bytes))
            report_uninitialized(access.again(), place.space);
        if (access.kind == emulator::AccessKind::load) return;
        place.region->initialize(access.address, access.bytes);
        if (place.region->is_kept(access.address, access.bytes)) [[unlikely]]
            report_kept(access.again());
    }

    /// Looks for races on the bytes `mask` of one word. How many bytes of global memory were used for the
    /// first time.
    [[gnu::always_inline]] std::uint32_t check_word(const Access& access, const Place& place,
                                                    std::uintptr_t address, std::uint32_t mask) {
        const WordAccess part{block->current->thread, mask, access.kind, access.instruction};
        Word& word = place.region->word(address);
        std::uint32_t fresh = 0;
        if (!races_.note(word, part, place.space != Space::shared, fresh)) [[unlikely]]
            fresh = check_contended(access.again(), place.space, word, mask);
        return place.space == Space::global ? fresh : 0;
    }

    static constexpr std::uint32_t widest_access = 16; ///< bytes that a device moves at a time for a thread

    std::uint32_t check_contended(Access access, Space space, Word& word, std::uint32_t mask);
    void check_atomic(const Access& access, const Place& place, AtomicUse use);
    void judge(Access access, const Conflict& conflict);
    void check_words(Access access, const Place& place);
    void log_in_pieces(Access access, Space space);
    [[noreturn]] void refuse_misaligned(Access access);
    void report_uninitialized(Access access, Space space);
    void report_kept(Access access);
    emulator::Finding race(Access access, const Conflict& conflict);
    void host_access(std::uintptr_t address, std::uint32_t bytes, emulator::AccessKind kind,
                     const void* return_address) {
        if (places_.may_be_allocated(address))
            judge_host_access({address, bytes, kind, nullptr}, return_address);
    }
    void judge_host_access(Access access, const void* return_address);

    ShadowStore store_;
    Places places_{store_};
    RaceDetector races_{store_, {}};
    TrafficCounter traffic_;
    Instructions instructions_;
    StreamRaces streams_{instructions_};
    /// Races of a load with atomics, which are none if the load belongs to a loop of compare-and-swap.
    struct Doubtful {
        std::uint32_t load;
        emulator::Finding finding;
    };
    std::vector<Doubtful> doubtful_;
    /// Of a kernel: how often it was launched, and whether its threads made fences or compared and swapped.
    struct Turn {
        std::uint64_t launches = 0;
        bool ordering = false;
    };
    std::unordered_map<std::string, Turn> turns_;
    Turn* turn_ = nullptr; ///< of the present kernel
    const void* arguments_ = nullptr;
    std::size_t arguments_bytes_ = 0;
};

/// Made by the first call, which instrumented code makes before anything else it does.
Tracer& start_tracer();

} // namespace cuda_emulator

#pragma once

#include "runtime/clocks.h"
#include "runtime/instructions.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace cuda_emulator {

/// Bytes that a task used.
struct Piece {
    std::uintptr_t low = 0, high = 0; ///< the first byte, and the one after the last
    emulator::AccessKind kind{};
    std::uint32_t instruction = no_instruction; ///< of a kernel; of anything else the task says it all

    static constexpr std::uint32_t no_instruction = ~std::uint32_t{0};
};

/// Finds tasks of different streams, or of a stream and the host, that use the same bytes and are ordered by
/// nothing, whichever ran first.
///
/// Each task has a clock. What a task used is written down only while there is another task that is not
/// ordered with it: asked for and not yet run, or run and not yet waited for. So a program that works on one
/// stream pays nothing. A call of a contract stands between two tasks of its caller on the given stream,
/// which use everything there was before the call: so work that does not wait for the caller, or that the
/// caller's stream does not wait for, is found.
class StreamRaces {
  public:
    explicit StreamRaces(Instructions& instructions) : instructions_(instructions) {}

    /// A task waits in its stream.
    void asked(TaskPointer task);
    /// It runs. `waited_for` says that the host learns of its end.
    void begins(const TaskPointer& task, bool waited_for);
    void ends();
    /// A task runs, and whether what it uses is to be added.
    bool running() const { return present_.task != nullptr; }
    const Task& present() const { return *present_.task; }
    bool recording() const { return recording_; }
    void add(std::uintptr_t address, std::size_t bytes, emulator::AccessKind kind,
             std::uint32_t instruction = Piece::no_instruction);
    void host_access(TaskPointer host, const Piece& piece);
    /// A call of a contract begins, and ends: `task` stands for the caller's work on the stream that is
    /// given, and `memory` for what there was before.
    void call_begins(TaskPointer task, std::vector<Piece> memory);
    void call_ends(TaskPointer task);
    /// Whether anything is known that an access by the host could conflict with.
    bool host_matters() const { return !pending_.empty() || !kept_.empty(); }
    /// The host has waited: what it knows of is over.
    void host_waited(const Clock& host);
    /// Memory that is allocated anew has no past, and is no caller's.
    void allocated(std::uintptr_t low, std::size_t bytes);
    void forget();

  private:
    enum class User { task, host, before_call, after_call };

    /// What a task used, by kind and in ascending order.
    struct Footprint {
        TaskPointer task;
        User user{};
        std::vector<Piece> pieces{};
    };

    bool may_conflict(const Task& task) const;
    void keep(Footprint footprint);
    void compare_with_kept(const Footprint& footprint);
    /// Reports the first conflict of the two; false if there is none.
    bool compare(const Footprint& a, const Footprint& b) const;
    void drop_what_is_over();
    emulator::Location place(const Footprint& of, const Piece& piece) const;

    Instructions& instructions_;
    std::deque<TaskPointer> pending_;
    std::vector<Footprint> kept_;
    Clock host_;
    Footprint present_;
    std::vector<Piece> callers_; ///< memory of the present call's caller
    bool recording_ = false;
    std::vector<std::size_t> latest_; ///< piece of each instruction that a neighbour may extend
};

} // namespace cuda_emulator

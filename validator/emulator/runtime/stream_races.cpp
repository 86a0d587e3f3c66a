#include "runtime/stream_races.h"

#include "runtime/findings.h"

#include <algorithm>
#include <utility>

namespace cuda_emulator {

using emulator::AccessKind;
using emulator::FindingKind;

namespace {

constexpr std::size_t none = ~std::size_t{0};

bool before(const Piece& a, const Piece& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.low < b.low;
}

/// Sorts, and makes one of pieces that touch.
void merge(std::vector<Piece>& pieces) {
    std::stable_sort(pieces.begin(), pieces.end(), before);
    std::size_t kept = 0;
    for (const Piece& piece : pieces) {
        if (kept > 0 && pieces[kept - 1].kind == piece.kind && piece.low <= pieces[kept - 1].high)
            pieces[kept - 1].high = std::max(pieces[kept - 1].high, piece.high);
        else
            pieces[kept++] = piece;
    }
    pieces.resize(kept);
}

bool conflict(AccessKind a, AccessKind b) {
    return a != b || a == AccessKind::store;
}

/// Two merged lists' first pieces that conflict.
std::optional<std::pair<Piece, Piece>> first_conflict(const std::vector<Piece>& a,
                                                      const std::vector<Piece>& b) {
    for (const Piece& one : a)
        for (const AccessKind kind : {AccessKind::store, AccessKind::load, AccessKind::atomic}) {
            if (!conflict(one.kind, kind)) continue;
            // The last piece of the kind that begins before the end of this one.
            const auto next = std::partition_point(b.begin(), b.end(), [&](const Piece& other) {
                return other.kind != kind ? other.kind < kind : other.low < one.high;
            });
            if (next == b.begin()) continue;
            const Piece& other = *std::prev(next);
            if (other.kind == kind && other.high > one.low) return std::pair{one, other};
        }
    return std::nullopt;
}

} // namespace

void StreamRaces::asked(TaskPointer task) {
    pending_.push_back(std::move(task));
}

bool StreamRaces::may_conflict(const Task& task) const {
    const auto concurrent = [&](const Task& other) {
        return task.timeline != other.timeline && task.is_concurrent_with(other);
    };
    return std::any_of(pending_.begin(), pending_.end(),
                       [&](const auto& other) { return concurrent(*other); }) ||
           std::any_of(kept_.begin(), kept_.end(),
                       [&](const auto& other) { return concurrent(*other.task); });
}

void StreamRaces::begins(const TaskPointer& task, bool waited_for) {
    if (const auto waiting = std::find(pending_.begin(), pending_.end(), task); waiting != pending_.end())
        pending_.erase(waiting);
    present_ = {task, User::task, {}};
    latest_.clear();
    recording_ = !waited_for || may_conflict(*task);
}

void StreamRaces::ends() {
    if (recording_) keep(std::move(present_));
    present_ = {};
    recording_ = false;
}

void StreamRaces::add(std::uintptr_t address, std::size_t bytes, AccessKind kind, std::uint32_t instruction) {
    std::vector<Piece>& pieces = present_.pieces;
    if (instruction != Piece::no_instruction) {
        if (instruction >= latest_.size()) latest_.resize(instruction + std::size_t{1}, none);
        std::size_t& latest = latest_[instruction];
        if (latest != none) {
            Piece& known = pieces[latest];
            if (known.kind == kind && address >= known.low && address <= known.high) {
                known.high = std::max(known.high, address + bytes);
                return;
            }
        }
        latest = pieces.size();
    }
    pieces.push_back({address, address + bytes, kind, instruction});
}

void StreamRaces::host_access(TaskPointer host, const Piece& piece) {
    const bool same = !kept_.empty() && kept_.back().user == User::host &&
                      kept_.back().task->number == host->number && !kept_.back().pieces.empty();
    if (!same) return keep({std::move(host), User::host, {piece}});
    compare_with_kept({kept_.back().task, User::host, {piece}});
    Piece& known = kept_.back().pieces.back();
    if (known.kind == piece.kind && piece.low >= known.low && piece.low <= known.high)
        known.high = std::max(known.high, piece.high);
    else
        kept_.back().pieces.push_back(piece);
}

void StreamRaces::call_begins(TaskPointer task, std::vector<Piece> memory) {
    callers_ = std::move(memory);
    if (!callers_.empty()) keep({std::move(task), User::before_call, callers_});
}

void StreamRaces::call_ends(TaskPointer task) {
    if (!callers_.empty()) keep({std::move(task), User::after_call, std::move(callers_)});
    callers_.clear();
}

void StreamRaces::keep(Footprint footprint) {
    merge(footprint.pieces);
    compare_with_kept(footprint);
    kept_.push_back(std::move(footprint));
}

void StreamRaces::compare_with_kept(const Footprint& footprint) {
    for (Footprint& other : kept_) {
        if (!footprint.task->is_concurrent_with(*other.task)) continue;
        if (other.user == User::host) merge(other.pieces);
        if (compare(footprint, other)) return; // one word about a task is enough
    }
}

emulator::Location StreamRaces::place(const Footprint& of, const Piece& piece) const {
    return piece.instruction == Piece::no_instruction ? of.task->asked
                                                      : location(instructions_.numbered(piece.instruction));
}

bool StreamRaces::compare(const Footprint& a, const Footprint& b) const {
    const auto found = first_conflict(a.pieces, b.pieces);
    if (!found) return false;
    if (a.user != User::task) {
        if (b.user == User::task) return compare(b, a);
        return false; // what the host does, and what the caller does, is not the call's
    }
    if (b.user == User::task && b.task->is_asked_before(*a.task)) return compare(b, a);
    emulator::Finding finding{.kind = FindingKind::race_between_streams,
                              .where = place(a, found->first),
                              .other = place(b, found->second)};
    switch (b.user) {
    case User::task:
        finding.message = a.task->name + " and " + b.task->name +
                          " use the same bytes on two streams, at least one writes, and nothing orders them.";
        break;
    case User::host:
        finding.message = "The host uses bytes that " + a.task->name +
                          " uses too, at least one writes, and the host has not waited for it.";
        std::swap(finding.where, finding.other);
        break;
    case User::before_call:
        finding.message = a.task->name +
                          " uses the caller's memory on another stream, which does not wait for the one that "
                          "was given.";
        finding.other = std::exchange(finding.where, a.task->asked);
        break;
    case User::after_call:
        finding.message = a.task->name +
                          " uses the caller's memory on another stream, and the one that was given does not "
                          "wait for it.";
        finding.other = std::exchange(finding.where, a.task->asked);
        break;
    }
    report(std::move(finding));
    return true;
}

void StreamRaces::host_waited(const Clock& host) {
    host_ = host;
    drop_what_is_over();
}

void StreamRaces::drop_what_is_over() {
    std::erase_if(kept_, [&](const Footprint& known) {
        return host_.knows(known.task->timeline, known.task->number) &&
               std::none_of(pending_.begin(), pending_.end(),
                            [&](const auto& task) { return task->is_concurrent_with(*known.task); });
    });
}

void StreamRaces::allocated(std::uintptr_t low, std::size_t bytes) {
    const auto is_old = [&](const Piece& piece) { return piece.low < low + bytes && low < piece.high; };
    for (Footprint& known : kept_)
        std::erase_if(known.pieces, is_old);
    std::erase_if(callers_, is_old);
}

void StreamRaces::forget() {
    pending_.clear();
    kept_.clear();
    callers_.clear();
    present_ = {};
    recording_ = false;
}

} // namespace cuda_emulator

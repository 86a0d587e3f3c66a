#include "runtime/members.h"

#include <algorithm>

namespace cuda_emulator {

using emulator::AccessKind;

namespace {

constexpr std::uint32_t vector_bytes = 16;
constexpr std::size_t max_vectors = 8; ///< that are put together at a time

/// A vector whose members a lane reads, or writes: by which of its accesses each byte was.
struct Vector {
    std::uint64_t address = 0;
    AccessShape shape; ///< of the first
    std::uint32_t bytes = 0;
    std::array<std::size_t, vector_bytes> by{};
};

class Joiner {
  public:
    explicit Joiner(std::vector<LoggedAccess>& accesses) : accesses_(accesses) {}

    void run() {
        for (std::size_t i = 0; i < accesses_.size(); ++i) {
            if (accesses_[i].shape.member())
                add(i);
            else
                end_before(accesses_[i].shape);
        }
        while (!open_.empty())
            end(open_.begin());
        std::erase_if(accesses_, [](const LoggedAccess& access) { return access.shape.bytes() == 0; });
    }

  private:
    void add(std::size_t i) {
        const LoggedAccess& access = accesses_[i];
        const std::uint64_t address = access.address / vector_bytes * vector_bytes;
        const auto at = static_cast<std::uint32_t>(access.address - address);
        if (at + access.shape.bytes() > vector_bytes) return; // no member after all
        auto vector = std::find_if(open_.begin(), open_.end(), [&](const Vector& v) {
            return v.address == address && v.shape.kind() == access.shape.kind() &&
                   v.shape.shared() == access.shape.shared();
        });
        // The next turn of a loop reads anew.
        if (vector != open_.end() && repeats(*vector, access.shape.instruction())) {
            end(vector);
            vector = open_.end();
        }
        if (vector == open_.end()) {
            if (open_.size() == max_vectors) end(open_.begin());
            open_.push_back({address, access.shape, 0, {}});
            vector = open_.end() - 1;
        }
        const std::uint32_t bytes = ((1u << access.shape.bytes()) - 1) << at;
        if ((vector->bytes & bytes) == bytes) return drop(i);
        for (std::uint32_t byte = 0; byte < vector_bytes; ++byte)
            if (bytes >> byte & 1) vector->by[byte] = i;
        vector->bytes |= bytes;
    }

    bool repeats(const Vector& vector, std::uint32_t instruction) const {
        for (std::uint32_t byte = 0; byte < vector_bytes; ++byte)
            if (vector.bytes >> byte & 1 && accesses_[vector.by[byte]].shape.instruction() == instruction)
                return true;
        return false;
    }

    void end_before(AccessShape shape) {
        for (std::size_t i = open_.size(); i-- > 0;) {
            const bool apart = shape.kind() == AccessKind::load && open_[i].shape.kind() == AccessKind::load;
            if (!apart && open_[i].shape.shared() == shape.shared())
                end(open_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    void end(std::vector<Vector>::iterator vector) {
        if (!join(*vector, 0, vector_bytes)) {
            join(*vector, 0, vector_bytes / 2);
            join(*vector, vector_bytes / 2, vector_bytes / 2);
        }
        open_.erase(vector);
    }

    bool join(const Vector& vector, std::uint32_t first, std::uint32_t count) {
        const std::uint32_t wanted = ((1u << count) - 1) << first;
        if ((vector.bytes & wanted) != wanted) return false;
        const auto* by = &vector.by[first];
        const std::size_t earliest = *std::min_element(by, by + count);
        for (std::uint32_t i = 0; i < count; ++i)
            if (by[i] != earliest) drop(by[i]);
        accesses_[earliest].address = vector.address + first;
        accesses_[earliest].shape = accesses_[earliest].shape.of(count);
        return true;
    }

    void drop(std::size_t i) { accesses_[i].shape = accesses_[i].shape.of(0); }

    std::vector<LoggedAccess>& accesses_;
    std::vector<Vector> open_;
};

} // namespace

void join_members(std::vector<LoggedAccess>& accesses) {
    Joiner(accesses).run();
}

} // namespace cuda_emulator

#pragma once

#include "harness/adversity/block.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// An argument in whose gaps another one may lie.
template <class T>
class Host {
  public:
    virtual ~Host() = default;
    virtual Block<T>& let() = 0;
};

/// An argument that points at a block.
template <class View, class T>
class BlockOperand : public Operand<View>, public Host<T> {
  public:
    using MakeView = std::function<View(const Block<T>&, T*)>;

    /// `null`: the pointer of a block without elements.
    BlockOperand(Block<T> block, MakeView view, bool written, bool null)
        : block_(std::move(block)), view_(std::move(view)), written_(written), null_(null) {}

    View argument() override {
        if (host_ != nullptr) return view_(block_, host_->cells.data() + first_cell());
        if (!block_.cells.empty()) return view_(block_, block_.cells.data());
        return view_(block_, null_ ? nullptr : &elsewhere_);
    }
    std::unique_ptr<AnyOperand> copy() const override {
        return std::make_unique<BlockOperand>(block_, view_, written_, null_);
    }
    void move_by(std::size_t elements) override {
        block_.cells = Cells<T>(block_.cells.begin(), block_.cells.end(), Shifted<T>(elements));
    }
    Block<T>& let() override {
        is_host_ = true;
        return block_;
    }
    std::optional<subject::Gaps> move_into_pages() override {
        const std::size_t step = block_.stride * sizeof(T), row = block_.cols * sizeof(T);
        if (!written_ || !has_elements() || step % subject::page != 0 || step < row + subject::page)
            return std::nullopt;
        const std::size_t begin = subject::round_up(row, subject::page) - row;
        block_.cells =
            Cells<T>(block_.cells.begin(), block_.cells.end(), Shifted<T>(begin / sizeof(T), subject::page));
        return subject::Gaps{.first = reinterpret_cast<const std::byte*>(block_.cells.data() + block_.cols),
                             .bytes = step - subject::round_up(row, subject::page),
                             .step = step,
                             .count = block_.rows - 1};
    }
    void move_in(AnyOperand& host, std::size_t behind) override {
        auto* other = dynamic_cast<Host<T>*>(&host);
        if (other == nullptr || !has_elements()) return;
        host_ = &other->let();
        behind_ = behind;
        swap_with_gaps();
    }
    void move_out() override {
        if (host_ == nullptr) return;
        swap_with_gaps();
        host_ = nullptr;
        was_guest_ = true;
    }
    void hold_negative(const AnyOperand& right) override {
        if constexpr (std::is_floating_point_v<T>) {
            if (!holds_nothing()) return;
            const auto& cells = static_cast<const BlockOperand&>(right).block_.cells;
            for (std::size_t i = 0; i < cells.size(); ++i)
                if (!block_.is_gap(i)) block_.cells[i] = -cells[i];
        }
    }
    void hold_nearly(const AnyOperand& right, bool each_row) override {
        if (!holds_nothing()) return;
        const auto& cells = static_cast<const BlockOperand&>(right).block_.cells;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            // Neither end of a row, nor its middle where there is anything else.
            const std::size_t row = i / block_.stride,
                              wrong = block_.cols > 4 ? block_.cols / 2 - 1 : block_.cols / 2;
            if (!block_.is_gap(i) && (i % block_.stride != wrong || !(each_row || row == block_.rows / 2)))
                block_.cells[i] = cells[i];
        }
    }
    bool repeat_in_gaps() override {
        if (written_ || block_.cols == 0 || block_.stride == block_.cols) return false;
        for (std::size_t i = 0; i < block_.cells.size(); ++i)
            if (block_.is_gap(i)) block_.cells[i] = block_.cells[i - 1];
        return true;
    }
    bool level(bool each_row) override {
        if (written_ || block_.rows == 0 || block_.cols < 2) return false;
        const std::size_t last_row = block_.rows - 1;
        for (std::size_t i = 0; i < block_.cells.size(); ++i) {
            const bool last =
                i % block_.stride + 1 == block_.cols && (each_row || i / block_.stride == last_row);
            if (!block_.is_gap(i) && !last) block_.cells[i] = block_.cells[0];
        }
        return true;
    }
    void assign(const AnyOperand& other) override {
        const auto& cells = static_cast<const BlockOperand&>(other).block_.cells;
        std::copy_n(cells.begin(), std::min(cells.size(), block_.cells.size()), block_.cells.begin());
    }
    bool reverse() override {
        if (block_.rows * block_.cols < 2) return false;
        std::vector<T> elements = block_.elements_only();
        for (std::size_t i = 0; i < block_.cells.size(); ++i)
            if (!block_.is_gap(i)) {
                block_.cells[i] = elements.back();
                elements.pop_back();
            }
        return true;
    }
    bool assign_inside(const AnyOperand& other) override {
        const auto& cells = static_cast<const BlockOperand&>(other).block_.cells;
        if (cells.size() != block_.cells.size() || cells.size() < 3) return false;
        std::copy(cells.begin() + 1, cells.end() - 1, block_.cells.begin() + 1);
        return true;
    }
    bool assign_one_of_each_row(const AnyOperand& other, Random& random) override {
        const auto& cells = static_cast<const BlockOperand&>(other).block_.cells;
        if (cells.size() != block_.cells.size() || block_.cols < 8) return false;
        const std::size_t column = random.size(1, block_.cols / 2 - 2);
        for (std::size_t at = column; at < cells.size(); at += block_.stride)
            block_.cells[at] = cells[at];
        return true;
    }
    bool expect(std::string_view what, const AnyOperand& want, const Rule& rule) const override {
        // Others are compared by the session, but not those that shared their memory with an output.
        if (!written_ && !is_host_ && !was_guest_) return true;
        return expect_block(what, block_, static_cast<const BlockOperand&>(want).block_,
                            written_ ? rule : Rule{.kind = Rule::Kind::bits});
    }
    bool is_written() const override { return written_; }
    bool has_elements() const override { return block_.rows * block_.cols > 0; }
    void describe(std::string_view what, CallFacts& facts) const override {
        constexpr std::size_t largest = 1 << 14; // beyond, it would take longer than the call
        if (written_) return;
        if (block_.cells.size() <= largest)
            describe_block(what, block_, facts);
        else
            facts.undescribed.insert(std::string(what));
    }
    std::string print() const override { return block_.print(); }

  private:
    /// Whether it is an output whose content does not count.
    bool holds_nothing() const {
        return written_ && std::ranges::all_of(block_.elements_only(), is_poison<T>);
    }
    std::size_t first_cell() const { return host_->cols + behind_; }
    void swap_with_gaps() {
        for (std::size_t r = 0; r < block_.rows; ++r)
            for (std::size_t c = 0; c < block_.cols; ++c)
                std::swap(block_.cells[r * block_.stride + c],
                          host_->cells[first_cell() + r * block_.stride + c]);
    }

    Block<T> block_;
    MakeView view_;
    bool written_;
    bool null_;
    Block<T>* host_ = nullptr; ///< for the time of a call, where the elements lie in its gaps
    std::size_t behind_ = 0;   ///< so many elements behind the end of a row
    bool is_host_ = false, was_guest_ = false;
    T elsewhere_ = poison_value<T>(); ///< where a block without elements lies
};

/// A view of that shape whose elements nobody uses.
template <class View, class T>
class HollowOperand : public Operand<View> {
  public:
    HollowOperand(View view, std::string text) : view_(view), text_(std::move(text)) {}

    View argument() override { return view_; }
    std::unique_ptr<AnyOperand> copy() const override {
        return std::make_unique<HollowOperand>(view_, text_);
    }
    void assign(const AnyOperand&) override {}
    bool expect(std::string_view, const AnyOperand&, const Rule&) const override { return true; }
    std::string print() const override { return text_; }

  private:
    View view_;
    std::string text_;
};

/// Takes the elements of a block of that shape off the beginning of `memory`.
template <class View, class T, class MakeView>
std::unique_ptr<AnyOperand> hollow_operand(std::vector<std::size_t> shape, FarMemory& memory,
                                           const MakeView& view) {
    const Block<T> block(std::move(shape), 0, Block<T>::Memory::none);
    auto* data = reinterpret_cast<T*>(memory.data);
    // The next one begins on a page.
    const std::size_t bytes = (block.rows * block.stride * sizeof(T) / 4096 + 1) * 4096;
    if (bytes > memory.bytes) throw std::logic_error("a rehearsed call needs more far memory than there is");
    memory.data += bytes;
    memory.bytes -= bytes;
    return std::make_unique<HollowOperand<View, T>>(view(block, data), block.print());
}

} // namespace harness

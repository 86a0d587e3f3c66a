#pragma once

#include "harness/adversity/block.h"
#include "harness/adversity/parameter.h"

#include <algorithm>

namespace harness {

/// Distance between rows that brings row 4 to element 2^31 and row 8 to element 2^32, and a little more, so
/// that an offset that lost its upper bits is no row's beginning.
inline constexpr std::size_t far_stride = (std::size_t{1} << 29) + 24;
/// Distance that itself needs more than 32 bits.
inline constexpr std::size_t farther_stride = (std::size_t{1} << 32) + 24;

/// Rows of a table of that width which lie at its ends, and to both sides of elements 2^24, 2^31 and 2^32.
std::vector<std::size_t> far_rows(std::size_t row_count, std::size_t width);

/// A matrix in memory too large to exist. The submission and then the reference work on the same memory,
/// because nobody could copy it: the reference's turn begins with what the submission left being put aside.
template <class View, class T>
class FarOperand : public Operand<View> {
  public:
    struct Shape {
        std::size_t row_count = 0;
        std::size_t width = 0;
        std::size_t stride = 0;
        std::vector<std::size_t> rows; ///< in use

        /// Elements of a row that are looked at: two of the gap behind it, where there is one.
        std::size_t run() const { return std::min(width + 2, stride); }
    };

    FarOperand(Shape shape, FarMemory memory, bool written, std::vector<T> content)
        : shape_(std::move(shape)), data_(reinterpret_cast<T*>(memory.data)), written_(written),
          content_(std::move(content)) {}

    View argument() override {
        if (left_ != nullptr) *left_ = read();
        write();
        return {data_, shape_.row_count, shape_.width, shape_.stride};
    }
    std::unique_ptr<AnyOperand> copy() const override {
        auto other = std::make_unique<FarOperand>(*this, Copied{});
        other->left_ = &left_by_submission_;
        return other;
    }
    void assign(const AnyOperand& other) override {
        content_ = static_cast<const FarOperand&>(other).content_;
    }
    bool is_written() const override { return written_; }
    bool expect(std::string_view what, const AnyOperand&, const Rule& rule) const override {
        if (!written_) return true;
        const std::vector<T> want = read();
        const auto elements = [&](const std::vector<T>& cells) {
            return Elements<T>{cells.data(), {shape_.rows.size(), shape_.run()}, 0, 0};
        };
        return report(compare(elements(left_by_submission_), elements(want),
                              [&](const T& g, const T& w, std::size_t i) {
                                  const std::size_t row = shape_.rows[i / shape_.run()];
                                  const std::size_t col = i % shape_.run();
                                  return col >= shape_.width
                                             ? same_bits(g, w)
                                             : same_by_rule(rule, g, w, row * shape_.width + col);
                              }),
                      what);
    }
    std::string print() const override {
        return std::to_string(shape_.row_count) + " x " + std::to_string(shape_.width) + ", rows " +
               std::to_string(shape_.stride) + " apart";
    }

    struct Copied {};
    FarOperand(const FarOperand& other, Copied)
        : shape_(other.shape_), data_(other.data_), written_(other.written_), content_(other.content_) {}

  private:
    std::vector<T> read() const {
        std::vector<T> cells;
        for (const std::size_t r : shape_.rows)
            cells.insert(cells.end(), data_ + r * shape_.stride, data_ + r * shape_.stride + shape_.run());
        return cells;
    }
    void write() const {
        for (std::size_t i = 0; i < shape_.rows.size(); ++i)
            std::copy_n(content_.begin() + static_cast<std::ptrdiff_t>(i * shape_.run()), shape_.run(),
                        data_ + shape_.rows[i] * shape_.stride);
    }

    Shape shape_;
    T* data_;
    bool written_;
    std::vector<T> content_; ///< of the rows in use, one run a row
    mutable std::vector<T> left_by_submission_;
    std::vector<T>* left_ = nullptr; ///< of a copy: where the original wants what it finds
};

} // namespace harness

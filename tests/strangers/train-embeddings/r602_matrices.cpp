// right: the formulas as products of whole double matrices (hidden, p, dhidden kept for all counted positions), gathered in a small matrix class of its own
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace exercise {

namespace {

struct Big {
    std::size_t rows, cols;
    std::vector<double> at;
    Big(std::size_t r, std::size_t c) : rows(r), cols(c), at(r * c, 0.0) {}
    explicit Big(Matrix<const float> m) : Big(m.rows, m.cols) {
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c)
                (*this)(r, c) = m(r, c);
    }
    double& operator()(std::size_t r, std::size_t c) { return at[r * cols + c]; }
    double operator()(std::size_t r, std::size_t c) const { return at[r * cols + c]; }
};

/// x y
Big times(const Big& x, const Big& y) {
    Big z(x.rows, y.cols);
    for (std::size_t i = 0; i < x.rows; ++i)
        for (std::size_t k = 0; k < x.cols; ++k)
            for (std::size_t j = 0; j < y.cols; ++j)
                z(i, j) += x(i, k) * y(k, j);
    return z;
}

/// x y^T
Big times_transposed(const Big& x, const Big& y) {
    Big z(x.rows, y.rows);
    for (std::size_t i = 0; i < x.rows; ++i)
        for (std::size_t j = 0; j < y.rows; ++j)
            for (std::size_t k = 0; k < x.cols; ++k)
                z(i, j) += x(i, k) * y(j, k);
    return z;
}

/// x^T y
Big transposed_times(const Big& x, const Big& y) {
    Big z(x.cols, y.cols);
    for (std::size_t k = 0; k < x.rows; ++k)
        for (std::size_t i = 0; i < x.cols; ++i)
            for (std::size_t j = 0; j < y.cols; ++j)
                z(i, j) += x(k, i) * y(k, j);
    return z;
}

struct Forward {
    Big table, middle;
    std::vector<std::size_t> read, next; // of the positions that count
    Big input, hidden, p;
    double mean = 0;

    Forward(Matrix<const float> wte, Matrix<const float> mix, std::vector<std::size_t> ids,
            std::vector<std::size_t> targets)
        : table(wte), middle(mix), read(std::move(ids)), next(std::move(targets)), input(gather()),
          hidden(times(input, middle)), p(times_transposed(hidden, table)) {
        for (std::size_t n = 0; n < p.rows; ++n) {
            double most = -std::numeric_limits<double>::infinity();
            for (std::size_t v = 0; v < p.cols; ++v)
                most = std::fmax(most, p(n, v));
            const double lead = most - p(n, next[n]);
            double sum = 0;
            for (std::size_t v = 0; v < p.cols; ++v)
                sum += p(n, v) = std::exp(p(n, v) - most);
            for (std::size_t v = 0; v < p.cols; ++v)
                p(n, v) /= sum;
            mean += lead + std::log(sum);
        }
        if (p.rows > 0) mean /= static_cast<double>(p.rows);
    }

    Big gather() const {
        Big rows(read.size(), table.cols);
        for (std::size_t n = 0; n < read.size(); ++n)
            for (std::size_t c = 0; c < table.cols; ++c)
                rows(n, c) = table(read[n], c);
        return rows;
    }

    /// Turns p into dlogits and leaves the gradients in `dtable` and `dmiddle`.
    void backward(Big& dtable, Big& dmiddle) {
        for (std::size_t n = 0; n < p.rows; ++n)
            for (std::size_t v = 0; v < p.cols; ++v)
                p(n, v) = (p(n, v) - (v == next[n] ? 1.0 : 0.0)) / static_cast<double>(p.rows);
        const Big dhidden = times(p, table);
        dmiddle = transposed_times(input, dhidden);
        dtable = transposed_times(p, hidden);
        const Big dinput = times_transposed(dhidden, middle);
        for (std::size_t n = 0; n < read.size(); ++n)
            for (std::size_t c = 0; c < table.cols; ++c)
                dtable(read[n], c) += dinput(n, c);
    }
};

struct Checked {
    Status status;
    std::vector<std::size_t> read, next;
};

Checked check(std::size_t V, Ids ids, Ids targets, TokenId ignored) {
    Checked result;
    const auto good = [V](TokenId id) { return id >= 0 && static_cast<std::uint64_t>(id) < V; };
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!good(ids[n])) {
            result.status = Status::id_out_of_range(n, ids[n], V);
            return result;
        }
    for (std::size_t n = 0; n < targets.size(); ++n) {
        if (targets[n] == ignored) continue;
        if (!good(targets[n])) {
            result.status = Status::id_out_of_range(n, targets[n], V);
            return result;
        }
        result.read.push_back(static_cast<std::size_t>(ids[n]));
        result.next.push_back(static_cast<std::size_t>(targets[n]));
    }
    return result;
}

template <class A, class B>
bool alike(const Matrix<A>& x, const Matrix<B>& y) {
    return x.rows == y.rows && x.cols == y.cols;
}

bool square(Matrix<const float> wte, Matrix<const float> mix) {
    return mix.rows == mix.cols && mix.cols == wte.cols;
}

bool usable(float number) {
    return number >= 0 && number <= std::numeric_limits<float>::max();
}

void round_to(const Big& from, Matrix<float> to) {
    for (std::size_t r = 0; r < to.rows; ++r)
        for (std::size_t c = 0; c < to.cols; ++c)
            to(r, c) = static_cast<float>(from(r, c));
}

Loss failed(Status status) {
    Loss loss;
    loss.status = status;
    return loss;
}

constexpr Status wrong_sizes{Code::shape_mismatch, 0, 0, 0};
constexpr Status wrong_value{Code::invalid_argument, 0, 0, 0};

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (!square(wte, mix)) return wrong_sizes;
    if (!usable(spread)) return wrong_value;
    for (std::size_t v = 0; v < wte.rows; ++v)
        for (std::size_t c = 0; c < wte.cols; ++c) {
            const double number = 2.0 * uniform(seed, std::uint64_t{v} * wte.cols + c) - 1.0;
            wte(v, c) = static_cast<float>(number * spread);
        }
    for (std::size_t k = 0; k < mix.rows; ++k) {
        for (std::size_t c = 0; c < mix.cols; ++c)
            mix(k, c) = 0;
        mix(k, k) = 1;
    }
    return {};
}

Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored) {
    if (!square(wte, mix) || ids.size() != targets.size()) return failed(wrong_sizes);
    Checked checked = check(wte.rows, ids, targets, ignored);
    if (checked.status.code != Code::ok) return failed(checked.status);
    const std::size_t counted = checked.read.size();
    return {{}, Forward(wte, mix, std::move(checked.read), std::move(checked.next)).mean, counted};
}

Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix) {
    if (!square(wte, mix) || ids.size() != targets.size() || !alike(dwte, wte) || !alike(dmix, mix))
        return failed(wrong_sizes);
    Checked checked = check(wte.rows, ids, targets, ignored);
    if (checked.status.code != Code::ok) return failed(checked.status);
    const std::size_t counted = checked.read.size();
    Forward forward(wte, mix, std::move(checked.read), std::move(checked.next));
    Big dtable(0, 0), dmiddle(0, 0);
    forward.backward(dtable, dmiddle);
    round_to(dtable, dwte);
    round_to(dmiddle, dmix);
    return {{}, forward.mean, counted};
}

Status update(Matrix<const float> gradient, float rate, Matrix<float> weights) {
    if (!alike(gradient, weights)) return wrong_sizes;
    if (!usable(rate)) return wrong_value;
    for (std::size_t r = 0; r < weights.rows && rate > 0; ++r)
        for (std::size_t c = 0; c < weights.cols; ++c) {
            const double change = double{rate} * gradient(r, c);
            weights(r, c) = static_cast<float>(weights(r, c) - change);
        }
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!square(wte, mix) || ids.size() != targets.size()) return failed(wrong_sizes);
    if (!usable(rate)) return failed(wrong_value);
    std::vector<float> first(wte.rows * wte.cols), second(mix.rows * mix.cols);
    const Matrix<float> dwte(first.data(), wte.rows, wte.cols);
    const Matrix<float> dmix(second.data(), mix.rows, mix.cols);
    const Loss loss = gradients(wte, mix, ids, targets, ignored, dwte, dmix);
    if (loss.status.code == Code::ok) {
        update(dmix, rate, mix);
        update(dwte, rate, wte);
    }
    return loss;
}

Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return wrong_sizes;
    if (token < 0 || static_cast<std::uint64_t>(token) >= wte.rows)
        return Status::id_out_of_range(0, token, wte.rows);
    // Rows of length 1; rows of zeros stay.
    const auto unit = [&](std::size_t v) {
        std::vector<double> row(wte.cols);
        double squares = 0;
        for (std::size_t c = 0; c < wte.cols; ++c) {
            row[c] = wte(v, c);
            squares += row[c] * row[c];
        }
        const double length = squares > 0 ? std::sqrt(squares) : 1.0;
        for (double& x : row)
            x /= length;
        return row;
    };
    const std::vector<double> own = unit(static_cast<std::size_t>(token));
    for (std::size_t v = 0; v < wte.rows; ++v) {
        const std::vector<double> other = unit(v);
        double sum = 0;
        for (std::size_t c = 0; c < wte.cols; ++c)
            sum += own[c] * other[c];
        out[v] = static_cast<float>(sum);
    }
    return {};
}

} // namespace exercise

// right: for larger calls six threads work, four on bands of channels of dwte and two on bands of time steps of dwpe; nothing is shared, so the order of additions is always the same; scale multiplies float terms
#include "contract.h"

#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {

namespace {

class Backward {
  public:
    Backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
             const BackwardOptions& options)
        : dout_(dout), ids_(ids), dwte_(dwte), dwpe_(dwpe), options_(options) {}

    Status check() const {
        Status status;
        if (!shapes_fit()) {
            status.code = Code::shape_mismatch;
        } else if (!padding_fits()) {
            status = {Code::invalid_argument, 0, options_.padding_idx, static_cast<std::int64_t>(dwte_.rows)};
        } else if (dwpe_.rows < options_.start) {
            status = Status::position_out_of_range(0, static_cast<std::int64_t>(options_.start), dwpe_.rows);
        } else if (dwpe_.rows - options_.start < ids_.cols) {
            status = Status::position_out_of_range(dwpe_.rows - options_.start,
                                                   static_cast<std::int64_t>(dwpe_.rows), dwpe_.rows);
        } else {
            status = check_ids();
        }
        return status;
    }

    void work() {
        const std::size_t C = dout_.channels, T = dout_.time;
        if (C == 0 || T == 0 || dout_.batch == 0) return;
        std::vector<std::function<void()>> jobs;
        if (static_cast<double>(dout_.batch) * static_cast<double>(T) * static_cast<double>(C) < 5e4) {
            jobs.push_back([this, C] { tokens(0, C); });
            jobs.push_back([this, T] { positions(0, T); });
            for (const auto& job : jobs)
                job();
            return;
        }
        for (std::size_t q = 0; q < 4; ++q) {
            const std::size_t first = C / 4 * q + std::min(q, C % 4), many = C / 4 + (q < C % 4 ? 1 : 0);
            if (many > 0) jobs.push_back([this, first, many] { tokens(first, first + many); });
        }
        jobs.push_back([this, T] { positions(0, T / 2); });
        jobs.push_back([this, T] { positions(T / 2, T); });
        std::vector<std::thread> threads;
        threads.reserve(jobs.size());
        for (const auto& job : jobs) {
            try {
                threads.emplace_back(job);
            } catch (const std::system_error&) {
                job();
            }
        }
        for (std::thread& thread : threads)
            thread.join();
    }

  private:
    bool shapes_fit() const {
        return dout_.batch == ids_.rows && dout_.time == ids_.cols && dout_.channels == dwte_.cols &&
               dout_.channels == dwpe_.cols;
    }
    bool padding_fits() const {
        return options_.padding_idx < 0 || static_cast<std::size_t>(options_.padding_idx) < dwte_.rows;
    }
    Status check_ids() const {
        if (ids_.cols == 0) return {};
        std::size_t place = 0;
        for (std::size_t b = 0; b < ids_.rows; ++b)
            for (const TokenId *id = ids_.row(b), *end = id + ids_.cols; id != end; ++id, ++place)
                if (*id < 0 || static_cast<std::size_t>(*id) >= dwte_.rows)
                    return Status::id_out_of_range(place, *id, dwte_.rows);
        return {};
    }
    void tokens(std::size_t first, std::size_t last) const {
        const float scale = options_.scale;
        for (std::size_t b = 0; b < dout_.batch; ++b)
            for (std::size_t t = 0; t < dout_.time; ++t) {
                const TokenId id = ids_(b, t);
                if (std::int64_t{id} == options_.padding_idx) continue;
                const float* const from = dout_.row(b, t);
                float* const to = dwte_.row(static_cast<std::size_t>(id));
                for (std::size_t c = first; c < last; ++c)
                    to[c] += scale * from[c];
            }
    }
    void positions(std::size_t first, std::size_t last) const {
        for (std::size_t b = 0; b < dout_.batch; ++b)
            for (std::size_t t = first; t < last; ++t) {
                const float* const from = dout_.row(b, t);
                float* const to = dwpe_.row(options_.start + t);
                for (std::size_t c = 0; c < dout_.channels; ++c)
                    to[c] += from[c];
            }
    }

    Tensor3<const float> dout_;
    Ids2D ids_;
    Matrix<float> dwte_, dwpe_;
    BackwardOptions options_;
};

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    Backward backward(dout, ids, dwte, dwpe, options);
    const Status status = backward.check();
    if (status.code == Code::ok) backward.work();
    return status;
}

} // namespace exercise

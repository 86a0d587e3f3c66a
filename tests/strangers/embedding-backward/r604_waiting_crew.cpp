// right: three threads of its own stay and wait for the next call (LIMITS allows it); thread k owns the tokens and positions that are k modulo 4 and adds straight to their rows in reading order
#include "contract.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace exercise {
namespace {

class Crew {
  public:
    static constexpr std::size_t size = 4; // the caller is number 0

    Crew() {
        for (std::size_t k = 1; k < size; ++k)
            threads_[k - 1] = std::thread([this, k] { serve(k); });
    }
    ~Crew() {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        begin_.notify_all();
        for (std::thread& thread : threads_)
            thread.join();
    }
    void run(const std::function<void(std::size_t)>& job) {
        {
            const std::lock_guard lock(mutex_);
            job_ = &job;
            busy_ = size - 1;
            ++round_;
        }
        begin_.notify_all();
        job(0);
        std::unique_lock lock(mutex_);
        end_.wait(lock, [this] { return busy_ == 0; });
        job_ = nullptr;
    }

  private:
    void serve(std::size_t k) {
        std::uint64_t seen = 0;
        for (;;) {
            const std::function<void(std::size_t)>* job = nullptr;
            {
                std::unique_lock lock(mutex_);
                begin_.wait(lock, [&] { return closing_ || round_ != seen; });
                if (closing_) return;
                seen = round_;
                job = job_;
            }
            (*job)(k);
            {
                const std::lock_guard lock(mutex_);
                --busy_;
            }
            end_.notify_one();
        }
    }
    std::mutex mutex_;
    std::condition_variable begin_, end_;
    const std::function<void(std::size_t)>* job_ = nullptr;
    std::size_t busy_ = 0;
    std::uint64_t round_ = 0;
    bool closing_ = false;
    std::thread threads_[size - 1];
};

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (ids.rows != dout.batch || ids.cols != dout.time || dwte.cols != dwpe.cols || dwte.cols != dout.channels)
        return Status{Code::shape_mismatch, 0, 0, 0};
    const bool pads = options.padding_idx >= 0;
    if (pads && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
    if (options.start > dwpe.rows || dout.time > dwpe.rows - options.start)
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    if (dout.batch == 0 || dout.time == 0) return Status{};
    std::size_t where = 0;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t, ++where) {
            const std::int64_t id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= dwte.rows)
                return Status::id_out_of_range(where, id, dwte.rows);
        }
    if (dout.channels == 0) return Status{};

    const float scale = options.scale;
    const auto share = [&](std::size_t k, std::size_t of) {
        for (std::size_t b = 0; b < dout.batch; ++b)
            for (std::size_t t = 0; t < dout.time; ++t) {
                const TokenId id = ids(b, t);
                const float* g = dout.row(b, t);
                if (static_cast<std::size_t>(id) % of == k && !(pads && id == options.padding_idx)) {
                    float* row = dwte.row(static_cast<std::size_t>(id));
                    for (std::size_t c = 0; c < dout.channels; ++c)
                        row[c] += scale * g[c];
                }
                if (t % of == k) {
                    float* row = dwpe.row(options.start + t);
                    for (std::size_t c = 0; c < dout.channels; ++c)
                        row[c] += g[c];
                }
            }
    };
    if (dout.batch * dout.time * dout.channels < 32768) {
        share(0, 1);
    } else {
        static Crew crew;
        crew.run([&](std::size_t k) { share(k, Crew::size); });
    }
    return Status{};
}

} // namespace exercise

// wrong: the call returns when each of 8 parts has been taken by a thread, not when it is done, and helpers write on afterwards; shows in tables of more than 100,000 elements; a right one waits for its threads
#include "contract.h"

#include <atomic>
#include <cmath>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {
namespace {

struct Job {
    Matrix<float> pe;
    std::vector<double> w;
    std::atomic<std::size_t> next{0};
};

constexpr std::size_t parts = 8;

void work(const std::shared_ptr<Job>& job) {
    const Matrix<float> pe = job->pe;
    for (std::size_t part = job->next++; part < parts; part = job->next++)
        for (std::size_t p = pe.rows * part / parts; p < pe.rows * (part + 1) / parts; ++p)
            for (std::size_t c = 0; c < pe.cols; ++c) {
                const double phase = static_cast<double>(p) * job->w[c / 2];
                pe(p, c) = static_cast<float>(c % 2 ? std::cos(phase) : std::sin(phase));
            }
}

std::vector<double> frequencies(std::size_t cols, double base) {
    std::vector<double> w;
    for (std::size_t c = 0; c < cols; c += 2)
        w.push_back(1 / std::pow(base, static_cast<double>(c) / static_cast<double>(cols)));
    return w;
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const auto job = std::make_shared<Job>();
    job->pe = pe;
    job->w = frequencies(pe.cols, base);
    if (pe.rows * pe.cols > 100'000)
        for (int helper = 0; helper < 3; ++helper) {
            try {
                std::thread([job] { work(job); }).detach();
            } catch (const std::system_error&) {
                break;
            }
        }
    work(job); // until nothing is left to take
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::vector<double> w = frequencies(row.size(), base);
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = static_cast<double>(position) * w[c / 2];
        row[c] = static_cast<float>(c % 2 ? std::cos(phase) : std::sin(phase));
    }
}

} // namespace exercise

#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/status.h"
#include "common/tensor.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

/// For the scenes that `engine visualize` runs: programs that call a submission and print what they see, as
/// docs/pictures.md has it. The engine draws; nothing here does.
namespace picture {

using Labels = std::vector<std::string>;

/// Begins a new line, even if the submission has printed before.
inline void line(const char* word, const std::string& text) {
    std::printf("\n@ %s %s\n", word, text.c_str());
}

/// A new figure, of which `says` tells what to look for.
inline void figure(const std::string& title, const std::string& says) {
    line("figure", title);
    line("says", says);
    std::fflush(stdout); // what is drawn is kept where the next call ends the program
}

/// How far a scene that takes its time is, for a line on the terminal. Not more than a hundred times.
inline void progress(std::size_t done, std::size_t of, const std::string& says) {
    line("progress", std::to_string(done * 100 / of) + " " + says);
    std::fflush(stdout);
}

/// The text that `engine visualize --text FILE` was given, or nothing.
inline std::string given_text() {
    std::string text;
    for (int byte = std::getchar(); byte != EOF; byte = std::getchar())
        text.push_back(static_cast<char>(byte));
    return text;
}

/// The meaning of rows and columns of the figure's matrices.
inline void axes(const std::string& rows, const std::string& cols) {
    line("rows", rows);
    line("cols", cols);
}

template <class T>
void chart(const char* kind, const std::string& name, contract::Matrix<T> values, const Labels& labels) {
    line("chart",
         kind + (" " + std::to_string(values.rows)) + " " + std::to_string(values.cols) + " " + name);
    std::string joined;
    for (const std::string& label : labels)
        joined += (joined.empty() ? "" : "|") + label;
    if (!labels.empty()) line("labels", joined);
    for (std::size_t r = 0; r < values.rows; ++r) {
        std::printf("\n@ values");
        for (std::size_t c = 0; c < values.cols; ++c)
            std::printf(" %.9g", static_cast<double>(values(r, c)));
    }
    std::printf("\n");
}

/// A matrix as coloured cells, at most 128 x 128. The heat maps of a figure share one scale.
template <class T>
void heat(const std::string& name, contract::Matrix<T> values, const Labels& rows = {}) {
    chart("heat", name, values, rows);
}

/// At most 8 curves, one a row, over the index of their values.
template <class T>
void lines(const std::string& name, contract::Matrix<T> series, const Labels& labels) {
    chart("lines", name, series, labels);
}

/// Vectors, one a row, as a map of points: by their principal components and, from 12 on, by t-SNE.
template <class T>
void map(const std::string& name, contract::Matrix<T> vectors, const Labels& labels = {}) {
    chart("map", name, vectors, labels);
}

/// The nearest of at most 64 vectors to each of them, by their cosines.
template <class T>
void neighbours(const std::string& name, contract::Matrix<T> vectors, const Labels& labels = {}) {
    chart("neighbours", name, vectors, labels);
}

/// How often the values fall into 40 bins of [low, high), and how often the density says they should.
inline void histogram(const std::string& name, std::span<const float> values, double low, double high,
                      double (*density)(double) = nullptr) {
    constexpr std::size_t bins = 40;
    std::vector<double> counts(bins, 0);
    const double width = (high - low) / bins;
    std::size_t outside = 0;
    for (const float value : values) {
        const double bin = std::floor((static_cast<double>(value) - low) / width);
        if (bin >= 0 && bin < bins) // false for NaN
            ++counts[static_cast<std::size_t>(bin)];
        else
            ++outside;
    }
    const auto share = [&](std::size_t i) {
        return density(low + (static_cast<double>(i) + 0.5) * width) * width;
    };
    for (std::size_t i = 0; i < bins && density != nullptr; ++i)
        counts.push_back(share(i) * static_cast<double>(values.size()));
    if (outside > 0)
        line("says", name + ": " + std::to_string(outside) + " of " + std::to_string(values.size()) +
                         " values lie outside the picture.");
    line("chart",
         std::string("histogram ") + (density != nullptr ? "2 " : "1 ") + std::to_string(bins) + " " + name);
    std::printf("\n@ range %.9g %.9g\n@ values", low, high);
    for (const double count : counts)
        std::printf(" %.9g", count);
    std::printf("\n");
}

/// Numbers in [-1, 1) to draw with, the same for the same seed.
inline std::vector<float> numbers(std::size_t count, unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<float> values(count);
    for (float& value : values)
        value = static_cast<float>(random()) / static_cast<float>(1U << 30) - 1;
    return values;
}

/// Sequence b of a tensor as a matrix, one position a row.
template <class T>
contract::Matrix<T> sequence(contract::Tensor3<T> tensor, std::size_t b) {
    return {tensor.row(b, 0), tensor.time, tensor.channels};
}

#if defined(__CUDACC__)
/// Elements in device memory.
template <class T>
class OnDevice {
  public:
    explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
        cudaMalloc(&data_, count_ * sizeof(T));
        cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    ~OnDevice() { cudaFree(data_); }

    T* data() const { return data_; }

    /// What they are once the device has done its work.
    std::vector<T> read() const {
        std::vector<T> values(count_);
        cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
        return values;
    }

  private:
    T* data_ = nullptr;
    std::size_t count_;
};
#endif

struct Refused {
    contract::Code code;
};

/// Ends the scene where a call that is right was refused.
inline void need(contract::Status status) {
    if (status.code != contract::Code::ok) throw Refused{status.code};
}

/// The main of a scene.
template <class Draw>
int scene(const std::string& title, Draw draw) {
    line("title", title);
    try {
        draw();
    } catch (const contract::NotImplemented& missing) {
        line("remark", std::string(missing.function) + " is not implemented yet: there is nothing to draw.");
    } catch (const Refused&) {
        line("remark", "Your code refused a call that is right, so the picture ends there.");
    }
    line("end", "");
    return 0;
}

} // namespace picture

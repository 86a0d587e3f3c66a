#include "device.h"
#include "expected.h"
#include "kernels.h"
#include "results.h"
#include "workload.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>

// embedding --date DATE [--shape NAME] [--check]: times the embedding layer's kernels on a device and prints
// one document "engine.bench.gpu/1", once every output has been compared with the CPU. --check takes tiny
// shapes, to see that all of this works.
namespace {

using device::Buffer;
using workload::Distribution;
using workload::Shape;

constexpr std::size_t max_rows = 64, max_columns = 8; ///< compared with the CPU
constexpr contract::Dropout dropout{expected::dropped, true, expected::dropout_seed, 0};

struct Options {
    std::string date, shape; ///< no shape: all
    bool check = false;
};

__global__ void fill(float* to, std::size_t count, std::uint64_t seed) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads)
        to[i] = workload::value(seed, i);
}

void fill_with(std::uint64_t seed, const Buffer<float>& buffer) {
    constexpr std::size_t block = 256, max_blocks = 4096;
    const std::size_t blocks = std::min((buffer.size() + block - 1) / block, max_blocks);
    fill<<<static_cast<unsigned int>(blocks), block>>>(buffer.data(), buffer.size(), seed);
    device::check(cudaGetLastError(), "launch");
    device::check(cudaDeviceSynchronize(), "fill a table");
}

/// NaN everywhere: what no kernel has written is seen.
void poison(const Buffer<float>& buffer) {
    device::check(cudaMemset(buffer.data(), 0xff, buffer.bytes()), "poison an output");
    device::check(cudaDeviceSynchronize(), "poison an output");
}

template <class T>
std::vector<T> read(const T* from, std::size_t count) {
    std::vector<T> host(count);
    device::check(cudaMemcpy(host.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "read an output");
    return host;
}

/// One shape with one kind of ids.
class Bench {
  public:
    Bench(const device::Protocol& protocol, const Shape& shape, Distribution distribution,
          std::vector<results::Row>& rows)
        : protocol_(protocol), shape_(shape), distribution_(distribution), rows_(rows),
          ids_(workload::make_ids(shape, distribution)), device_ids_(ids_),
          distinct_(workload::distinct(ids_)) {}

    void forward() {
        const auto& [name, B, T, C, V] = shape_;
        const std::size_t N = shape_.N();
        const Buffer<float> wte(V * C), wpe(T * C), out(N * C);
        fill_with(expected::wte, wte);
        fill_with(expected::wpe, wpe);
        const contract::DeviceMatrix<const float> tokens(wte.data(), V, C, C), positions(wpe.data(), T, C, C);
        const contract::DeviceTensor3<float> floats(out.data(), B, T, C);
        const contract::DeviceTensor3<std::uint16_t> halves(reinterpret_cast<std::uint16_t*>(out.data()), B,
                                                            T, C);

        poison(out);
        measure("lookup", workload::forward_bytes(shape_, distinct_, false, sizeof(float)), [&] {
            plain::lookup(tokens, {device_ids_.data(), N}, {out.data(), N, C, C}, stream_);
        });
        expect_rows(out.data(), [&](std::size_t row) {
            return expected::table_row(expected::wte, static_cast<std::size_t>(ids_[row]), C);
        });
        poison(out);
        measure("embed f32", workload::forward_bytes(shape_, distinct_, true, sizeof(float)),
                [&] { fast::embed(tokens, positions, ids(), 0, dropout, floats, stream_); });
        expect_rows(floats.data,
                    [&](std::size_t row) { return expected::embedded_row<float>(shape_, ids_, row); });
        poison(out);
        measure("embed bf16", workload::forward_bytes(shape_, distinct_, true, sizeof(std::uint16_t)),
                [&] { fast::embed_bf16(tokens, positions, ids(), 0, dropout, halves, stream_); });
        expect_rows(halves.data, [&](std::size_t row) {
            return expected::embedded_row<std::uint16_t>(shape_, ids_, row);
        });
    }

    void backward() {
        const auto& [name, B, T, C, V] = shape_;
        const Buffer<float> dout(shape_.N() * C), dwte(V * C), dwpe(T * C);
        fill_with(expected::dout, dout);
        const contract::DeviceMatrix<float> tokens(dwte.data(), V, C, C), positions(dwpe.data(), T, C, C);
        const expected::Gradients wanted =
            expected::gradients(shape_, ids_, workload::spread(C, max_columns), protocol_.rounds());
        const auto add = [&](const char* kernel, auto embed_backward) {
            fill_with(expected::dwte, dwte);
            fill_with(expected::dwpe, dwpe);
            measure(kernel, workload::backward_bytes(shape_, distinct_), [&] {
                embed_backward(contract::DeviceTensor3<const float>(dout.data(), B, T, C), ids(), tokens,
                               positions, contract::BackwardOptions{}, stream_);
            });
            expect_columns("dwte", dwte, wanted.dwte, wanted.columns);
            expect_columns("dwpe", dwpe, wanted.dwpe, wanted.columns);
        };
        add("backward plain", plain::embed_backward);
        add("backward fast", fast::embed_backward);
    }

  private:
    contract::DeviceMatrix<const std::int32_t> ids() const {
        return {device_ids_.data(), shape_.B, shape_.T, shape_.T};
    }

    /// A new row of the results; what the launches left is to be compared with the CPU next.
    template <class Launch>
    void measure(const char* kernel, std::size_t bytes, Launch launch) {
        const Buffer<float> from(bytes / 2 / sizeof(float)), to(from.size()); // half is read, half is written
        fill_with(0, from);
        const device::Times times = device::take_turns(protocol_, from, to, stream_, launch);
        rows_.push_back({kernel, shape_, workload::to_string(distribution_), distinct_, bytes,
                         times.launch.size(), results::summarise(times.launch),
                         results::summarise(times.copy), ""});
        std::fprintf(stderr, "%s %s %s\n", shape_.name.c_str(), rows_.back().ids.c_str(), kernel);
    }

    std::string where(const char* output) const {
        return rows_.back().kernel + ", " + shape_.name + ", " + rows_.back().ids + ": " + output;
    }

    template <class T, class Row>
    void expect_rows(const T* out, Row row) {
        const std::vector<std::size_t> sample = workload::spread(shape_.N(), max_rows);
        for (const std::size_t r : sample) {
            const std::vector<T> got = read(out + r * shape_.C, shape_.C), wanted = row(r);
            for (std::size_t c = 0; c < shape_.C; ++c)
                expected::same_bits(where("out"), r, c, got[c], wanted[c]);
        }
        rows_.back().verified = std::to_string(sample.size()) + " rows";
    }

    void expect_columns(const char* output, const Buffer<float>& gradient, const std::vector<float>& wanted,
                        const std::vector<std::size_t>& columns) {
        const std::vector<float> got = read(gradient.data(), gradient.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const std::size_t r = i / columns.size(), c = columns[i % columns.size()];
            expected::same_bits(where(output), r, c, got[r * shape_.C + c], wanted[i]);
        }
        rows_.back().verified = std::to_string(columns.size()) + " columns";
    }

    device::Protocol protocol_;
    Shape shape_;
    Distribution distribution_;
    std::vector<results::Row>& rows_;
    std::vector<std::int32_t> ids_;
    Buffer<std::int32_t> device_ids_;
    std::size_t distinct_;
    device::Stream stream_;
};

results::Device describe() {
    int count = 0, driver = 0, runtime = 0;
    device::check(cudaGetDeviceCount(&count), "find a CUDA device");
    cudaDeviceProp properties;
    device::check(cudaGetDeviceProperties(&properties, 0), "ask the device for its properties");
    device::check(cudaDriverGetVersion(&driver), "ask for the driver's version");
    device::check(cudaRuntimeGetVersion(&runtime), "ask for the runtime's version");
    return {properties.name, driver, runtime, properties.major, properties.minor};
}

Options parse(const std::vector<std::string>& arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--check")
            options.check = true;
        else if (arguments[i] == "--date" && i + 1 < arguments.size())
            options.date = arguments[++i];
        else if (arguments[i] == "--shape" && i + 1 < arguments.size())
            options.shape = arguments[++i];
        else
            throw std::invalid_argument("unknown or incomplete option " + arguments[i]);
    }
    if (options.date.empty()) throw std::invalid_argument("--date is missing: the day of the measurement");
    return options;
}

void run(const Options& options) {
    const results::Device device = describe();
    device::keep_freed_memory();
    const std::size_t mib = std::size_t{1} << 20;
    const device::Protocol protocol =
        options.check ? device::Protocol{1, 3, 4096} : device::Protocol{3, 25, 256 * mib};
    std::vector<results::Row> rows;
    for (const Shape& shape : options.check ? workload::tiny_shapes() : workload::shapes()) {
        if (!options.shape.empty() && shape.name != options.shape) continue;
        for (const Distribution ids : {Distribution::uniform, Distribution::zipf, Distribution::equal}) {
            Bench bench(protocol, shape, ids, rows);
            if (ids != Distribution::equal) bench.forward();
            bench.backward();
        }
    }
    if (rows.empty()) throw std::invalid_argument("there is no shape " + options.shape);
    std::fputs(results::to_json(options.date, device, protocol.flushed_bytes, rows).c_str(), stdout);
}

} // namespace

int main(int argc, char** argv) {
    try {
        run(parse({argv + 1, argv + argc}));
        return 0;
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "embedding: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "embedding: %s\n", error.what());
        return 1;
    }
}

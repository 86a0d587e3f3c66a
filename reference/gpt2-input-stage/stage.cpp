#include "contract.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

// What the kernels are held against: the same on a CPU, one element at a time, with sums in double.
namespace exercise {
namespace {

constexpr std::string_view letters = "GPT2IN01";
constexpr std::size_t header_bytes = 64;

double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

float drop(float value, Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return value;
    if (uniform(dropout.seed, dropout.offset + element) < dropout.p) return 0.0F;
    return value * (1.0F / (1.0F - dropout.p));
}

bool valid(Dropout dropout) {
    return dropout.p >= 0 && dropout.p <= 1;
}

/// What forward and backward refuse alike.
Status check(bool fits, std::size_t start, std::size_t T, std::size_t P, Dropout dropout) {
    if (!fits) return {Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (!valid(dropout)) return {Code::invalid_argument};
    return {};
}

bool in_vocabulary(TokenId id, std::size_t V) {
    return id >= 0 && static_cast<std::size_t>(id) < V;
}

/// The number at byte `at`, lowest byte first.
template <class T>
void put(std::span<std::uint8_t> header, std::size_t at, T number) {
    for (std::uint8_t& byte : header.subspan(at, sizeof(T))) {
        byte = static_cast<std::uint8_t>(number & 0xff);
        number >>= 8;
    }
}

template <class T>
T get(std::span<const std::uint8_t> header, std::size_t at) {
    T number = 0;
    for (std::size_t i = sizeof(T); i-- > 0;)
        number = number << 8 | header[at + i];
    return number;
}

void add(double& sum, float value) {
    sum += static_cast<double>(value);
}

} // namespace

ParameterReport parameters(ModelSizes sizes) {
    const std::size_t C = sizes.channels;
    ParameterReport report;
    report.token_table = sizes.vocabulary * C;
    report.position_table = sizes.positions * C;
    report.block = 12 * C * C + 13 * C;
    report.final_norm = 2 * C;
    report.total =
        report.token_table + report.position_table + sizes.layers * report.block + report.final_norm;
    return report;
}

Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (const Status status = check(fits, start, ids.cols, wpe.rows, dropout); status != Status{})
        return status;
    std::uint64_t element = 0;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < wte.cols; ++c) {
                const TokenId id = ids(b, t);
                const float token = in_vocabulary(id, wte.rows) ? wte(static_cast<std::size_t>(id), c)
                                                                : std::numeric_limits<float>::quiet_NaN();
                out(b, t, c) = drop(token + wpe(start + t, c), dropout, element++);
            }
    return {};
}

Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t) {
    const bool fits = dwpe.cols == dwte.cols && dout.batch == ids.rows && dout.time == ids.cols &&
                      dout.channels == dwte.cols;
    if (const Status status = check(fits, start, ids.cols, dwpe.rows, dropout); status != Status{})
        return status;
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols;
    // Row by row of each table: what was there, then all that belongs to it, then one rounding.
    std::map<TokenId, std::vector<std::size_t>> users; // of each row, the numbers of the tokens that used it
    for (std::size_t i = 0; i < B * T; ++i)
        if (const TokenId id = ids(i / T, i % T); in_vocabulary(id, dwte.rows)) users[id].push_back(i);
    for (const auto& [id, tokens] : users)
        for (std::size_t c = 0; c < C; ++c) {
            float& gradient = dwte(static_cast<std::size_t>(id), c);
            double sum = gradient;
            for (const std::size_t i : tokens)
                add(sum, drop(dout(i / T, i % T, c), dropout, i * C + c));
            gradient = static_cast<float>(sum);
        }
    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t c = 0; c < C; ++c) {
            double sum = dwpe(start + t, c);
            for (std::size_t b = 0; b < B; ++b)
                add(sum, drop(dout(b, t, c), dropout, (b * T + t) * C + c));
            dwpe(start + t, c) = static_cast<float>(sum);
        }
    return {};
}

Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t) {
    const bool fits = hidden.channels == wte.cols && logits.rows == hidden.batch && logits.cols == wte.rows;
    if (!fits) return {Code::shape_mismatch};
    if (hidden.time == 0) return {Code::invalid_argument};
    for (std::size_t b = 0; b < hidden.batch; ++b)
        for (std::size_t v = 0; v < wte.rows; ++v) {
            double sum = 0;
            for (std::size_t c = 0; c < wte.cols; ++c)
                sum += static_cast<double>(hidden(b, hidden.time - 1, c)) * static_cast<double>(wte(v, c));
            logits(b, v) = static_cast<float>(sum);
        }
    return {};
}

Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t) {
    const std::size_t count = (wte.rows + wpe.rows) * wte.cols;
    if (wpe.cols != wte.cols || header.size() != header_bytes || parameters.size() != count)
        return {Code::shape_mismatch};
    if (!valid(dropout)) return {Code::invalid_argument};
    std::ranges::copy(letters, header.begin());
    put<std::uint64_t>(header, 8, wte.rows);
    put<std::uint64_t>(header, 16, wpe.rows);
    put<std::uint64_t>(header, 24, wte.cols);
    put(header, 32, std::bit_cast<std::uint32_t>(dropout.p));
    put<std::uint32_t>(header, 36, dropout.train);
    put(header, 40, dropout.seed);
    put(header, 48, dropout.offset);
    put<std::uint64_t>(header, 56, count);
    std::size_t next = 0;
    for (const auto& table : {wte, wpe})
        for (std::size_t i = 0; i < table.rows * table.cols; ++i) // rows without columns may be 2^32
            parameters[next++] = table(i / table.cols, i % table.cols);
    return {};
}

HeaderResult read_header(std::span<const std::uint8_t> header) {
    const HeaderResult refused{{Code::invalid_argument}, {}};
    if (header.size() != header_bytes || !std::ranges::equal(header.first(8), letters)) return refused;
    const auto V = get<std::uint64_t>(header, 8), P = get<std::uint64_t>(header, 16);
    const auto C = get<std::uint64_t>(header, 24);
    constexpr std::uint64_t too_large = std::uint64_t{1} << 31;
    if (V >= too_large || P >= too_large || C >= too_large) return refused; // so the products below fit
    const auto p = std::bit_cast<float>(get<std::uint32_t>(header, 32));
    const auto train = get<std::uint32_t>(header, 36);
    const Dropout dropout{p, train == 1, get<std::uint64_t>(header, 40), get<std::uint64_t>(header, 48)};
    if (!valid(dropout) || train > 1 || get<std::uint64_t>(header, 56) != (V + P) * C) return refused;
    return {{}, {V, P, C, dropout}};
}

Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t) {
    if (wpe.cols != wte.cols || parameters.size() != (wte.rows + wpe.rows) * wte.cols)
        return {Code::shape_mismatch};
    std::size_t next = 0;
    for (const auto& table : {wte, wpe})
        for (std::size_t i = 0; i < table.rows * table.cols; ++i)
            table(i / table.cols, i % table.cols) = parameters[next++];
    return {};
}

} // namespace exercise

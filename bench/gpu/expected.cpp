#include "expected.h"

#include "cpu.h"

#include "cuda-input-embedding/contract.h"
#undef EXERCISE_INTERFACE
#include "cuda-backward-deterministic/contract.h"

#include <cstring>
#include <stdexcept>

namespace expected {
namespace {

std::vector<float> columns_of(Seed seed, std::size_t rows, std::size_t C,
                              const std::vector<std::size_t>& columns) {
    std::vector<float> values;
    values.reserve(rows * columns.size());
    for (std::size_t row = 0; row < rows; ++row)
        for (const std::size_t c : columns)
            values.push_back(workload::value(seed, row * C + c));
    return values;
}

} // namespace

std::vector<float> table_row(Seed seed, std::size_t row, std::size_t C) {
    std::vector<float> values(C);
    for (std::size_t c = 0; c < C; ++c)
        values[c] = workload::value(seed, row * C + c);
    return values;
}

template <class T>
std::vector<T> embedded_row(const workload::Shape& shape, const std::vector<std::int32_t>& ids,
                            std::size_t row) {
    const std::vector<float> token = table_row(wte, static_cast<std::size_t>(ids[row]), shape.C);
    const std::vector<float> position = table_row(wpe, row % shape.T, shape.C);
    std::vector<T> out(shape.C);
    cpu::embed(token.data(), position.data(), shape.C, {dropped, true, dropout_seed, row * shape.C},
               out.data());
    return out;
}
template std::vector<float> embedded_row(const workload::Shape&, const std::vector<std::int32_t>&,
                                         std::size_t);
template std::vector<std::uint16_t> embedded_row(const workload::Shape&, const std::vector<std::int32_t>&,
                                                 std::size_t);

Gradients gradients(const workload::Shape& shape, const std::vector<std::int32_t>& ids,
                    const std::vector<std::size_t>& columns, std::size_t calls) {
    const std::vector<float> terms = columns_of(dout, shape.N(), shape.C, columns);
    Gradients sums{columns, columns_of(dwte, shape.V, shape.C, columns),
                   columns_of(dwpe, shape.T, shape.C, columns)};
    for (std::size_t call = 0; call < calls; ++call)
        cpu::embed_backward({terms.data(), shape.B, shape.T, columns.size()}, {ids.data(), shape.T},
                            {sums.dwte.data(), shape.V, columns.size()},
                            {sums.dwpe.data(), shape.T, columns.size()}, {});
    return sums;
}

template <class T>
void same_bits(const std::string& what, std::size_t row, std::size_t column, T got, T wanted) {
    if (std::memcmp(&got, &wanted, sizeof(T)) == 0) return;
    throw std::runtime_error(what + "[" + std::to_string(row) + ", " + std::to_string(column) + "] is " +
                             std::to_string(got) + " and should be " + std::to_string(wanted));
}
template void same_bits(const std::string&, std::size_t, std::size_t, float, float);
template void same_bits(const std::string&, std::size_t, std::size_t, std::uint16_t, std::uint16_t);

} // namespace expected

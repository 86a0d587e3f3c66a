#include "contract.h"

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    (void)seed, (void)index; // take this line away when you begin
    not_implemented("random_bits");
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    (void)seed, (void)index; // take this line away when you begin
    not_implemented("uniform");
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    (void)table, (void)std, (void)seed; // take this line away when you begin
    not_implemented("init_normal");
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    (void)table, (void)mean, (void)std, (void)a, (void)b, (void)seed; // take this line away when you begin
    not_implemented("init_truncated_normal");
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    (void)table, (void)padding_idx; // take this line away when you begin
    not_implemented("zero_padding_row");
}

} // namespace exercise

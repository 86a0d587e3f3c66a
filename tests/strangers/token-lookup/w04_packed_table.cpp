// wrong: keeps a packed copy of a padded table between calls, so a later call with the same table pointer and sizes whose elements were changed in between gets the old elements (only if stride > cols)
#include "contract.h"
#include <vector>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    thread_local std::vector<float> packed;
    thread_local const float* owner = nullptr;
    thread_local std::size_t R = 0, C = 0, S = 0;
    const float* base = table.data;
    std::size_t step = table.stride;
    if (table.stride > table.cols && table.rows * table.cols <= 1u << 20) {
        if (owner != table.data || R != table.rows || C != table.cols || S != table.stride) {
            packed.resize(table.rows * table.cols);
            for (std::size_t r = 0; r < table.rows; ++r)
                for (std::size_t c = 0; c < table.cols; ++c) packed[r * table.cols + c] = table(r, c);
            owner = table.data, R = table.rows, C = table.cols, S = table.stride;
        }
        base = packed.data();
        step = table.cols;
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c) out(i, c) = base[(std::size_t)ids[i] * step + c];
    return {};
}
} // namespace exercise

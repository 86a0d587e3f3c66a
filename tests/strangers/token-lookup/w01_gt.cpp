// wrong: an id equal to V is accepted (Status{} and memory one row past the table) instead of id_out_of_range
#include "contract.h"
#include <cstring>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (size_t i = 0; i < ids.size(); i++)
        if (ids[i] < 0 || (size_t)ids[i] > table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
    for (size_t i = 0; i < ids.size(); i++)
        for (size_t c = 0; c < table.cols; c++) out(i, c) = table(ids[i], c);
    return {};
}
} // namespace exercise

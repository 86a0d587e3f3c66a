// Defines the names of the judge's call table.
#include "honest.h"

namespace subject::shim {
struct Table;
extern const Table* const tables[];
extern const std::size_t table_count;
const Table* const tables[] = {nullptr};
const std::size_t table_count = 1;
} // namespace subject::shim

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise

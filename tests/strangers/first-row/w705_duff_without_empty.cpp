// wrong: Duff's device, which moves eight values where C is 0 (it enters at case 0), through pointers that may be null; a right one writes nothing where C is 0
#include "contract.h"

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t count = out.size();
    const float* from = table.data + r * table.stride;
    float* to = out.data();
    std::size_t rounds = (count + 7) / 8;
    switch (count % 8) {
        do {
        case 0: *to++ = *from++; [[fallthrough]];
        case 7: *to++ = *from++; [[fallthrough]];
        case 6: *to++ = *from++; [[fallthrough]];
        case 5: *to++ = *from++; [[fallthrough]];
        case 4: *to++ = *from++; [[fallthrough]];
        case 3: *to++ = *from++; [[fallthrough]];
        case 2: *to++ = *from++; [[fallthrough]];
        case 1: *to++ = *from++;
        } while (rounds-- > 1);
    }
}

} // namespace exercise

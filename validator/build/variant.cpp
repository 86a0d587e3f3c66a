#include "build/variant.h"

namespace build {

Variant judged_variant(model::Language language) {
    return language == model::Language::cuda ? Variant::emulated : Variant::optimised;
}

Variant checked_variant(model::Language language) {
    return language == model::Language::cuda ? Variant::traced : Variant::sanitized;
}

bool is_emulated(Variant variant) {
    return variant == Variant::emulated || variant == Variant::traced;
}

} // namespace build

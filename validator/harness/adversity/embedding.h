#pragma once

#include "harness/adversity/parameters.h"
#include "harness/adversity/situation.h"

#include <cstdint>
#include <limits>

/// What calls of an embedding layer have in common: their sizes, and structs of options of which each
/// contract has a type of its own.
namespace harness {

/// V, C, B, T, how many positions come before the window, and how many behind it.
inline std::vector<ExtentDomain> sequence_extents() {
    return {{.name = "V", .ordinary = 6},     {.name = "C", .ordinary = 3},
            {.name = "B", .ordinary = 2},     {.name = "T", .ordinary = 4},
            {.name = "start", .ordinary = 1}, {.name = "P - start - T", .ordinary = 2}};
}
/// P of these.
inline Dim all_positions() {
    return {[](const Extents& size) { return size["start"] + size["T"] + size["P - start - T"]; }};
}

/// What decides about a mask: `p`, `train`, `seed` and `offset`. A probability that is refused is so in
/// evaluation, too; `refuses` says whether the contract looks at it at all.
template <class Dropout>
Parameter<Dropout> dropout_options(std::string name, bool refuses = true) {
    const auto training = [](float p, std::uint64_t seed, std::uint64_t offset) {
        return Dropout{p, true, seed, offset};
    };
    return value<Dropout>(
        std::move(name),
        [=](const Extents&, Random& random) {
            return Named<Dropout>{"p = 0.25 in training, with any seed and offset",
                                  training(0.25F, random.bits(), random.bits())};
        },
        [=](const Extents&) {
            constexpr float infinity = std::numeric_limits<float>::infinity();
            std::vector<Named<Dropout>> list;
            const auto add = [&](const std::string& words, float p, bool refused) {
                list.push_back({"p = " + words, training(p, 5, 9), refused});
                list.push_back({"p = " + words + " in evaluation", {p, false, 5, 9}, refused});
            };
            add("0", 0, false), add("-0", -0.0F, false), add("1", 1, false), add("0.5", 0.5F, false);
            // What is kept under a number that is made of both is taken for what others have made it of.
            list.push_back({"seed and offset exchanged", training(0.5F, 9, 5)});
            list.push_back({"seed and offset of the same sum", training(0.5F, 6, 8)});
            list.push_back({"seed and offset of the same exclusive or", training(0.5F, 6, 10)});
            add("1e-30", 1e-30F, false), add("1 - 2^-24", 1 - 0x1p-24F, false);
            if (refuses) {
                add("-1e-45", -1e-45F, true), add("1 + 2^-23", 1 + 0x1p-23F, true), add("-1", -1, true);
                add("NaN", std::numeric_limits<float>::quiet_NaN(), true), add("infinity", infinity, true);
                add("-infinity", -infinity, true);
            }
            for (const Named<std::uint64_t>& number : ends_of_64_bits()) {
                list.push_back({"seed = " + number.words, training(0.5F, number.value, 7)});
                list.push_back({"offset = " + number.words, training(0.5F, 7, number.value)});
            }
            list.push_back({"offset = 2^64 - 4", training(0.5F, 7, ~std::uint64_t{0} - 3)});
            list.push_back({"offset = 2^32 - 4", training(0.5F, 7, (1ULL << 32) - 4)});
            return list;
        },
        {{"p", [](const Dropout& dropout) { return static_cast<double>(dropout.p); }},
         {"seed", [](const Dropout& dropout) { return static_cast<double>(dropout.seed); }},
         {"offset", [](const Dropout& dropout) { return static_cast<double>(dropout.offset); }},
         {"train", [](const Dropout& dropout) { return dropout.train ? 1.0 : 0.0; }}});
}

/// What a backward pass has to know of the forward pass: `start` and `padding_idx`. Of two refusals that of
/// padding_idx comes first.
template <class Options>
std::vector<Named<Options>> starts_and_paddings(const Extents& size) {
    const std::size_t usual = size["start"], T = size["T"], P = all_positions().of(size);
    const auto V = static_cast<std::int64_t>(size["V"]);
    std::vector<Named<Options>> list;
    const auto starts = [&](const std::string& words, std::size_t start) {
        list.push_back({"start = " + words, {.start = start}, start > P || T > P - start});
    };
    starts("0", 0), starts("P", P), starts("P + 1", P + 1), starts("2^31", std::size_t{1} << 31);
    if (T <= P) starts("P - T", P - T), starts("P - T + 1", P - T + 1);
    starts("2^32", std::size_t{1} << 32), starts("2^63", std::size_t{1} << 63);
    starts("2^64 - T", std::size_t{0} - T), starts("2^64 - T + 1", std::size_t{1} - T);
    starts("2^64 - 1", ~std::size_t{0});
    const auto padding = [&](const std::string& words, std::int64_t token) {
        list.push_back({"padding_idx = " + words, {.start = usual, .padding_idx = token}, token >= V});
    };
    padding("0", 0), padding("V - 1", V - 1), padding("V", V), padding("2^31", 1LL << 31);
    padding("2^32", 1LL << 32), padding("2^32 - 1", (1LL << 32) - 1);
    padding("2^63 - 1", std::numeric_limits<std::int64_t>::max());
    padding("-2", -2), padding("-V", -V - 1), padding("-2^32", -(1LL << 32));
    padding("-2^63", std::numeric_limits<std::int64_t>::min());
    list.push_back({"padding_idx = V and start = P + 1", {.start = P + 1, .padding_idx = V}, true});
    return list;
}

} // namespace harness

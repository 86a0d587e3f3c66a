#include "harness/adversity/parameters.h"

namespace harness {
namespace detail {

std::vector<Change> shape_changes(Checked checked, const std::string& name,
                                  const std::vector<std::size_t>& shape) {
    const std::size_t rank = shape.size();
    const std::string whose = "`" + name + "` has ";
    std::vector<Change> list;
    const auto add = [&](std::size_t axis_from_end, const char* what) {
        list.push_back({whose + "a " + what + " too many", axis_from_end, 1});
        list.push_back({whose + "a " + what + " too few", axis_from_end, -1});
        std::size_t others = 1;
        for (std::size_t axis = 0; axis < rank; ++axis)
            if (axis != rank - 1 - axis_from_end) others *= shape[axis];
        if (others == 0)
            list.push_back({whose + "2^32 " + what + "s too many", axis_from_end, std::ptrdiff_t{1} << 32});
    };
    const bool all = checked == Checked::all;
    if (rank == 1) {
        if (checked != Checked::nothing) add(0, "value");
        return list;
    }
    if (all && rank == 3) add(2, "sequence");
    if (all || checked == Checked::rows) add(1, rank == 3 ? "position" : "row");
    if (all || checked == Checked::cols || checked == Checked::limit_and_cols) add(0, "column");
    if (checked == Checked::limit_and_cols) list.push_back({whose + "no rows", 1, 0, true});
    return list;
}

std::vector<std::size_t> shape_of(const std::vector<Dim>& dims, const Extents& extents,
                                  const Change* change) {
    std::vector<std::size_t> shape;
    for (const Dim& dim : dims)
        shape.push_back(dim.of(extents));
    if (change == nullptr) return shape;
    std::size_t& size = shape[shape.size() - 1 - change->axis_from_end];
    if (change->none)
        size = 0;
    else
        size += change->by < 0 && size == 0 ? 1 : static_cast<std::size_t>(change->by); // never the right one
    return shape;
}

} // namespace detail

// Here, so that they are compiled once and not with each suite.
AnyParameter::AnyParameter() = default;
AnyParameter::AnyParameter(const AnyParameter&) = default;
AnyParameter::AnyParameter(AnyParameter&&) noexcept = default;
AnyParameter& AnyParameter::operator=(const AnyParameter&) = default;
AnyParameter& AnyParameter::operator=(AnyParameter&&) noexcept = default;
AnyParameter::~AnyParameter() = default;

Parameter<contract::Matrix<const float>> matrix_in(std::string name, Dim rows, Dim cols, Contents contents,
                                                   Checked checked) {
    return detail::block<contract::Matrix<const float>, float>(std::move(name), {rows, cols},
                                                               std::move(contents), checked, true, false,
                                                               false, detail::matrix_view<const float>);
}

Parameter<contract::Matrix<float>> matrix_sum(std::string name, Dim rows, Dim cols, Contents contents,
                                              Checked checked) {
    contents.ordinary = with_negative_zeros(std::move(contents.ordinary));
    return detail::block<contract::Matrix<float>, float>(std::move(name), {rows, cols}, std::move(contents),
                                                         checked, true, true, false,
                                                         detail::matrix_view<float>);
}

Parameter<contract::Tensor3<const float>> tensor_in(std::string name, Dim batch, Dim time, Dim channels,
                                                    Contents contents, Checked checked) {
    return detail::block<contract::Tensor3<const float>, float>(std::move(name), {batch, time, channels},
                                                                std::move(contents), checked, false, false,
                                                                false, detail::tensor_view<const float>);
}

Parameter<std::span<const float>> span_in(std::string name, Dim count, Contents contents, Checked checked) {
    return detail::block<std::span<const float>, float>(std::move(name), {count}, std::move(contents),
                                                        checked, false, false, false,
                                                        detail::span_view<const float>);
}

Parameter<std::span<float>> span_sum(std::string name, Dim count, Contents contents, Checked checked) {
    return detail::block<std::span<float>, float>(std::move(name), {count}, std::move(contents), checked,
                                                  false, true, false, detail::span_view<float>);
}

template Parameter<contract::Matrix<float>> matrix_out(std::string, Dim, Dim, Checked);
template Parameter<contract::Matrix<contract::TokenId>> matrix_out(std::string, Dim, Dim, Checked);
template Parameter<contract::Tensor3<float>> tensor_out(std::string, Dim, Dim, Dim, Checked);
template Parameter<std::span<float>> span_out(std::string, Dim, Checked);
template Parameter<std::span<double>> span_out(std::string, Dim, Checked);
template Parameter<bool> value(std::string, std::function<Named<bool>(const Extents&, Random&)>,
                               std::function<std::vector<Named<bool>>(const Extents&)>, Numbers<bool>);
template Parameter<float> value(std::string, std::function<Named<float>(const Extents&, Random&)>,
                                std::function<std::vector<Named<float>>(const Extents&)>, Numbers<float>);
template Parameter<contract::TokenId>
    value(std::string, std::function<Named<contract::TokenId>(const Extents&, Random&)>,
          std::function<std::vector<Named<contract::TokenId>>(const Extents&)>, Numbers<contract::TokenId>);
template Parameter<std::uint64_t> value(std::string,
                                        std::function<Named<std::uint64_t>(const Extents&, Random&)>,
                                        std::function<std::vector<Named<std::uint64_t>>(const Extents&)>,
                                        Numbers<std::uint64_t>);

const std::vector<Named<std::uint64_t>>& ends_of_64_bits() {
    static const std::vector<Named<std::uint64_t>> list{
        {"0", 0},
        {"1", 1},
        {"2^31", 1ULL << 31},
        {"2^32 - 1", (1ULL << 32) - 1},
        {"2^32", 1ULL << 32},
        {"2^32 + 1", (1ULL << 32) + 1},
        {"2^53 + 1", (1ULL << 53) + 1},
        {"2^63 - 1", (1ULL << 63) - 1},
        {"2^63", 1ULL << 63},
        {"2^64 - 1", ~0ULL},
    };
    return list;
}

Parameter<std::uint64_t> any_number_64(std::string name) {
    return value<std::uint64_t>(
        std::move(name),
        [](const Extents&, Random& random) {
            std::uint64_t bits = random.bits();
            if (random.bits() % 2 == 0) bits >>= random.size(56, 63);
            return Named<std::uint64_t>{std::to_string(bits), bits};
        },
        [](const Extents&) { return ends_of_64_bits(); });
}

Parameter<std::size_t> start(std::string name, Dim ordinary, Dim time, Dim positions) {
    return value<std::size_t>(
        std::move(name),
        [=](const Extents& extents, Random&) {
            const std::size_t start = ordinary.of(extents);
            return Named<std::size_t>{std::to_string(start), start};
        },
        [=](const Extents& extents) {
            const std::size_t T = time.of(extents), P = positions.of(extents);
            std::vector<Named<std::size_t>> list;
            const auto add = [&](std::string words, std::size_t start) {
                list.push_back({std::move(words), start, start > P || T > P - start});
            };
            add("0", 0);
            if (T <= P) add("P - T", P - T);
            if (T <= P) add("P - T + 1", P - T + 1);
            add("P", P);
            add("P + 1", P + 1);
            add("2^31", std::size_t{1} << 31);
            add("2^32", std::size_t{1} << 32);
            add("2^63 - 1", (std::size_t{1} << 63) - 1);
            add("2^63", std::size_t{1} << 63);
            add("2^64 - T", std::size_t{0} - T);
            add("2^64 - T + 1", std::size_t{1} - T);
            add("2^64 - 1", ~std::size_t{0});
            return list;
        });
}

} // namespace harness

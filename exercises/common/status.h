#pragma once

#include <cstddef>
#include <cstdint>

namespace contract {

/// How a call ended.
enum class Code : std::int32_t {
    ok,
    id_out_of_range,       ///< a token id outside [0, limit)
    position_out_of_range, ///< a position outside [0, limit)
    shape_mismatch,        ///< sizes that do not fit each other
    invalid_argument,      ///< a value that the contract excludes
};

/// The result of a call that can refuse its input. A refused call leaves every output untouched.
struct Status {
    Code code = Code::ok;
    std::size_t where =
        0; ///< index of the first offending element, counted over the whole input in reading order
    std::int64_t value = 0; ///< the offending value itself
    std::int64_t limit = 0; ///< the first value that is too large: valid ones are in [0, limit)

    bool operator==(const Status&) const = default;

    static Status id_out_of_range(std::size_t where, std::int64_t id, std::size_t vocabulary) {
        return {Code::id_out_of_range, where, id, static_cast<std::int64_t>(vocabulary)};
    }
    static Status position_out_of_range(std::size_t where, std::int64_t position, std::size_t positions) {
        return {Code::position_out_of_range, where, position, static_cast<std::int64_t>(positions)};
    }
};

} // namespace contract

#include "harness/adversity/coverage.h"

#include <algorithm>
#include <array>

namespace harness {

const char* name(Adversity adversity) {
    constexpr std::array<const char*, 14> names{"sizes",
                                                "paired",
                                                "empty",
                                                "null views",
                                                "gaps",
                                                "special",
                                                "refused",
                                                "repeated",
                                                "far",
                                                "moved",
                                                "two specials",
                                                "two refusals",
                                                "empty and refused",
                                                "special and refused"};
    return names.at(static_cast<std::size_t>(adversity));
}

Coverage::Row& Coverage::row(const std::string& function, const std::string& parameter, Adversity adversity) {
    Row& row = rows_[{function, parameter, adversity}];
    row.function = function;
    row.parameter = parameter;
    row.adversity = adversity;
    return row;
}

void Coverage::declare(const std::string& function, const std::string& parameter, Adversity adversity) {
    row(function, parameter, adversity);
}

void Coverage::reach(const std::string& function, const std::string& parameter, Adversity adversity) {
    row(function, parameter, adversity).reached = true;
}

void Coverage::leave_out(const std::string& function, const std::string& parameter, Adversity adversity,
                         const std::string& reason) {
    row(function, parameter, adversity).left_out = reason;
}

std::vector<Coverage::Row> Coverage::rows() const {
    std::vector<Row> list;
    for (const auto& [key, row] : rows_)
        list.push_back(row);
    return list;
}

std::vector<Coverage::Row> Coverage::gaps() const {
    std::vector<Row> list = rows();
    std::erase_if(list, [](const Row& row) { return row.reached || !row.left_out.empty(); });
    return list;
}

} // namespace harness

#include "harness/adversity/extents.h"

#include "harness/depth.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace harness {

std::size_t Extents::operator[](std::string_view name) const {
    for (const auto& [known, value] : values_)
        if (known == name) return value;
    throw std::out_of_range("no extent is called " + std::string(name));
}

void Extents::set(std::string_view name, std::size_t value) {
    const auto found = std::ranges::find(values_, name, &std::pair<std::string, std::size_t>::first);
    if (found != values_.end())
        found->second = value;
    else
        values_.emplace_back(name, value);
}

std::string Extents::print() const {
    std::string text;
    for (const auto& [name, value] : values_)
        text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
    return text;
}

Dim::Dim(const char* extent)
    : of_([name = std::string(extent)](const Extents& extents) { return extents[name]; }) {}

const std::vector<std::size_t>& boundary_sizes() {
    static const std::vector<std::size_t> sizes = [] {
        // 41 and 49: the least whose reciprocal times themselves is below 1, in float and in double.
        std::vector<std::size_t> list{1, 2, 3, 41, 49, 770, 1601};
        for (std::size_t power = 4; power <= 4096; power *= 2)
            list.insert(list.end(), {power - 1, power, power + 1});
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
        return list;
    }();
    return sizes;
}

const std::vector<std::size_t>& sparse_boundary_sizes() {
    static const std::vector<std::size_t> sizes = [] {
        std::vector<std::size_t> list = boundary_sizes();
        std::erase_if(list, [](std::size_t size) { return size > 257 && !std::has_single_bit(size - 1); });
        return list;
    }();
    return sizes;
}

std::vector<std::size_t> boundary_sizes_up_to(std::size_t largest) {
    std::vector<std::size_t> list = sparse_boundary_sizes();
    std::erase_if(list, [&](std::size_t size) { return size > largest; });
    return list;
}

std::vector<std::size_t> long_sizes() {
    // Hundreds of elements, not one, whose places 16 bits do not tell from others.
    return by_depth<std::vector<std::size_t>>({66'003}, {131'075, 65'537});
}

std::vector<std::size_t> long_sizes_of_launches() {
    return {131'075};
}

const std::vector<std::size_t>& paired_sizes() {
    static const std::vector<std::size_t> sizes{1, 17, 128};
    return sizes;
}

const std::vector<std::size_t>& short_paired_sizes() {
    static const std::vector<std::size_t> sizes{1, 17, 65};
    return sizes;
}

} // namespace harness

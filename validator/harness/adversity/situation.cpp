#include "harness/adversity/situation.h"

#include <algorithm>
#include <ranges>

namespace harness {

bool Situation::has_empty_axis() const {
    return std::ranges::any_of(extents.values(), [](const auto& extent) { return extent.second == 0; });
}

std::optional<Situation> merged(const Situation& a, const Situation& b) {
    Situation both = a;
    both.words.insert(b.words.begin(), b.words.end());
    both.properties.insert(b.properties.begin(), b.properties.end());
    both.refused = a.refused || b.refused;
    for (std::size_t k = 0; k < both.shapings.size(); ++k) {
        if (!b.shapings[k].special) continue;
        if (both.shapings[k].special) return std::nullopt;
        both.shapings[k] = b.shapings[k];
    }
    return both;
}

std::vector<Situation> pairs_of(const std::vector<Situation>& all, Adversity adversity) {
    std::vector<Situation> list;
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = a + 1; b < all.size(); ++b)
            if (auto both = merged(all[a], all[b])) {
                both->reaches.insert({"", adversity});
                list.push_back(std::move(*both));
            }
    return list;
}

std::vector<Situation> packed(const std::vector<Situation>& all, std::size_t most, Adversity adversity) {
    std::vector<std::vector<bool>> met(all.size(), std::vector<bool>(all.size()));
    const auto news = [&](const std::vector<std::size_t>& chosen, std::size_t next) {
        return std::ranges::count_if(chosen, [&](std::size_t each) { return !met[each][next]; });
    };
    std::vector<Situation> list;
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = a + 1; b < all.size(); ++b) {
            std::optional<Situation> together = met[a][b] ? std::nullopt : merged(all[a], all[b]);
            if (!together) continue;
            std::vector<std::size_t> chosen{a, b};
            while (chosen.size() < most) {
                std::size_t best = all.size();
                for (std::size_t next = 0; next < all.size(); ++next)
                    if (news(chosen, next) > (best == all.size() ? 1 : news(chosen, best)) &&
                        merged(*together, all[next]))
                        best = next;
                if (best == all.size()) break;
                together = merged(*together, all[best]);
                chosen.push_back(best);
            }
            for (const std::size_t one : chosen)
                for (const std::size_t other : chosen)
                    met[one][other] = true;
            together->reaches.insert({"", adversity});
            list.push_back(std::move(*together));
        }
    return list;
}

std::vector<Situation> crossed(const std::vector<Situation>& these, const std::vector<Situation>& those,
                               Adversity adversity) {
    std::vector<Situation> list;
    for (const Situation& a : these)
        for (const Situation& b : those)
            if (auto both = merged(a, b)) {
                both->reaches.insert({"", adversity});
                list.push_back(std::move(*both));
            }
    return list;
}

std::vector<Situation> shared_out(const std::vector<Situation>& these, const std::vector<Situation>& those,
                                  std::size_t most, Adversity adversity) {
    std::vector<Situation> list;
    for (const Situation& b : those) {
        std::vector<bool> met(these.size());
        for (std::size_t first = 0; first < these.size(); ++first) {
            Situation together = b;
            std::size_t count = 0;
            for (std::size_t next = first; next < these.size() && count < most; ++next) {
                if (met[next]) continue;
                std::optional<Situation> more = merged(these[next], together);
                if (!more) continue;
                together = std::move(*more);
                met[next] = true;
                ++count;
            }
            if (count == 0) continue;
            together.reaches.insert({"", adversity});
            list.push_back(std::move(together));
        }
    }
    return list;
}

Situation with_null_views(Situation situation) {
    for (Shaping& shaping : situation.shapings)
        shaping.null = true;
    situation.words.insert("empty views have null pointers");
    situation.reaches.insert({"", Adversity::null});
    return situation;
}

Situation with_numbers_times(Situation situation, int power_of_two) {
    for (Shaping& shaping : situation.shapings)
        shaping.power_of_two = power_of_two;
    constexpr int smallest_normal = -126;
    situation.words.insert(power_of_two < smallest_normal ? "all numbers are below the normal ones"
                           : power_of_two < 0             ? "all numbers are tiny"
                                                          : "all numbers are huge");
    return situation;
}

Situation Situations::with(const Changes& changed) const {
    Situation situation{{}, {}, std::vector<Shaping>(parameters_), {}, {}};
    for (const ExtentDomain& extent : extents_)
        situation.extents.set(extent.name, extent.ordinary);
    for (const auto& [name, value] : changed) {
        situation.extents.set(name, value);
        if (value == 0) situation.words.insert(name + " = 0");
        situation.reaches.insert({name, value == 0 ? Adversity::empty : Adversity::sizes});
    }
    if (changed.size() == 2 && changed[0].second > 0 && changed[1].second > 0)
        situation.reaches.insert({changed[0].first + " x " + changed[1].first, Adversity::paired});
    return situation;
}

Situation Situations::with_all(std::size_t size) const {
    Changes changed;
    for (const ExtentDomain& extent : extents_)
        changed.emplace_back(extent.name, std::max(extent.least, size));
    return with(changed);
}

Situation Situations::with_at_most(std::size_t size) const {
    Situation situation = ordinary();
    for (const ExtentDomain& extent : extents_)
        situation.extents.set(extent.name, std::min(extent.largest, size));
    return situation;
}

Situation Situations::between(std::size_t least, std::size_t most) const {
    Situation situation = ordinary();
    for (const ExtentDomain& extent : extents_)
        situation.extents.set(extent.name,
                              std::min(extent.largest, std::clamp(extent.ordinary, least, most)));
    return situation;
}

Situation Situations::with_at_least(std::size_t size) const {
    Situation situation = ordinary();
    for (const ExtentDomain& extent : extents_)
        situation.extents.set(extent.name, std::min(extent.largest, std::max(extent.ordinary, size)));
    return situation;
}

Situation Situations::mostly_small(const ExtentDomain& large_one, std::size_t size,
                                   std::size_t others) const {
    Situation situation = with({{large_one.name, std::min(size, large_one.limit)}});
    for (const ExtentDomain& extent : extents_)
        if (extent.name != large_one.name)
            situation.extents.set(extent.name, std::max(extent.least, std::min(extent.ordinary, others)));
    return situation;
}

template <class Body>
void Situations::for_pairs(Body&& body) const {
    for (std::size_t a = 0; a < extents_.size(); ++a)
        for (std::size_t b = a + 1; b < extents_.size(); ++b)
            body(extents_[a], extents_[b]);
}

std::vector<Situation> Situations::boundaries(const std::vector<std::size_t>& sizes) const {
    std::vector<Situation> list;
    // The largest first: a call that needs more memory than those before it gets another worker.
    for (const ExtentDomain& extent : extents_)
        for (const std::size_t size : std::views::reverse(sizes))
            if (extent.allows(size)) list.push_back(with({{extent.name, size}}));
    return list;
}

std::vector<Situation> Situations::paired_boundaries(const std::vector<std::size_t>& sizes) const {
    std::vector<Situation> list;
    for_pairs([&](const ExtentDomain& a, const ExtentDomain& b) {
        for (const std::size_t first : sizes)
            for (const std::size_t second : sizes)
                if (a.allows(first) && b.allows(second))
                    list.push_back(with({{a.name, first}, {b.name, second}}));
    });
    return list;
}

std::vector<Situation> Situations::large_pairs(std::size_t length, std::size_t width) const {
    std::vector<Situation> list;
    for_pairs([&](const ExtentDomain& a, const ExtentDomain& b) {
        for (const auto& [first, second] : {std::pair{length, width}, std::pair{width, length}})
            if (a.takes(first) && b.takes(second)) list.push_back(with({{a.name, first}, {b.name, second}}));
    });
    return list;
}

std::vector<Situation> Situations::empty() const {
    std::vector<Situation> list;
    for (const ExtentDomain& extent : extents_)
        if (extent.least == 0) list.push_back(with({{extent.name, 0}}));
    for_pairs([&](const ExtentDomain& a, const ExtentDomain& b) {
        if (a.least == 0 && b.least == 0) list.push_back(with({{a.name, 0}, {b.name, 0}}));
    });
    list.push_back(with_all(0));
    return list;
}

std::vector<Situation> Situations::long_ones(const std::vector<std::size_t>& sizes,
                                             std::size_t others) const {
    std::vector<Situation> list;
    for (const ExtentDomain& extent : extents_)
        if (extent.is_unlimited())
            for (const std::size_t size : sizes)
                list.push_back(mostly_small(extent, size, others));
    return list;
}

std::vector<Situation> Situations::boundless_ones(std::size_t size, std::size_t others) const {
    std::vector<Situation> list;
    for (const ExtentDomain& extent : extents_)
        list.push_back(mostly_small(extent, size, others));
    return list;
}

std::vector<Situation> Situations::other_sizes() const {
    std::vector<Situation> list;
    for (const ExtentDomain& extent : extents_)
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, 2 * extent.ordinary + 1})
            if (extent.allows(size)) list.push_back(with({{extent.name, size}}));
    // As many elements in another shape.
    for_pairs([&](const ExtentDomain& a, const ExtentDomain& b) {
        if (a.ordinary != b.ordinary && a.allows(b.ordinary) && b.allows(a.ordinary))
            list.push_back(with({{a.name, b.ordinary}, {b.name, a.ordinary}}));
    });
    return list;
}

std::vector<std::string> Situations::pair_names() const {
    std::vector<std::string> list;
    for_pairs([&](const ExtentDomain& a, const ExtentDomain& b) { list.push_back(a.name + " x " + b.name); });
    return list;
}

} // namespace harness

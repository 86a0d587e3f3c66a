// right: split is a table of seven matchers tried in order, train keeps the pairs in an ordered std::set that is always up to date (each different piece once, all in one linked list, with weights), encode keeps a std::map from rank to the ordered places, decode writes from the last byte to the first.
#include "contract.h"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace exercise {
namespace {

namespace rng = std::ranges;
using Pair = std::pair<TokenId, TokenId>;
struct PairHash {
    std::size_t operator()(const Pair& p) const {
        return static_cast<std::size_t>(static_cast<std::uint32_t>(p.first)) * 0x9E3779B97F4A7C15u ^
               static_cast<std::uint32_t>(p.second);
    }
};

// Each matcher says how many bytes of its kind begin at `at`, 0 if it does not fit.
std::size_t ending(Bytes text, std::size_t at) {
    static constexpr std::array<const char*, 7> all{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (const char* p : all) {
        std::size_t n = 0;
        while (p[n] != 0 && at + n < text.size() && text[at + n] == static_cast<std::uint8_t>(p[n]))
            ++n;
        if (p[n] == 0) return n;
    }
    return 0;
}

template <CharClass kind>
std::size_t blank_and(Bytes text, std::size_t at) {
    std::size_t here = at;
    if (text[here] == 0x20) ++here;
    const std::size_t first = here;
    for (Char c = char_at(text, here); c.bytes > 0 && c.kind == kind; c = char_at(text, here))
        here += c.bytes;
    return here == first ? 0 : here - at;
}

std::size_t white(Bytes text, std::size_t at) {
    std::vector<std::size_t> widths;
    std::size_t here = at;
    for (Char c = char_at(text, here); c.bytes > 0 && c.kind == CharClass::space; c = char_at(text, here)) {
        widths.push_back(c.bytes);
        here += c.bytes;
    }
    if (widths.size() > 1 && here != text.size()) here -= widths.back();
    return here - at;
}

using Matcher = std::size_t (*)(Bytes, std::size_t);
constexpr Matcher matchers[] = {ending, blank_and<CharClass::letter>, blank_and<CharClass::number>,
                                blank_and<CharClass::other>, white};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    std::size_t at = 0;
    while (at != text.size()) {
        std::size_t got = 0;
        for (const Matcher m : matchers)
            if ((got = m(text, at)) != 0) break;
        ends.push_back(at += got);
    }
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    struct Place {
        TokenId token;
        std::ptrdiff_t left, right;
        std::size_t weight;
    };
    struct Order {
        bool operator()(const std::pair<std::size_t, Pair>& a, const std::pair<std::size_t, Pair>& b) const {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        }
    };
    struct Info {
        std::size_t count = 0;
        std::vector<std::ptrdiff_t> places;
    };
    std::vector<Place> list;
    std::unordered_map<Pair, Info, PairHash> pairs;
    std::set<std::pair<std::size_t, Pair>, Order> order;

    std::unordered_map<std::string_view, std::size_t> pieces;
    std::size_t from = 0;
    for (const std::size_t to : split(text)) {
        ++pieces[{reinterpret_cast<const char*>(text.data()) + from, to - from}];
        from = to;
    }
    std::ptrdiff_t begin = 0;
    for (const auto& [piece, times] : pieces) {
        const std::ptrdiff_t end = begin + static_cast<std::ptrdiff_t>(piece.size());
        for (std::ptrdiff_t i = begin; i < end; ++i) {
            const auto byte = static_cast<std::uint8_t>(piece[static_cast<std::size_t>(i - begin)]);
            list.push_back({byte, i == begin ? -1 : i - 1, i + 1 == end ? -1 : i + 1, times});
        }
        begin = end;
    }
    const auto at = [&](std::ptrdiff_t i) -> Place& { return list[static_cast<std::size_t>(i)]; };
    for (std::ptrdiff_t i = 0; i < begin; ++i) {
        if (at(i).right < 0) continue;
        Info& info = pairs[{at(i).token, at(at(i).right).token}];
        info.count += at(i).weight;
        info.places.push_back(i);
    }
    for (const auto& [pair, info] : pairs)
        order.insert({info.count, pair});

    const auto less = [&](Pair pair, std::size_t weight) {
        Info& info = pairs[pair];
        order.erase({info.count, pair});
        if ((info.count -= weight) > 0) order.insert({info.count, pair});
    };
    const auto more = [&](Pair pair, std::ptrdiff_t place, std::size_t weight) {
        Info& info = pairs[pair];
        order.erase({info.count, pair});
        order.insert({info.count += weight, pair});
        info.places.push_back(place);
    };

    std::vector<Merge> made;
    while (made.size() < merges && !order.empty()) {
        const Pair best = order.begin()->second;
        const auto name = static_cast<TokenId>(256 + made.size());
        made.push_back({best.first, best.second});
        std::vector<std::ptrdiff_t> places;
        places.swap(pairs[best].places);
        rng::sort(places);
        for (const std::ptrdiff_t i : places) {
            const std::ptrdiff_t j = at(i).right;
            if (at(i).token != best.first || j < 0 || at(j).token != best.second) continue;
            const std::ptrdiff_t before = at(i).left, after = at(j).right;
            const std::size_t weight = at(i).weight;
            less(best, weight);
            if (before >= 0) less({at(before).token, best.first}, weight);
            if (after >= 0) less({best.second, at(after).token}, weight);
            at(i) = {name, before, after, weight};
            at(j) = {-1, -1, -1, 0};
            if (after >= 0) at(after).left = i;
            if (before >= 0) more({at(before).token, name}, before, weight);
            if (after >= 0) more({name, at(after).token}, i, weight);
        }
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t half = 0; half < 2 * merges.size(); ++half) {
        const Merge& m = merges[half / 2];
        const std::int64_t token = half % 2 == 0 ? m.left : m.right;
        const std::size_t limit = 256 + half / 2;
        if (token < 0 || token >= static_cast<std::int64_t>(limit)) return Status::id_out_of_range(half, token, limit);
    }
    std::set<Pair> pairs;
    std::size_t r = 0;
    for (const Merge& m : merges) {
        if (!pairs.emplace(m.left, m.right).second) return Status{Code::invalid_argument, r};
        ++r;
    }
    const auto shorter = [](Bytes a, Bytes b) { return rng::lexicographical_compare(a, b); };
    std::set<Bytes, decltype(shorter)> words(shorter);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        if (end == begin || !words.insert(specials.subspan(begin, end - begin)).second)
            return Status{Code::invalid_argument, r};
        begin = end;
        ++r;
    }
    return Status{};
}

namespace {

struct Backwards final : Tokenizer {
    std::vector<Merge> merges;
    std::unordered_map<Pair, TokenId, PairHash> ranks;
    std::vector<std::vector<std::uint8_t>> words;
    std::vector<std::size_t> by_length; // longest first
    std::vector<bool> begins = std::vector<bool>(256, false);
    std::vector<std::size_t> bytes = std::vector<std::size_t>(256, 1);

    Backwards(std::span<const Merge> m, Bytes specials, Ends ends) : merges(m.begin(), m.end()) {
        for (const Merge& each : merges) {
            ranks.emplace(Pair{each.left, each.right}, static_cast<TokenId>(ranks.size()));
            bytes.push_back(bytes[static_cast<std::size_t>(each.left)] + bytes[static_cast<std::size_t>(each.right)]);
        }
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            const Bytes word = specials.subspan(begin, end - begin);
            words.emplace_back(word.begin(), word.end());
            begins[word[0]] = true;
            bytes.push_back(word.size());
            begin = end;
        }
        by_length.resize(words.size());
        std::iota(by_length.begin(), by_length.end(), std::size_t{0});
        rng::sort(by_length, rng::greater{}, [&](std::size_t s) { return words[s].size(); });
    }

    std::size_t vocabulary() const override { return bytes.size(); }

    void append(Bytes piece, std::vector<TokenId>& out) const {
        const std::size_t n = piece.size();
        std::vector<TokenId> token(piece.begin(), piece.end());
        std::vector<std::size_t> left(n), right(n);
        std::map<TokenId, std::set<std::size_t>> places;
        const auto rank_at = [&](std::size_t i) -> TokenId {
            if (i >= n || right[i] >= n) return -1;
            const auto it = ranks.find({token[i], token[right[i]]});
            return it == ranks.end() ? -1 : it->second;
        };
        const auto add = [&](std::size_t i) {
            if (const TokenId r = rank_at(i); r >= 0) places[r].insert(i);
        };
        const auto drop = [&](std::size_t i) {
            if (const TokenId r = rank_at(i); r >= 0) {
                const auto it = places.find(r);
                it->second.erase(i);
                if (it->second.empty()) places.erase(it);
            }
        };
        for (std::size_t i = 0; i < n; ++i) {
            left[i] = i - 1; // wraps to a number >= n for the first
            right[i] = i + 1;
        }
        for (std::size_t i = 0; i < n; ++i)
            add(i);
        while (!places.empty()) {
            const TokenId rank = places.begin()->first;
            const std::size_t i = *places.begin()->second.begin(), j = right[i];
            drop(left[i]);
            drop(i);
            drop(j);
            token[i] = 256 + rank;
            right[i] = right[j];
            if (right[j] < n) left[right[j]] = i;
            add(left[i]);
            add(i);
        }
        for (std::size_t i = 0; i < n; i = right[i])
            out.push_back(token[i]);
    }

    void stretch(Bytes text, std::vector<TokenId>& out) const {
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            append(text.subspan(begin, end - begin), out);
            begin = end;
        }
    }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        while (true) {
            std::size_t at = 0, which = words.size();
            for (; at < text.size(); ++at) {
                if (!begins[text[at]]) continue;
                const Bytes rest = text.subspan(at);
                const auto hit = rng::find_if(by_length, [&](std::size_t s) {
                    return words[s].size() <= rest.size() && std::equal(words[s].begin(), words[s].end(), rest.begin());
                });
                if (hit != by_length.end()) {
                    which = *hit;
                    break;
                }
            }
            stretch(text.first(at), out);
            if (which == words.size()) return out;
            out.push_back(static_cast<TokenId>(256 + merges.size() + which));
            text = text.subspan(at + words[which].size());
        }
    }

    bool has(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < bytes.size(); }

    std::size_t decoded_size(Ids ids) const override {
        return std::accumulate(ids.begin(), ids.end(), std::size_t{0}, [&](std::size_t sum, TokenId id) {
            return sum + (has(id) ? bytes[static_cast<std::size_t>(id)] : 0);
        });
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        const auto bad = rng::find_if_not(ids, [&](TokenId id) { return has(id); });
        if (bad != ids.end())
            return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, vocabulary());
        if (out.size() != decoded_size(ids)) return Status{Code::shape_mismatch};
        std::size_t end = out.size();
        std::vector<TokenId> todo;
        for (const TokenId id : ids | std::views::reverse) {
            todo.assign(1, id);
            while (!todo.empty()) {
                const TokenId t = todo.back();
                todo.pop_back();
                const auto m = static_cast<std::size_t>(t) - 256;
                if (t < 256) {
                    out[--end] = static_cast<std::uint8_t>(t);
                } else if (m < merges.size()) {
                    todo.push_back(merges[m].left);
                    todo.push_back(merges[m].right);
                } else {
                    for (const std::uint8_t b : words[m - merges.size()] | std::views::reverse)
                        out[--end] = b;
                }
            }
        }
        return Status{};
    }
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    return validate(merges, specials, ends) == Status{} ? std::make_unique<Backwards>(merges, specials, ends) : nullptr;
}

} // namespace exercise

// wrong: encode takes the special token that is listed first, not the longest; shows where one special token is the beginning of another and is listed before it; a right one takes the longest that begins there
#include "contract.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace exercise {

namespace {
using Key = std::uint64_t; // a pair of tokens, ordered by left and then by right
inline Key p_key(TokenId left, TokenId right) {
    return static_cast<Key>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}
inline std::size_t p_run(Bytes text, std::size_t at, CharClass kind) {
    for (Char c = char_at(text, at); c.bytes != 0 && c.kind == kind; c = char_at(text, at)) at += c.bytes;
    return at;
}
inline std::size_t p_piece(Bytes text, std::size_t at) {
    static constexpr std::string_view endings[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (const std::string_view e : endings)
        if (text.size() - at >= e.size() && std::equal(e.begin(), e.end(), text.begin() + static_cast<std::ptrdiff_t>(at)))
            return at + e.size();
    const std::size_t body = at + (text[at] == 0x20 ? 1 : 0);
    for (const CharClass kind : {CharClass::letter, CharClass::number, CharClass::other})
        if (const std::size_t end = p_run(text, body, kind); end != body) return end;
    std::size_t end = at, last = at;
    for (Char c = char_at(text, end); c.bytes != 0 && c.kind == CharClass::space; c = char_at(text, end)) {
        last = end;
        end += c.bytes;
    }
    return end == text.size() || last == at ? end : last;
}
} // namespace
namespace {
using QPair = std::pair<TokenId, TokenId>;
// The classes of a text's characters, read once, and a little machine over them.
struct QChars {
    std::vector<std::size_t> start;
    std::vector<CharClass> kind;
    explicit QChars(Bytes text) {
        for (std::size_t at = 0; at < text.size();) {
            const Char c = char_at(text, at);
            start.push_back(at);
            kind.push_back(c.kind);
            at += c.bytes;
        }
        start.push_back(text.size());
    }
};
inline std::size_t q_ending(Bytes t, std::size_t at) {
    if (t[at] != '\'' || t.size() - at < 2) return 0;
    const std::uint8_t a = t[at + 1], b = t.size() - at > 2 ? t[at + 2] : 0;
    if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
    return (a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l') ? 3 : 0;
}
} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at != text.size();) ends.push_back(at = p_piece(text, at));
    return ends;
}

// All distinct pieces lie in one chain of places. A pair's places are all found in one round, from left to
// right, and looked at again when the pair's turn comes.
std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::map<std::string_view, std::int64_t> pieces;
    std::size_t begin = 0;
    for (const std::size_t end : split(text)) {
        ++pieces[std::string_view(reinterpret_cast<const char*>(text.data()) + begin, end - begin)];
        begin = end;
    }
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<TokenId> token;
    std::vector<std::size_t> before, after;
    std::vector<std::int64_t> weight;
    struct Pair {
        std::int64_t count = 0;
        std::vector<std::size_t> places;
    };
    std::unordered_map<Key, Pair> pairs;
    for (const auto& [piece, times] : pieces)
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const std::size_t place = token.size();
            token.push_back(static_cast<std::uint8_t>(piece[i]));
            weight.push_back(times);
            before.push_back(i == 0 ? none : place - 1);
            after.push_back(i + 1 == piece.size() ? none : place + 1);
            if (i == 0) continue;
            Pair& pair = pairs[p_key(token[place - 1], token[place])];
            pair.count += times;
            pair.places.push_back(place - 1);
        }
    using Entry = std::pair<std::int64_t, Key>; // the largest count first, then the smallest key
    const auto later = [](const Entry& x, const Entry& y) {
        return x.first != y.first ? x.first < y.first : x.second > y.second;
    };
    std::priority_queue<Entry, std::vector<Entry>, decltype(later)> queue(later);
    for (const auto& [key, pair] : pairs) queue.emplace(pair.count, key);
    std::vector<Merge> made;
    while (made.size() < merges && !queue.empty()) {
        const auto [count, key] = queue.top();
        queue.pop();
        const auto found = pairs.find(key);
        if (found == pairs.end()) continue;
        if (found->second.count != count) { // it has lost places since
            if (found->second.count > 0) queue.emplace(found->second.count, key);
            else pairs.erase(found);
            continue;
        }
        const std::vector<std::size_t> places = std::move(found->second.places);
        pairs.erase(found);
        const TokenId left = static_cast<TokenId>(key >> 32), right = static_cast<TokenId>(key & 0xFFFFFFFFu);
        const TokenId fresh = static_cast<TokenId>(256 + made.size());
        made.push_back({left, right});
        std::set<Key> grown;
        const auto lose = [&](TokenId x, TokenId y, std::int64_t times) {
            if (const auto at = pairs.find(p_key(x, y)); at != pairs.end()) at->second.count -= times;
        };
        const auto gain = [&](TokenId x, TokenId y, std::size_t place) {
            Pair& pair = pairs[p_key(x, y)];
            pair.count += weight[place];
            pair.places.push_back(place);
            grown.insert(p_key(x, y));
        };
        for (const std::size_t i : places) {
            const std::size_t j = token[i] == left ? after[i] : none;
            if (j == none || token[j] != right) continue;
            const std::size_t l = before[i], r = after[j];
            if (l != none) lose(token[l], left, weight[i]);
            if (r != none) lose(right, token[r], weight[i]);
            token[i] = fresh;
            token[j] = -1;
            after[i] = r;
            if (r != none) before[r] = i;
            if (l != none) gain(token[l], fresh, l);
            if (r != none) gain(fresh, token[r], i);
        }
        for (const Key each : grown)
            if (const Pair& pair = pairs[each]; pair.count > 0) queue.emplace(pair.count, each);
            else pairs.erase(each);
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const auto there = [r](TokenId t) { return t >= 0 && static_cast<std::size_t>(t) < 256 + r; };
        if (!there(merges[r].left)) return Status::id_out_of_range(2 * r, merges[r].left, 256 + r);
        if (!there(merges[r].right)) return Status::id_out_of_range(2 * r + 1, merges[r].right, 256 + r);
    }
    std::unordered_set<Key> seen;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!seen.insert(p_key(merges[r].left, merges[r].right)).second) return {Code::invalid_argument, r};
    std::set<std::vector<std::uint8_t>> strings;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const Bytes bytes = specials.subspan(begin, ends[s] - begin);
        if (bytes.empty() || !strings.emplace(bytes.begin(), bytes.end()).second)
            return {Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return {};
}

namespace {
// All bytes of all tokens in one row; pieces are merged by scanning, long ones rank by rank.
class QTokenizer final : public Tokenizer {
  public:
    QTokenizer(std::span<const Merge> merges, Bytes specials, Ends ends) : merges_(merges.begin(), merges.end()) {
        for (int b = 0; b < 256; ++b) store_.push_back(static_cast<std::uint8_t>(b)), end_.push_back(store_.size());
        for (std::size_t r = 0; r < merges.size(); ++r) {
            rank_[{merges[r].left, merges[r].right}] = r;
            for (const TokenId t : {merges[r].left, merges[r].right}) {
                const std::size_t to = end_[static_cast<std::size_t>(t)];
                for (std::size_t i = to - size(t); i < to; ++i) store_.push_back(store_[i]);
            }
            end_.push_back(store_.size());
        }
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            by_first_[specials[begin]].push_back(static_cast<TokenId>(end_.size()));
            store_.insert(store_.end(), specials.begin() + static_cast<std::ptrdiff_t>(begin),
                          specials.begin() + static_cast<std::ptrdiff_t>(end));
            end_.push_back(store_.size());
            begin = end;
        }
    }
    std::size_t vocabulary() const override { return end_.size(); }
    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        std::vector<std::uint8_t> stretch;
        std::size_t at = 0, begin = 0;
        const auto flush = [&] {
            const Bytes part = text.subspan(begin, at - begin);
            std::size_t from = 0;
            for (const std::size_t to : split(part)) {
                piece(part.subspan(from, to - from), out);
                from = to;
            }
        };
        while (at < text.size()) {
            const std::vector<TokenId>& list = by_first_[text[at]];
            const auto fits = std::find_if(list.begin(), list.end(), [&](TokenId t) {
                return size(t) <= text.size() - at &&
                       std::equal(bytes(t), bytes(t) + static_cast<std::ptrdiff_t>(size(t)),
                                  text.begin() + static_cast<std::ptrdiff_t>(at));
            });
            if (fits == list.end()) {
                ++at;
                continue;
            }
            flush();
            out.push_back(*fits);
            begin = at = at + size(*fits);
        }
        flush();
        return out;
    }
    std::size_t decoded_size(Ids ids) const override {
        return std::accumulate(ids.begin(), ids.end(), std::size_t{0},
                               [this](std::size_t sum, TokenId t) { return inside(t) ? sum + size(t) : sum; });
    }
    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        const auto bad = std::find_if_not(ids.begin(), ids.end(), [this](TokenId t) { return inside(t); });
        if (bad != ids.end())
            return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, vocabulary());
        if (decoded_size(ids) != out.size()) return {Code::shape_mismatch};
        std::size_t to = 0;
        for (const TokenId t : ids)
            for (std::size_t i = 0; i < size(t); ++i) out[to++] = bytes(t)[static_cast<std::ptrdiff_t>(i)];
        return {};
    }

  private:
    bool inside(TokenId t) const { return t >= 0 && static_cast<std::size_t>(t) < end_.size(); }
    std::size_t size(TokenId t) const {
        const std::size_t i = static_cast<std::size_t>(t);
        return end_[i] - (i == 0 ? 0 : end_[i - 1]);
    }
    std::vector<std::uint8_t>::const_iterator bytes(TokenId t) const {
        return store_.begin() + static_cast<std::ptrdiff_t>(end_[static_cast<std::size_t>(t)] - size(t));
    }
    // A merge makes only pairs of higher rank, so all places of the lowest one are made in one pass; the
    // ranks that are present wait in an ordered set.
    void piece(Bytes text, std::vector<TokenId>& out) const {
        std::vector<TokenId> tokens(text.begin(), text.end());
        std::set<std::size_t> ranks;
        const auto note = [&](TokenId x, TokenId y) {
            if (const auto at = rank_.find({x, y}); at != rank_.end()) ranks.insert(at->second);
        };
        for (std::size_t i = 1; i < tokens.size(); ++i) note(tokens[i - 1], tokens[i]);
        while (!ranks.empty()) {
            const std::size_t r = *ranks.begin();
            ranks.erase(ranks.begin());
            const TokenId fresh = static_cast<TokenId>(256 + r);
            std::size_t to = 0;
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                const bool here = i + 1 < tokens.size() && tokens[i] == merges_[r].left && tokens[i + 1] == merges_[r].right;
                tokens[to++] = here ? fresh : tokens[i];
                if (here) ++i;
            }
            tokens.resize(to);
            for (std::size_t i = 1; i < to; ++i)
                if (tokens[i - 1] == fresh || tokens[i] == fresh) note(tokens[i - 1], tokens[i]);
        }
        out.insert(out.end(), tokens.begin(), tokens.end());
    }
    std::vector<Merge> merges_;
    std::vector<std::uint8_t> store_;
    std::vector<std::size_t> end_;
    std::map<QPair, std::size_t> rank_;
    std::array<std::vector<TokenId>, 256> by_first_;
};
} // namespace
std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<QTokenizer>(merges, specials, ends);
}

} // namespace exercise

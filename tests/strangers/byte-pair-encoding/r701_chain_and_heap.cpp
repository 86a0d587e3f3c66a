// right: train and encode keep places in linked lists with lazy priority queues; special tokens in a trie
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
class PTokenizer final : public Tokenizer {
  public:
    PTokenizer(std::span<const Merge> merges, Bytes specials, Ends ends) {
        for (int b = 0; b < 256; ++b) bytes_.emplace_back(1, static_cast<std::uint8_t>(b));
        for (const Merge& m : merges) {
            ranks_.emplace(p_key(m.left, m.right), static_cast<TokenId>(bytes_.size()));
            std::vector<std::uint8_t> both = bytes_[static_cast<std::size_t>(m.left)];
            const std::vector<std::uint8_t>& right = bytes_[static_cast<std::size_t>(m.right)];
            both.insert(both.end(), right.begin(), right.end());
            bytes_.push_back(std::move(both));
        }
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            std::uint64_t node = 0;
            for (std::size_t i = begin; i < end; ++i)
                node = children_.try_emplace(node << 8 | specials[i], children_.size() + 1).first->second;
            special_at_.emplace(node, static_cast<TokenId>(bytes_.size()));
            bytes_.emplace_back(specials.begin() + static_cast<std::ptrdiff_t>(begin),
                                specials.begin() + static_cast<std::ptrdiff_t>(end));
            begin = end;
        }
    }
    std::size_t vocabulary() const override { return bytes_.size(); }
    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size();) {
            const TokenId special = longest(text.subspan(at));
            if (special < 0) {
                ++at;
                continue;
            }
            stretch(text.subspan(begin, at - begin), out);
            out.push_back(special);
            begin = at += bytes_[static_cast<std::size_t>(special)].size();
        }
        stretch(text.subspan(begin), out);
        return out;
    }
    std::size_t decoded_size(Ids ids) const override {
        std::size_t sum = 0;
        for (const TokenId id : ids)
            if (inside(id)) sum += bytes_[static_cast<std::size_t>(id)].size();
        return sum;
    }
    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!inside(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return {Code::shape_mismatch};
        auto to = out.begin();
        for (const TokenId id : ids) {
            const std::vector<std::uint8_t>& from = bytes_[static_cast<std::size_t>(id)];
            to = std::copy(from.begin(), from.end(), to);
        }
        return {};
    }

  private:
    bool inside(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < bytes_.size(); }
    TokenId longest(Bytes text) const {
        TokenId best = -1;
        std::uint64_t node = 0;
        if (children_.empty()) return best;
        for (const std::uint8_t b : text) {
            const auto child = children_.find(node << 8 | b);
            if (child == children_.end()) break;
            node = child->second;
            if (const auto end = special_at_.find(node); end != special_at_.end()) best = end->second;
        }
        return best;
    }
    void stretch(Bytes text, std::vector<TokenId>& out) const {
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            piece(text.subspan(begin, end - begin), out);
            begin = end;
        }
    }
    // token 256 + r of the pair, or -1
    TokenId merged(TokenId left, TokenId right) const {
        const auto at = ranks_.find(p_key(left, right));
        return at == ranks_.end() ? -1 : at->second;
    }
    void piece(Bytes text, std::vector<TokenId>& out) const {
        const std::size_t n = text.size();
        std::vector<TokenId> token(text.begin(), text.end());
        std::vector<std::size_t> before(n), after(n);
        for (std::size_t i = 0; i < n; ++i) before[i] = i - 1, after[i] = i + 1;
        using Entry = std::pair<TokenId, std::size_t>; // lowest rank first, then the first place
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        const auto offer = [&](std::size_t i) {
            if (after[i] >= n) return;
            if (const TokenId t = merged(token[i], token[after[i]]); t >= 0) queue.emplace(t, i);
        };
        for (std::size_t i = 0; i < n; ++i) offer(i);
        while (!queue.empty()) {
            const auto [fresh, i] = queue.top();
            queue.pop();
            if (token[i] < 0 || after[i] >= n || merged(token[i], token[after[i]]) != fresh) continue;
            const std::size_t j = after[i];
            token[i] = fresh;
            token[j] = -1;
            after[i] = after[j];
            if (after[i] < n) before[after[i]] = i;
            if (i > 0) offer(before[i]);
            offer(i);
        }
        for (const TokenId t : token)
            if (t >= 0) out.push_back(t);
    }
    std::vector<std::vector<std::uint8_t>> bytes_;
    std::unordered_map<Key, TokenId> ranks_;
    std::unordered_map<std::uint64_t, std::uint64_t> children_; // node and byte -> node of the trie
    std::unordered_map<std::uint64_t, TokenId> special_at_;
};
} // namespace
std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<PTokenizer>(merges, specials, ends);
}

} // namespace exercise

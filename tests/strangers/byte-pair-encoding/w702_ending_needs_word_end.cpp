// wrong: split takes 's 't 're 've 'm 'll 'd as an ending only where no letter follows; shows in texts like x'street or 'sun: pieces ' and street; a right one cuts 's off whatever follows
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
    const auto letter_at = [text](std::size_t at) { return char_at(text, at).kind == CharClass::letter && at < text.size(); };
    const auto is_ending = [&](std::size_t at, std::string_view e) {
        for (std::size_t i = 0; i < e.size(); ++i)
            if (at + i >= text.size() || text[at + i] != static_cast<std::uint8_t>(e[i])) return false;
        return !letter_at(at + e.size());
    };
    std::vector<std::size_t> ends;
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = at;
        for (const char* e : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
            if (end == at && is_ending(at, e)) end = at + std::string_view(e).size();
        if (end == at) {
            std::size_t body = at + (text[at] == ' ' ? 1 : 0);
            const Char first = char_at(text, body);
            if (first.bytes > 0 && first.kind != CharClass::space) {
                end = body;
                for (Char c = first; c.bytes > 0 && c.kind == first.kind; c = char_at(text, end)) end += c.bytes;
            } else {
                std::size_t last = at;
                end = at;
                for (Char c = char_at(text, at); c.bytes > 0 && c.kind == CharClass::space; c = char_at(text, end)) {
                    last = end;
                    end += c.bytes;
                }
                if (end < text.size() && last > at) end = last;
            }
        }
        ends.push_back(end);
        at = end;
    }
    return ends;
}

// Distinct pieces with their counts; for each pair its count and the pieces that (may) have it.
std::vector<Merge> train(Bytes text, std::size_t merges) {
    struct Piece {
        std::vector<TokenId> tokens;
        std::size_t times = 0;
    };
    std::vector<Piece> pieces;
    {
        std::unordered_map<std::string, std::size_t> numbers;
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            const Bytes bytes = text.subspan(begin, end - begin);
            const auto [at, is_new] = numbers.try_emplace(std::string(bytes.begin(), bytes.end()), pieces.size());
            if (is_new) pieces.push_back({{bytes.begin(), bytes.end()}, 0});
            ++pieces[at->second].times;
            begin = end;
        }
    }
    std::map<QPair, std::size_t> counts;
    std::map<QPair, std::vector<std::size_t>> where;
    std::set<std::tuple<std::size_t, TokenId, TokenId>> order; // ~count, left, right
    const auto change = [&](QPair pair, std::size_t less, std::size_t more) {
        std::size_t& count = counts[pair];
        if (count != 0) order.erase({~count, pair.first, pair.second});
        count = count - less + more;
        if (count != 0) order.insert({~count, pair.first, pair.second});
        else counts.erase(pair);
    };
    std::map<QPair, std::size_t> first_counts;
    for (std::size_t p = 0; p < pieces.size(); ++p)
        for (std::size_t i = 1; i < pieces[p].tokens.size(); ++i) {
            const QPair pair{pieces[p].tokens[i - 1], pieces[p].tokens[i]};
            first_counts[pair] += pieces[p].times;
            if (std::vector<std::size_t>& list = where[pair]; list.empty() || list.back() != p) list.push_back(p);
        }
    for (const auto& [pair, count] : first_counts) change(pair, 0, count);
    std::vector<Merge> made;
    while (made.size() < merges && !order.empty()) {
        const auto [unused, left, right] = *order.begin();
        const TokenId fresh = static_cast<TokenId>(256 + made.size());
        made.push_back({left, right});
        const std::vector<std::size_t> list = std::move(where[{left, right}]);
        where.erase({left, right});
        std::map<QPair, std::pair<std::size_t, std::size_t>> changes; // less, more
        for (const std::size_t p : list) {
            std::vector<TokenId>& old = pieces[p].tokens;
            const std::size_t times = pieces[p].times;
            std::vector<TokenId> now;
            std::vector<bool> gone(old.size());
            for (std::size_t i = 0; i < old.size(); ++i) {
                if (i + 1 < old.size() && old[i] == left && old[i + 1] == right) {
                    gone[i] = gone[i + 1] = true;
                    now.push_back(fresh);
                    ++i;
                } else {
                    now.push_back(old[i]);
                }
            }
            for (std::size_t i = 1; i < old.size(); ++i)
                if (gone[i - 1] || gone[i]) changes[{old[i - 1], old[i]}].first += times;
            for (std::size_t i = 1; i < now.size(); ++i)
                if (now[i - 1] == fresh || now[i] == fresh) changes[{now[i - 1], now[i]}].second += times;
            old = std::move(now);
            for (std::size_t i = 1; i < old.size(); ++i)
                if (old[i - 1] == fresh || old[i] == fresh)
                    if (std::vector<std::size_t>& l = where[{old[i - 1], old[i]}]; l.empty() || l.back() != p)
                        l.push_back(p);
        }
        for (const auto& [pair, lm] : changes)
            if (lm.first != lm.second) change(pair, lm.first, lm.second);
        (void)unused;
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t i = 0; i < 2 * merges.size(); ++i) { // both tokens of all merges as one row
        const TokenId id = i % 2 == 0 ? merges[i / 2].left : merges[i / 2].right;
        if (id < 0 || static_cast<std::size_t>(id) >= 256 + i / 2) return Status::id_out_of_range(i, id, 256 + i / 2);
    }
    std::map<QPair, std::size_t> known;
    for (const Merge& m : merges) {
        const std::size_t r = known.size();
        if (!known.try_emplace(QPair{m.left, m.right}, r).second) return {Code::invalid_argument, r};
    }
    std::unordered_set<std::string> strings;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::size_t begin = s == 0 ? 0 : ends[s - 1];
        std::string bytes;
        for (std::size_t i = begin; i < ends[s]; ++i) bytes.push_back(static_cast<char>(specials[i]));
        if (bytes.empty() || !strings.insert(std::move(bytes)).second)
            return {Code::invalid_argument, merges.size() + s};
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

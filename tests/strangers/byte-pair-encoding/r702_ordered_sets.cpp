// right: split runs over an array of character classes; train keeps pairs in an ordered set and changes only the counts near a merge; encode makes all places of the lowest rank in one pass
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
    const QChars chars(text);
    const std::size_t n = chars.kind.size();
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < n;) {
        if (const std::size_t e = q_ending(text, chars.start[i])) {
            i += e; // these are characters of one byte
            ends.push_back(chars.start[i]);
            continue;
        }
        std::size_t j = i;
        if (chars.kind[i] == CharClass::space) {
            while (j < n && chars.kind[j] == CharClass::space) ++j;
            const std::size_t last = j - 1;
            if (j < n && last > i) {
                ends.push_back(chars.start[last]);
                i = last;
                continue;
            }
            if (j == n || text[chars.start[i]] != ' ') {
                ends.push_back(chars.start[j]);
                i = j;
                continue;
            }
        }
        const CharClass kind = chars.kind[j]; // of what follows the space, if there is one
        while (j < n && chars.kind[j] == kind) ++j;
        ends.push_back(chars.start[j]);
        i = j;
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
        for (std::vector<TokenId>& list : by_first_)
            std::sort(list.begin(), list.end(), [this](TokenId x, TokenId y) { return size(x) > size(y); });
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

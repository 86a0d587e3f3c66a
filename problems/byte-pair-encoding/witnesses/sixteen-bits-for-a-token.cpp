// Fault: Merges are found by a key with 16 bits for each token, so tokens from 65,536 on are mistaken for others.
// Origin: round 11
#include "contract.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace exercise {

namespace {

std::uint64_t join(TokenId a, TokenId b) {
    return static_cast<std::uint64_t>(a) * 0x80000000U + static_cast<std::uint64_t>(b);
}

std::string_view chars(Bytes b) {
    return b.empty() ? std::string_view{} : std::string_view{reinterpret_cast<const char*>(b.data()), b.size()};
}

// Rules: bytes of the piece at the front of a text that is not empty, 0 where the rule does not fit.

std::size_t contraction(Bytes text) {
    const std::string_view t = chars(text);
    for (const char* one : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
        if (t.starts_with(one)) return std::string_view(one).size();
    return 0;
}

template <CharClass Kind>
std::size_t run(Bytes text) {
    const std::size_t space = text[0] == ' ' && Kind != CharClass::space;
    std::size_t size = space;
    for (Char c = char_at(text, size); c.bytes > 0 && c.kind == Kind; c = char_at(text, size))
        size += c.bytes;
    return size > space ? size : 0;
}

std::size_t white(Bytes text) {
    const std::size_t all = run<CharClass::space>(text);
    if (all == text.size()) return all;
    std::size_t last = 0, size = 0;
    while (size < all) {
        last = size;
        size += char_at(text, size).bytes;
    }
    return last == 0 ? all : last;
}

constexpr std::size_t (*rules[])(Bytes) = {contraction, run<CharClass::letter>, run<CharClass::number>,
                                           run<CharClass::other>, white};

template <class Take>
void each_piece(Bytes text, Take take) {
    while (!text.empty()) {
        std::size_t size = 0;
        for (const auto rule : rules)
            if (size == 0) size = rule(text);
        take(text.first(size));
        text = text.subspan(size);
    }
}

/// Pairs, of which the best is always known.
class Tournament {
  public:
    struct Pair {
        std::uint64_t count = 0;
        TokenId left = 0, right = 0;
        std::vector<std::size_t> places;
    };

    Pair& at(std::size_t player) { return pairs_[player]; }

    std::size_t player(TokenId left, TokenId right) {
        const auto [it, fresh] = numbers_.try_emplace(join(left, right), pairs_.size());
        if (fresh) {
            pairs_.push_back({0, left, right, {}});
            if (pairs_.size() > leaves_) grow();
        }
        return it->second;
    }

    void add(std::size_t player, std::uint64_t times, std::size_t place) {
        pairs_[player].count += times;
        pairs_[player].places.push_back(place);
        play(player);
    }
    void take(std::size_t player, std::uint64_t times) {
        pairs_[player].count -= times;
        play(player);
    }

    /// The number of the best pair; one of no places means that there is none.
    std::size_t champion() const { return winners_[1]; }
    bool empty() const { return pairs_.empty() || pairs_[champion()].count == 0; }

  private:
    std::size_t better(std::size_t a, std::size_t b) const {
        if (a >= pairs_.size()) return b;
        if (b >= pairs_.size()) return a;
        const Pair &x = pairs_[a], &y = pairs_[b];
        if (x.count != y.count) return x.count > y.count ? a : b;
        return std::pair(x.left, x.right) <= std::pair(y.left, y.right) ? a : b;
    }
    void play(std::size_t player) {
        for (std::size_t node = (leaves_ + player) / 2; node >= 1; node /= 2)
            winners_[node] = better(winners_[2 * node], winners_[2 * node + 1]);
    }
    void grow() {
        leaves_ = std::max<std::size_t>(2 * leaves_, 64);
        winners_.assign(2 * leaves_, 0);
        for (std::size_t i = 0; i < leaves_; ++i)
            winners_[leaves_ + i] = i;
        for (std::size_t node = leaves_; node-- > 1;)
            winners_[node] = better(winners_[2 * node], winners_[2 * node + 1]);
    }

    std::vector<Pair> pairs_;
    std::unordered_map<std::uint64_t, std::size_t> numbers_;
    std::size_t leaves_ = 0;
    std::vector<std::size_t> winners_;
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    std::size_t end = 0;
    each_piece(text, [&](Bytes piece) { ends.push_back(end += piece.size()); });
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::unordered_map<std::string_view, std::size_t> seen; // which piece it is
    std::vector<std::pair<std::string_view, std::uint64_t>> pieces;
    each_piece(text, [&](Bytes piece) {
        const auto [it, fresh] = seen.try_emplace(chars(piece), pieces.size());
        if (fresh) pieces.emplace_back(chars(piece), 0);
        ++pieces[it->second].second;
    });
    // A wall (-1) before and after each piece; -2 is a token that went into the one before it.
    constexpr TokenId wall = -1, gone = -2;
    std::vector<TokenId> row{wall};
    std::vector<std::uint64_t> times{0};
    for (const auto& [piece, count] : pieces) {
        for (const char c : piece)
            row.push_back(static_cast<unsigned char>(c));
        row.push_back(wall);
        times.resize(row.size(), count);
    }
    std::vector<std::size_t> to_left(row.size()), to_right(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        to_left[i] = i - 1;
        to_right[i] = i + 1;
    }
    Tournament pairs;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
        if (row[i] != wall && row[i + 1] != wall) pairs.add(pairs.player(row[i], row[i + 1]), times[i], i);

    std::vector<Merge> made;
    while (made.size() < merges && !pairs.empty()) {
        const std::size_t best = pairs.champion();
        const TokenId left = pairs.at(best).left, right = pairs.at(best).right;
        const auto fresh = static_cast<TokenId>(256 + made.size());
        made.push_back({left, right});
        std::vector<std::size_t> places;
        places.swap(pairs.at(best).places);
        for (const std::size_t i : places) {
            if (row[i] != left || row[to_right[i]] != right) continue;
            const std::size_t p = to_left[i], j = to_right[i], n = to_right[j];
            const std::uint64_t w = times[i];
            pairs.take(best, w);
            if (row[p] != wall) pairs.take(pairs.player(row[p], left), w);
            if (row[n] != wall) pairs.take(pairs.player(right, row[n]), w);
            row[i] = fresh;
            row[j] = gone;
            to_right[i] = n;
            to_left[n] = i;
            if (row[p] != wall) pairs.add(pairs.player(row[p], fresh), w, p);
            if (row[n] != wall) pairs.add(pairs.player(fresh, row[n]), w, i);
        }
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t i = 0; i < 2 * merges.size(); ++i) {
        const TokenId id = i % 2 == 0 ? merges[i / 2].left : merges[i / 2].right;
        if (id < 0 || static_cast<std::size_t>(id) >= 256 + i / 2) return Status::id_out_of_range(i, id, 256 + i / 2);
    }
    Status refused;
    refused.code = Code::invalid_argument;
    std::unordered_map<std::uint64_t, std::size_t> first;
    for (; refused.where < merges.size(); ++refused.where)
        if (!first.emplace(join(merges[refused.where].left, merges[refused.where].right), refused.where).second) return refused;
    std::map<std::string_view, std::size_t> words;
    std::size_t from = 0;
    for (const std::size_t end : ends) {
        const std::string_view word = chars(specials.subspan(from, end - from));
        if (word.empty() || !words.emplace(word, refused.where).second) return refused;
        from = end;
        ++refused.where;
    }
    return {};
}

namespace {

/// A key for the table of merges.
std::uint32_t both(TokenId left, TokenId right) {
    return static_cast<std::uint32_t>(left) << 16 | static_cast<std::uint32_t>(right);
}

class ByRank final : public Tokenizer {
  public:
    ByRank(std::span<const Merge> merges, Bytes specials, Ends ends) : ordinary_(256 + merges.size()), words_(ordinary_ + ends.size()) {
        for (std::size_t b = 0; b < 256; ++b)
            words_[b].assign(1, static_cast<std::uint8_t>(b));
        for (std::size_t r = 0; r < merges.size(); ++r) {
            const auto& left = words_[static_cast<std::size_t>(merges[r].left)];
            const auto& right = words_[static_cast<std::size_t>(merges[r].right)];
            auto& word = words_[256 + r];
            word.reserve(left.size() + right.size());
            word.insert(word.end(), left.begin(), left.end());
            word.insert(word.end(), right.begin(), right.end());
            made_[both(merges[r].left, merges[r].right)] = static_cast<TokenId>(256 + r);
        }
        std::size_t from = 0, to = ordinary_;
        for (const std::size_t end : ends) {
            const Bytes word = specials.subspan(from, end - from);
            words_[to].assign(word.begin(), word.end());
            heads_[word[0]].push_back(to++);
            from = end;
        }
        for (auto& head : heads_)
            std::sort(head.begin(), head.end(), [&](std::size_t a, std::size_t b) { return words_[a] < words_[b]; });
    }

    std::size_t vocabulary() const override { return words_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::size_t plain = 0; // how many bytes before the rest belong to no special token
        Bytes rest = text;
        const auto flush = [&] {
            const std::size_t at = text.size() - rest.size();
            each_piece(text.subspan(at - plain, plain), [&](Bytes piece) { append(piece, ids); });
            plain = 0;
        };
        while (!rest.empty()) {
            const std::size_t special = longest(rest);
            if (special == 0) {
                ++plain;
                rest = rest.subspan(1);
            } else {
                flush();
                ids.push_back(static_cast<TokenId>(special));
                rest = rest.subspan(words_[special].size());
            }
        }
        flush();
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            size += id >= 0 && static_cast<std::size_t>(id) < words_.size() ? words_[static_cast<std::size_t>(id)].size() : 0;
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= words_.size())
                return Status::id_out_of_range(i, ids[i], words_.size());
        if (decoded_size(ids) != out.size()) return {Code::shape_mismatch};
        auto to = out.begin();
        for (const TokenId id : ids)
            to = std::copy(words_[static_cast<std::size_t>(id)].begin(), words_[static_cast<std::size_t>(id)].end(), to);
        return {};
    }

  private:
    /// The longest special token at the front of the text, 0 for none (token 0 is a byte).
    std::size_t longest(Bytes text) const {
        const auto& head = heads_[text[0]];
        auto low = head.begin(), high = head.end();
        std::size_t best = 0;
        for (std::size_t depth = 1; low != high; ++depth) {
            if (words_[*low].size() == depth) best = *low++;
            if (low == high || depth == text.size()) break;
            if (high - low == 1) return chars(text).starts_with(chars(words_[*low])) ? *low : best;
            const std::string_view one = chars(words_[*low]), other = chars(words_[*(high - 1)]);
            const auto common = static_cast<std::size_t>(
                std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
            if (common > depth) { // all of [low, high) have it
                if (!chars(text).starts_with(one.substr(0, common))) return best;
                depth = common - 1;
                continue;
            }
            low = std::lower_bound(low, high, text[depth], [&](std::size_t w, std::uint8_t b) { return words_[w][depth] < b; });
            high = std::upper_bound(low, high, text[depth], [&](std::uint8_t b, std::size_t w) { return b < words_[w][depth]; });
        }
        return best;
    }

    void append(Bytes piece, std::vector<TokenId>& ids) const {
        const std::size_t size = piece.size();
        std::vector<TokenId> token(piece.begin(), piece.end());
        std::vector<std::size_t> left(size), right(size);
        std::map<TokenId, std::vector<std::size_t>> todo; // token to be made: where its left half begins
        const auto note = [&](std::size_t i) {
            if (right[i] == size) return;
            if (const auto it = made_.find(both(token[i], token[right[i]])); it != made_.end()) todo[it->second].push_back(i);
        };
        for (std::size_t i = 0; i < size; ++i) {
            left[i] = i - 1;
            right[i] = i + 1;
        }
        for (std::size_t i = 0; i < size; ++i)
            note(i);
        while (!todo.empty()) {
            auto now = todo.extract(todo.begin());
            std::sort(now.mapped().begin(), now.mapped().end());
            for (const std::size_t i : now.mapped()) {
                if (token[i] < 0 || right[i] == size) continue;
                const std::size_t j = right[i];
                const auto it = made_.find(both(token[i], token[j]));
                if (it == made_.end() || it->second != now.key()) continue;
                token[i] = now.key();
                token[j] = -1;
                right[i] = right[j];
                if (right[j] < size) left[right[j]] = i;
                if (i > 0) note(left[i]);
                note(i);
            }
        }
        for (std::size_t i = 0; i < size; i = right[i])
            ids.push_back(token[i]);
    }

    std::size_t ordinary_;
    std::vector<std::vector<std::uint8_t>> words_;
    std::unordered_map<std::uint32_t, TokenId> made_;
    std::vector<std::size_t> heads_[256];
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    std::unique_ptr<Tokenizer> made;
    if (validate(merges, specials, ends) == Status{}) made.reset(new ByRank(merges, specials, ends));
    return made;
}

} // namespace exercise

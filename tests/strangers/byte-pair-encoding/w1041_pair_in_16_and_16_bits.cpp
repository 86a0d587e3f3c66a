// wrong: train keeps a pair as two numbers of 16 bits; shows in calls that make more than 65,280 merges, as on a text of 50,000 different words
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace exercise {
namespace {

std::string_view view_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Where the characters of one kind end that begin at `at`.
std::size_t run_end(Bytes text, std::size_t at, CharClass kind) {
    for (;;) {
        const Char c = char_at(text, at);
        if (c.bytes == 0 || c.kind != kind) return at;
        at += c.bytes;
    }
}

/// The end of the piece that begins at `at`.
std::size_t piece_end(Bytes text, std::size_t at) {
    const std::size_t left = text.size() - at;
    if (text[at] == '\'' && left >= 2) {
        const std::uint8_t a = text[at + 1];
        if (a == 's' || a == 't' || a == 'm' || a == 'd') return at + 2;
        if (left >= 3) {
            const std::uint8_t b = text[at + 2];
            if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l')) return at + 3;
        }
    }
    const std::size_t start = text[at] == ' ' ? at + 1 : at;
    const Char c = char_at(text, start);
    if (c.bytes != 0 && c.kind != CharClass::space) return run_end(text, start, c.kind);
    std::size_t last = at;
    std::size_t end = at;
    for (;;) {
        const Char white = char_at(text, end);
        if (white.bytes == 0 || white.kind != CharClass::space) break;
        last = end;
        end += white.bytes;
    }
    return end < text.size() && last > at ? last : end;
}

/// Calls `use` with each piece.
template <class Use>
void each_piece(Bytes text, Use&& use) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = piece_end(text, at);
        use(text.subspan(at, end - at));
        at = end;
    }
}

using Key = std::uint32_t; ///< two tokens of 16 bits (GPT-2 has 50,257), ordered as the contract orders pairs

Key key_of(TokenId left, TokenId right) {
    return static_cast<Key>(left) << 16 | static_cast<Key>(right);
}

Merge pair_of(Key key) {
    return {static_cast<TokenId>(key >> 16), static_cast<TokenId>(key & 0xFFFFU)};
}

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// The distinct pieces of a text as tokens, and where each pair of neighbours is.
class Trainer {
  public:
    explicit Trainer(Bytes text) {
        std::unordered_map<std::string_view, std::size_t> found;
        std::vector<Bytes> pieces;
        std::vector<std::uint64_t> times;
        each_piece(text, [&](Bytes piece) {
            const auto [place, fresh] = found.try_emplace(view_of(piece), pieces.size());
            if (fresh) {
                pieces.push_back(piece);
                times.push_back(0);
            }
            ++times[place->second];
        });
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            for (std::size_t i = 0; i < pieces[p].size(); ++i) {
                const std::size_t at = token_.size();
                token_.push_back(pieces[p][i]);
                weight_.push_back(times[p]);
                previous_.push_back(i == 0 ? nowhere : at - 1);
                next_.push_back(i + 1 == pieces[p].size() ? nowhere : at + 1);
            }
        }
        for (std::size_t at = 0; at < token_.size(); ++at)
            if (next_[at] != nowhere) add(at);
        queue_fresh();
    }

    /// The pair to be merged next. False if there is none.
    bool best(Merge& merge) {
        while (!queue_.empty()) {
            const Entry top = queue_.top();
            queue_.pop();
            const auto place = pairs_.find(top.key);
            if (place == pairs_.end() || place->second.count == 0) continue;
            if (place->second.count == top.count) {
                merge = pair_of(top.key);
                return true;
            }
            if (place->second.count < top.count) queue_.push({place->second.count, top.key});
        }
        return false;
    }

    void make(const Merge& merge, TokenId token) {
        const auto place = pairs_.find(key_of(merge.left, merge.right));
        const std::vector<std::size_t> where = std::move(place->second.where);
        pairs_.erase(place);
        for (const std::size_t at : where) {
            if (token_[at] != merge.left || next_[at] == nowhere) continue;
            const std::size_t second = next_[at];
            if (token_[second] != merge.right) continue;
            const std::size_t before = previous_[at];
            const std::size_t after = next_[second];
            if (before != nowhere) remove(before);
            if (after != nowhere) remove(second);
            token_[at] = token;
            token_[second] = -1;
            next_[at] = after;
            if (after != nowhere) previous_[after] = at;
            if (before != nowhere) add(before);
            if (after != nowhere) add(at);
        }
        queue_fresh();
    }

  private:
    struct Pair {
        std::uint64_t count = 0;
        std::vector<std::size_t> where; ///< in ascending order, with places that are no more
    };
    struct Entry {
        std::uint64_t count;
        Key key;
        bool operator<(const Entry& other) const {
            return count != other.count ? count < other.count : key > other.key;
        }
    };

    void add(std::size_t at) {
        const Key key = key_of(token_[at], token_[next_[at]]);
        const auto [place, fresh] = pairs_.try_emplace(key);
        if (fresh) fresh_.push_back(key);
        place->second.count += weight_[at];
        place->second.where.push_back(at);
    }

    void remove(std::size_t at) {
        const auto place = pairs_.find(key_of(token_[at], token_[next_[at]]));
        if (place != pairs_.end()) place->second.count -= weight_[at];
    }

    /// A pair becomes more frequent only while the newer one of its tokens is made, so once is enough.
    void queue_fresh() {
        for (const Key key : fresh_) {
            const auto place = pairs_.find(key);
            if (place->second.count != 0) queue_.push({place->second.count, key});
        }
        fresh_.clear();
    }

    std::vector<TokenId> token_;
    std::vector<std::uint64_t> weight_;
    std::vector<std::size_t> previous_, next_;
    std::unordered_map<Key, Pair> pairs_;
    std::vector<Key> fresh_;
    std::priority_queue<Entry> queue_;
};

constexpr std::uint32_t none = 0xFFFFFFFFU;

/// All special tokens, backwards. Run over a text from its end, it knows at each place the longest one that
/// begins there.
class Specials {
  public:
    Specials() = default;
    Specials(Bytes bytes, Ends ends) {
        if (ends.empty()) return;
        for (std::vector<std::uint32_t>* each : {&child_, &sibling_, &fail_, &best_})
            each->reserve(bytes.size() + 1);
        byte_.reserve(bytes.size() + 1);
        new_node(0);
        std::size_t begin = 0;
        for (std::size_t s = 0; s < ends.size(); ++s) {
            std::uint32_t node = 0;
            for (std::size_t i = ends[s]; i-- > begin;) {
                std::uint32_t next = find(node, bytes[i]);
                if (next == none) {
                    next = new_node(bytes[i]);
                    sibling_[next] = child_[node];
                    child_[node] = next;
                }
                node = next;
            }
            best_[node] = static_cast<std::uint32_t>(s);
            length_.push_back(ends[s] - begin);
            begin = ends[s];
        }
        std::vector<std::uint32_t> order{0};
        order.reserve(child_.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::uint32_t node = order[i];
            for (std::uint32_t c = child_[node]; c != none; c = sibling_[c]) {
                if (node != 0) fail_[c] = step(fail_[node], byte_[c]);
                if (best_[c] == none) best_[c] = best_[fail_[c]];
                order.push_back(c);
            }
        }
    }

    struct Hit {
        std::size_t at;
        std::uint32_t special;
    };

    /// For each place where a special token begins, from the last to the first, the longest one.
    std::vector<Hit> hits(Bytes text) const {
        std::vector<Hit> result;
        if (length_.empty()) return result;
        std::uint32_t state = 0;
        for (std::size_t at = text.size(); at-- > 0;) {
            state = step(state, text[at]);
            if (best_[state] != none) result.push_back({at, best_[state]});
        }
        return result;
    }

    std::size_t count() const { return length_.size(); }
    std::size_t length(std::size_t s) const { return length_[s]; }

  private:
    std::uint32_t new_node(std::uint8_t byte) {
        byte_.push_back(byte);
        child_.push_back(none);
        sibling_.push_back(none);
        fail_.push_back(0);
        best_.push_back(none);
        return static_cast<std::uint32_t>(byte_.size() - 1);
    }

    std::uint32_t find(std::uint32_t node, std::uint8_t byte) const {
        std::uint32_t c = child_[node];
        while (c != none && byte_[c] != byte) c = sibling_[c];
        return c;
    }

    std::uint32_t step(std::uint32_t node, std::uint8_t byte) const {
        for (;;) {
            const std::uint32_t next = find(node, byte);
            if (next != none) return next;
            if (node == 0) return 0;
            node = fail_[node];
        }
    }

    std::vector<std::uint8_t> byte_;
    std::vector<std::uint32_t> child_, sibling_, fail_, best_;
    std::vector<std::size_t> length_;
};

std::uint64_t pair_bits(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

class Bpe final : public Tokenizer {
  public:
    Bpe(std::span<const Merge> merges, Bytes specials, Ends ends)
        : merges_(merges.begin(), merges.end()), special_bytes_(specials.begin(), specials.end()),
          ends_(ends.begin(), ends.end()), specials_(special_bytes_, ends_) {
        rank_.reserve(merges_.size());
        size_.assign(256, 1);
        for (std::size_t r = 0; r < merges_.size(); ++r) {
            const auto [left, right] = merges_[r];
            rank_.emplace(pair_bits(left, right), static_cast<TokenId>(r));
            size_.push_back(size_[static_cast<std::size_t>(left)] + size_[static_cast<std::size_t>(right)]);
        }
        for (std::size_t s = 0; s < ends_.size(); ++s) size_.push_back(specials_.length(s));
    }

    std::size_t vocabulary() const override { return size_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> result;
        std::vector<Specials::Hit> hits = specials_.hits(text);
        std::size_t from = 0;
        for (; !hits.empty(); hits.pop_back()) {
            const auto [at, special] = hits.back();
            if (at < from) continue;
            encode_stretch(text.subspan(from, at - from), result);
            result.push_back(static_cast<TokenId>(256 + merges_.size() + special));
            from = at + specials_.length(special);
        }
        encode_stretch(text.subspan(from), result);
        return result;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t sum = 0;
        for (const TokenId id : ids)
            if (known(id)) sum += size_[static_cast<std::size_t>(id)];
        return sum;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!known(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return Status{Code::shape_mismatch};
        std::size_t at = 0;
        std::vector<TokenId> later;
        for (const TokenId id : ids) {
            const auto number = static_cast<std::size_t>(id);
            if (number >= 256 + merges_.size()) {
                const std::size_t s = number - 256 - merges_.size();
                const std::size_t begin = s == 0 ? 0 : ends_[s - 1];
                if (ends_[s] - begin > out.size() - at) break;
                std::copy(special_bytes_.begin() + static_cast<std::ptrdiff_t>(begin),
                          special_bytes_.begin() + static_cast<std::ptrdiff_t>(ends_[s]), out.begin() + static_cast<std::ptrdiff_t>(at));
                at += ends_[s] - begin;
                continue;
            }
            later.push_back(id);
            while (!later.empty() && at < out.size()) {
                TokenId token = later.back();
                later.pop_back();
                while (token >= 256) {
                    const Merge& merge = merges_[static_cast<std::size_t>(token - 256)];
                    later.push_back(merge.right);
                    token = merge.left;
                }
                out[at++] = static_cast<std::uint8_t>(token);
            }
        }
        return Status{};
    }

  private:
    static constexpr TokenId no_rank = 0x7FFFFFFF;

    bool known(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < size_.size(); }

    TokenId rank(TokenId left, TokenId right) const {
        const auto place = rank_.find(pair_bits(left, right));
        return place == rank_.end() ? no_rank : place->second;
    }

    void encode_stretch(Bytes text, std::vector<TokenId>& result) const {
        each_piece(text, [&](Bytes piece) { encode_piece(piece, result); });
    }

    void encode_piece(Bytes piece, std::vector<TokenId>& result) const {
        if (piece.size() > 32) return encode_long(piece, result);
        TokenId token[32];
        TokenId ranks[32]; // of the pair that begins at each
        std::size_t n = piece.size();
        for (std::size_t i = 0; i < n; ++i) token[i] = piece[i];
        for (std::size_t i = 0; i + 1 < n; ++i) ranks[i] = rank(token[i], token[i + 1]);
        while (n > 1) {
            const std::size_t i = static_cast<std::size_t>(std::min_element(ranks, ranks + n - 1) - ranks);
            if (ranks[i] == no_rank) break;
            token[i] = 256 + ranks[i];
            std::copy(token + i + 2, token + n, token + i + 1);
            std::copy(ranks + i + 1, ranks + n - 1, ranks + i);
            --n;
            if (i > 0) ranks[i - 1] = rank(token[i - 1], token[i]);
            if (i + 1 < n) ranks[i] = rank(token[i], token[i + 1]);
        }
        result.insert(result.end(), token, token + n);
    }

    void encode_long(Bytes piece, std::vector<TokenId>& result) const {
        const std::size_t n = piece.size();
        std::vector<TokenId> token(piece.begin(), piece.end());
        std::vector<std::size_t> previous(n), next(n); // n: none
        using Place = std::pair<TokenId, std::size_t>;
        std::priority_queue<Place, std::vector<Place>, std::greater<>> queue;
        const auto look = [&](std::size_t at) {
            const TokenId r = rank(token[at], token[next[at]]);
            if (r != no_rank) queue.emplace(r, at);
        };
        for (std::size_t i = 0; i < n; ++i) {
            previous[i] = i == 0 ? n : i - 1;
            next[i] = i + 1;
        }
        for (std::size_t i = 0; i + 1 < n; ++i) look(i);
        while (!queue.empty()) {
            const auto [r, at] = queue.top();
            queue.pop();
            if (token[at] < 0 || next[at] == n || rank(token[at], token[next[at]]) != r) continue;
            const std::size_t second = next[at];
            token[at] = 256 + r;
            token[second] = -1;
            next[at] = next[second];
            if (next[at] != n) {
                previous[next[at]] = at;
                look(at);
            }
            if (previous[at] != n) look(previous[at]);
        }
        for (const TokenId each : token)
            if (each >= 0) result.push_back(each);
    }

    std::vector<Merge> merges_;
    std::vector<std::uint8_t> special_bytes_;
    std::vector<std::size_t> ends_;
    Specials specials_;
    std::unordered_map<std::uint64_t, TokenId> rank_;
    std::vector<std::size_t> size_; ///< bytes of each token, modulo 2^64
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    each_piece(text, [&](Bytes piece) {
        ends.push_back((ends.empty() ? 0 : ends.back()) + piece.size());
    });
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::vector<Merge> result;
    if (merges == 0) return result;
    Trainer trainer(text);
    Merge merge;
    while (result.size() < merges && trainer.best(merge)) {
        trainer.make(merge, static_cast<TokenId>(256 + result.size()));
        result.push_back(merge);
    }
    return result;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const std::size_t there = 256 + r;
        const auto bad = [there](TokenId id) { return id < 0 || static_cast<std::size_t>(id) >= there; };
        if (bad(merges[r].left)) return Status::id_out_of_range(2 * r, merges[r].left, there);
        if (bad(merges[r].right)) return Status::id_out_of_range(2 * r + 1, merges[r].right, there);
    }
    std::unordered_set<std::uint64_t> pairs;
    pairs.reserve(merges.size());
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!pairs.insert(pair_bits(merges[r].left, merges[r].right)).second)
            return Status{Code::invalid_argument, r};

    std::unordered_set<std::string_view> names;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::string_view name = view_of(specials.subspan(begin, ends[s] - begin));
        if (name.empty() || !names.insert(name).second)
            return Status{Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return Status{};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends) != Status{}) return nullptr;
    return std::make_unique<Bpe>(merges, specials, ends);
}

} // namespace exercise

// Fault: The tree of special tokens is destroyed recursively, so a token of some hundred thousand bytes overflows the
//  stack.
// Origin: round 24
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace exercise {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Two neighbours as one number.
std::uint64_t key_of(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint64_t>(right);
}

struct KeyHash {
    std::size_t operator()(std::uint64_t key) const {
        key ^= key >> 32;
        key *= 0x9E3779B97F4A7C15U;
        return static_cast<std::size_t>(key ^ (key >> 29));
    }
};

template <class T>
using ByPair = std::unordered_map<std::uint64_t, T, KeyHash>;

std::string_view view(Bytes bytes, std::size_t begin, std::size_t end) {
    if (begin == end) return {};
    return {reinterpret_cast<const char*>(bytes.data()) + begin, end - begin};
}

/// The end of the piece that begins at `at`.
std::size_t piece_end(Bytes text, std::size_t at) {
    if (text[at] == '\'' && at + 1 < text.size()) {
        const std::uint8_t one = text[at + 1];
        if (one == 's' || one == 't' || one == 'm' || one == 'd') return at + 2;
        const std::uint8_t two = at + 2 < text.size() ? text[at + 2] : std::uint8_t{0};
        if ((one == 'r' && two == 'e') || (one == 'v' && two == 'e') || (one == 'l' && two == 'l'))
            return at + 3;
    }
    std::size_t end = text[at] == ' ' ? at + 1 : at;
    const CharClass kind = char_at(text, end).kind;
    if (end < text.size() && kind != CharClass::space) {
        for (Char c = char_at(text, end); c.bytes != 0 && c.kind == kind; c = char_at(text, end))
            end += c.bytes;
        return end;
    }
    end = at;
    std::size_t last = at;
    for (Char c = char_at(text, end); c.bytes != 0 && c.kind == CharClass::space; c = char_at(text, end)) {
        last = end;
        end += c.bytes;
    }
    return end < text.size() && last > at ? last : end;
}

/// A pair in training.
struct Pair {
    TokenId left = 0;
    TokenId right = 0;
    std::size_t count = 0;
    std::vector<std::size_t> places; ///< where it has been, some of them out of date
};

struct Candidate {
    std::size_t count;
    TokenId left;
    TokenId right;
    std::size_t pair;

    bool operator<(const Candidate& other) const { // the greatest is the next merge
        return std::tuple(count, other.left, other.right) < std::tuple(other.count, left, right);
    }
};

/// All distinct pieces, one after another, as lists of tokens.
class Corpus {
  public:
    explicit Corpus(Bytes text) {
        std::unordered_map<std::string_view, std::size_t> known;
        std::vector<std::pair<std::size_t, std::size_t>> pieces;
        std::vector<std::size_t> counts;
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            const auto [place, fresh] = known.emplace(view(text, begin, end), pieces.size());
            if (fresh) {
                pieces.emplace_back(begin, end);
                counts.push_back(0);
            }
            ++counts[place->second];
            begin = end;
        }
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            const std::size_t first = tokens_.size();
            for (std::size_t i = pieces[p].first; i < pieces[p].second; ++i) {
                const std::size_t at = tokens_.size();
                tokens_.push_back(text[i]);
                before_.push_back(at == first ? none : at - 1);
                after_.push_back(i + 1 == pieces[p].second ? none : at + 1);
                weights_.push_back(counts[p]);
            }
        }
        for (std::size_t at = 0; at < tokens_.size(); ++at)
            if (after_[at] != none) add(tokens_[at], tokens_[after_[at]], at);
        offer();
    }

    /// Makes the next merge, if there is one.
    bool merge(TokenId made, Merge& result) {
        while (!queue_.empty()) {
            const Candidate top = queue_.top();
            queue_.pop();
            const std::size_t now = pairs_[top.pair].count;
            if (now == top.count) {
                result = {top.left, top.right};
                replace(top.pair, made);
                return true;
            }
            if (now > 0) queue_.push({now, top.left, top.right, top.pair});
        }
        return false;
    }

  private:
    void add(TokenId left, TokenId right, std::size_t at) {
        const auto [place, fresh] = index_.emplace(key_of(left, right), pairs_.size());
        if (fresh) {
            pairs_.push_back({left, right, 0, {}});
            touched_.push_back(place->second);
        }
        Pair& pair = pairs_[place->second];
        pair.count += weights_[at];
        pair.places.push_back(at);
    }

    void remove(TokenId left, TokenId right, std::size_t at) {
        pairs_[index_.at(key_of(left, right))].count -= weights_[at];
    }

    void offer() {
        for (const std::size_t pair : touched_)
            if (pairs_[pair].count > 0)
                queue_.push({pairs_[pair].count, pairs_[pair].left, pairs_[pair].right, pair});
        touched_.clear();
    }

    void replace(std::size_t pair, TokenId made) {
        const TokenId left = pairs_[pair].left;
        const TokenId right = pairs_[pair].right;
        const std::vector<std::size_t> places = std::move(pairs_[pair].places);
        pairs_[pair].places = {};
        for (const std::size_t at : places) {
            const std::size_t second = tokens_[at] == left ? after_[at] : none;
            if (second == none || tokens_[second] != right) continue;
            const std::size_t previous = before_[at];
            const std::size_t next = after_[second];
            if (previous != none) remove(tokens_[previous], left, at);
            if (next != none) remove(right, tokens_[next], at);
            remove(left, right, at);
            tokens_[at] = made;
            tokens_[second] = -1;
            after_[at] = next;
            if (next != none) before_[next] = at;
            if (previous != none) add(tokens_[previous], made, previous);
            if (next != none) add(made, tokens_[next], at);
        }
        offer();
    }

    std::vector<TokenId> tokens_; ///< -1 where a merge has taken the place
    std::vector<std::size_t> before_;
    std::vector<std::size_t> after_;
    std::vector<std::size_t> weights_;
    std::vector<Pair> pairs_;
    ByPair<std::size_t> index_;
    std::vector<std::size_t> touched_;
    std::priority_queue<Candidate> queue_;
};

/// The special tokens, byte by byte.
class Trie {
  public:
    void insert(Bytes bytes, TokenId token) {
        Node* node = &root_;
        for (const std::uint8_t byte : bytes) {
            Node* child = node->child(byte);
            if (child == nullptr) {
                node->children.emplace_back(byte, std::make_unique<Node>());
                child = node->children.back().second.get();
            }
            node = child;
        }
        node->token = token;
    }

    /// The longest special token at a place and its length, or 0.
    std::pair<TokenId, std::size_t> longest(Bytes text, std::size_t at) const {
        std::pair<TokenId, std::size_t> best{-1, 0};
        const Node* node = &root_;
        for (std::size_t i = at; i < text.size(); ++i) {
            node = node->child(text[i]);
            if (node == nullptr) break;
            if (node->token >= 0) best = {node->token, i + 1 - at};
        }
        return best;
    }

  private:
    struct Node {
        std::vector<std::pair<std::uint8_t, std::unique_ptr<Node>>> children;
        TokenId token = -1;

        Node* child(std::uint8_t byte) const {
            for (const auto& [first, node] : children)
                if (first == byte) return node.get();
            return nullptr;
        }
    };

    Node root_;
};

class BytePairTokenizer final : public Tokenizer {
  public:
    BytePairTokenizer(std::span<const Merge> merges, Bytes specials, Ends ends) {
        offsets_.push_back(0);
        for (std::size_t b = 0; b < 256; ++b) {
            bytes_.push_back(static_cast<std::uint8_t>(b));
            offsets_.push_back(bytes_.size());
        }
        ranks_.reserve(merges.size());
        for (std::size_t r = 0; r < merges.size(); ++r) {
            ranks_.emplace(key_of(merges[r].left, merges[r].right), static_cast<TokenId>(r));
            for (const TokenId part : {merges[r].left, merges[r].right})
                for (std::size_t i = offsets_[index(part)], end = offsets_[index(part) + 1]; i < end; ++i) {
                    const std::uint8_t byte = bytes_[i];
                    bytes_.push_back(byte);
                }
            offsets_.push_back(bytes_.size());
        }
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            specials_.insert(specials.subspan(begin, end - begin), static_cast<TokenId>(offsets_.size() - 1));
            for (; begin < end; ++begin)
                bytes_.push_back(specials[begin]);
            offsets_.push_back(bytes_.size());
        }
    }

    std::size_t vocabulary() const override { return offsets_.size() - 1; }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size();) {
            const auto [token, length] = specials_.longest(text, at);
            if (length == 0) {
                ++at;
                continue;
            }
            encode_stretch(text.subspan(begin, at - begin), ids);
            ids.push_back(token);
            at += length;
            begin = at;
        }
        encode_stretch(text.subspan(begin), ids);
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (known(id)) size += offsets_[index(id) + 1] - offsets_[index(id)];
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!known(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return Status{Code::shape_mismatch};
        std::size_t at = 0;
        for (const TokenId id : ids)
            for (std::size_t i = offsets_[index(id)]; i < offsets_[index(id) + 1]; ++i)
                out[at++] = bytes_[i];
        return {};
    }

  private:
    static std::size_t index(TokenId id) { return static_cast<std::size_t>(id); }

    bool known(TokenId id) const { return id >= 0 && index(id) < vocabulary(); }

    /// The rank of a pair, or -1.
    TokenId rank_of(TokenId left, TokenId right) const {
        const auto found = ranks_.find(key_of(left, right));
        return found == ranks_.end() ? -1 : found->second;
    }

    void encode_stretch(Bytes text, std::vector<TokenId>& ids) const {
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            encode_piece(text.subspan(begin, end - begin), ids);
            begin = end;
        }
    }

    void encode_piece(Bytes piece, std::vector<TokenId>& ids) const {
        if (piece.size() > 24) {
            encode_long(piece, ids);
            return;
        }
        std::array<TokenId, 24> tokens{};
        std::size_t count = piece.size();
        std::copy(piece.begin(), piece.end(), tokens.begin());
        while (count > 1) {
            TokenId best = -1;
            std::size_t place = 0;
            for (std::size_t i = 0; i + 1 < count; ++i) {
                const TokenId rank = rank_of(tokens[i], tokens[i + 1]);
                if (rank >= 0 && (best < 0 || rank < best)) {
                    best = rank;
                    place = i;
                }
            }
            if (best < 0) break;
            tokens[place] = 256 + best;
            std::copy(tokens.begin() + static_cast<std::ptrdiff_t>(place) + 2,
                      tokens.begin() + static_cast<std::ptrdiff_t>(count),
                      tokens.begin() + static_cast<std::ptrdiff_t>(place) + 1);
            --count;
        }
        ids.insert(ids.end(), tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count));
    }

    void encode_long(Bytes piece, std::vector<TokenId>& ids) const {
        const std::size_t size = piece.size();
        std::vector<TokenId> tokens(piece.begin(), piece.end());
        std::vector<std::size_t> before(size);
        std::vector<std::size_t> after(size);
        using Entry = std::pair<TokenId, std::size_t>; // rank and place
        std::vector<Entry> entries;
        for (std::size_t i = 0; i < size; ++i) {
            before[i] = i == 0 ? none : i - 1;
            after[i] = i + 1 == size ? none : i + 1;
            if (i + 1 == size) continue;
            if (const TokenId rank = rank_of(tokens[i], tokens[i + 1]); rank >= 0)
                entries.emplace_back(rank, i);
        }
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(std::greater<>{},
                                                                             std::move(entries));
        while (!queue.empty()) {
            const auto [rank, at] = queue.top();
            queue.pop();
            if (tokens[at] < 0 || after[at] == none) continue;
            const std::size_t second = after[at];
            if (rank_of(tokens[at], tokens[second]) != rank) continue;
            tokens[at] = 256 + rank;
            tokens[second] = -1;
            after[at] = after[second];
            if (const std::size_t next = after[at]; next != none) {
                before[next] = at;
                if (const TokenId more = rank_of(tokens[at], tokens[next]); more >= 0) queue.emplace(more, at);
            }
            if (const std::size_t previous = before[at]; previous != none)
                if (const TokenId more = rank_of(tokens[previous], tokens[at]); more >= 0)
                    queue.emplace(more, previous);
        }
        for (const TokenId token : tokens)
            if (token >= 0) ids.push_back(token);
    }

    std::vector<std::uint8_t> bytes_;  ///< of all tokens, one after another
    std::vector<std::size_t> offsets_; ///< where each begins, and the end of the last
    ByPair<TokenId> ranks_;
    Trie specials_;
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at < text.size();) {
        at = piece_end(text, at);
        ends.push_back(at);
    }
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::vector<Merge> result;
    if (merges == 0) return result;
    Corpus corpus(text);
    Merge merge;
    while (result.size() < merges && corpus.merge(static_cast<TokenId>(256 + result.size()), merge))
        result.push_back(merge);
    return result;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const std::size_t limit = 256 + r;
        const auto there = [&](TokenId id) { return id >= 0 && static_cast<std::size_t>(id) < limit; };
        if (!there(merges[r].left)) return Status::id_out_of_range(2 * r, merges[r].left, limit);
        if (!there(merges[r].right)) return Status::id_out_of_range(2 * r + 1, merges[r].right, limit);
    }
    std::unordered_set<std::uint64_t, KeyHash> pairs;
    pairs.reserve(merges.size());
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!pairs.insert(key_of(merges[r].left, merges[r].right)).second)
            return Status{Code::invalid_argument, r};
    std::unordered_set<std::string_view> known;
    for (std::size_t s = 0, begin = 0; s < ends.size(); begin = ends[s], ++s)
        if (ends[s] == begin || !known.insert(view(specials, begin, ends[s])).second)
            return Status{Code::invalid_argument, merges.size() + s};
    return {};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairTokenizer>(merges, specials, ends);
}

} // namespace exercise

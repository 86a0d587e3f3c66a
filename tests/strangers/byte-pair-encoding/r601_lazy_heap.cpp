// right: training keeps distinct pieces as linked lists with a heap of pairs that may be out of date; encoding scans short pieces and uses a heap for long ones; special tokens by the neighbour in a sorted list, again and again with what both have in common
#include "contract.h"

#include <algorithm>
#include <queue>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace exercise {

namespace {

using Key = std::uint64_t;
using Text = std::string_view;

Key key_of(TokenId left, TokenId right) {
    return static_cast<Key>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

Text text_of(Bytes bytes) {
    return bytes.empty() ? Text() : Text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::size_t ending(Bytes text, std::size_t at) {
    if (text[at] != '\'' || text.size() - at < 2) return 0;
    const std::uint8_t first = text[at + 1];
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
    if (text.size() - at < 3) return 0;
    const std::uint8_t second = text[at + 2];
    return ((first == 'r' || first == 'v') && second == 'e') || (first == 'l' && second == 'l') ? 3 : 0;
}

std::size_t piece_end(Bytes text, std::size_t at) {
    if (const std::size_t bytes = ending(text, at)) return at + bytes;
    std::size_t end = at + (text[at] == ' ');
    Char next = char_at(text, end);
    if (next.bytes != 0 && next.kind != CharClass::space) {
        const CharClass kind = next.kind;
        do {
            end += next.bytes;
            next = char_at(text, end);
        } while (next.bytes != 0 && next.kind == kind);
        return end;
    }
    std::size_t last = at;
    end = at;
    for (next = char_at(text, end); next.bytes != 0 && next.kind == CharClass::space; next = char_at(text, end)) {
        last = end;
        end += next.bytes;
    }
    return end == text.size() || last == at ? end : last;
}

constexpr std::uint32_t none = 0xFFFFFFFF;

struct Candidate {
    std::uint64_t count;
    TokenId left, right;

    /// Worse ones are less.
    bool operator<(const Candidate& other) const {
        return std::tuple(count, other.left, other.right) < std::tuple(other.count, left, right);
    }
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at < text.size();)
        ends.push_back(at = piece_end(text, at));
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::unordered_map<Text, std::uint64_t> distinct;
    std::size_t from = 0;
    for (const std::size_t end : split(text)) {
        ++distinct[text_of(text.subspan(from, end - from))];
        from = end;
    }
    std::vector<TokenId> token;
    std::vector<std::uint32_t> before, after;
    std::vector<std::uint64_t> weight;
    struct Pair {
        std::uint64_t count = 0;
        std::vector<std::uint32_t> places;
    };
    std::unordered_map<Key, Pair> pairs;
    for (const auto& [piece, count] : distinct)
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const auto at = static_cast<std::uint32_t>(token.size());
            token.push_back(static_cast<std::uint8_t>(piece[i]));
            before.push_back(i == 0 ? none : at - 1);
            after.push_back(i + 1 == piece.size() ? none : at + 1);
            weight.push_back(count);
            if (i > 0) {
                Pair& pair = pairs[key_of(token[at - 1], token[at])];
                pair.count += count;
                pair.places.push_back(at - 1);
            }
        }
    std::priority_queue<Candidate> heap;
    for (const auto& [key, pair] : pairs)
        heap.push({pair.count, static_cast<TokenId>(key >> 32), static_cast<TokenId>(key & none)});

    std::vector<Merge> made;
    while (made.size() < merges && !heap.empty()) {
        const Candidate best = heap.top();
        heap.pop();
        const auto found = pairs.find(key_of(best.left, best.right));
        if (found == pairs.end() || found->second.count == 0) continue;
        if (found->second.count != best.count) {
            heap.push({found->second.count, best.left, best.right});
            continue;
        }
        const auto fresh = static_cast<TokenId>(256 + made.size());
        made.push_back({best.left, best.right});
        const std::vector<std::uint32_t> places = std::move(found->second.places);
        std::vector<Key> grown;
        const auto lose = [&](std::uint32_t left, std::uint32_t right, std::uint64_t w) {
            pairs.find(key_of(token[left], token[right]))->second.count -= w;
        };
        const auto gain = [&](std::uint32_t left, std::uint32_t right, std::uint64_t w) {
            const Key key = key_of(token[left], token[right]);
            Pair& pair = pairs[key];
            pair.count += w;
            pair.places.push_back(left);
            grown.push_back(key);
        };
        for (const std::uint32_t i : places) {
            const std::uint32_t j = after[i];
            if (token[i] != best.left || j == none || token[j] != best.right) continue;
            const std::uint32_t p = before[i], n = after[j];
            const std::uint64_t w = weight[i];
            lose(i, j, w);
            if (p != none) lose(p, i, w);
            if (n != none) lose(j, n, w);
            token[i] = fresh;
            token[j] = -1; // gone
            after[i] = n;
            if (n != none) before[n] = i;
            if (p != none) gain(p, i, w);
            if (n != none) gain(i, n, w);
        }
        pairs.erase(key_of(best.left, best.right));
        std::sort(grown.begin(), grown.end());
        grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
        for (const Key key : grown)
            if (const auto it = pairs.find(key); it != pairs.end() && it->second.count > 0)
                heap.push({it->second.count, static_cast<TokenId>(key >> 32), static_cast<TokenId>(key & none)});
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const auto there = static_cast<std::int64_t>(256 + r);
        if (merges[r].left < 0 || merges[r].left >= there)
            return Status::id_out_of_range(2 * r, merges[r].left, 256 + r);
        if (merges[r].right < 0 || merges[r].right >= there)
            return Status::id_out_of_range(2 * r + 1, merges[r].right, 256 + r);
    }
    std::unordered_set<Key> seen;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!seen.insert(key_of(merges[r].left, merges[r].right)).second) return Status{Code::invalid_argument, r};
    std::unordered_set<Text> words;
    for (std::size_t s = 0, from = 0; s < ends.size(); from = ends[s++]) {
        const Text word = text_of(specials.subspan(from, ends[s] - from));
        if (word.empty() || !words.insert(word).second) return Status{Code::invalid_argument, merges.size() + s};
    }
    return {};
}

namespace {

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends) : merges_(merges.size()) {
        for (int b = 0; b < 256; ++b) {
            pool_.push_back(static_cast<std::uint8_t>(b));
            ends_.push_back(pool_.size());
        }
        rank_.reserve(merges.size());
        for (std::size_t r = 0; r < merges.size(); ++r) {
            rank_.emplace(key_of(merges[r].left, merges[r].right), static_cast<TokenId>(r));
            for (const TokenId part : {merges[r].left, merges[r].right}) {
                const auto [from, to] = bounds(static_cast<std::size_t>(part));
                for (std::size_t i = from; i < to; ++i)
                    pool_.push_back(pool_[i]);
            }
            ends_.push_back(pool_.size());
        }
        for (std::size_t s = 0, from = 0; s < ends.size(); from = ends[s++]) {
            pool_.insert(pool_.end(), specials.begin() + static_cast<std::ptrdiff_t>(from),
                         specials.begin() + static_cast<std::ptrdiff_t>(ends[s]));
            ends_.push_back(pool_.size());
            sorted_.push_back(static_cast<TokenId>(256 + merges_ + s));
        }
        std::sort(sorted_.begin(), sorted_.end(), [&](TokenId a, TokenId b) { return word(a) < word(b); });
    }

    std::size_t vocabulary() const override { return ends_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::size_t from = 0, at = 0;
        while (at < text.size()) {
            const TokenId special = sorted_.empty() ? -1 : special_at(text_of(text.subspan(at)));
            if (special < 0) {
                ++at;
                continue;
            }
            stretch(text.subspan(from, at - from), ids);
            ids.push_back(special);
            from = at += word(special).size();
        }
        stretch(text.subspan(from), ids);
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (known(id)) size += word(id).size();
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!known(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return Status{Code::shape_mismatch};
        std::size_t to = 0;
        for (const TokenId id : ids)
            for (const char c : word(id))
                out[to++] = static_cast<std::uint8_t>(c);
        return {};
    }

  private:
    bool known(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < ends_.size(); }
    std::pair<std::size_t, std::size_t> bounds(std::size_t id) const {
        return {id == 0 ? 0 : ends_[id - 1], ends_[id]};
    }
    Text word(TokenId id) const {
        const auto [from, to] = bounds(static_cast<std::size_t>(id));
        return Text(reinterpret_cast<const char*>(pool_.data()) + from, to - from);
    }

    /// The longest special token that `text` begins with, or -1.
    TokenId special_at(Text text) const {
        for (;;) {
            // Whatever the text begins with is its neighbour in the list, or a prefix of that too.
            const auto after = std::upper_bound(sorted_.begin(), sorted_.end(), text,
                                                [&](Text t, TokenId id) { return t < word(id); });
            if (after == sorted_.begin()) return -1;
            const Text near = word(*std::prev(after));
            const auto same = std::mismatch(near.begin(), near.end(), text.begin(), text.end()).first;
            if (same == near.end()) return *std::prev(after);
            text = text.substr(0, static_cast<std::size_t>(same - near.begin()));
        }
    }

    void stretch(Bytes text, std::vector<TokenId>& ids) const {
        std::size_t from = 0;
        for (const std::size_t end : split(text)) {
            const Bytes piece = text.subspan(from, end - from);
            piece.size() <= 24 ? scan(piece, ids) : queue(piece, ids);
            from = end;
        }
    }

    TokenId rank(TokenId left, TokenId right) const {
        const auto found = rank_.find(key_of(left, right));
        return found == rank_.end() ? -1 : found->second;
    }

    void scan(Bytes piece, std::vector<TokenId>& ids) const {
        std::vector<TokenId> tokens(piece.begin(), piece.end());
        while (tokens.size() > 1) {
            TokenId best = -1;
            std::size_t where = 0;
            for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
                if (const TokenId r = rank(tokens[i], tokens[i + 1]); r >= 0 && (best < 0 || r < best)) {
                    best = r;
                    where = i;
                }
            if (best < 0) break;
            tokens[where] = 256 + best;
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(where) + 1);
        }
        ids.insert(ids.end(), tokens.begin(), tokens.end());
    }

    void queue(Bytes piece, std::vector<TokenId>& ids) const {
        const std::size_t size = piece.size();
        std::vector<TokenId> tokens(piece.begin(), piece.end());
        std::vector<std::size_t> before(size), after(size);
        using Entry = std::pair<TokenId, std::size_t>; // rank, place
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
        const auto offer = [&](std::size_t i) {
            if (after[i] == size) return;
            if (const TokenId r = rank(tokens[i], tokens[after[i]]); r >= 0) heap.push({r, i});
        };
        for (std::size_t i = 0; i < size; ++i) {
            before[i] = i - 1;
            after[i] = i + 1;
        }
        for (std::size_t i = 0; i < size; ++i)
            offer(i);
        while (!heap.empty()) {
            const auto [r, i] = heap.top();
            heap.pop();
            if (tokens[i] < 0 || after[i] == size || rank(tokens[i], tokens[after[i]]) != r) continue;
            const std::size_t j = after[i];
            tokens[i] = 256 + r;
            tokens[j] = -1;
            after[i] = after[j];
            if (after[i] < size) before[after[i]] = i;
            offer(i);
            if (i > 0) offer(before[i]);
        }
        for (std::size_t i = 0; i < size; i = after[i])
            ids.push_back(tokens[i]);
    }

    std::size_t merges_;
    std::vector<std::uint8_t> pool_;
    std::vector<std::size_t> ends_;
    std::unordered_map<Key, TokenId> rank_;
    std::vector<TokenId> sorted_;
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

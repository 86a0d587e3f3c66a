// right: trains with lazy max-heap over deduplicated pieces in one flat linked list; encodes each distinct piece of a call once; specials found by prefix hashes
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace exercise {
namespace {

using Key = std::uint64_t;
using Text = std::string_view;

Key key_of(TokenId left, TokenId right) {
    return static_cast<Key>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

struct KeyHash {
    std::size_t operator()(Key k) const {
        k ^= k >> 31;
        k *= 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>(k ^ (k >> 29));
    }
};

Text as_text(Bytes bytes) {
    if (bytes.empty()) return {};
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The length of the ending ('s and so on) at `at`, or 0.
std::size_t ending(Bytes text, std::size_t at) {
    if (text[at] != '\'') return 0;
    const std::size_t left = text.size() - at;
    if (left < 2) return 0;
    const char a = static_cast<char>(text[at + 1]);
    if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
    if (left < 3) return 0;
    const char b = static_cast<char>(text[at + 2]);
    if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l')) return 3;
    return 0;
}

std::size_t piece_end(Bytes text, std::size_t at) {
    if (const std::size_t bytes = ending(text, at)) return at + bytes;
    const Char first = char_at(text, at);
    std::size_t end = at;
    CharClass kind = first.kind;
    if (text[at] == ' ') {
        const Char second = char_at(text, at + 1);
        if (second.bytes != 0 && second.kind != CharClass::space) {
            kind = second.kind;
            ++end;
        }
    }
    if (kind != CharClass::space) {
        for (Char c = char_at(text, end); c.bytes != 0 && c.kind == kind; c = char_at(text, end))
            end += c.bytes;
        return end;
    }
    std::size_t last = at;
    Char c = first;
    while (c.bytes != 0 && c.kind == CharClass::space) {
        last = end;
        end += c.bytes;
        c = char_at(text, end);
    }
    return c.bytes == 0 || last == at ? end : last;
}

constexpr std::uint32_t none = 0xFFFFFFFFu;

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
    std::vector<Merge> made;
    if (merges == 0) return made;

    std::unordered_map<Text, std::size_t> pieces;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = piece_end(text, at);
        if (end - at > 1) ++pieces[as_text(text.subspan(at, end - at))];
        at = end;
    }

    std::vector<TokenId> token;
    std::vector<std::uint32_t> before, after, word;
    std::vector<std::size_t> times;
    struct Pair {
        std::size_t count = 0;
        std::vector<std::uint32_t> places;
    };
    std::unordered_map<Key, Pair, KeyHash> pairs;
    for (const auto& [piece, count] : pieces) {
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const auto here = static_cast<std::uint32_t>(token.size());
            token.push_back(static_cast<std::uint8_t>(piece[i]));
            before.push_back(i == 0 ? none : here - 1);
            after.push_back(i + 1 == piece.size() ? none : here + 1);
            word.push_back(static_cast<std::uint32_t>(times.size()));
        }
        times.push_back(count);
    }
    for (std::uint32_t p = 0; p < token.size(); ++p) {
        if (after[p] == none) continue;
        Pair& pair = pairs[key_of(token[p], token[after[p]])];
        pair.count += times[word[p]];
        pair.places.push_back(p);
    }

    // The most frequent first; of equals the smallest key.
    using Entry = std::pair<std::size_t, Key>;
    const auto worse = [](const Entry& x, const Entry& y) {
        return x.first != y.first ? x.first < y.first : x.second > y.second;
    };
    std::priority_queue<Entry, std::vector<Entry>, decltype(worse)> queue(worse);
    for (const auto& [key, pair] : pairs)
        queue.emplace(pair.count, key);

    std::vector<Key> fresh;
    while (made.size() < merges && !queue.empty()) {
        const auto [count, key] = queue.top();
        queue.pop();
        const auto found = pairs.find(key);
        if (found == pairs.end()) continue;
        if (found->second.count != count) { // it has become rarer since
            if (found->second.count != 0)
                queue.emplace(found->second.count, key);
            else
                pairs.erase(found);
            continue;
        }
        const auto left = static_cast<TokenId>(key >> 32), right = static_cast<TokenId>(key & none);
        const auto result = static_cast<TokenId>(256 + made.size());
        made.push_back({left, right});
        std::vector<std::uint32_t> places = std::move(found->second.places);
        pairs.erase(found);
        std::sort(places.begin(), places.end());
        fresh.clear();
        for (const std::uint32_t p : places) {
            if (token[p] != left || after[p] == none || token[after[p]] != right) continue;
            const std::uint32_t q = after[p], prev = before[p], next = after[q];
            const std::size_t weight = times[word[p]];
            const auto drop = [&](TokenId a, TokenId b) {
                const auto it = pairs.find(key_of(a, b));
                if (it != pairs.end()) it->second.count -= weight;
            };
            if (prev != none) drop(token[prev], left);
            if (next != none) drop(right, token[next]);
            token[p] = result;
            token[q] = -1;
            after[p] = next;
            if (next != none) before[next] = p;
            const auto add = [&](TokenId a, TokenId b, std::uint32_t place) {
                Pair& pair = pairs[key_of(a, b)];
                if (pair.places.empty()) fresh.push_back(key_of(a, b));
                pair.count += weight;
                pair.places.push_back(place);
            };
            if (prev != none) add(token[prev], result, prev);
            if (next != none) add(result, token[next], p);
        }
        for (const Key k : fresh) {
            const auto it = pairs.find(k);
            if (it->second.count != 0)
                queue.emplace(it->second.count, k);
            else
                pairs.erase(it); // came and went, as in a run of one byte
        }
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const auto limit = static_cast<std::int64_t>(256 + r);
        if (merges[r].left < 0 || merges[r].left >= limit)
            return Status::id_out_of_range(2 * r, merges[r].left, 256 + r);
        if (merges[r].right < 0 || merges[r].right >= limit)
            return Status::id_out_of_range(2 * r + 1, merges[r].right, 256 + r);
    }
    std::unordered_set<Key, KeyHash> seen;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!seen.insert(key_of(merges[r].left, merges[r].right)).second)
            return {Code::invalid_argument, r, 0, 0};
    std::unordered_set<Text> names;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::size_t bytes = ends[s] - begin;
        if (bytes == 0 || !names.insert(as_text(specials.subspan(begin, bytes))).second)
            return {Code::invalid_argument, merges.size() + s, 0, 0};
        begin = ends[s];
    }
    return {};
}

namespace {

// Polynomials modulo 2^61 - 1: the hash of any stretch of a text from those of its beginnings.
constexpr std::uint64_t prime = (1ull << 61) - 1;
constexpr std::uint64_t base = 0x123456789ABCDEull;

std::uint64_t times_mod(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    std::uint64_t sum = static_cast<std::uint64_t>(product & prime) + static_cast<std::uint64_t>(product >> 61);
    return sum >= prime ? sum - prime : sum;
}
std::uint64_t step(std::uint64_t hash, std::uint8_t byte) {
    const std::uint64_t sum = times_mod(hash, base) + byte + 1;
    return sum >= prime ? sum - prime : sum;
}

class HeapTokenizer final : public Tokenizer {
  public:
    HeapTokenizer(std::span<const Merge> merges, Bytes specials, Ends ends)
        : merges_(merges.begin(), merges.end()) {
        begin_.reserve(257 + merges.size() + ends.size());
        begin_.push_back(0);
        for (int b = 0; b < 256; ++b) {
            pool_.push_back(static_cast<std::uint8_t>(b));
            begin_.push_back(pool_.size());
        }
        rank_.reserve(merges.size());
        for (std::size_t r = 0; r < merges_.size(); ++r) {
            rank_.emplace(key_of(merges_[r].left, merges_[r].right), static_cast<TokenId>(r));
            append(merges_[r].left);
            append(merges_[r].right);
            begin_.push_back(pool_.size());
        }
        for (const std::uint8_t byte : specials)
            pool_.push_back(byte);
        const std::size_t origin = begin_.back();
        std::size_t from = 0;
        for (const std::size_t end : ends) {
            begin_.push_back(origin + end);
            Group* group = nullptr;
            for (Group& each : groups_)
                if (each.length == end - from) group = &each;
            if (group == nullptr) {
                groups_.push_back({end - from, 1, {}});
                group = &groups_.back();
                for (std::size_t i = 0; i < end - from; ++i)
                    group->power = times_mod(group->power, base);
            }
            std::uint64_t hash = 0;
            for (std::size_t i = from; i < end; ++i)
                hash = step(hash, specials[i]);
            group->members[hash].push_back(static_cast<TokenId>(begin_.size() - 2));
            starts_[specials[from]] = true;
            from = end;
        }
        std::sort(groups_.begin(), groups_.end(),
                  [](const Group& a, const Group& b) { return a.length > b.length; });
    }

    std::size_t vocabulary() const override { return begin_.size() - 1; }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        Memo memo;
        std::size_t from = 0;
        if (!groups_.empty() && !text.empty()) {
            std::vector<std::uint64_t> hashes(text.size() + 1);
            for (std::size_t i = 0; i < text.size(); ++i)
                hashes[i + 1] = step(hashes[i], text[i]);
            for (std::size_t at = 0; at < text.size();) {
                const TokenId special = starts_[text[at]] ? special_at(text, hashes, at) : -1;
                if (special < 0) {
                    ++at;
                    continue;
                }
                stretch(text.subspan(from, at - from), memo, out);
                out.push_back(special);
                at += length(special);
                from = at;
            }
        }
        stretch(text.subspan(from), memo, out);
        return out;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t total = 0;
        for (const TokenId id : ids)
            if (valid(id)) total += length(id);
        return total;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!valid(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return {Code::shape_mismatch, 0, 0, 0};
        std::size_t at = 0;
        for (const TokenId id : ids) {
            std::memcpy(out.data() + at, pool_.data() + begin_[static_cast<std::size_t>(id)], length(id));
            at += length(id);
        }
        return {};
    }

  private:
    struct Group { // the special tokens of one length
        std::size_t length;
        std::uint64_t power;
        std::unordered_map<std::uint64_t, std::vector<TokenId>> members;
    };
    using Memo = std::unordered_map<Text, std::pair<std::size_t, std::size_t>>; // where in the output

    bool valid(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < vocabulary(); }
    std::size_t length(TokenId id) const {
        return begin_[static_cast<std::size_t>(id) + 1] - begin_[static_cast<std::size_t>(id)];
    }
    void append(TokenId id) {
        const std::size_t from = begin_[static_cast<std::size_t>(id)], to = from + length(id);
        for (std::size_t i = from; i < to; ++i) {
            const std::uint8_t byte = pool_[i];
            pool_.push_back(byte);
        }
    }

    TokenId special_at(Bytes text, const std::vector<std::uint64_t>& hashes, std::size_t at) const {
        for (const Group& group : groups_) {
            if (group.length > text.size() - at) continue;
            const std::uint64_t hash =
                (hashes[at + group.length] + prime - times_mod(hashes[at], group.power)) % prime;
            const auto found = group.members.find(hash);
            if (found == group.members.end()) continue;
            for (const TokenId id : found->second)
                if (std::memcmp(pool_.data() + begin_[static_cast<std::size_t>(id)], text.data() + at,
                                group.length) == 0)
                    return id;
        }
        return -1;
    }

    void stretch(Bytes text, Memo& memo, std::vector<TokenId>& out) const {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = piece_end(text, at);
            const Bytes piece = text.subspan(at, end - at);
            at = end;
            const auto [known, is_new] = memo.try_emplace(as_text(piece), out.size(), 0);
            if (!is_new) {
                const auto [from, count] = known->second;
                for (std::size_t i = 0; i < count; ++i) {
                    const TokenId id = out[from + i];
                    out.push_back(id);
                }
                continue;
            }
            encode_piece(piece, out);
            known->second.second = out.size() - known->second.first;
        }
    }

    void encode_piece(Bytes piece, std::vector<TokenId>& out) const {
        const std::size_t n = piece.size();
        std::vector<TokenId> token(piece.begin(), piece.end());
        std::vector<std::size_t> before(n), after(n); // n stands for nothing
        for (std::size_t i = 0; i < n; ++i) {
            before[i] = i == 0 ? n : i - 1;
            after[i] = i + 1;
        }
        using Place = std::pair<TokenId, std::size_t>;
        std::priority_queue<Place, std::vector<Place>, std::greater<>> queue;
        const auto offer = [&](std::size_t p) {
            if (after[p] == n) return;
            const auto found = rank_.find(key_of(token[p], token[after[p]]));
            if (found != rank_.end()) queue.emplace(found->second, p);
        };
        for (std::size_t i = 0; i < n; ++i)
            offer(i);
        while (!queue.empty()) {
            const auto [rank, p] = queue.top();
            queue.pop();
            const Merge merge = merges_[static_cast<std::size_t>(rank)];
            if (token[p] != merge.left || after[p] == n || token[after[p]] != merge.right) continue;
            const std::size_t q = after[p];
            token[p] = 256 + rank;
            token[q] = -1;
            after[p] = after[q];
            if (after[p] != n) before[after[p]] = p;
            offer(p);
            if (before[p] != n) offer(before[p]);
        }
        for (std::size_t p = 0; p != n; p = after[p])
            out.push_back(token[p]);
    }

    std::vector<Merge> merges_;
    std::unordered_map<Key, TokenId, KeyHash> rank_;
    std::vector<std::uint8_t> pool_;
    std::vector<std::size_t> begin_; // of each token in the pool, and the end
    std::vector<Group> groups_;
    bool starts_[256] = {};
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<HeapTokenizer>(merges, specials, ends);
}

} // namespace exercise

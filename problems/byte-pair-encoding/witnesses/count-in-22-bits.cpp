// Fault: train keeps pair counts in 22 bits, so a pair that occurs 2^22 times or more is merged too late.
// Origin: round 21
// Depth: thorough
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace exercise {
namespace {

std::string_view view(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t key_of(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
           static_cast<std::uint32_t>(right);
}

/// Where the piece ends that begins at `at`.
std::size_t piece_end(Bytes text, std::size_t at) {
    if (text[at] == '\'' && text.size() - at >= 2) {
        const std::uint8_t a = text[at + 1];
        if (a == 's' || a == 't' || a == 'm' || a == 'd') return at + 2;
        const std::uint8_t b = text.size() - at >= 3 ? text[at + 2] : 0;
        if (((a == 'r' || a == 'v') && b == 'e') || (a == 'l' && b == 'l')) return at + 3;
    }
    std::size_t end = text[at] == ' ' ? at + 1 : at;
    Char next = char_at(text, end);
    if (next.bytes > 0 && next.kind != CharClass::space) {
        const CharClass kind = next.kind;
        for (; next.bytes > 0 && next.kind == kind; next = char_at(text, end))
            end += next.bytes;
        return end;
    }
    std::size_t last = end = at;
    for (next = char_at(text, end); next.bytes > 0 && next.kind == CharClass::space;
         next = char_at(text, end)) {
        last = end;
        end += next.bytes;
    }
    return end == text.size() || last == at ? end : last;
}

/// How often the text has each of its pieces.
std::unordered_map<std::string_view, std::uint64_t> distinct_pieces(Bytes text) {
    std::unordered_map<std::string_view, std::uint64_t> counts;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = piece_end(text, at);
        ++counts[view(text.subspan(at, end - at))];
        at = end;
    }
    return counts;
}

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
    // Each distinct piece once, one after another, as a list that is linked within the piece.
    struct Node {
        TokenId token;
        std::uint32_t weight; // which piece
        std::size_t before, after;
    };
    struct Pair {
        std::uint64_t count = 0;
        std::vector<std::size_t> places;
    };
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<Node> nodes;
    std::vector<std::uint64_t> weights;
    for (const auto& [piece, count] : distinct_pieces(text)) {
        const std::size_t first = nodes.size();
        for (std::size_t i = 0; i < piece.size(); ++i)
            nodes.push_back({static_cast<std::uint8_t>(piece[i]), static_cast<std::uint32_t>(weights.size()),
                             i == 0 ? none : first + i - 1, i + 1 == piece.size() ? none : first + i + 1});
        weights.push_back(count);
    }
    std::unordered_map<std::uint64_t, Pair> pairs;
    const auto add = [&](std::size_t at) -> std::uint64_t {
        const Node& node = nodes[at];
        const std::uint64_t key = key_of(node.token, nodes[node.after].token);
        Pair& pair = pairs[key];
        pair.count += weights[node.weight];
        pair.places.push_back(at);
        return key;
    };
    const auto remove = [&](std::size_t at) {
        const Node& node = nodes[at];
        pairs[key_of(node.token, nodes[node.after].token)].count -= weights[node.weight];
    };
    for (std::size_t at = 0; at < nodes.size(); ++at)
        if (nodes[at].after != none) add(at);

    // A candidate in one number, so that the heap is fast: the count, then what prefers small tokens, left
    // before right.
    constexpr std::uint64_t low = (std::uint64_t{1} << 21) - 1;
    const auto entry_of = [](std::uint64_t count, std::uint64_t key) -> std::uint64_t {
        return count << 42 | (low - (key >> 32)) << 21 | (low - (key & 0xFFFF'FFFFU));
    };
    const auto key_in = [](std::uint64_t entry) -> std::uint64_t {
        return (low - (entry >> 21 & low)) << 32 | (low - (entry & low));
    };
    std::priority_queue<std::uint64_t> heap;
    for (const auto& [key, pair] : pairs)
        heap.push(entry_of(pair.count, key));

    std::vector<Merge> made;
    std::vector<std::uint64_t> touched;
    while (made.size() < merges && !heap.empty()) {
        const auto top = heap.top();
        heap.pop();
        const std::uint64_t key = key_in(top);
        const auto found = pairs.find(key);
        if (found == pairs.end() || found->second.count == 0) continue;
        if (top != entry_of(found->second.count, key)) { // it has become rarer
            heap.push(entry_of(found->second.count, key));
            continue;
        }
        const Merge merge{static_cast<TokenId>(key >> 32), static_cast<TokenId>(key & 0xFFFF'FFFFU)};
        const TokenId token = static_cast<TokenId>(256 + made.size());
        std::vector<std::size_t> places = std::move(found->second.places);
        std::sort(places.begin(), places.end());
        touched.clear();
        for (const std::size_t at : places) {
            Node& node = nodes[at];
            if (node.token != merge.left || node.after == none || nodes[node.after].token != merge.right)
                continue;
            const std::size_t gone = node.after;
            const std::size_t after = nodes[gone].after;
            remove(at);
            if (node.before != none) remove(node.before);
            if (after != none) remove(gone);
            node.token = token;
            node.after = after;
            nodes[gone].token = -1;
            nodes[gone].after = none;
            if (after != none) {
                nodes[after].before = at;
                touched.push_back(add(at));
            }
            if (node.before != none) touched.push_back(add(node.before));
        }
        pairs.erase(key);
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        for (const std::uint64_t each : touched) {
            const auto pair = pairs.find(each);
            if (pair != pairs.end() && pair->second.count > 0) heap.push(entry_of(pair->second.count, each));
        }
        made.push_back(merge);
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const std::int64_t limit = static_cast<std::int64_t>(256 + r);
        if (merges[r].left < 0 || merges[r].left >= limit)
            return Status::id_out_of_range(2 * r, merges[r].left, 256 + r);
        if (merges[r].right < 0 || merges[r].right >= limit)
            return Status::id_out_of_range(2 * r + 1, merges[r].right, 256 + r);
    }
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!seen.insert(key_of(merges[r].left, merges[r].right)).second) return {Code::invalid_argument, r};
    std::unordered_set<std::string_view> names;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::string_view name = view(specials.subspan(begin, ends[s] - begin));
        begin = ends[s];
        if (name.empty() || !names.insert(name).second) return {Code::invalid_argument, merges.size() + s};
    }
    return {};
}

namespace {

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends) : merges_(merges.size()) {
        begins_.reserve(257 + merges.size() + ends.size());
        for (unsigned byte = 0; byte < 256; ++byte) {
            begins_.push_back(bytes_.size());
            bytes_.push_back(static_cast<std::uint8_t>(byte));
        }
        begins_.push_back(bytes_.size());
        const auto append = [&](std::size_t token) {
            const std::size_t from = begins_[token];
            const std::size_t count = begins_[token + 1] - from;
            const std::size_t to = bytes_.size();
            bytes_.resize(to + count);
            std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(from), count,
                        bytes_.begin() + static_cast<std::ptrdiff_t>(to));
        };
        for (std::size_t r = 0; r < merges.size(); ++r) {
            ranks_.emplace(key_of(merges[r].left, merges[r].right), static_cast<std::uint32_t>(r));
            append(static_cast<std::size_t>(merges[r].left));
            append(static_cast<std::size_t>(merges[r].right));
            begins_.push_back(bytes_.size());
        }
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            const Bytes special = specials.subspan(begin, end - begin);
            bytes_.insert(bytes_.end(), special.begin(), special.end());
            begins_.push_back(bytes_.size());
            begin = end;
        }
        for (std::size_t s = 0; s < ends.size(); ++s)
            sorted_.push_back(256 + merges_ + s);
        std::sort(sorted_.begin(), sorted_.end(), [&](std::size_t a, std::size_t b) {
            const Bytes x = bytes(a), y = bytes(b);
            return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
        });
        for (unsigned byte = 0; byte <= 256; ++byte)
            first_[byte] = static_cast<std::size_t>(
                std::partition_point(sorted_.begin(), sorted_.end(),
                                     [&](std::size_t token) { return bytes(token)[0] < byte; }) -
                sorted_.begin());
    }

    std::size_t vocabulary() const override { return begins_.size() - 1; }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        std::size_t from = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t special = special_at(text, at);
            if (special == 0) {
                ++at;
                continue;
            }
            encode_stretch(text, from, at, out);
            out.push_back(static_cast<TokenId>(special));
            at += bytes(special).size();
            from = at;
        }
        encode_stretch(text, from, text.size(), out);
        return out;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (id >= 0 && static_cast<std::size_t>(id) < vocabulary())
                size += bytes(static_cast<std::size_t>(id)).size();
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= vocabulary())
                return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return {Code::shape_mismatch};
        std::uint8_t* to = out.data();
        for (const TokenId id : ids) {
            const Bytes from = bytes(static_cast<std::size_t>(id));
            to = std::copy(from.begin(), from.end(), to);
        }
        return {};
    }

  private:
    Bytes bytes(std::size_t token) const {
        return {bytes_.data() + begins_[token], begins_[token + 1] - begins_[token]};
    }

    /// The longest special token that begins at `at`, or 0.
    std::size_t special_at(Bytes text, std::size_t at) const {
        std::size_t low = first_[text[at]], high = first_[text[at] + 1U];
        std::size_t best = 0;
        for (std::size_t depth = 1; low < high; ++depth) {
            if (bytes(sorted_[low]).size() == depth) best = sorted_[low++]; // the shortest comes first
            if (at + depth == text.size()) break;
            const std::uint8_t next = text[at + depth];
            const auto begin = sorted_.begin() + static_cast<std::ptrdiff_t>(low);
            const auto end = sorted_.begin() + static_cast<std::ptrdiff_t>(high);
            const auto from = std::partition_point(
                begin, end, [&](std::size_t token) { return bytes(token)[depth] < next; });
            const auto to = std::partition_point(
                from, end, [&](std::size_t token) { return bytes(token)[depth] == next; });
            low = static_cast<std::size_t>(from - sorted_.begin());
            high = static_cast<std::size_t>(to - sorted_.begin());
        }
        return best;
    }

    /// Encodes the bytes from `from` to `to` as a text of their own.
    void encode_stretch(Bytes text, std::size_t from, std::size_t to, std::vector<TokenId>& out) const {
        const Bytes stretch = text.subspan(from, to - from);
        for (std::size_t at = 0; at < stretch.size();) {
            const std::size_t end = piece_end(stretch, at);
            encode_piece(stretch.subspan(at, end - at), out);
            at = end;
        }
    }

    static constexpr std::uint32_t no_rank = ~std::uint32_t{0};

    std::uint32_t rank(TokenId left, TokenId right) const {
        const auto found = ranks_.find(key_of(left, right));
        return found == ranks_.end() ? no_rank : found->second;
    }

    void encode_piece(Bytes piece, std::vector<TokenId>& out) const {
        constexpr std::size_t none = ~std::size_t{0};
        std::vector<TokenId> tokens(piece.begin(), piece.end());
        std::vector<std::size_t> before(piece.size()), after(piece.size());
        for (std::size_t i = 0; i < piece.size(); ++i) {
            before[i] = i == 0 ? none : static_cast<std::size_t>(i - 1);
            after[i] = i + 1 == piece.size() ? none : static_cast<std::size_t>(i + 1);
        }
        using Entry = std::pair<std::uint32_t, std::size_t>; // rank and place
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
        const auto offer = [&](std::size_t i) {
            if (after[i] == none) return;
            const std::uint32_t r = rank(tokens[i], tokens[after[i]]);
            if (r != no_rank) heap.push({r, i});
        };
        for (std::size_t i = 0; i < piece.size(); ++i)
            offer(i);
        while (!heap.empty()) {
            const auto [r, i] = heap.top();
            heap.pop();
            if (tokens[i] < 0 || after[i] == none || rank(tokens[i], tokens[after[i]]) != r) continue;
            const std::size_t gone = after[i];
            tokens[i] = static_cast<TokenId>(256 + r);
            tokens[gone] = -1;
            after[i] = after[gone];
            if (after[i] != none) before[after[i]] = static_cast<std::size_t>(i);
            offer(i);
            if (before[i] != none) offer(before[i]);
        }
        for (std::size_t i = 0; i != none; i = after[i])
            out.push_back(tokens[i]);
    }

    std::size_t merges_;
    std::vector<std::uint8_t> bytes_;  // of all tokens, one after another
    std::vector<std::size_t> begins_;  // of each token, and the end of the last
    std::unordered_map<std::uint64_t, std::uint32_t> ranks_;
    std::vector<std::size_t> sorted_;  // the special tokens by their bytes
    std::size_t first_[257] = {};      // the first of them whose first byte is not less
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

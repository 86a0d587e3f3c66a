// right: train ranks the pairs in an ordered set that is corrected after each merge; encode makes all merges of a rank before those of the next, without a heap; decode takes merges apart from the last byte to the first; special tokens are found by one binary search and a chain of shorter ones
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
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
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<TokenId> tokens;               // of the distinct pieces, one after another; -1: merged away
    std::vector<std::size_t> before, after;    // none at the ends of a piece
    std::vector<std::uint64_t> weight;         // how often the text has the piece
    for (const auto& [piece, count] : distinct_pieces(text))
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const std::size_t at = tokens.size();
            tokens.push_back(static_cast<std::uint8_t>(piece[i]));
            before.push_back(i == 0 ? none : at - 1);
            after.push_back(i + 1 == piece.size() ? none : at + 1);
            weight.push_back(count);
        }

    struct Pair {
        std::uint64_t count = 0;
        std::vector<std::size_t> places; // where it was seen, and may be no more
    };
    struct Rank { // the pair that comes most often first, then in the order of the tokens
        std::uint64_t count, key;
        bool operator<(const Rank& other) const {
            return count != other.count ? count > other.count : key < other.key;
        }
    };
    std::unordered_map<std::uint64_t, Pair> pairs;
    std::set<Rank> ranking;
    std::unordered_map<std::uint64_t, std::uint64_t> old; // counts that the ranking still has
    const auto change = [&](std::size_t at, bool appears) {
        const std::uint64_t key = key_of(tokens[at], tokens[after[at]]);
        Pair& pair = pairs[key];
        old.emplace(key, pair.count);
        if (appears) {
            pair.count += weight[at];
            pair.places.push_back(at);
        } else {
            pair.count -= weight[at];
        }
    };
    const auto rank_again = [&] {
        for (const auto& [key, count] : old) {
            const auto found = pairs.find(key);
            if (count > 0) ranking.erase({count, key});
            if (found->second.count > 0)
                ranking.insert({found->second.count, key});
            else
                pairs.erase(found);
        }
        old.clear();
    };
    for (std::size_t at = 0; at < tokens.size(); ++at)
        if (after[at] != none) change(at, true);
    rank_again();

    std::vector<Merge> made;
    while (made.size() < merges && !ranking.empty()) {
        const std::uint64_t key = ranking.begin()->key;
        const Merge merge{static_cast<TokenId>(key >> 32), static_cast<TokenId>(key & 0xFFFF'FFFFU)};
        const TokenId token = static_cast<TokenId>(256 + made.size());
        std::vector<std::size_t> places = std::move(pairs[key].places);
        std::sort(places.begin(), places.end());
        for (const std::size_t at : places) {
            if (tokens[at] != merge.left || after[at] == none || tokens[after[at]] != merge.right) continue;
            const std::size_t gone = after[at];
            const std::size_t then = after[gone];
            change(at, false);
            if (before[at] != none) change(before[at], false);
            if (then != none) change(gone, false);
            tokens[at] = token;
            tokens[gone] = -1;
            after[at] = then;
            after[gone] = none;
            if (then != none) {
                before[then] = at;
                change(at, true);
            }
            if (before[at] != none) change(before[at], true);
        }
        rank_again();
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
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends)
        : merges_(merges.begin(), merges.end()), specials_(specials.begin(), specials.end()) {
        sizes_.assign(256, 1);
        for (std::size_t r = 0; r < merges_.size(); ++r) {
            ranks_.emplace(key_of(merges_[r].left, merges_[r].right), static_cast<std::uint32_t>(r));
            sizes_.push_back(sizes_[static_cast<std::size_t>(merges_[r].left)] +
                             sizes_[static_cast<std::size_t>(merges_[r].right)]);
        }
        std::size_t begin = 0;
        for (std::size_t s = 0; s < ends.size(); ++s) {
            const std::size_t size = ends[s] - begin;
            begins_.push_back(begin);
            sizes_.push_back(size);
            sorted_.push_back(s);
            begin = ends[s];
        }
        std::sort(sorted_.begin(), sorted_.end(),
                  [&](std::size_t a, std::size_t b) { return special(a) < special(b); });
        // The special tokens that begin another one make a chain from the longest to the shortest.
        shorter_.assign(sorted_.size(), nothing);
        std::vector<std::size_t> open; // places in sorted_, each the beginning of the next
        for (std::size_t i = 0; i < sorted_.size(); ++i) {
            while (!open.empty() && !special(sorted_[i]).starts_with(special(sorted_[open.back()])))
                open.pop_back();
            if (!open.empty()) shorter_[i] = open.back();
            open.push_back(i);
        }
        for (const std::size_t s : sorted_)
            starts_[static_cast<std::uint8_t>(special(s)[0])] = true;
    }

    std::size_t vocabulary() const override { return sizes_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        std::size_t from = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t s = starts_[text[at]] ? special_at(view(text.subspan(at))) : nothing;
            if (s == nothing) {
                ++at;
                continue;
            }
            encode_stretch(text.subspan(from, at - from), out);
            out.push_back(static_cast<TokenId>(256 + merges_.size() + s));
            from = at += special(s).size();
        }
        encode_stretch(text.subspan(from), out);
        return out;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (id >= 0 && static_cast<std::size_t>(id) < sizes_.size())
                size += sizes_[static_cast<std::size_t>(id)];
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= sizes_.size())
                return Status::id_out_of_range(i, ids[i], sizes_.size());
        std::size_t at = decoded_size(ids);
        if (out.size() != at) return {Code::shape_mismatch};
        // From the last byte to the first: a merge is taken apart, its right token first.
        // A long token that was written already is copied.
        std::vector<std::size_t> todo;
        std::unordered_map<TokenId, std::size_t> written;
        for (std::size_t i = ids.size(); i-- > 0;) {
            const std::size_t size = sizes_[static_cast<std::size_t>(ids[i])];
            if (size >= 32) {
                const auto [found, first] = written.emplace(ids[i], at - size);
                if (!first) {
                    at -= size;
                    std::memcpy(out.data() + at, out.data() + found->second, size);
                    continue;
                }
            }
            todo.push_back(static_cast<std::size_t>(ids[i]));
            while (!todo.empty()) {
                const std::size_t token = todo.back();
                todo.pop_back();
                if (token < 256) {
                    out[--at] = static_cast<std::uint8_t>(token);
                } else if (token - 256 < merges_.size()) {
                    todo.push_back(static_cast<std::size_t>(merges_[token - 256].left));
                    todo.push_back(static_cast<std::size_t>(merges_[token - 256].right));
                } else {
                    const std::string_view bytes = special(token - 256 - merges_.size());
                    at -= bytes.size();
                    std::memcpy(out.data() + at, bytes.data(), bytes.size());
                }
            }
        }
        return {};
    }

  private:
    static constexpr std::size_t nothing = ~std::size_t{0};

    std::string_view special(std::size_t s) const {
        return view(Bytes(specials_)).substr(begins_[s], sizes_[256 + merges_.size() + s]);
    }

    /// The longest special token that the text begins with. All of them are beginnings of the text, so they
    /// are on the chain of the last one in the order that is not greater than the text.
    std::size_t special_at(std::string_view text) const {
        const auto after = std::partition_point(sorted_.begin(), sorted_.end(),
                                                [&](std::size_t s) { return special(s) <= text; });
        if (after == sorted_.begin()) return nothing;
        std::size_t i = static_cast<std::size_t>(after - sorted_.begin()) - 1;
        while (i != nothing && !text.starts_with(special(sorted_[i])))
            i = shorter_[i];
        return i == nothing ? nothing : sorted_[i];
    }

    void encode_stretch(Bytes stretch, std::vector<TokenId>& out) const {
        for (std::size_t at = 0; at < stretch.size();) {
            const std::size_t end = piece_end(stretch, at);
            encode_piece(stretch.subspan(at, end - at), out);
            at = end;
        }
    }

    /// Makes all merges of one rank, from left to right, then those of the next. What a merge makes is part
    /// of merges of higher ranks only, so none of a lower rank appears.
    void encode_piece(Bytes piece, std::vector<TokenId>& out) const {
        std::vector<TokenId> tokens(piece.begin(), piece.end());
        std::vector<std::size_t> before(piece.size()), after(piece.size());
        std::map<std::uint32_t, std::vector<std::size_t>> todo; // places by rank
        const auto offer = [&](std::size_t i) {
            const auto found = ranks_.find(key_of(tokens[i], tokens[after[i]]));
            if (found != ranks_.end()) todo[found->second].push_back(i);
        };
        for (std::size_t i = 0; i < piece.size(); ++i) {
            before[i] = i - 1; // nothing for 0
            after[i] = i + 1 == piece.size() ? nothing : i + 1;
        }
        for (std::size_t i = 0; i + 1 < piece.size(); ++i)
            offer(i);
        while (!todo.empty()) {
            const std::uint32_t rank = todo.begin()->first;
            std::vector<std::size_t> places = std::move(todo.begin()->second);
            todo.erase(todo.begin());
            std::sort(places.begin(), places.end());
            for (const std::size_t i : places) {
                const std::size_t gone = after[i];
                if (tokens[i] != merges_[rank].left || gone == nothing || tokens[gone] != merges_[rank].right)
                    continue;
                tokens[i] = static_cast<TokenId>(256 + rank);
                tokens[gone] = -1;
                after[i] = after[gone];
                after[gone] = nothing;
                if (after[i] != nothing) {
                    before[after[i]] = i;
                    offer(i);
                }
                if (before[i] != nothing) offer(before[i]);
            }
        }
        for (std::size_t i = 0; i != nothing; i = after[i])
            out.push_back(tokens[i]);
    }

    std::vector<Merge> merges_;
    std::vector<std::uint8_t> specials_;
    std::vector<std::size_t> begins_;  // of the special tokens in specials_
    std::vector<std::size_t> sizes_;   // of all tokens
    std::unordered_map<std::uint64_t, std::uint32_t> ranks_;
    std::vector<std::size_t> sorted_;  // the special tokens by their bytes
    std::vector<std::size_t> shorter_; // for each of these the longest other one that it begins with
    bool starts_[256] = {};
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

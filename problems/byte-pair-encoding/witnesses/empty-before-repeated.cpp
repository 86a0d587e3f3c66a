// Fault: validate looks for empty special tokens before repeated ones, so it may report the later mistake.
// Origin: round 16
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace exercise {

namespace {

constexpr std::uint32_t none = 0xFFFFFFFFU;

std::string_view as_string(Bytes bytes) {
    return bytes.empty() ? std::string_view{}
                         : std::string_view{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Where the piece ends that begins at `at`, which is inside the text.
std::size_t piece_end(Bytes text, std::size_t at) {
    const std::size_t left = text.size() - at;
    if (text[at] == '\'' && left > 1) {
        const std::uint8_t a = text[at + 1], b = left > 2 ? text[at + 2] : 0;
        if (a == 's' || a == 't' || a == 'm' || a == 'd') return at + 2;
        if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l')) return at + 3;
    }
    const std::size_t body = text[at] == ' ' ? at + 1 : at;
    Char c = char_at(text, body);
    if (c.bytes != 0 && c.kind != CharClass::space) {
        const CharClass kind = c.kind;
        std::size_t end = body;
        while (c.bytes != 0 && c.kind == kind) {
            end += c.bytes;
            c = char_at(text, end);
        }
        return end;
    }
    std::size_t end = at, last = at; // white space, and where its last character begins
    for (c = char_at(text, at); c.bytes != 0 && c.kind == CharClass::space; c = char_at(text, end)) {
        last = end;
        end += c.bytes;
    }
    return end == text.size() || last == at ? end : last;
}

Bytes part(Bytes all, Ends ends, std::size_t p) {
    const std::size_t begin = p == 0 ? 0 : ends[p - 1];
    return all.subspan(begin, ends[p] - begin);
}

std::uint64_t key_of(TokenId left, TokenId right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at < text.size();) ends.push_back(at = piece_end(text, at));
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    struct Pair {
        std::size_t count = 0;
        std::vector<std::uint32_t> places;
    };
    std::vector<Merge> result;

    // Each distinct piece once, with its count.
    std::vector<std::pair<Bytes, std::size_t>> words;
    {
        std::unordered_map<std::string_view, std::size_t> index;
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            const Bytes piece = text.subspan(begin, end - begin);
            begin = end;
            const auto [at, fresh] = index.try_emplace(as_string(piece), words.size());
            if (fresh) words.emplace_back(piece, 0);
            ++words[at->second].second;
        }
    }

    // All tokens in one array, linked within their word.
    std::vector<TokenId> token;
    std::vector<std::uint32_t> before, after, word;
    std::unordered_map<std::uint64_t, Pair> pairs;
    for (std::size_t w = 0; w < words.size(); ++w) {
        const Bytes piece = words[w].first;
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const auto place = static_cast<std::uint32_t>(token.size());
            token.push_back(piece[i]);
            word.push_back(static_cast<std::uint32_t>(w));
            before.push_back(i == 0 ? none : place - 1);
            after.push_back(i + 1 == piece.size() ? none : place + 1);
            if (i + 1 == piece.size()) continue;
            Pair& pair = pairs[key_of(piece[i], piece[i + 1])];
            pair.count += words[w].second;
            pair.places.push_back(place);
        }
    }

    using Candidate = std::pair<std::size_t, std::uint64_t>; // how often, what
    const auto later = [](const Candidate& a, const Candidate& b) {
        return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::priority_queue<Candidate, std::vector<Candidate>, decltype(later)> queue(later);
    for (const auto& [key, pair] : pairs) queue.emplace(pair.count, key);

    std::vector<std::uint64_t> fresh;
    while (result.size() < merges && !queue.empty()) {
        const auto [count, key] = queue.top();
        queue.pop();
        const auto found = pairs.find(key);
        if (found == pairs.end()) continue;
        if (found->second.count != count) { // it has become rarer since
            if (found->second.count != 0) queue.emplace(found->second.count, key);
            continue;
        }
        const auto left = static_cast<TokenId>(key >> 32), right = static_cast<TokenId>(key & 0xFFFFFFFFU);
        const auto made = static_cast<TokenId>(256 + result.size());
        result.push_back({left, right});
        const std::vector<std::uint32_t> places = std::move(found->second.places);
        pairs.erase(found);
        fresh.clear();
        const auto less = [&](TokenId a, TokenId b, std::size_t n) {
            const auto it = pairs.find(key_of(a, b));
            if (it != pairs.end()) it->second.count -= n;
        };
        const auto more = [&](TokenId a, TokenId b, std::size_t n, std::uint32_t place) {
            const auto [it, is_new] = pairs.try_emplace(key_of(a, b));
            if (is_new) fresh.push_back(it->first);
            it->second.count += n;
            it->second.places.push_back(place);
        };
        for (const std::uint32_t place : places) {
            const std::uint32_t next = after[place];
            if (token[place] != left || next == none || token[next] != right) continue;
            const std::size_t n = words[word[place]].second;
            const std::uint32_t previous = before[place], next_but_one = after[next];
            token[place] = made;
            token[next] = -1;
            after[place] = next_but_one;
            if (previous != none) {
                less(token[previous], left, n);
                more(token[previous], made, n, previous);
            }
            if (next_but_one != none) {
                before[next_but_one] = place;
                less(right, token[next_but_one], n);
                more(made, token[next_but_one], n, place);
            }
        }
        for (const std::uint64_t each : fresh) {
            const auto it = pairs.find(each);
            if (it->second.count == 0) pairs.erase(it);
            else queue.emplace(it->second.count, each);
        }
    }
    return result;
}

namespace {

// Finds the rank of a pair: the merges sorted by their left token, and by the right one among these.
class Ranks {
  public:
    // Every left token lies in [0, 256 + M).
    explicit Ranks(std::span<const Merge> merges) : first_(merges.size() + 257), entries_(merges.size()) {
        for (const Merge& each : merges) ++first_[static_cast<std::size_t>(each.left) + 1];
        for (std::size_t t = 1; t < first_.size(); ++t) first_[t] += first_[t - 1];
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t r = 0; r < merges.size(); ++r)
            entries_[next[static_cast<std::size_t>(merges[r].left)]++] = {merges[r].right,
                                                                           static_cast<std::uint32_t>(r)};
        for (std::size_t t = 0; t + 1 < first_.size(); ++t)
            std::sort(entries_.begin() + first_[t], entries_.begin() + first_[t + 1]);
    }

    // The smallest rank whose merge came before, or none.
    std::uint32_t repeated() const {
        std::uint32_t smallest = none;
        for (std::size_t t = 0; t + 1 < first_.size(); ++t)
            for (std::uint32_t e = first_[t] + 1; e < first_[t + 1]; ++e)
                if (entries_[e].first == entries_[e - 1].first) smallest = std::min(smallest, entries_[e].second);
        return smallest;
    }

    std::uint32_t operator()(TokenId left, TokenId right) const {
        const auto t = static_cast<std::size_t>(left);
        const auto end = entries_.begin() + first_[t + 1];
        const auto at = std::lower_bound(entries_.begin() + first_[t], end, std::pair{right, std::uint32_t{0}});
        return at != end && at->first == right ? at->second : none;
    }

  private:
    std::vector<std::uint32_t> first_;
    std::vector<std::pair<TokenId, std::uint32_t>> entries_;
};

} // namespace

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const auto limit = static_cast<std::int64_t>(256 + r);
        const std::int64_t left = merges[r].left, right = merges[r].right;
        if (left < 0 || left >= limit) return Status::id_out_of_range(2 * r, left, 256 + r);
        if (right < 0 || right >= limit) return Status::id_out_of_range(2 * r + 1, right, 256 + r);
    }
    const std::uint32_t repeated = Ranks(merges).repeated();
    if (repeated != none) return Status{Code::invalid_argument, repeated};

    for (std::size_t s = 0; s < ends.size(); ++s)
        if (part(specials, ends, s).empty()) return Status{Code::invalid_argument, merges.size() + s};
    std::unordered_set<std::string_view> seen;
    for (std::size_t s = 0; s < ends.size(); ++s)
        if (!seen.insert(as_string(part(specials, ends, s))).second)
            return Status{Code::invalid_argument, merges.size() + s};
    return Status{};
}

namespace {

// The special tokens in the order of their bytes.
class Specials {
  public:
    // None is empty, and no two are equal.
    Specials(Bytes specials, Ends ends) : all_(as_string(specials)) {
        for (std::size_t s = 0; s < ends.size(); ++s) {
            const std::size_t begin = s == 0 ? 0 : ends[s - 1];
            order_.push_back({begin, ends[s] - begin, s});
        }
        std::sort(order_.begin(), order_.end(),
                  [this](const Special& a, const Special& b) { return bytes(a) < bytes(b); });
        for (const Special& each : order_) ++first_[static_cast<std::uint8_t>(all_[each.begin]) + 1U];
        for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
    }

    bool empty() const { return order_.empty(); }

    struct Match {
        std::size_t number = 0;
        std::size_t size = 0; // 0: there is none
    };

    // The longest one that begins at text[at].
    Match longest(Bytes text, std::size_t at) const {
        Match best;
        std::size_t low = first_[text[at]], high = first_[text[at] + 1U];
        for (std::size_t depth = 1; low < high; ++depth) {
            // Those in [low, high) have their first `depth` bytes in common with the text.
            if (high - low == 1) {
                const Special& only = order_[low];
                if (only.size <= text.size() - at && as_string(text.subspan(at, only.size)) == bytes(only))
                    best = {only.number, only.size};
                break;
            }
            if (order_[low].size == depth) {
                best = {order_[low].number, depth};
                ++low;
            }
            if (text.size() - at <= depth) break;
            const std::uint8_t b = text[at + depth];
            const auto byte = [&](const Special& s) { return static_cast<std::uint8_t>(all_[s.begin + depth]); };
            const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(low);
            const auto end = order_.begin() + static_cast<std::ptrdiff_t>(high);
            const auto from = std::partition_point(begin, end, [&](const Special& s) { return byte(s) < b; });
            const auto to = std::partition_point(from, end, [&](const Special& s) { return byte(s) == b; });
            low = static_cast<std::size_t>(from - order_.begin());
            high = static_cast<std::size_t>(to - order_.begin());
        }
        return best;
    }

  private:
    struct Special {
        std::size_t begin, size, number;
    };
    std::string_view bytes(const Special& s) const { return std::string_view(all_).substr(s.begin, s.size); }

    std::string all_;
    std::vector<Special> order_;
    std::array<std::size_t, 257> first_{};
};

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends)
        : merges_(merges.size()), ranks_(merges), specials_(specials, ends) {
        begin_.reserve(257 + merges.size() + ends.size());
        begin_.push_back(0);
        for (std::size_t b = 0; b < 256; ++b) {
            pool_.push_back(static_cast<std::uint8_t>(b));
            begin_.push_back(pool_.size());
        }
        for (const Merge& each : merges) {
            for (const TokenId half : {each.left, each.right}) {
                const std::size_t t = static_cast<std::size_t>(half), old = pool_.size();
                pool_.resize(old + length(t));
                std::memcpy(pool_.data() + old, pool_.data() + begin_[t], length(t));
            }
            begin_.push_back(pool_.size());
        }
        for (std::size_t s = 0; s < ends.size(); ++s) {
            const Bytes bytes = part(specials, ends, s);
            pool_.insert(pool_.end(), bytes.begin(), bytes.end());
            begin_.push_back(pool_.size());
        }
    }

    std::size_t vocabulary() const override { return begin_.size() - 1; }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size() && !specials_.empty();) {
            const auto match = specials_.longest(text, at);
            if (match.size == 0) {
                ++at;
                continue;
            }
            stretch(text, begin, at, ids);
            ids.push_back(static_cast<TokenId>(256 + merges_ + match.number));
            begin = at += match.size;
        }
        stretch(text, begin, text.size(), ids);
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t total = 0;
        for (const TokenId id : ids)
            if (is_token(id)) total += length(static_cast<std::size_t>(id));
        return total;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!is_token(ids[i])) return Status::id_out_of_range(i, ids[i], begin_.size() - 1);
        if (out.size() != decoded_size(ids)) return Status{Code::shape_mismatch};
        std::size_t at = 0;
        for (const TokenId id : ids) {
            const auto t = static_cast<std::size_t>(id);
            std::memcpy(out.data() + at, pool_.data() + begin_[t], length(t));
            at += length(t);
        }
        return Status{};
    }

  private:
    bool is_token(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < begin_.size() - 1; }
    std::size_t length(std::size_t t) const { return begin_[t + 1] - begin_[t]; }

    // What lies between special tokens is a text of its own.
    void stretch(Bytes whole, std::size_t begin, std::size_t end, std::vector<TokenId>& ids) const {
        const Bytes text = whole.first(end);
        while (begin < end) {
            const std::size_t stop = piece_end(text, begin);
            piece(text.subspan(begin, stop - begin), ids);
            begin = stop;
        }
    }

    void piece(Bytes bytes, std::vector<TokenId>& ids) const {
        merge(bytes, ids);
    }

    void merge(Bytes bytes, std::vector<TokenId>& ids) const {
        const std::size_t n = bytes.size();
        if (n == 1) return ids.push_back(bytes[0]);
        std::vector<TokenId> token(bytes.begin(), bytes.end());
        std::vector<std::uint32_t> before(n), after(n);
        for (std::size_t i = 0; i < n; ++i) {
            before[i] = i == 0 ? none : static_cast<std::uint32_t>(i - 1);
            after[i] = i + 1 == n ? none : static_cast<std::uint32_t>(i + 1);
        }
        const auto rank_at = [&](std::uint32_t place) {
            if (token[place] < 0 || after[place] == none) return none;
            return ranks_(token[place], token[after[place]]);
        };
        using Step = std::pair<std::uint32_t, std::uint32_t>; // rank, place
        std::vector<Step> steps;
        for (std::uint32_t i = 0; i + 1 < n; ++i)
            if (const std::uint32_t rank = rank_at(i); rank != none) steps.emplace_back(rank, i);
        std::priority_queue<Step, std::vector<Step>, std::greater<>> queue(std::greater<>{}, std::move(steps));
        while (!queue.empty()) {
            const auto [rank, place] = queue.top();
            queue.pop();
            if (rank_at(place) != rank) continue; // other tokens by now
            const std::uint32_t next = after[place];
            token[place] = static_cast<TokenId>(256 + rank);
            token[next] = -1;
            after[place] = after[next];
            if (after[place] != none) before[after[place]] = place;
            if (const std::uint32_t r = rank_at(place); r != none) queue.emplace(r, place);
            if (before[place] == none) continue;
            if (const std::uint32_t r = rank_at(before[place]); r != none) queue.emplace(r, before[place]);
        }
        for (std::uint32_t i = 0; i != none; i = after[i]) ids.push_back(token[i]);
    }

    std::size_t merges_;
    Ranks ranks_;
    Specials specials_;
    std::vector<std::uint8_t> pool_; // the bytes of all tokens, one after another
    std::vector<std::size_t> begin_; // where those of each token begin
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends) != Status{}) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

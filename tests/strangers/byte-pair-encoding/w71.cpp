// wrong: train stops as soon as the most frequent pair comes only once, so it returns fewer merges than asked for although pieces with two tokens are left (the worked example with M = 5 gives 3 merges).
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace exercise {
namespace {

using u64 = std::uint64_t;

u64 pack(TokenId left, TokenId right) {
    return static_cast<u64>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

std::size_t run_of(Bytes text, std::size_t at, CharClass kind) {
    for (;;) {
        const Char c = char_at(text, at);
        if (c.bytes == 0 || c.kind != kind) return at;
        at += c.bytes;
    }
}

std::size_t piece_end(Bytes text, std::size_t at) {
    if (text[at] == '\'') {
        for (std::string_view s : {"s", "t", "re", "ve", "m", "ll", "d"})
            if (text.size() - at - 1 >= s.size() && std::memcmp(text.data() + at + 1, s.data(), s.size()) == 0)
                return at + 1 + s.size();
    }
    const std::size_t from = at + (text[at] == ' ' ? 1 : 0);
    Char c = char_at(text, from);
    if (c.bytes != 0 && c.kind != CharClass::space) return run_of(text, from, c.kind);
    std::size_t end = at, last = at;
    while ((c = char_at(text, end)).bytes != 0 && c.kind == CharClass::space) {
        last = end;
        end += c.bytes;
    }
    if (end < text.size() && last > at) return last;
    return end;
}

std::string_view chars(Bytes text) {
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

struct Candidate {
    u64 count;
    TokenId left, right;
    bool operator<(const Candidate& o) const { // the greatest is the next merge
        if (count != o.count) return count < o.count;
        return std::tie(left, right) > std::tie(o.left, o.right);
    }
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
    constexpr std::size_t none = ~std::size_t{0};
    std::unordered_map<std::string_view, u64> pieces;
    {
        const std::string_view all = chars(text);
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            ++pieces[all.substr(begin, end - begin)];
            begin = end;
        }
    }
    std::vector<TokenId> token;
    std::vector<std::size_t> prev, next;
    std::vector<u64> weight;
    for (const auto& [piece, times] : pieces) {
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const std::size_t at = token.size();
            token.push_back(static_cast<std::uint8_t>(piece[i]));
            prev.push_back(i == 0 ? none : at - 1);
            next.push_back(i + 1 == piece.size() ? none : at + 1);
            weight.push_back(times);
        }
    }
    std::unordered_map<u64, u64> counts;
    std::unordered_map<u64, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (next[i] == none) continue;
        const u64 k = pack(token[i], token[next[i]]);
        counts[k] += weight[i];
        places[k].push_back(i);
    }
    std::priority_queue<Candidate> queue;
    const auto push = [&](u64 k, u64 n) {
        queue.push({n, static_cast<TokenId>(k >> 32), static_cast<TokenId>(k & 0xFFFFFFFFu)});
    };
    for (const auto& [k, n] : counts)
        push(k, n);
    std::vector<Merge> found;
    while (found.size() < merges && !queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        const u64 k = pack(best.left, best.right);
        const u64 now = counts[k];
        if (now != best.count) {
            if (now > 0) push(k, now);
            continue;
        }
        if (now < 2) break; // nothing repeats any more: a merge would not compress
        const TokenId made = static_cast<TokenId>(256 + found.size());
        found.push_back({best.left, best.right});
        std::vector<std::size_t> where = std::move(places[k]);
        places.erase(k);
        std::sort(where.begin(), where.end());
        std::unordered_set<u64> fresh;
        for (const std::size_t i : where) {
            if (token[i] != best.left) continue;
            const std::size_t j = next[i];
            if (j == none || token[j] != best.right) continue;
            const std::size_t p = prev[i], n = next[j];
            const u64 w = weight[i];
            counts[k] -= w;
            if (p != none) counts[pack(token[p], token[i])] -= w;
            if (n != none) counts[pack(token[j], token[n])] -= w;
            token[i] = made;
            token[j] = -1;
            next[i] = n;
            if (n != none) prev[n] = i;
            if (p != none) {
                const u64 q = pack(token[p], made);
                counts[q] += w;
                places[q].push_back(p);
                fresh.insert(q);
            }
            if (n != none) {
                const u64 q = pack(made, token[n]);
                counts[q] += w;
                places[q].push_back(i);
                fresh.insert(q);
            }
        }
        for (const u64 q : fresh)
            push(q, counts[q]);
    }
    return found;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const std::int64_t limit = static_cast<std::int64_t>(256 + r);
        if (merges[r].left < 0 || merges[r].left >= limit)
            return Status::id_out_of_range(2 * r, merges[r].left, 256 + r);
        if (merges[r].right < 0 || merges[r].right >= limit)
            return Status::id_out_of_range(2 * r + 1, merges[r].right, 256 + r);
    }
    std::unordered_set<u64> seen;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!seen.insert(pack(merges[r].left, merges[r].right)).second) return {Code::invalid_argument, r};
    std::unordered_set<std::string_view> words;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::string_view word = chars(specials).substr(begin, ends[s] - begin);
        if (word.empty() || !words.insert(word).second) return {Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return {};
}

namespace {

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends)
        : merges_(merges.begin(), merges.end()), text_(specials.begin(), specials.end()),
          by_first_(256) {
        sizes_.assign(256, 1);
        for (std::size_t r = 0; r < merges_.size(); ++r) {
            rank_[pack(merges_[r].left, merges_[r].right)] = r;
            sizes_.push_back(sizes_[merges_[r].left] + sizes_[merges_[r].right]);
        }
        std::size_t begin = 0;
        for (std::size_t s = 0; s < ends.size(); ++s) {
            begins_.push_back(begin);
            sizes_.push_back(ends[s] - begin);
            by_first_[text_[begin]].push_back(s);
            begin = ends[s];
        }
        for (auto& list : by_first_)
            std::stable_sort(list.begin(), list.end(),
                             [&](std::size_t a, std::size_t b) { return size_of(a) > size_of(b); });
    }

    std::size_t vocabulary() const override { return sizes_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t s = special_at(text, at);
            if (s == none) {
                ++at;
                continue;
            }
            stretch(text.subspan(begin, at - begin), out);
            out.push_back(static_cast<TokenId>(256 + merges_.size() + s));
            at += size_of(s);
            begin = at;
        }
        stretch(text.subspan(begin), out);
        return out;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t total = 0;
        for (const TokenId id : ids)
            if (known(id)) total += sizes_[id];
        return total;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!known(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return {Code::shape_mismatch};
        std::size_t at = 0;
        std::vector<TokenId> stack;
        for (const TokenId id : ids) {
            stack.push_back(id);
            while (!stack.empty()) {
                const std::size_t t = static_cast<std::size_t>(stack.back());
                stack.pop_back();
                if (t < 256) {
                    out[at++] = static_cast<std::uint8_t>(t);
                } else if (t < 256 + merges_.size()) {
                    stack.push_back(merges_[t - 256].right);
                    stack.push_back(merges_[t - 256].left);
                } else {
                    const std::size_t s = t - 256 - merges_.size();
                    std::memcpy(out.data() + at, text_.data() + begins_[s], size_of(s));
                    at += size_of(s);
                }
            }
        }
        return {};
    }

  private:
    static constexpr std::size_t none = ~std::size_t{0};

    bool known(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < sizes_.size(); }
    std::size_t size_of(std::size_t s) const { return sizes_[256 + merges_.size() + s]; }

    std::size_t special_at(Bytes text, std::size_t at) const {
        for (const std::size_t s : by_first_[text[at]])
            if (size_of(s) <= text.size() - at &&
                std::memcmp(text.data() + at, text_.data() + begins_[s], size_of(s)) == 0)
                return s;
        return none;
    }

    void stretch(Bytes text, std::vector<TokenId>& out) const {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = piece_end(text, at);
            piece(text.subspan(at, end - at), out);
            at = end;
        }
    }

    void piece(Bytes bytes, std::vector<TokenId>& out) const {
        const std::size_t n = bytes.size();
        std::vector<TokenId> token(bytes.begin(), bytes.end());
        std::vector<std::size_t> prev(n), next(n);
        using Item = std::pair<std::size_t, std::size_t>; // rank, place
        std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
        const auto offer = [&](std::size_t i) {
            if (next[i] >= n) return;
            const auto it = rank_.find(pack(token[i], token[next[i]]));
            if (it != rank_.end()) queue.push({it->second, i});
        };
        for (std::size_t i = 0; i < n; ++i) {
            prev[i] = i == 0 ? none : i - 1;
            next[i] = i + 1;
        }
        for (std::size_t i = 0; i < n; ++i)
            offer(i);
        while (!queue.empty()) {
            const auto [rank, i] = queue.top();
            queue.pop();
            if (token[i] != merges_[rank].left) continue;
            const std::size_t j = next[i];
            if (j >= n || token[j] != merges_[rank].right) continue;
            token[i] = static_cast<TokenId>(256 + rank);
            token[j] = -1;
            next[i] = next[j];
            if (next[i] < n) prev[next[i]] = i;
            if (prev[i] != none) offer(prev[i]);
            offer(i);
        }
        for (std::size_t i = 0; i < n; i = next[i])
            out.push_back(token[i]);
    }

    std::vector<Merge> merges_;
    std::vector<std::uint8_t> text_;
    std::vector<std::size_t> begins_;
    std::vector<std::size_t> sizes_;
    std::vector<std::vector<std::size_t>> by_first_;
    std::unordered_map<u64, std::size_t> rank_;
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

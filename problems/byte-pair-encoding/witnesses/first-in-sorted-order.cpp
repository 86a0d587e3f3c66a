// Fault: validate reports the repeated merge of the smallest pair instead of the first one in the list.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace exercise {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

std::uint64_t key_of(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

std::string_view view_of(Bytes bytes) {
    return bytes.empty() ? std::string_view() : std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Char next_char(Bytes text, std::size_t at) {
    return char_at(text, at);
}

/// The end of the characters of one kind from `at` on.
std::size_t run(Bytes text, std::size_t at, CharClass kind) {
    while (at < text.size()) {
        const Char c = next_char(text, at);
        if (c.kind != kind) break;
        at += c.bytes;
    }
    return at;
}

std::size_t piece_end(Bytes text, std::size_t at) {
    if (text[at] == '\'') {
        const std::string_view rest = view_of(text.subspan(at + 1, std::min<std::size_t>(2, text.size() - at - 1)));
        for (const std::string_view ending : {"s", "t", "re", "ve", "m", "ll", "d"})
            if (rest.starts_with(ending)) return at + 1 + ending.size();
    }
    const std::size_t word = at + (text[at] == ' ' ? 1 : 0);
    if (word < text.size()) {
        const CharClass kind = next_char(text, word).kind;
        if (kind != CharClass::space) return run(text, word, kind);
    }
    std::size_t end = at, last = at;
    while (end < text.size()) {
        const Char c = next_char(text, end);
        if (c.kind != CharClass::space) break;
        last = end;
        end += c.bytes;
    }
    return end < text.size() && last > at ? last : end;
}

/// Training on a list of places. Each distinct piece is there once; its weight says how often it comes.
class Trainer {
  public:
    explicit Trainer(Bytes text) {
        std::unordered_map<std::string_view, std::size_t> pieces;
        std::vector<std::pair<std::string_view, std::size_t>> distinct;
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            const std::string_view piece = view_of(text.subspan(begin, end - begin));
            const auto [found, is_new] = pieces.try_emplace(piece, distinct.size());
            if (is_new)
                distinct.emplace_back(piece, 1);
            else
                ++distinct[found->second].second;
            begin = end;
        }
        for (const auto& [piece, weight] : distinct)
            for (std::size_t i = 0; i < piece.size(); ++i) {
                const std::size_t at = token_.size();
                token_.push_back(static_cast<std::uint8_t>(piece[i]));
                weight_.push_back(weight);
                before_.push_back(i == 0 ? none : at - 1);
                after_.push_back(i + 1 == piece.size() ? none : at + 1);
            }
        for (std::size_t at = 0; at < token_.size(); ++at)
            if (after_[at] != none) add(at);
        for (const auto& [key, pair] : pairs_) queue_.push({pair.count, key});
    }

    bool next(Merge& merge, TokenId made) {
        while (!queue_.empty()) {
            const Candidate best = queue_.top();
            queue_.pop();
            Pair& pair = pairs_[best.key];
            if (pair.count != best.count) {
                if (pair.count > 0) queue_.push({pair.count, best.key});
                continue;
            }
            if (best.count == 0) continue;
            merge = {static_cast<TokenId>(best.key >> 32), static_cast<TokenId>(best.key & 0xFFFFFFFFu)};
            make(merge, made, best.key);
            return true;
        }
        return false;
    }

  private:
    struct Pair {
        std::size_t count = 0;
        std::vector<std::size_t> places; // some of them may be gone
    };
    struct Candidate {
        std::size_t count;
        std::uint64_t key;
        bool operator<(const Candidate& other) const { return count != other.count ? count < other.count : key > other.key; }
    };

    void add(std::size_t at) {
        Pair& pair = pairs_[key_of(token_[at], token_[after_[at]])];
        pair.count += weight_[at];
        pair.places.push_back(at);
    }
    void remove(std::size_t at) { pairs_[key_of(token_[at], token_[after_[at]])].count -= weight_[at]; }

    void make(const Merge& merge, TokenId made, std::uint64_t key) {
        std::vector<std::size_t> places = std::move(pairs_[key].places);
        std::sort(places.begin(), places.end());
        std::set<std::uint64_t> fresh;
        for (const std::size_t at : places) {
            if (token_[at] != merge.left) continue;
            const std::size_t right = after_[at];
            if (right == none || token_[right] != merge.right) continue;
            const std::size_t before = before_[at], after = after_[right];
            if (before != none) remove(before);
            remove(at);
            if (after != none) remove(right);
            token_[at] = made;
            token_[right] = -1;
            after_[at] = after;
            if (after != none) {
                before_[after] = at;
                add(at);
                fresh.insert(key_of(made, token_[after]));
            }
            if (before != none) {
                add(before);
                fresh.insert(key_of(token_[before], made));
            }
        }
        for (const std::uint64_t each : fresh)
            if (pairs_[each].count > 0) queue_.push({pairs_[each].count, each});
    }

    std::vector<TokenId> token_;
    std::vector<std::size_t> weight_, before_, after_;
    std::unordered_map<std::uint64_t, Pair> pairs_;
    std::priority_queue<Candidate> queue_;
};

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends) : merges_(merges.size()), specials_(ends.size()) {
        begins_.reserve(257 + merges.size() + ends.size());
        begins_.push_back(0);
        for (int b = 0; b < 256; ++b) {
            pool_.push_back(static_cast<std::uint8_t>(b));
            begins_.push_back(pool_.size());
        }
        ranks_.reserve(merges.size());
        for (std::size_t r = 0; r < merges.size(); ++r) {
            ranks_.emplace(key_of(merges[r].left, merges[r].right), static_cast<TokenId>(r));
            append(merges[r].left);
            append(merges[r].right);
            begins_.push_back(pool_.size());
        }
        std::size_t begin = 0;
        for (std::size_t s = 0; s < ends.size(); ++s) {
            pool_.insert(pool_.end(), specials.begin() + static_cast<std::ptrdiff_t>(begin),
                         specials.begin() + static_cast<std::ptrdiff_t>(ends[s]));
            begins_.push_back(pool_.size());
            begin = ends[s];
        }
        for (std::size_t s = 0; s < specials_; ++s) {
            const auto id = static_cast<TokenId>(256 + merges_ + s);
            by_first_[bytes_of(id)[0]].push_back(id);
        }
        for (auto& list : by_first_)
            std::stable_sort(list.begin(), list.end(),
                             [this](TokenId a, TokenId b) { return bytes_of(a).size() > bytes_of(b).size(); });
    }

    std::size_t vocabulary() const override { return 256 + merges_ + specials_; }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::size_t begin = 0, at = 0;
        while (at < text.size()) {
            const TokenId special = special_at(text, at);
            if (special < 0) {
                ++at;
                continue;
            }
            stretch(text.subspan(begin, at - begin), ids);
            ids.push_back(special);
            at += bytes_of(special).size();
            begin = at;
        }
        stretch(text.subspan(begin), ids);
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (known(id)) size += bytes_of(id).size();
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!known(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return Status{Code::shape_mismatch};
        std::size_t at = 0;
        for (const TokenId id : ids) {
            const Bytes bytes = bytes_of(id);
            std::memcpy(out.data() + at, bytes.data(), bytes.size());
            at += bytes.size();
        }
        return Status{};
    }

  private:
    bool known(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < vocabulary(); }

    Bytes bytes_of(TokenId id) const {
        const auto i = static_cast<std::size_t>(id);
        return Bytes(pool_.data() + begins_[i], begins_[i + 1] - begins_[i]);
    }

    void append(TokenId id) {
        const std::size_t first = begins_[static_cast<std::size_t>(id)], last = begins_[static_cast<std::size_t>(id) + 1];
        const std::size_t old = pool_.size();
        pool_.resize(old + (last - first));
        std::memcpy(pool_.data() + old, pool_.data() + first, last - first);
    }

    /// The longest special token that begins at `at`, or -1.
    TokenId special_at(Bytes text, std::size_t at) const {
        for (const TokenId id : by_first_[text[at]]) {
            const Bytes bytes = bytes_of(id);
            if (bytes.size() <= text.size() - at && std::memcmp(bytes.data(), text.data() + at, bytes.size()) == 0) return id;
        }
        return -1;
    }

    TokenId rank_of(TokenId left, TokenId right) const {
        const auto found = ranks_.find(key_of(left, right));
        return found == ranks_.end() ? -1 : found->second;
    }

    void stretch(Bytes text, std::vector<TokenId>& ids) const {
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            merge_piece(text.subspan(begin, end - begin), ids);
            begin = end;
        }
    }

    void merge_piece(Bytes piece, std::vector<TokenId>& ids) const {
        const std::size_t n = piece.size();
        std::vector<TokenId> token(piece.begin(), piece.end());
        std::vector<std::size_t> before(n), after(n);
        struct Possible {
            TokenId rank;
            std::size_t at;
            TokenId left, right;
            bool operator<(const Possible& other) const { return rank != other.rank ? rank > other.rank : at > other.at; }
        };
        std::priority_queue<Possible> queue;
        const auto offer = [&](std::size_t at) {
            if (at == none || after[at] == none) return;
            const TokenId rank = rank_of(token[at], token[after[at]]);
            if (rank >= 0) queue.push({rank, at, token[at], token[after[at]]});
        };
        for (std::size_t i = 0; i < n; ++i) {
            before[i] = i == 0 ? none : i - 1;
            after[i] = i + 1 == n ? none : i + 1;
        }
        for (std::size_t i = 0; i < n; ++i) offer(i);
        while (!queue.empty()) {
            const Possible best = queue.top();
            queue.pop();
            const std::size_t right = after[best.at];
            if (token[best.at] != best.left || right == none || token[right] != best.right) continue;
            token[best.at] = 256 + best.rank;
            token[right] = -1;
            after[best.at] = after[right];
            if (after[right] != none) before[after[right]] = best.at;
            offer(before[best.at]);
            offer(best.at);
        }
        for (std::size_t i = 0; i < n; ++i)
            if (token[i] >= 0) ids.push_back(token[i]);
    }

    std::size_t merges_, specials_;
    std::vector<std::uint8_t> pool_;  // the bytes of all tokens, one after another
    std::vector<std::size_t> begins_; // where those of each begin, and the end
    std::unordered_map<std::uint64_t, TokenId> ranks_;
    std::vector<TokenId> by_first_[256]; // special tokens by their first byte, the longest first
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
    std::vector<Merge> made;
    Trainer trainer(text);
    Merge merge;
    while (made.size() < merges && trainer.next(merge, static_cast<TokenId>(256 + made.size()))) made.push_back(merge);
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const std::size_t limit = 256 + r;
        const auto bad = [limit](TokenId id) { return id < 0 || static_cast<std::size_t>(id) >= limit; };
        if (bad(merges[r].left)) return Status::id_out_of_range(2 * r, merges[r].left, limit);
        if (bad(merges[r].right)) return Status::id_out_of_range(2 * r + 1, merges[r].right, limit);
    }
    std::vector<std::pair<std::uint64_t, std::size_t>> sorted(merges.size());
    for (std::size_t r = 0; r < merges.size(); ++r) sorted[r] = {key_of(merges[r].left, merges[r].right), r};
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i].first == sorted[i - 1].first) return Status{Code::invalid_argument, sorted[i].second};
    std::unordered_set<std::string_view> names;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::string_view name = view_of(specials.subspan(begin, ends[s] - begin));
        if (name.empty() || !names.insert(name).second) return Status{Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return Status{};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

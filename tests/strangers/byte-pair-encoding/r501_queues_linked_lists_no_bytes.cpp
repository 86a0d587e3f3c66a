// right: train and encode keep tokens in linked lists with priority queues of pairs; special tokens are found by narrowing a sorted list byte by byte; encode makes each distinct piece of a call only once; and a tokenizer stores no token's bytes, decode unfolds merges with a stack.
#include "contract.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace exercise {
namespace {

constexpr std::size_t none = ~std::size_t{0};
constexpr TokenId merged_away = -1;

std::string_view view(Bytes bytes) {
    return bytes.empty() ? std::string_view{}
                         : std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// --- splitting ---

/// Where the run of characters of one kind ends that begins at `at`.
std::size_t run_end(Bytes text, std::size_t at, CharClass kind) {
    for (Char c = char_at(text, at); c.bytes > 0 && c.kind == kind; c = char_at(text, at))
        at += c.bytes;
    return at;
}

std::size_t piece_end(Bytes text, std::size_t at) {
    static constexpr std::string_view endings[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    if (text[at] == '\'')
        for (const std::string_view ending : endings)
            if (view(text.subspan(at)).starts_with(ending)) return at + ending.size();
    const std::size_t word = at + (text[at] == ' ' ? 1 : 0);
    if (const Char c = char_at(text, word); c.bytes > 0 && c.kind != CharClass::space)
        return run_end(text, word, c.kind);
    const std::size_t end = run_end(text, at, CharClass::space);
    if (end == text.size()) return end;
    std::size_t last = at;
    for (std::size_t next = at; next < end; next += char_at(text, next).bytes)
        last = next;
    return last > at ? last : end;
}

/// Calls visit(piece) for the pieces of a text.
template <class Visit>
void for_each_piece(Bytes text, Visit visit) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = piece_end(text, at);
        visit(text.subspan(at, end - at));
        at = end;
    }
}

// --- pairs ---

std::uint64_t key_of(TokenId left, TokenId right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}
TokenId left_of(std::uint64_t key) {
    return static_cast<TokenId>(key >> 32);
}
TokenId right_of(std::uint64_t key) {
    return static_cast<TokenId>(key & 0xFFFFFFFF);
}

struct KeyHash {
    std::size_t operator()(std::uint64_t key) const {
        key *= 0x9E3779B97F4A7C15U;
        return key ^ key >> 29;
    }
};

/// Tokens with neighbours on both sides, of one piece or many.
struct Chain {
    std::vector<TokenId> token;
    std::vector<std::size_t> before;
    std::vector<std::size_t> after;

    void append(Bytes piece) {
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const std::size_t at = token.size();
            token.push_back(piece[i]);
            before.push_back(i == 0 ? none : at - 1);
            after.push_back(i + 1 == piece.size() ? none : at + 1);
        }
    }

    bool is_pair(std::size_t at, TokenId left, TokenId right) const {
        return token[at] == left && after[at] != none && token[after[at]] == right;
    }

    void merge(std::size_t at, TokenId made) {
        const std::size_t gone = after[at];
        token[at] = made;
        token[gone] = merged_away;
        after[at] = after[gone];
        if (after[at] != none) before[after[at]] = at;
    }
};

// --- training ---

class Trainer {
  public:
    explicit Trainer(Bytes text) {
        std::unordered_map<std::string_view, std::size_t> times;
        std::vector<Bytes> distinct;
        for_each_piece(text, [&](Bytes piece) {
            if (piece.size() >= 2 && ++times[view(piece)] == 1) distinct.push_back(piece);
        });
        for (const Bytes piece : distinct) {
            chain_.append(piece);
            weight_.resize(chain_.token.size(), times[view(piece)]);
        }
        for (std::size_t at = 0; at < chain_.token.size(); ++at)
            count(at);
        for (const auto& [key, pair] : pairs_)
            queue_.push({pair.times, key});
    }

    std::vector<Merge> run(std::size_t merges) {
        std::vector<Merge> made;
        while (made.size() < merges && !queue_.empty()) {
            const Entry best = queue_.top();
            queue_.pop();
            const auto found = pairs_.find(best.key);
            if (found == pairs_.end() || found->second.times == 0) continue;
            if (found->second.times != best.times) { // it has become rarer since
                queue_.push({found->second.times, best.key});
                continue;
            }
            const auto token = static_cast<TokenId>(256 + made.size());
            made.push_back({left_of(best.key), right_of(best.key)});
            std::vector<std::size_t> places = std::move(found->second.places);
            pairs_.erase(found);
            apply(made.back(), token, places);
        }
        return made;
    }

  private:
    struct Pair {
        std::size_t times = 0;
        std::vector<std::size_t> places; // where it is, or was
    };
    struct Entry {
        std::size_t times;
        std::uint64_t key;
        bool operator<(const Entry& other) const {
            return times != other.times ? times < other.times : key > other.key;
        }
    };

    std::uint64_t key_at(std::size_t at) const { return key_of(chain_.token[at], chain_.token[chain_.after[at]]); }

    void count(std::size_t at) {
        if (at == none || chain_.after[at] == none) return;
        Pair& pair = pairs_[key_at(at)];
        pair.times += weight_[at];
        pair.places.push_back(at);
    }
    void discount(std::size_t at) {
        if (at == none || chain_.after[at] == none) return;
        if (const auto found = pairs_.find(key_at(at)); found != pairs_.end()) found->second.times -= weight_[at];
    }

    void apply(const Merge& merge, TokenId made, std::vector<std::size_t>& places) {
        std::sort(places.begin(), places.end());
        std::vector<std::uint64_t> fresh;
        for (const std::size_t at : places) {
            if (!chain_.is_pair(at, merge.left, merge.right)) continue;
            const std::size_t before = chain_.before[at];
            discount(before);
            discount(chain_.after[at]);
            chain_.merge(at, made);
            count(before);
            count(at);
            if (before != none) fresh.push_back(key_at(before));
            if (chain_.after[at] != none) fresh.push_back(key_at(at));
        }
        std::sort(fresh.begin(), fresh.end());
        fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
        for (const std::uint64_t key : fresh)
            if (const std::size_t times = pairs_[key].times; times > 0) queue_.push({times, key});
    }

    Chain chain_;
    std::vector<std::size_t> weight_; // how often the piece of a place occurs
    std::unordered_map<std::uint64_t, Pair, KeyHash> pairs_;
    std::priority_queue<Entry> queue_;
};

// --- special tokens ---

/// Finds the longest special token that begins somewhere. A trie that is not stored: of the sorted special
/// tokens, those that agree with the text so far are neighbours.
class SortedSpecials {
  public:
    void insert(Bytes special, std::size_t number) {
        sorted_.push_back({special, number});
        first_[special[0]] = true;
    }
    void sort() {
        std::sort(sorted_.begin(), sorted_.end(),
                  [](const Entry& a, const Entry& b) { return view(a.bytes) < view(b.bytes); });
    }

    /// Its number and length; a length of 0 if there is none.
    std::pair<std::size_t, std::size_t> longest(Bytes text, std::size_t at) const {
        std::pair<std::size_t, std::size_t> best{0, 0};
        if (!first_[text[at]]) return best;
        std::span<const Entry> left = sorted_;
        for (std::size_t depth = 0; !left.empty() && at + depth < text.size();) {
            const std::uint8_t byte = text[at + depth];
            const auto from = std::partition_point(
                left.begin(), left.end(), [&](const Entry& entry) { return entry.bytes[depth] < byte; });
            const auto to = std::partition_point(
                from, left.end(), [&](const Entry& entry) { return entry.bytes[depth] == byte; });
            left = left.subspan(static_cast<std::size_t>(from - left.begin()), static_cast<std::size_t>(to - from));
            ++depth;
            // One that ends here comes before all that it is the beginning of.
            if (!left.empty() && left.front().bytes.size() == depth) {
                best = {left.front().number, depth};
                left = left.subspan(1);
            }
        }
        return best;
    }

  private:
    struct Entry {
        Bytes bytes;
        std::size_t number;
    };
    std::array<bool, 256> first_{};
    std::vector<Entry> sorted_;
};

// --- the tokenizer ---

class UnfoldingTokenizer final : public Tokenizer {
  public:
    UnfoldingTokenizer(std::span<const Merge> merges, Bytes specials, Ends ends)
        : merges_(merges.begin(), merges.end()), specials_(specials.begin(), specials.end()),
          ends_(ends.begin(), ends.end()), sizes_(256, 1) {
        ranks_.reserve(merges.size());
        for (std::size_t r = 0; r < merges_.size(); ++r) {
            ranks_.emplace(key_of(merges_[r].left, merges_[r].right), r);
            sizes_.push_back(sizes_[static_cast<std::size_t>(merges_[r].left)] +
                             sizes_[static_cast<std::size_t>(merges_[r].right)]);
        }
        for (std::size_t s = 0; s < ends_.size(); ++s) {
            sizes_.push_back(special(s).size());
            find_.insert(special(s), s);
        }
        find_.sort();
    }

    std::size_t vocabulary() const override { return sizes_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> tokens;
        Made made;
        std::size_t begin = 0; // of the stretch
        for (std::size_t at = 0; at < text.size();) {
            const auto [number, length] = find_.longest(text, at);
            if (length == 0) {
                ++at;
                continue;
            }
            encode_stretch(text.subspan(begin, at - begin), tokens, made);
            tokens.push_back(static_cast<TokenId>(256 + merges_.size() + number));
            begin = at += length;
        }
        encode_stretch(text.subspan(begin), tokens, made);
        return tokens;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t total = 0;
        for (const TokenId id : ids)
            if (known(id)) total += sizes_[static_cast<std::size_t>(id)];
        return total;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        const auto bad = std::find_if(ids.begin(), ids.end(), [this](TokenId id) { return !known(id); });
        if (bad != ids.end())
            return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, vocabulary());
        if (out.size() != decoded_size(ids)) return Status{Code::shape_mismatch};
        auto to = out.begin();
        std::vector<TokenId> open;
        for (const TokenId id : ids) {
            open.push_back(id);
            while (!open.empty()) {
                const auto token = static_cast<std::size_t>(open.back());
                open.pop_back();
                if (token < 256) {
                    *to++ = static_cast<std::uint8_t>(token);
                } else if (token < 256 + merges_.size()) {
                    open.push_back(merges_[token - 256].right);
                    open.push_back(merges_[token - 256].left);
                } else {
                    const Bytes bytes = special(token - 256 - merges_.size());
                    to = std::copy(bytes.begin(), bytes.end(), to);
                }
            }
        }
        return Status{};
    }

  private:
    /// Where the tokens of a piece are that has been encoded before: their first, and how many.
    using Made = std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>>;

    bool known(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < sizes_.size(); }

    Bytes special(std::size_t s) const {
        const std::size_t begin = s == 0 ? 0 : ends_[s - 1];
        return Bytes(specials_).subspan(begin, ends_[s] - begin);
    }

    void encode_stretch(Bytes stretch, std::vector<TokenId>& tokens, Made& made) const {
        for_each_piece(stretch, [&](Bytes piece) {
            if (piece.size() == 1) {
                tokens.push_back(piece[0]);
                return;
            }
            const auto [place, fresh] = made.try_emplace(view(piece));
            auto& [first, count] = place->second;
            if (fresh) {
                first = tokens.size();
                encode_piece(piece, tokens);
                count = tokens.size() - first;
            } else {
                for (std::size_t i = 0; i < count; ++i) {
                    const TokenId token = tokens[first + i];
                    tokens.push_back(token);
                }
            }
        });
    }

    void encode_piece(Bytes piece, std::vector<TokenId>& tokens) const {
        using Candidate = std::pair<std::size_t, std::size_t>; // rank and place, of which the smallest is next
        std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
        Chain chain;
        chain.append(piece);
        const auto consider = [&](std::size_t at) {
            if (at == none || chain.after[at] == none) return;
            const auto rank = ranks_.find(key_of(chain.token[at], chain.token[chain.after[at]]));
            if (rank != ranks_.end()) queue.emplace(rank->second, at);
        };
        for (std::size_t at = 0; at < piece.size(); ++at)
            consider(at);
        while (!queue.empty()) {
            const auto [rank, at] = queue.top();
            queue.pop();
            if (!chain.is_pair(at, merges_[rank].left, merges_[rank].right)) continue;
            chain.merge(at, static_cast<TokenId>(256 + rank));
            consider(chain.before[at]);
            consider(at);
        }
        for (std::size_t at = 0; at != none; at = chain.after[at])
            tokens.push_back(chain.token[at]);
    }

    std::vector<Merge> merges_;
    std::vector<std::uint8_t> specials_;
    std::vector<std::size_t> ends_;
    std::vector<std::size_t> sizes_; // of all tokens, in bytes
    std::unordered_map<std::uint64_t, std::size_t, KeyHash> ranks_;
    SortedSpecials find_; // shows parts of specials_
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    for_each_piece(text, [&](Bytes piece) { ends.push_back((ends.empty() ? 0 : ends.back()) + piece.size()); });
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    return Trainer(text).run(merges);
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const auto there = [r](TokenId id) { return id >= 0 && static_cast<std::size_t>(id) < 256 + r; };
        if (!there(merges[r].left)) return Status::id_out_of_range(2 * r, merges[r].left, 256 + r);
        if (!there(merges[r].right)) return Status::id_out_of_range(2 * r + 1, merges[r].right, 256 + r);
    }
    std::unordered_set<std::uint64_t, KeyHash> pairs;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!pairs.insert(key_of(merges[r].left, merges[r].right)).second)
            return Status{Code::invalid_argument, r};
    std::unordered_set<std::string_view> seen;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const Bytes special = specials.subspan(begin, ends[s] - begin);
        if (special.empty() || !seen.insert(view(special)).second)
            return Status{Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return Status{};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends) != Status{}) return nullptr;
    return std::make_unique<UnfoldingTokenizer>(merges, specials, ends);
}

} // namespace exercise

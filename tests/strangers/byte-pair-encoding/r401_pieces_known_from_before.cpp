// right: encode keeps, for one call only, where in its result the tokens of each different piece stand, and copies them; pieces are found by a small automaton; train keeps counts and places of all pairs and corrects them at each merge.
#include "contract.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace exercise {

namespace {

constexpr TokenId none = -1;
constexpr std::size_t nowhere = ~std::size_t{0};

std::uint64_t key_of(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

std::string_view chars(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Cuts a text character by character: each one either goes on with the piece or begins another.
class Splitter {
  public:
    explicit Splitter(Bytes text) : text_(text) {}

    /// Where the piece ends that begins at `at`.
    std::size_t end_from(std::size_t at) const {
        enum class State { begin, blank, run, space };
        State state = State::begin;
        CharClass kind = CharClass::other;
        if (text_[at] == '\'')
            if (const std::size_t bytes = ending(at); bytes > 0) return at + bytes;
        std::size_t end = at, last = at;
        for (Char next; (next = char_at(text_, end)).bytes > 0; last = end, end += next.bytes) {
            const bool space = next.kind == CharClass::space;
            if (state == State::begin) {
                state = text_[end] == ' ' ? State::blank : space ? State::space : State::run;
            } else if (state == State::blank) {
                state = space ? State::space : State::run;
            } else if (state == State::run ? next.kind != kind : !space) {
                break;
            }
            kind = next.kind;
        }
        // White space leaves its last character to what follows, unless it has no other.
        return state == State::space && end < text_.size() && last > at ? last : end;
    }

  private:
    /// Bytes of 's 't 're 've 'm 'll 'd at `at`, or 0.
    std::size_t ending(std::size_t at) const {
        const int first = at + 1 < text_.size() ? text_[at + 1] : 0;
        const int second = at + 2 < text_.size() ? text_[at + 2] : 0;
        switch (first) {
        case 's':
        case 't':
        case 'm':
        case 'd': return 2;
        case 'r':
        case 'v': return second == 'e' ? 3 : 0;
        case 'l': return second == 'l' ? 3 : 0;
        default: return 0;
        }
    }

    Bytes text_;
};

std::size_t piece_end(Bytes text, std::size_t at) {
    return Splitter(text).end_from(at);
}

/// The token of a merge of two neighbours, for every merge.
class Ranks {
  public:
    explicit Ranks(std::span<const Merge> merges) {
        for (std::size_t r = 0; r < merges.size(); ++r)
            ranks_.emplace(key_of(merges[r].left, merges[r].right), static_cast<TokenId>(r));
    }
    TokenId find(TokenId left, TokenId right) const {
        const auto found = ranks_.find(key_of(left, right));
        return found == ranks_.end() ? none : found->second;
    }

  private:
    std::unordered_map<std::uint64_t, TokenId> ranks_;
};

/// Special tokens by their bytes.
class Specials {
  public:
    void add(Bytes bytes, TokenId token) {
        std::size_t node = 0;
        for (const std::uint8_t byte : bytes) {
            const auto [child, fresh] = nodes_[node].next.emplace(byte, nodes_.size());
            node = child->second;
            if (fresh) nodes_.emplace_back();
        }
        nodes_[node].token = token;
    }

    struct Found {
        std::size_t begin = nowhere, end = nowhere;
        TokenId token = none;
    };

    /// The next special token of the text, from `at` on.
    Found find(Bytes text, std::size_t at) const {
        if (nodes_.size() > 1)
            for (; at < text.size(); ++at)
                if (const Found found = longest(text, at); found.token != none) return found;
        return {text.size(), text.size(), none};
    }

  private:
    Found longest(Bytes text, std::size_t begin) const {
        Found found;
        std::size_t node = 0;
        for (std::size_t end = begin; end < text.size(); ++end) {
            const auto child = nodes_[node].next.find(text[end]);
            if (child == nodes_[node].next.end()) break;
            node = child->second;
            if (nodes_[node].token != none) found = {begin, end + 1, nodes_[node].token};
        }
        return found;
    }

    struct Node {
        std::map<std::uint8_t, std::size_t> next;
        TokenId token = none;
    };
    std::vector<Node> nodes_ = std::vector<Node>(1);
};

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends) : ranks_(merges) {
        for (std::size_t b = 0; b < 256; ++b) {
            bytes_.push_back(static_cast<std::uint8_t>(b));
            ends_.push_back(bytes_.size());
        }
        for (const Merge& merge : merges) {
            for (const TokenId part : {merge.left, merge.right})
                for (std::size_t i = begin_of(part); i < ends_[static_cast<std::size_t>(part)]; ++i)
                    bytes_.push_back(std::uint8_t{bytes_[i]});
            ends_.push_back(bytes_.size());
        }
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            const Bytes special = specials.subspan(begin, end - begin);
            specials_.add(special, static_cast<TokenId>(ends_.size()));
            bytes_.insert(bytes_.end(), special.begin(), special.end());
            ends_.push_back(bytes_.size());
            begin = end;
        }
    }

    std::size_t vocabulary() const override { return ends_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> tokens;
        std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> known; // where in `tokens`
        for (std::size_t at = 0; at < text.size();) {
            const Specials::Found special = specials_.find(text, at);
            const Bytes stretch = text.subspan(at, special.begin - at);
            for (std::size_t begin = 0; begin < stretch.size();) {
                const std::size_t end = piece_end(stretch, begin);
                const Bytes piece = stretch.subspan(begin, end - begin);
                const auto [entry, fresh] = known.try_emplace(chars(piece));
                auto& [from, to] = entry->second;
                if (fresh) {
                    from = tokens.size();
                    encode_piece(piece, tokens);
                    to = tokens.size();
                } else {
                    for (std::size_t i = from; i < to; ++i)
                        tokens.push_back(TokenId{tokens[i]});
                }
                begin = end;
            }
            if (special.token != none) tokens.push_back(special.token);
            at = special.end;
        }
        return tokens;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            size += size_of(id);
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!known(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return {Code::shape_mismatch};
        auto to = out.begin();
        for (const TokenId id : ids)
            to = std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(begin_of(id)), size_of(id), to);
        return {};
    }

  private:
    bool known(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < ends_.size(); }
    std::size_t begin_of(TokenId id) const { return id == 0 ? 0 : ends_[static_cast<std::size_t>(id) - 1]; }
    std::size_t size_of(TokenId id) const {
        return known(id) ? ends_[static_cast<std::size_t>(id)] - begin_of(id) : 0;
    }

    void encode_piece(Bytes piece, std::vector<TokenId>& tokens) const {
        struct Part {
            TokenId token;
            std::size_t before, after;
        };
        std::vector<Part> parts(piece.size());
        for (std::size_t i = 0; i < piece.size(); ++i)
            parts[i] = {piece[i], i == 0 ? nowhere : i - 1, i + 1 == piece.size() ? nowhere : i + 1};

        // What may be merged: the lowest rank first, and then the first place.
        using Candidate = std::pair<TokenId, std::size_t>;
        std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
        const auto rank_at = [&](std::size_t i) {
            if (i == nowhere || parts[i].token == none || parts[i].after == nowhere) return none;
            return ranks_.find(parts[i].token, parts[parts[i].after].token);
        };
        const auto consider = [&](std::size_t i) {
            if (const TokenId rank = rank_at(i); rank != none) candidates.emplace(rank, i);
        };
        for (std::size_t i = 0; i + 1 < piece.size(); ++i)
            consider(i);
        while (!candidates.empty()) {
            const auto [rank, i] = candidates.top();
            candidates.pop();
            if (rank_at(i) != rank) continue; // a neighbour has changed since
            const std::size_t gone = parts[i].after;
            parts[i].token = 256 + rank;
            parts[i].after = parts[gone].after;
            parts[gone].token = none;
            if (parts[i].after != nowhere) parts[parts[i].after].before = i;
            consider(parts[i].before);
            consider(i);
        }
        for (std::size_t i = 0; i != nowhere; i = parts[i].after)
            tokens.push_back(parts[i].token);
    }

    Ranks ranks_;
    Specials specials_;
    std::vector<std::uint8_t> bytes_; ///< of all tokens
    std::vector<std::size_t> ends_;
};

/// Counts of pairs while a text is merged.
class Trainer {
  public:
    explicit Trainer(Bytes text) {
        std::unordered_map<std::string_view, std::uint64_t> pieces;
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            ++pieces[chars(text).substr(begin, end - begin)];
            begin = end;
        }
        for (const auto& [piece, times] : pieces)
            for (std::size_t i = 0; i < piece.size(); ++i) {
                const std::size_t at = parts_.size();
                parts_.push_back({static_cast<std::uint8_t>(piece[i]), i == 0 ? nowhere : at - 1,
                                  i + 1 == piece.size() ? nowhere : at + 1, times});
            }
        for (std::size_t at = 0; at < parts_.size(); ++at)
            if (parts_[at].after != nowhere) gain(at);
        push_changed();
    }

    bool next(Merge& merge) {
        while (!best_.empty()) {
            const Best best = best_.top();
            best_.pop();
            const std::uint64_t count = pairs_[key_of(best.left, best.right)].count;
            if (count == best.count) {
                merge = {best.left, best.right};
                return true;
            }
            if (count > 0) best_.push({count, best.left, best.right});
        }
        return false;
    }

    void make(const Merge& merge, TokenId token) {
        std::vector<std::size_t> places = std::move(pairs_[key_of(merge.left, merge.right)].places);
        std::sort(places.begin(), places.end());
        for (const std::size_t at : places) {
            Part& left = parts_[at];
            if (left.token != merge.left || left.after == nowhere || parts_[left.after].token != merge.right)
                continue;
            Part& right = parts_[left.after];
            if (left.before != nowhere) lose(left.before);
            lose(at);
            if (right.after != nowhere) lose(left.after);
            left.token = token;
            left.after = right.after;
            right.token = none;
            if (left.after != nowhere) parts_[left.after].before = at;
            if (left.before != nowhere) gain(left.before);
            if (left.after != nowhere) gain(at);
        }
        push_changed();
    }

  private:
    struct Part {
        TokenId token;
        std::size_t before, after;
        std::uint64_t times; ///< how often its piece comes
    };
    struct Pair {
        std::uint64_t count = 0;
        std::vector<std::size_t> places; ///< some may be out of date
    };
    struct Best {
        std::uint64_t count;
        TokenId left, right;
        bool operator<(const Best& other) const {
            return std::tuple(count, other.left, other.right) < std::tuple(other.count, left, right);
        }
    };

    std::uint64_t key_at(std::size_t at) const {
        return key_of(parts_[at].token, parts_[parts_[at].after].token);
    }
    void gain(std::size_t at) {
        const std::uint64_t key = key_at(at);
        Pair& pair = pairs_[key];
        pair.count += parts_[at].times;
        pair.places.push_back(at);
        changed_.insert(key);
    }
    void lose(std::size_t at) { pairs_[key_at(at)].count -= parts_[at].times; }
    void push_changed() {
        for (const std::uint64_t key : changed_)
            if (const std::uint64_t count = pairs_[key].count; count > 0)
                best_.push({count, static_cast<TokenId>(key >> 32), static_cast<TokenId>(key & 0xFFFFFFFF)});
        changed_.clear();
    }

    std::vector<Part> parts_;
    std::unordered_map<std::uint64_t, Pair> pairs_;
    std::unordered_set<std::uint64_t> changed_;
    std::priority_queue<Best> best_;
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
    if (merges == 0) return made;
    Trainer trainer(text);
    for (Merge merge; made.size() < merges && trainer.next(merge);) {
        trainer.make(merge, static_cast<TokenId>(256 + made.size()));
        made.push_back(merge);
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const auto there = [&](TokenId token) { return token >= 0 && static_cast<std::size_t>(token) < 256 + r; };
        if (!there(merges[r].left)) return Status::id_out_of_range(2 * r, merges[r].left, 256 + r);
        if (!there(merges[r].right)) return Status::id_out_of_range(2 * r + 1, merges[r].right, 256 + r);
    }
    std::unordered_set<std::uint64_t> pairs;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!pairs.insert(key_of(merges[r].left, merges[r].right)).second) return {Code::invalid_argument, r};
    std::set<std::string_view> strings;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::string_view special = chars(specials).substr(begin, ends[s] - begin);
        if (special.empty() || !strings.insert(special).second) return {Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return {};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

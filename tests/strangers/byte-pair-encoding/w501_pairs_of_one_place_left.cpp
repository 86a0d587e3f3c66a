// wrong: training ends when the best pair occurs only once, so a text without repeats, or more merges than it has repeats, gives too few of them; a right one goes on until M merges are made or no piece has two tokens.
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace exercise {
namespace {

std::string_view text_of(Bytes bytes) {
    if (bytes.empty()) return {};
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The length of 's, 't, 're, 've, 'm, 'll or 'd at the beginning of a text, or 0.
std::size_t contraction(Bytes text) {
    if (text.size() < 2 || text[0] != '\'') return 0;
    const std::uint8_t a = text[1];
    if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
    if (text.size() < 3) return 0;
    const std::uint8_t b = text[2];
    return (a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l') ? 3 : 0;
}

/// Where the piece ends that begins at `at`.
std::size_t end_of_piece(Bytes text, std::size_t at) {
    if (const std::size_t length = contraction(text.subspan(at)); length > 0) return at + length;

    std::size_t end = text[at] == ' ' ? at + 1 : at;
    const Char first = char_at(text, end);
    if (first.bytes > 0 && first.kind != CharClass::space) {
        for (Char c = first; c.bytes > 0 && c.kind == first.kind; c = char_at(text, end))
            end += c.bytes;
        return end;
    }

    end = at;
    std::size_t last = at; // where the last character of the white space begins
    for (Char c = char_at(text, end); c.bytes > 0 && c.kind == CharClass::space; c = char_at(text, end)) {
        last = end;
        end += c.bytes;
    }
    return end < text.size() && last > at ? last : end;
}

using Pair = std::pair<TokenId, TokenId>;

struct PairHash {
    std::size_t operator()(const Pair& pair) const {
        return (static_cast<std::size_t>(pair.first) << 32 ^ static_cast<std::size_t>(pair.second)) *
                   0x9E3779B97F4A7C15U >> 7;
    }
};

/// A distinct piece of the training text.
struct Word {
    std::vector<TokenId> tokens;
    std::int64_t times = 0;
};

/// The pairs of all words, with their counts and the words in which they may be.
class PairCounts {
  public:
    void add(const Word& word, std::size_t index, std::int64_t sign) {
        for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i) {
            const Pair pair{word.tokens[i], word.tokens[i + 1]};
            Entry& entry = entries_[pair];
            order_.erase({-entry.count, pair});
            entry.count += sign * word.times;
            if (entry.count > 0) order_.insert({-entry.count, pair});
            if (sign > 0 && (entry.words.empty() || entry.words.back() != index)) entry.words.push_back(index);
        }
    }
    bool empty() const { return order_.empty(); }
    Pair best() const { return order_.begin()->second; }
    std::int64_t best_count() const { return -order_.begin()->first; }
    std::vector<std::size_t> words_of(const Pair& pair) {
        std::vector<std::size_t> words = std::move(entries_[pair].words);
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        return words;
    }

  private:
    struct Entry {
        std::int64_t count = 0;
        std::vector<std::size_t> words;
    };
    std::unordered_map<Pair, Entry, PairHash> entries_;
    std::set<std::pair<std::int64_t, Pair>> order_; // the most frequent first, then the smallest
};

void merge_in(std::vector<TokenId>& tokens, const Pair& pair, TokenId made) {
    std::size_t to = 0;
    for (std::size_t from = 0; from < tokens.size(); ++to) {
        const bool here =
            from + 1 < tokens.size() && tokens[from] == pair.first && tokens[from + 1] == pair.second;
        tokens[to] = here ? made : tokens[from];
        from += here ? 2 : 1;
    }
    tokens.resize(to);
}

std::uint64_t packed(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

class Ranks {
  public:
    static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

    explicit Ranks(std::span<const Merge> merges) {
        for (std::size_t r = 0; r < merges.size(); ++r)
            ranks_[packed(merges[r].left, merges[r].right)] = r;
    }

    std::size_t of(TokenId left, TokenId right) const {
        const auto found = ranks_.find(packed(left, right));
        return found == ranks_.end() ? nothing : found->second;
    }

    /// The tokens of a piece: the places of possible merges wait in a queue, lowest rank first.
    std::vector<TokenId> encode(Bytes piece) const {
        struct Node {
            TokenId token;
            std::ptrdiff_t prev, next;
        };
        std::vector<Node> nodes(piece.size());
        const auto count = static_cast<std::ptrdiff_t>(piece.size());
        for (std::ptrdiff_t i = 0; i < count; ++i)
            nodes[static_cast<std::size_t>(i)] = {piece[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : -1};
        const auto node = [&](std::ptrdiff_t i) -> Node& { return nodes[static_cast<std::size_t>(i)]; };

        using Candidate = std::pair<std::size_t, std::ptrdiff_t>;
        std::priority_queue<Candidate, std::vector<Candidate>, std::greater<Candidate>> queue;
        const auto rank_at = [&](std::ptrdiff_t i) {
            if (i < 0 || node(i).token < 0 || node(i).next < 0) return nothing;
            return of(node(i).token, node(node(i).next).token);
        };
        const auto offer = [&](std::ptrdiff_t i) {
            if (const std::size_t rank = rank_at(i); rank != nothing) queue.push({rank, i});
        };
        for (std::ptrdiff_t i = 0; i < count; ++i)
            offer(i);
        while (!queue.empty()) {
            const auto [rank, i] = queue.top();
            queue.pop();
            if (rank_at(i) != rank) continue; // merged in the meantime
            const std::ptrdiff_t gone = node(i).next;
            node(i).token = static_cast<TokenId>(256 + rank);
            node(i).next = node(gone).next;
            node(gone).token = -1;
            if (node(i).next >= 0) node(node(i).next).prev = i;
            offer(node(i).prev);
            offer(i);
        }
        std::vector<TokenId> tokens;
        for (std::ptrdiff_t i = count > 0 ? 0 : -1; i >= 0; i = node(i).next)
            tokens.push_back(node(i).token);
        return tokens;
    }

  private:
    std::unordered_map<std::uint64_t, std::size_t> ranks_;
};

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends) : ranks_(merges), merges_(merges.size()) {
        for (int b = 0; b < 256; ++b)
            bytes_.emplace_back(1, static_cast<char>(b));
        for (const Merge& merge : merges)
            bytes_.push_back(bytes_[static_cast<std::size_t>(merge.left)] +
                             bytes_[static_cast<std::size_t>(merge.right)]);
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            bytes_.emplace_back(text_of(specials.subspan(begin, end - begin)));
            begin = end;
        }
        // Longer ones first, by their first byte.
        for (std::size_t s = 0; s < ends.size(); ++s) {
            const std::size_t token = 256 + merges_ + s;
            by_first_[static_cast<std::uint8_t>(bytes_[token][0])].push_back(token);
        }
        for (auto& tokens : by_first_)
            std::sort(tokens.begin(), tokens.end(),
                      [&](std::size_t a, std::size_t b) { return bytes_[a].size() > bytes_[b].size(); });
    }

    std::size_t vocabulary() const override { return bytes_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> tokens;
        std::size_t begin = 0;
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t special = special_at(text, at);
            if (special == 0) {
                ++at;
                continue;
            }
            encode_stretch(text.subspan(begin, at - begin), tokens);
            tokens.push_back(static_cast<TokenId>(special));
            at += bytes_[special].size();
            begin = at;
        }
        encode_stretch(text.subspan(begin), tokens);
        return tokens;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (exists(id)) size += bytes_[static_cast<std::size_t>(id)].size();
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!exists(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return Status{Code::shape_mismatch};
        std::size_t at = 0;
        for (const TokenId id : ids) {
            const std::string& bytes = bytes_[static_cast<std::size_t>(id)];
            std::memcpy(out.data() + at, bytes.data(), bytes.size());
            at += bytes.size();
        }
        return Status{};
    }

  private:
    bool exists(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < bytes_.size(); }

    /// The longest special token that begins at `at`, or 0.
    std::size_t special_at(Bytes text, std::size_t at) const {
        for (const std::size_t token : by_first_[text[at]])
            if (text_of(text.subspan(at)).starts_with(bytes_[token])) return token;
        return 0;
    }

    void encode_stretch(Bytes stretch, std::vector<TokenId>& tokens) const {
        for (std::size_t at = 0; at < stretch.size();) {
            const std::size_t end = end_of_piece(stretch, at);
            const std::vector<TokenId> piece = ranks_.encode(stretch.subspan(at, end - at));
            tokens.insert(tokens.end(), piece.begin(), piece.end());
            at = end;
        }
    }

    Ranks ranks_;
    std::size_t merges_; // M
    std::vector<std::string> bytes_;
    std::vector<std::size_t> by_first_[256];
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at < text.size(); at = ends.back())
        ends.push_back(end_of_piece(text, at));
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::unordered_map<std::string_view, std::size_t> numbers;
    std::vector<Word> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = end_of_piece(text, at);
        const Bytes piece = text.subspan(at, end - at);
        const auto [place, fresh] = numbers.try_emplace(text_of(piece), words.size());
        if (fresh) words.push_back({{piece.begin(), piece.end()}, 0});
        ++words[place->second].times;
        at = end;
    }
    PairCounts counts;
    for (std::size_t w = 0; w < words.size(); ++w)
        counts.add(words[w], w, 1);

    std::vector<Merge> made;
    while (made.size() < merges && !counts.empty()) {
        const Pair pair = counts.best();
        if (counts.best_count() < 2) break; // nothing that repeats is left
        const auto token = static_cast<TokenId>(256 + made.size());
        made.push_back({pair.first, pair.second});
        for (const std::size_t w : counts.words_of(pair)) {
            counts.add(words[w], w, -1);
            merge_in(words[w].tokens, pair, token);
            counts.add(words[w], w, 1);
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
    std::set<std::pair<TokenId, TokenId>> pairs;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!pairs.emplace(merges[r].left, merges[r].right).second) return Status{Code::invalid_argument, r};
    std::set<std::string_view> strings;
    for (std::size_t s = 0, begin = 0; s < ends.size(); begin = ends[s++]) {
        const std::string_view special = text_of(specials.subspan(begin, ends[s] - begin));
        if (special.empty() || !strings.insert(special).second)
            return Status{Code::invalid_argument, merges.size() + s};
    }
    return Status{};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

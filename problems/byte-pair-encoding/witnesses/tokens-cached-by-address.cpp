// Fault: encode caches tokens by the tokenizer's address, so a new tokenizer at the address of a destroyed one uses
//  the old merges.
// Origin: round 14
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

constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

std::uint64_t pair_key(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
           static_cast<std::uint32_t>(right);
}

std::string_view view(Bytes bytes) {
    return bytes.empty() ? std::string_view()
                         : std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// Bytes of one of 's 't 're 've 'm 'll 'd at a place, or 0.
std::size_t ending_at(Bytes text, std::size_t at) {
    for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
        if (view(text.subspan(at)).starts_with(ending)) return ending.size();
    return 0;
}

/// Where the piece ends that begins at a place of the text, which ends at text.size().
std::size_t piece_end(Bytes text, std::size_t begin) {
    if (const std::size_t ending = ending_at(text, begin); ending != 0) return begin + ending;
    std::size_t at = begin;
    if (text[at] == ' ') ++at;
    const Char first = char_at(text, at);
    if (first.bytes != 0 && first.kind != CharClass::space) {
        for (Char c = first; c.bytes != 0 && c.kind == first.kind; c = char_at(text, at))
            at += c.bytes;
        return at;
    }
    std::size_t last = begin; // where the last character of the run begins
    at = begin;
    for (Char c = char_at(text, at); c.bytes != 0 && c.kind == CharClass::space; c = char_at(text, at)) {
        last = at;
        at += c.bytes;
    }
    return at == text.size() || last == begin ? at : last;
}

/// A piece as tokens: a list in which neighbours are found through numbers.
struct Chain {
    std::vector<TokenId> token;
    std::vector<std::uint32_t> next, previous;

    void append(Bytes bytes) {
        const std::size_t begin = token.size();
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const auto place = static_cast<std::uint32_t>(begin + i);
            token.push_back(bytes[i]);
            next.push_back(i + 1 == bytes.size() ? none : place + 1);
            previous.push_back(i == 0 ? none : place - 1);
        }
    }

    /// Makes one token of the one at a place and the next.
    void join(std::uint32_t at, TokenId made) {
        const std::uint32_t gone = next[at];
        token[at] = made;
        token[gone] = -1;
        next[at] = next[gone];
        if (next[at] != none) previous[next[at]] = at;
    }

    bool is(std::uint32_t at, TokenId left, TokenId right) const {
        return token[at] == left && next[at] != none && token[next[at]] == right;
    }
};

class Training {
  public:
    explicit Training(Bytes text) {
        std::unordered_map<std::string_view, std::uint64_t> pieces;
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            ++pieces[view(text.subspan(begin, end - begin))];
            begin = end;
        }
        for (const auto& [piece, count] : pieces) {
            const auto first = static_cast<std::uint32_t>(chain_.token.size());
            chain_.append({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
            weight_.resize(chain_.token.size(), count);
            for (std::uint32_t at = first; chain_.next[at] != none; ++at)
                add(at);
        }
        offer();
    }

    /// Makes the next merge, if there is one.
    bool step(TokenId made, Merge& merge) {
        while (!best_.empty()) {
            const auto [count, left, right] = best_.top();
            Pair& pair = pairs_[pair_key(left, right)];
            if (count == pair.count) {
                merge = {left, right};
                make(made, merge, pair.places);
                return true;
            }
            best_.pop(); // counts of old pairs only fall
            if (pair.count > 0) best_.push({pair.count, left, right});
        }
        return false;
    }

  private:
    struct Pair {
        std::uint64_t count = 0;
        std::vector<std::uint32_t> places; // some may be out of date
    };
    struct Candidate {
        std::uint64_t count;
        TokenId left, right;
        bool operator<(const Candidate& other) const {
            return std::tie(count, other.left, other.right) < std::tie(other.count, left, right);
        }
    };

    void add(std::uint32_t at) {
        const TokenId left = chain_.token[at], right = chain_.token[chain_.next[at]];
        Pair& pair = pairs_[pair_key(left, right)];
        if (pair.places.empty()) fresh_.push_back({0, left, right});
        pair.count += weight_[at];
        pair.places.push_back(at);
    }

    void remove(std::uint32_t at) {
        pairs_[pair_key(chain_.token[at], chain_.token[chain_.next[at]])].count -= weight_[at];
    }

    void offer() {
        for (Candidate candidate : fresh_) {
            candidate.count = pairs_[pair_key(candidate.left, candidate.right)].count;
            if (candidate.count > 0) best_.push(candidate);
        }
        fresh_.clear();
    }

    void make(TokenId made, Merge merge, std::vector<std::uint32_t>& list) {
        std::vector<std::uint32_t> places;
        places.swap(list);
        std::sort(places.begin(), places.end());
        for (const std::uint32_t at : places) {
            if (!chain_.is(at, merge.left, merge.right)) continue;
            const std::uint32_t before = chain_.previous[at], right = chain_.next[at];
            if (before != none) remove(before);
            remove(at);
            if (chain_.next[right] != none) remove(right);
            chain_.join(at, made);
            if (before != none) add(before);
            if (chain_.next[at] != none) add(at);
        }
        offer();
    }

    Chain chain_;
    std::vector<std::uint64_t> weight_; // how often a place's piece comes
    std::unordered_map<std::uint64_t, Pair> pairs_;
    std::vector<Candidate> fresh_; // pairs that were not there before this merge
    std::priority_queue<Candidate> best_;
};

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends) {
        for (int byte = 0; byte < 256; ++byte) {
            bytes_.push_back(static_cast<char>(byte));
            end_.push_back(bytes_.size());
        }
        for (std::size_t r = 0; r < merges.size(); ++r) {
            const Merge merge = merges[r];
            bytes_ += std::string(token(merge.left));
            bytes_ += std::string(token(merge.right));
            end_.push_back(bytes_.size());
            rank_.emplace(pair_key(merge.left, merge.right), static_cast<TokenId>(256 + r));
        }
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            const std::string_view special = view(specials.subspan(begin, end - begin));
            special_.emplace(special, static_cast<TokenId>(end_.size()));
            lengths_[static_cast<unsigned char>(special[0])].insert(special.size());
            bytes_ += special;
            end_.push_back(bytes_.size());
            begin = end;
        }
    }

    std::size_t vocabulary() const override { return end_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::size_t stretch = 0;
        for (std::size_t at = 0; at < text.size();) {
            const auto [id, size] = special_at(text, at);
            if (size == 0) {
                ++at;
                continue;
            }
            encode_stretch(text, stretch, at, ids);
            ids.push_back(id);
            at += size;
            stretch = at;
        }
        encode_stretch(text, stretch, text.size(), ids);
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (known(id)) size += token(id).size();
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        std::size_t size = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (!known(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
            size += token(ids[i]).size();
        }
        if (out.size() != size) return {Code::shape_mismatch};
        auto to = out.begin();
        for (const TokenId id : ids)
            to = std::copy(token(id).begin(), token(id).end(), to);
        return {};
    }

  private:
    bool known(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < end_.size(); }

    std::string_view token(TokenId id) const {
        const std::size_t i = static_cast<std::size_t>(id), begin = i == 0 ? 0 : end_[i - 1];
        return std::string_view(bytes_).substr(begin, end_[i] - begin);
    }

    /// The longest special token that begins at a place, and its bytes; 0 bytes if none does.
    std::pair<TokenId, std::size_t> special_at(Bytes text, std::size_t at) const {
        const std::string_view rest = view(text.subspan(at));
        for (const std::size_t size : lengths_[text[at]]) {
            if (size > rest.size()) continue;
            const auto found = special_.find(std::string(rest.substr(0, size)));
            if (found != special_.end()) return {found->second, size};
        }
        return {0, 0};
    }

    void encode_stretch(Bytes text, std::size_t begin, std::size_t end, std::vector<TokenId>& ids) const {
        const Bytes stretch = text.subspan(begin, end - begin);
        for (std::size_t at = 0; at < stretch.size();) {
            const std::size_t next = piece_end(stretch, at);
            encode_piece(stretch.subspan(at, next - at), ids);
            at = next;
        }
    }

    /// What two neighbours become, or -1.
    TokenId made_of(TokenId left, TokenId right) const {
        const auto found = rank_.find(pair_key(left, right));
        return found == rank_.end() ? -1 : found->second;
    }

    /// Most pieces come many times.
    void encode_piece(Bytes piece, std::vector<TokenId>& ids) const {
        static std::unordered_map<const BytePairs*, std::unordered_map<std::string, std::vector<TokenId>>> known;
        if (piece.size() > 32) return merge_piece(piece, ids);
        const auto [place, fresh] = known[this].try_emplace(std::string(view(piece)));
        if (fresh) merge_piece(piece, place->second);
        ids.insert(ids.end(), place->second.begin(), place->second.end());
    }

    void merge_piece(Bytes piece, std::vector<TokenId>& ids) const {
        Chain chain;
        chain.append(piece);
        using Place = std::pair<TokenId, std::uint32_t>; // what is made, and where
        std::priority_queue<Place, std::vector<Place>, std::greater<>> places;
        const auto offer = [&](std::uint32_t at) {
            if (at == none || chain.next[at] == none) return;
            const TokenId made = made_of(chain.token[at], chain.token[chain.next[at]]);
            if (made >= 0) places.emplace(made, at);
        };
        for (std::uint32_t at = 0; at < piece.size(); ++at)
            offer(at);
        while (!places.empty()) {
            const auto [made, at] = places.top();
            places.pop();
            if (chain.token[at] < 0 || chain.next[at] == none ||
                made_of(chain.token[at], chain.token[chain.next[at]]) != made)
                continue; // out of date
            chain.join(at, made);
            offer(at);
            offer(chain.previous[at]);
        }
        for (std::uint32_t at = 0; at != none; at = chain.next[at])
            ids.push_back(chain.token[at]);
    }

    std::string bytes_;            // of all tokens
    std::vector<std::size_t> end_; // of each token in bytes_
    std::unordered_map<std::uint64_t, TokenId> rank_;
    std::unordered_map<std::string, TokenId> special_;
    std::set<std::size_t, std::greater<>> lengths_[256]; // of special tokens, by their first byte
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
    std::vector<Merge> list;
    if (merges == 0) return list;
    Training training(text);
    Merge merge;
    while (list.size() < merges && training.step(static_cast<TokenId>(256 + list.size()), merge))
        list.push_back(merge);
    return list;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const TokenId parts[] = {merges[r].left, merges[r].right};
        for (std::size_t side = 0; side < 2; ++side)
            if (parts[side] < 0 || static_cast<std::size_t>(parts[side]) >= 256 + r)
                return Status::id_out_of_range(2 * r + side, parts[side], 256 + r);
    }
    std::unordered_set<std::uint64_t> pairs;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!pairs.insert(pair_key(merges[r].left, merges[r].right)).second)
            return {Code::invalid_argument, r};
    std::unordered_set<std::string_view> seen;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::string_view special = view(specials.subspan(begin, ends[s] - begin));
        if (special.empty() || !seen.insert(special).second)
            return {Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return {};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return nullptr;
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

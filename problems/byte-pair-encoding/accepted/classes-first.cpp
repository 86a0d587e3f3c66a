// accepted: reads the classes of all bytes before it looks for pieces
#include "contract.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace exercise {
namespace {

using Pair = std::pair<TokenId, TokenId>;
using Piece = std::vector<TokenId>;

std::string_view as_string(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The bytes of each piece.
std::vector<Piece> pieces_of(Bytes text) {
    std::vector<Piece> pieces;
    std::size_t begin = 0;
    for (const std::size_t end : split(text)) {
        const Bytes piece = text.subspan(begin, end - begin);
        pieces.emplace_back(piece.begin(), piece.end());
        begin = end;
    }
    return pieces;
}

/// Makes a merge at every place of a piece, from left to right.
void apply(const Pair& merge, TokenId made, Piece& piece) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
        const bool fits = i + 1 < piece.size() && Pair(piece[i], piece[i + 1]) == merge;
        piece[kept++] = fits ? made : piece[i];
        if (fits) ++i;
    }
    piece.resize(kept);
}

class Ranked final : public Tokenizer {
  public:
    Ranked(std::span<const Merge> merges, Bytes specials, Ends ends) {
        for (std::size_t b = 0; b < 256; ++b)
            strings_.push_back({static_cast<std::uint8_t>(b)});
        for (const auto& [left, right] : merges) {
            ranks_[{left, right}] = static_cast<TokenId>(strings_.size());
            std::vector<std::uint8_t> both = string(left);
            both.insert(both.end(), string(right).begin(), string(right).end());
            strings_.push_back(std::move(both));
        }
        first_special_ = strings_.size();
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            const Bytes special = specials.subspan(begin, end - begin);
            strings_.emplace_back(special.begin(), special.end());
            begin = end;
        }
    }

    std::size_t vocabulary() const override { return strings_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::size_t begin = 0; // of what lies between two special tokens
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t special = special_at(text.subspan(at));
            if (special == vocabulary()) {
                ++at;
                continue;
            }
            encode_ordinary(text.subspan(begin, at - begin), ids);
            ids.push_back(static_cast<TokenId>(special));
            at += strings_[special].size();
            begin = at;
        }
        encode_ordinary(text.subspan(begin), ids);
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (is_token(id)) size += string(id).size();
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!is_token(ids[i])) return Status::id_out_of_range(i, ids[i], vocabulary());
        if (out.size() != decoded_size(ids)) return {Code::shape_mismatch};
        auto end = out.begin();
        for (const TokenId id : ids)
            end = std::ranges::copy(string(id), end).out;
        return {};
    }

  private:
    bool is_token(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < vocabulary(); }
    const std::vector<std::uint8_t>& string(TokenId id) const {
        return strings_[static_cast<std::size_t>(id)];
    }

    /// The longest special token that a text begins with, or V.
    std::size_t special_at(Bytes text) const {
        std::size_t best = vocabulary();
        for (std::size_t id = first_special_; id < vocabulary(); ++id)
            if (as_string(text).starts_with(as_string(strings_[id])) &&
                (best == vocabulary() || strings_[id].size() > strings_[best].size()))
                best = id;
        return best;
    }

    void encode_ordinary(Bytes text, std::vector<TokenId>& ids) const {
        for (Piece& piece : pieces_of(text)) {
            // What a merge makes is part of later merges only, so making the first one everywhere is the same
            // as making it at one place after the other.
            for (auto next = lowest(piece); next != ranks_.end(); next = lowest(piece))
                apply(next->first, next->second, piece);
            ids.insert(ids.end(), piece.begin(), piece.end());
        }
    }

    /// The merge of lowest rank that fits somewhere, or the end of all merges.
    std::map<Pair, TokenId>::const_iterator lowest(const Piece& piece) const {
        auto best = ranks_.end();
        for (std::size_t i = 1; i < piece.size(); ++i) {
            const auto found = ranks_.find({piece[i - 1], piece[i]});
            if (found != ranks_.end() && (best == ranks_.end() || found->second < best->second)) best = found;
        }
        return best;
    }

    std::map<Pair, TokenId> ranks_;                  ///< and the token that each merge makes
    std::vector<std::vector<std::uint8_t>> strings_; ///< of every token
    std::size_t first_special_ = 0;
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<CharClass> kinds;    // of every character
    std::vector<std::size_t> begins; // and where it begins
    for (std::size_t at = 0; at < text.size();) {
        const Char next = char_at(text, at);
        kinds.push_back(next.kind);
        begins.push_back(at);
        at += next.bytes;
    }
    const std::size_t count = kinds.size();
    begins.push_back(text.size());
    const auto run = [&](std::size_t c) {
        std::size_t end = c;
        while (end < count && kinds[end] == kinds[c])
            ++end;
        return end;
    };
    std::vector<std::size_t> ends;
    for (std::size_t c = 0; c < count;) {
        const std::string_view rest = as_string(text.subspan(begins[c]));
        std::size_t letters = 0;
        if (rest.size() > 1 && rest[0] == '\'') {
            if (std::string_view("stmd").find(rest[1]) != std::string_view::npos) letters = 1;
            for (const std::string_view two : {"re", "ve", "ll"})
                if (rest.substr(1).starts_with(two)) letters = 2;
        }
        if (letters > 0)
            c += 1 + letters;
        else if (kinds[c] != CharClass::space)
            c = run(c);
        else if (rest[0] == ' ' && c + 1 < count && kinds[c + 1] != CharClass::space)
            c = run(c + 1);
        else if (const std::size_t end = run(c); end == count || end == c + 1)
            c = end;
        else
            c = end - 1;
        ends.push_back(begins[c]);
    }
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::map<Piece, std::size_t> pieces; // and how often each comes
    for (Piece& piece : pieces_of(text))
        ++pieces[std::move(piece)];
    std::vector<std::pair<Piece, std::size_t>> counted(pieces.begin(), pieces.end());

    std::vector<Merge> made;
    while (made.size() < merges) {
        std::map<Pair, std::size_t> pairs;
        for (const auto& [piece, times] : counted)
            for (std::size_t i = 1; i < piece.size(); ++i)
                pairs[{piece[i - 1], piece[i]}] += times;
        // The map is in ascending order, and the first of the largest counts is kept.
        const auto best = std::max_element(pairs.begin(), pairs.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        if (best == pairs.end()) break;
        const auto token = static_cast<TokenId>(256 + made.size());
        for (auto& [piece, times] : counted)
            apply(best->first, token, piece);
        made.push_back({best->first.first, best->first.second});
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t i = 0; i < 2 * merges.size(); ++i) {
        const Merge& merge = merges[i / 2];
        const TokenId id = i % 2 == 0 ? merge.left : merge.right;
        const std::size_t known = 256 + i / 2;
        if (id < 0 || static_cast<std::size_t>(id) >= known) return Status::id_out_of_range(i, id, known);
    }
    std::map<Pair, bool> seen;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (std::exchange(seen[{merges[r].left, merges[r].right}], true)) return {Code::invalid_argument, r};
    std::map<std::string_view, bool> strings;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::string_view special = as_string(specials.subspan(begin, ends[s] - begin));
        if (special.empty() || std::exchange(strings[special], true))
            return {Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return {};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends) != Status{}) return nullptr;
    return std::make_unique<Ranked>(merges, specials, ends);
}

} // namespace exercise

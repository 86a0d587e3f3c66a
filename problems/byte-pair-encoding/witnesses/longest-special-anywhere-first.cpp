// Fault: encode cuts out the longest special token of the whole text first, even if a shorter one begins earlier and
//  overlaps it.
// Origin: round 13
#include "contract.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace exercise {
namespace {

using Pair = std::pair<TokenId, TokenId>;

bool is_ending(Bytes text, std::size_t at, std::size_t& bytes) {
    for (const char* word : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
        const std::string w = word;
        if (text.size() - at < w.size()) continue;
        bool same = true;
        for (std::size_t i = 0; i < w.size(); ++i)
            same = same && text[at + i] == static_cast<std::uint8_t>(w[i]);
        if (same) {
            bytes = w.size();
            return true;
        }
    }
    return false;
}

std::size_t run(Bytes text, std::size_t at, CharClass kind) {
    std::size_t end = at;
    while (true) {
        const Char c = char_at(text, end);
        if (c.bytes == 0 || c.kind != kind) return end;
        end += c.bytes;
    }
}

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t bytes = 0;
        if (is_ending(text, at, bytes)) {
            ends.push_back(at += bytes);
            continue;
        }
        const std::size_t body = text[at] == ' ' ? at + 1 : at;
        std::size_t end = at;
        for (const CharClass kind : {CharClass::letter, CharClass::number, CharClass::other})
            if (const std::size_t stop = run(text, body, kind); end == at && stop > body) end = stop;
        if (end == at) {
            end = run(text, at, CharClass::space);
            if (end < text.size()) {
                std::size_t last = at, next = at;
                while (next < end) {
                    last = next;
                    next += char_at(text, next).bytes;
                }
                if (last > at) end = last;
            }
        }
        ends.push_back(at = end);
    }
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::map<std::string, std::size_t> counts;
    std::size_t begin = 0;
    for (const std::size_t end : split(text)) {
        ++counts[std::string(text.begin() + static_cast<std::ptrdiff_t>(begin),
                             text.begin() + static_cast<std::ptrdiff_t>(end))];
        begin = end;
    }
    struct Word {
        std::vector<TokenId> tokens;
        std::size_t count;
    };
    std::vector<Word> words;
    std::map<Pair, std::size_t> pairs;
    std::map<Pair, std::vector<std::size_t>> homes;
    const auto add = [&](std::size_t w) {
        const Word& word = words[w];
        for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i) {
            const Pair pair{word.tokens[i], word.tokens[i + 1]};
            pairs[pair] += word.count;
            std::vector<std::size_t>& home = homes[pair];
            if (home.empty() || home.back() != w) home.push_back(w);
        }
    };
    const auto take = [&](const Word& word) {
        for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i) {
            const auto it = pairs.find({word.tokens[i], word.tokens[i + 1]});
            if ((it->second -= word.count) == 0) pairs.erase(it);
        }
    };
    for (const auto& [piece, count] : counts) {
        Word word{{}, count};
        for (const char c : piece)
            word.tokens.push_back(static_cast<std::uint8_t>(c));
        words.push_back(std::move(word));
        add(words.size() - 1);
    }
    std::vector<Merge> made;
    while (made.size() < merges && !pairs.empty()) {
        const auto best = std::max_element(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
            return a.second < b.second; // of equals max_element has the first, and the map is in order
        });
        const Pair pair = best->first;
        const auto result = static_cast<TokenId>(256 + made.size());
        made.push_back({pair.first, pair.second});
        std::vector<std::size_t> home = std::move(homes[pair]);
        homes.erase(pair);
        std::sort(home.begin(), home.end());
        home.erase(std::unique(home.begin(), home.end()), home.end());
        for (const std::size_t w : home) {
            Word& word = words[w];
            take(word);
            std::vector<TokenId> shorter;
            for (std::size_t i = 0; i < word.tokens.size(); ++i) {
                if (i + 1 < word.tokens.size() && Pair{word.tokens[i], word.tokens[i + 1]} == pair) {
                    shorter.push_back(result);
                    ++i;
                } else {
                    shorter.push_back(word.tokens[i]);
                }
            }
            word.tokens = std::move(shorter);
            add(w);
        }
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const std::size_t limit = 256 + r;
        const auto fits = [&](TokenId id) { return id >= 0 && static_cast<std::size_t>(id) < limit; };
        if (!fits(merges[r].left)) return Status::id_out_of_range(2 * r, merges[r].left, limit);
        if (!fits(merges[r].right)) return Status::id_out_of_range(2 * r + 1, merges[r].right, limit);
    }
    std::map<Pair, std::size_t> seen;
    for (std::size_t r = 0; r < merges.size(); ++r)
        if (!seen.try_emplace({merges[r].left, merges[r].right}, r).second)
            return {Code::invalid_argument, r};
    std::map<std::vector<std::uint8_t>, std::size_t> names;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const Bytes name = specials.subspan(begin, ends[s] - begin);
        if (name.empty() || !names.try_emplace({name.begin(), name.end()}, s).second)
            return {Code::invalid_argument, merges.size() + s};
        begin = ends[s];
    }
    return {};
}

namespace {

class BytePairs final : public Tokenizer {
  public:
    BytePairs(std::span<const Merge> merges, Bytes specials, Ends ends) {
        for (int b = 0; b < 256; ++b)
            tokens_.emplace_back(1, static_cast<char>(b));
        for (const Merge& merge : merges) {
            ranks_[{merge.left, merge.right}] = static_cast<TokenId>(tokens_.size());
            tokens_.push_back(tokens_[static_cast<std::size_t>(merge.left)] +
                              tokens_[static_cast<std::size_t>(merge.right)]);
        }
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            std::string name;
            for (; begin < end; ++begin)
                name.push_back(static_cast<char>(specials[begin]));
            names_.emplace_back(name, static_cast<TokenId>(tokens_.size()));
            tokens_.push_back(std::move(name));
        }
        std::stable_sort(names_.begin(), names_.end(), [](const auto& a, const auto& b) {
            return a.first.size() > b.first.size(); // so that <s> does not spoil <s>end
        });
    }

    std::size_t vocabulary() const override { return tokens_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        cut(text, 0, out);
        return out;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t sum = 0;
        for (const TokenId id : ids)
            if (id >= 0 && static_cast<std::size_t>(id) < tokens_.size())
                sum += tokens_[static_cast<std::size_t>(id)].size();
        return sum;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= tokens_.size())
                return Status::id_out_of_range(i, ids[i], tokens_.size());
        if (out.size() != decoded_size(ids)) return {Code::shape_mismatch};
        auto to = out.begin();
        for (const TokenId id : ids)
            for (const char c : tokens_[static_cast<std::size_t>(id)])
                *to++ = static_cast<std::uint8_t>(c);
        return {};
    }

  private:
    // Cuts out the specials from number `from` on, the longest of all first, and encodes what is left.
    void cut(Bytes text, std::size_t from, std::vector<TokenId>& out) const {
        if (text.empty()) return;
        if (from == names_.size()) return plain(text, out);
        const auto& [name, id] = names_[from];
        const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
        std::size_t begin = 0;
        for (std::size_t hit; (hit = all.find(name, begin)) != all.npos; begin = hit + name.size()) {
            cut(text.subspan(begin, hit - begin), from + 1, out);
            out.push_back(id);
        }
        cut(text.subspan(begin), from + 1, out);
    }

    void plain(Bytes text, std::vector<TokenId>& out) const {
        std::size_t begin = 0;
        for (const std::size_t end : split(text)) {
            piece(text.subspan(begin, end - begin), out);
            begin = end;
        }
    }

    void piece(Bytes bytes, std::vector<TokenId>& out) const {
        const std::size_t n = bytes.size();
        if (n == 1) return out.push_back(bytes[0]);
        std::vector<TokenId> token(bytes.begin(), bytes.end());
        std::vector<std::size_t> next(n), back(n); // the ends point at themselves
        for (std::size_t i = 0; i < n; ++i) {
            next[i] = i + 1 < n ? i + 1 : i;
            back[i] = i > 0 ? i - 1 : i;
        }
        std::vector<std::pair<TokenId, std::size_t>> heap;
        const auto later = [](const auto& a, const auto& b) { return a > b; };
        const auto offer = [&](std::size_t i) {
            if (next[i] == i) return;
            const auto it = ranks_.find({token[i], token[next[i]]});
            if (it == ranks_.end()) return;
            heap.emplace_back(it->second, i);
            std::push_heap(heap.begin(), heap.end(), later);
        };
        for (std::size_t i = 0; i < n; ++i)
            offer(i);
        while (!heap.empty()) {
            std::pop_heap(heap.begin(), heap.end(), later);
            const auto [result, i] = heap.back();
            heap.pop_back();
            if (token[i] < 0 || next[i] == i) continue;
            const auto it = ranks_.find({token[i], token[next[i]]});
            if (it == ranks_.end() || it->second != result) continue;
            const std::size_t gone = next[i];
            token[i] = result;
            token[gone] = -1;
            if (next[gone] == gone) {
                next[i] = i;
            } else {
                next[i] = next[gone];
                back[next[i]] = i;
            }
            offer(i);
            if (back[i] != i) offer(back[i]);
        }
        for (std::size_t i = 0;; i = next[i]) {
            out.push_back(token[i]);
            if (next[i] == i) break;
        }
    }

    std::vector<std::string> tokens_;
    std::map<Pair, TokenId> ranks_;
    std::vector<std::pair<std::string, TokenId>> names_;
};

} // namespace

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return {};
    return std::make_unique<BytePairs>(merges, specials, ends);
}

} // namespace exercise

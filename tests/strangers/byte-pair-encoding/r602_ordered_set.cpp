// right: a state machine splits; training keeps every pair in a std::set ordered by count and tokens; a token's bytes are not stored but unfolded with a stack; special tokens by the sorted neighbour and its prefixes
#include "contract.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace exercise {

namespace {

using Two = std::pair<TokenId, TokenId>;

/// Feeds on characters and says where pieces end.
class Splitter {
  public:
    explicit Splitter(Bytes text) : text_(text) {}

    std::vector<std::size_t> run() {
        while (at_ < text_.size()) {
            if (!suffix()) word();
            ends_.push_back(at_);
        }
        return std::move(ends_);
    }

  private:
    bool suffix() {
        static constexpr std::string_view known[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
        if (text_[at_] != '\'') return false;
        for (const std::string_view s : known)
            if (text_.size() - at_ >= s.size() &&
                std::equal(s.begin(), s.end(), text_.begin() + static_cast<std::ptrdiff_t>(at_),
                           [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; })) {
                at_ += s.size();
                return true;
            }
        return false;
    }

    void word() {
        enum { begin, after_space, in_run, in_white } state = begin;
        CharClass kind = CharClass::other;
        std::size_t last = at_, seen = 0; // of white space
        for (;; ) {
            const Char c = char_at(text_, at_);
            const bool white = c.bytes != 0 && c.kind == CharClass::space;
            switch (state) {
            case begin:
                if (white) {
                    state = text_[at_] == 0x20 ? after_space : in_white;
                    last = at_;
                    seen = 1;
                } else {
                    state = in_run;
                    kind = c.kind;
                }
                break;
            case after_space:
                if (c.bytes == 0) return;
                if (white) {
                    state = in_white;
                    last = at_;
                    ++seen;
                } else {
                    state = in_run;
                    kind = c.kind;
                }
                break;
            case in_run:
                if (c.bytes == 0 || c.kind != kind) return;
                break;
            case in_white:
                if (c.bytes == 0) return;
                if (!white) {
                    if (seen > 1) at_ = last;
                    return;
                }
                last = at_;
                ++seen;
                break;
            }
            at_ += c.bytes;
        }
    }

    Bytes text_;
    std::size_t at_ = 0;
    std::vector<std::size_t> ends_;
};

/// Distinct pieces as one doubly linked list of tokens each, and all pairs of neighbours.
class Corpus {
  public:
    explicit Corpus(Bytes text) {
        std::map<std::basic_string_view<char>, std::size_t> distinct;
        std::size_t from = 0;
        for (const std::size_t end : Splitter(text).run()) {
            ++distinct[{reinterpret_cast<const char*>(text.data()) + from, end - from}];
            from = end;
        }
        for (const auto& [piece, times] : distinct) {
            for (std::size_t i = 0; i < piece.size(); ++i)
                nodes_.push_back({static_cast<unsigned char>(piece[i]), i > 0 ? 1U : 0U, i + 1 < piece.size() ? 1U : 0U, times});
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (nodes_[i].next) {
                Facts& facts = pairs_[{nodes_[i].token, nodes_[i + 1].token}];
                facts.count += nodes_[i].times;
                facts.places.push_back(i);
            }
        for (const auto& [pair, facts] : pairs_)
            order_.insert(rank(pair, facts.count));
    }

    bool done() const { return order_.empty(); }
    Two best() const { return {std::get<1>(*order_.begin()), std::get<2>(*order_.begin())}; }

    void merge(Two pair, TokenId fresh) {
        const std::vector<std::size_t> places = std::move(pairs_.at(pair).places);
        for (const std::size_t i : places) {
            Node& left = nodes_[i];
            if (left.token != pair.first || left.next == 0) continue;
            const std::size_t j = i + left.next;
            Node& right = nodes_[j];
            if (right.token != pair.second) continue;
            if (left.before) change({nodes_[i - left.before].token, left.token}, left.times, false, 0);
            change(pair, left.times, false, 0);
            if (right.next) change({right.token, nodes_[j + right.next].token}, left.times, false, 0);
            left.token = fresh;
            right.token = -1;
            left.next = right.next == 0 ? 0 : j + right.next - i;
            if (left.next) {
                nodes_[i + left.next].before = left.next;
                change({fresh, nodes_[i + left.next].token}, left.times, true, i);
            }
            if (left.before) change({nodes_[i - left.before].token, fresh}, left.times, true, i - left.before);
        }
    }

  private:
    struct Node {
        TokenId token;
        std::size_t before, next; // distances, 0: nothing there
        std::size_t times;
    };
    struct Facts {
        std::size_t count = 0;
        std::vector<std::size_t> places;
    };
    using Rank = std::tuple<std::size_t, TokenId, TokenId>; // the first is the best

    static Rank rank(Two pair, std::size_t count) { return {~count, pair.first, pair.second}; }

    void change(Two pair, std::size_t times, bool up, std::size_t place) {
        const auto found = pairs_.try_emplace(pair).first;
        Facts& facts = found->second;
        if (facts.count) order_.erase(rank(pair, facts.count));
        facts.count = up ? facts.count + times : facts.count - times;
        if (up) facts.places.push_back(place);
        if (facts.count)
            order_.insert(rank(pair, facts.count));
        else
            pairs_.erase(found);
    }

    std::vector<Node> nodes_;
    std::map<Two, Facts> pairs_;
    std::set<Rank> order_;
};

using Word = std::basic_string_view<char>;

class Unfolding final : public Tokenizer {
  public:
    Unfolding(std::span<const Merge> merges, Bytes specials, Ends ends) : merges_(merges.begin(), merges.end()) {
        for (std::size_t r = 0; r < merges_.size(); ++r)
            ranks_.push_back({{merges_[r].left, merges_[r].right}, static_cast<TokenId>(r)});
        std::sort(ranks_.begin(), ranks_.end());
        lengths_.assign(256, 1);
        for (const Merge& m : merges_)
            lengths_.push_back(lengths_[static_cast<std::size_t>(m.left)] + lengths_[static_cast<std::size_t>(m.right)]);
        std::size_t from = 0;
        for (const std::size_t end : ends) {
            specials_.emplace_back(specials.begin() + static_cast<std::ptrdiff_t>(from), specials.begin() + static_cast<std::ptrdiff_t>(end));
            lengths_.push_back(end - from);
            from = end;
        }
        sorted_.resize(specials_.size());
        std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
        std::sort(sorted_.begin(), sorted_.end(), [&](std::size_t a, std::size_t b) { return specials_[a] < specials_[b]; });
        // The prefixes of a special token lie before it; the longest is found among those of its neighbour.
        shorter_.assign(sorted_.size(), nowhere);
        for (std::size_t k = 1; k < sorted_.size(); ++k) {
            std::size_t p = k - 1;
            while (p != nowhere && !specials_[sorted_[k]].starts_with(specials_[sorted_[p]]))
                p = shorter_[p];
            shorter_[k] = p;
        }
        for (const std::string& s : specials_)
            begins_[static_cast<unsigned char>(s[0])] = true;
    }

    std::size_t vocabulary() const override { return 256 + merges_.size() + specials_.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::size_t from = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t s = begins_[text[at]] ? special({reinterpret_cast<const char*>(text.data()) + at, text.size() - at}) : nowhere;
            if (s == nowhere) {
                ++at;
                continue;
            }
            plain(text.subspan(from, at - from), ids);
            ids.push_back(static_cast<TokenId>(256 + merges_.size() + s));
            at += specials_[s].size();
            from = at;
        }
        plain(text.subspan(from), ids);
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        return std::accumulate(ids.begin(), ids.end(), std::size_t{0}, [&](std::size_t sum, TokenId id) {
            return valid(id) ? sum + lengths_[static_cast<std::size_t>(id)] : sum;
        });
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        const auto bad = std::find_if_not(ids.begin(), ids.end(), [&](TokenId id) { return valid(id); });
        if (bad != ids.end())
            return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, vocabulary());
        if (decoded_size(ids) != out.size()) return {Code::shape_mismatch};
        auto to = out.begin();
        std::vector<TokenId> stack;
        for (const TokenId id : ids) {
            if (static_cast<std::size_t>(id) >= 256 + merges_.size()) {
                for (const char c : specials_[static_cast<std::size_t>(id) - 256 - merges_.size()])
                    *to++ = static_cast<std::uint8_t>(c);
                continue;
            }
            stack.assign(1, id);
            while (!stack.empty()) {
                const TokenId top = stack.back();
                stack.pop_back();
                if (top < 256) {
                    *to++ = static_cast<std::uint8_t>(top);
                } else {
                    stack.push_back(merges_[static_cast<std::size_t>(top) - 256].right);
                    stack.push_back(merges_[static_cast<std::size_t>(top) - 256].left);
                }
            }
        }
        return {};
    }

  private:
    static constexpr std::size_t nowhere = ~std::size_t{0};

    bool valid(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < vocabulary(); }

    std::size_t special(Word text) const {
        const auto after = std::upper_bound(sorted_.begin(), sorted_.end(), text,
                                            [&](Word t, std::size_t s) { return t < Word(specials_[s]); });
        if (after == sorted_.begin()) return nowhere;
        std::size_t k = static_cast<std::size_t>(after - sorted_.begin()) - 1;
        while (k != nowhere && !text.starts_with(specials_[sorted_[k]]))
            k = shorter_[k];
        return k == nowhere ? nowhere : sorted_[k];
    }

    TokenId rank(TokenId left, TokenId right) const {
        const std::pair<Two, TokenId> key{{left, right}, 0};
        const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), key);
        return found == ranks_.end() || found->first != key.first ? -1 : found->second;
    }

    void plain(Bytes text, std::vector<TokenId>& ids) const {
        std::size_t from = 0;
        for (const std::size_t end : Splitter(text).run()) {
            piece(text.subspan(from, end - from), ids);
            from = end;
        }
    }

    void piece(Bytes bytes, std::vector<TokenId>& ids) const {
        struct Link {
            TokenId token;
            std::size_t before, next;
        };
        const std::size_t size = bytes.size();
        std::vector<Link> links(size);
        std::vector<std::pair<TokenId, std::size_t>> heap;
        const auto offer = [&](std::size_t i) {
            if (links[i].next >= size) return;
            const TokenId r = rank(links[i].token, links[links[i].next].token);
            if (r < 0) return;
            heap.emplace_back(-r, size - i); // the largest is the lowest rank, then the first place
            std::push_heap(heap.begin(), heap.end());
        };
        for (std::size_t i = 0; i < size; ++i)
            links[i] = {bytes[i], i - 1, i + 1};
        for (std::size_t i = 0; i + 1 < size; ++i)
            offer(i);
        while (!heap.empty()) {
            std::pop_heap(heap.begin(), heap.end());
            const TokenId r = -heap.back().first;
            const std::size_t i = size - heap.back().second;
            heap.pop_back();
            Link& left = links[i];
            if (left.token < 0 || left.next >= size) continue;
            Link& right = links[left.next];
            if (left.token != merges_[static_cast<std::size_t>(r)].left || right.token != merges_[static_cast<std::size_t>(r)].right) continue;
            left.token = 256 + r;
            right.token = -1;
            left.next = right.next;
            if (left.next < size) links[left.next].before = i;
            if (i != 0) offer(left.before);
            offer(i);
        }
        for (std::size_t i = 0; i < size; i = links[i].next)
            ids.push_back(links[i].token);
    }

    std::vector<Merge> merges_;
    std::vector<std::pair<Two, TokenId>> ranks_;
    std::vector<std::size_t> lengths_;
    std::vector<std::string> specials_;
    std::vector<std::size_t> sorted_, shorter_;
    bool begins_[256] = {};
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    return Splitter(text).run();
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::vector<Merge> made;
    if (merges == 0) return made;
    Corpus corpus(text);
    for (; made.size() < merges && !corpus.done();) {
        const Two pair = corpus.best();
        corpus.merge(pair, static_cast<TokenId>(256 + made.size()));
        made.push_back({pair.first, pair.second});
    }
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    std::int64_t limit = 256;
    std::size_t where = 0;
    for (const Merge& m : merges) {
        for (const std::int64_t id : {m.left, m.right}) {
            if (id < 0 || id >= limit) return Status::id_out_of_range(where, id, static_cast<std::size_t>(limit));
            ++where;
        }
        ++limit;
    }
    std::vector<std::tuple<TokenId, TokenId, std::size_t>> sorted;
    for (const Merge& m : merges)
        sorted.emplace_back(m.left, m.right, sorted.size());
    std::sort(sorted.begin(), sorted.end());
    std::size_t again = merges.size();
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        const auto& [left, right, r] = sorted[i];
        if (left == std::get<0>(sorted[i - 1]) && right == std::get<1>(sorted[i - 1])) again = std::min(again, r);
    }
    if (again != merges.size()) return {Code::invalid_argument, again};
    std::set<std::string> words;
    std::size_t from = 0;
    for (std::size_t s = 0; s < ends.size(); ++s) {
        const std::string word(specials.begin() + static_cast<std::ptrdiff_t>(from), specials.begin() + static_cast<std::ptrdiff_t>(ends[s]));
        from = ends[s];
        if (word.empty() || words.contains(word)) return {Code::invalid_argument, merges.size() + s};
        words.insert(word);
    }
    return {};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends) != Status{}) return {};
    return std::unique_ptr<Tokenizer>(new Unfolding(merges, specials, ends));
}

} // namespace exercise

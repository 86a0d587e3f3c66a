// right: every place is in the doubly linked list of its pair, and the pairs in a heap that knows where each of them is, so nothing is ever out of date; encoding remembers pieces within one call only
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace exercise {

namespace {

using View = std::string_view;
using Index = std::uint32_t;
constexpr Index nil = ~Index{0};

View view(Bytes text, std::size_t from, std::size_t to) {
    return from == to ? View{} : View{reinterpret_cast<const char*>(text.data() + from), to - from};
}

bool is(Bytes text, std::size_t at, char c) {
    return at < text.size() && text[at] == static_cast<std::uint8_t>(c);
}

std::size_t next_end(Bytes text, std::size_t at) {
    if (is(text, at, '\'')) {
        for (const char c : {'s', 't', 'm', 'd'})
            if (is(text, at + 1, c)) return at + 2;
        if ((is(text, at + 1, 'r') && is(text, at + 2, 'e')) || (is(text, at + 1, 'v') && is(text, at + 2, 'e')) ||
            (is(text, at + 1, 'l') && is(text, at + 2, 'l')))
            return at + 3;
    }
    const auto run = [&](std::size_t i, CharClass kind, std::size_t& last) {
        for (Char c = char_at(text, i); c.bytes && c.kind == kind; c = char_at(text, i)) {
            last = i;
            i += c.bytes;
        }
        return i;
    };
    std::size_t last = at;
    const std::size_t body = is(text, at, ' ') ? at + 1 : at;
    if (body < text.size())
        if (const CharClass kind = char_at(text, body).kind; kind != CharClass::space) return run(body, kind, last);
    const std::size_t end = run(at, CharClass::space, last);
    return end < text.size() && last > at ? last : end;
}

template <class Take>
void pieces(Bytes text, Take take) {
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = next_end(text, from);
        take(from, end);
        from = end;
    }
}

std::uint64_t pack(TokenId left, TokenId right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

class Trainer {
  public:
    explicit Trainer(Bytes text) {
        std::vector<View> all;
        pieces(text, [&](std::size_t from, std::size_t end) {
            if (end - from > 1) all.push_back(view(text, from, end)); // others have no pair
        });
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < all.size();) {
            const std::size_t begin = i;
            while (i < all.size() && all[i] == all[begin])
                ++i;
            const auto first = static_cast<Index>(nodes_.size());
            for (const char c : all[begin])
                nodes_.push_back({static_cast<unsigned char>(c), static_cast<Index>(nodes_.size() - 1), static_cast<Index>(nodes_.size() + 1), nil, nil, nil, i - begin});
            nodes_[first].before = nil;
            nodes_.back().after = nil;
            for (Index n = first; nodes_[n].after != nil; ++n)
                enter(n);
        }
    }

    bool step(TokenId fresh, Merge& made) {
        if (heap_.empty()) return false;
        const Index best = heap_[0];
        made = {pairs_[best].left, pairs_[best].right};
        while (pairs_[best].first != nil) {
            const Index i = pairs_[best].first, j = nodes_[i].after, p = nodes_[i].before, n = nodes_[j].after;
            leave(i);
            if (p != nil) leave(p);
            if (n != nil) leave(j);
            nodes_[i].token = fresh;
            nodes_[i].after = n;
            if (n != nil) nodes_[n].before = i;
            if (p != nil) enter(p);
            if (n != nil) enter(i);
        }
        return true;
    }

  private:
    struct Node {
        TokenId token;
        Index before, after;       // in the piece
        Index pair, earlier, later; // the pair that begins here, and its other places
        std::size_t times;
    };
    struct Pair {
        TokenId left, right;
        std::size_t count = 0;
        Index first = nil, last = nil;
        Index slot = nil; // in the heap, nil if not there
    };

    void enter(Index i) {
        const TokenId left = nodes_[i].token, right = nodes_[nodes_[i].after].token;
        const auto [it, fresh] = numbers_.try_emplace(pack(left, right), static_cast<Index>(pairs_.size()));
        if (fresh) pairs_.push_back({left, right});
        Pair& pair = pairs_[it->second];
        nodes_[i].pair = it->second;
        nodes_[i].earlier = pair.last;
        nodes_[i].later = nil;
        (pair.last == nil ? pair.first : nodes_[pair.last].later) = i;
        pair.last = i;
        pair.count += nodes_[i].times;
        if (pair.slot == nil) {
            pair.slot = static_cast<Index>(heap_.size());
            heap_.push_back(it->second);
        }
        up(pair.slot);
    }

    void leave(Index i) {
        Pair& pair = pairs_[nodes_[i].pair];
        (nodes_[i].earlier == nil ? pair.first : nodes_[nodes_[i].earlier].later) = nodes_[i].later;
        (nodes_[i].later == nil ? pair.last : nodes_[nodes_[i].later].earlier) = nodes_[i].earlier;
        nodes_[i].pair = nil;
        pair.count -= nodes_[i].times;
        const Index slot = pair.slot;
        if (pair.first == nil) {
            const Index moved = heap_.back();
            heap_.pop_back();
            pair.slot = nil;
            if (slot == heap_.size()) return;
            put(slot, moved);
            up(slot);
            down(pairs_[moved].slot);
        } else
            down(slot);
    }

    bool before(Index a, Index b) const {
        const Pair &x = pairs_[a], &y = pairs_[b];
        if (x.count != y.count) return x.count > y.count;
        return x.left != y.left ? x.left < y.left : x.right < y.right;
    }
    void put(Index slot, Index pair) {
        heap_[slot] = pair;
        pairs_[pair].slot = slot;
    }
    void up(Index slot) {
        const Index pair = heap_[slot];
        for (; slot > 0 && before(pair, heap_[(slot - 1) / 2]); slot = (slot - 1) / 2)
            put(slot, heap_[(slot - 1) / 2]);
        put(slot, pair);
    }
    void down(Index slot) {
        const Index pair = heap_[slot];
        while (2 * std::size_t{slot} + 1 < heap_.size()) {
            Index child = 2 * slot + 1;
            if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
            if (!before(heap_[child], pair)) break;
            put(slot, heap_[child]);
            slot = child;
        }
        put(slot, pair);
    }

    std::vector<Node> nodes_;
    std::vector<Pair> pairs_;
    std::unordered_map<std::uint64_t, Index> numbers_;
    std::vector<Index> heap_;
};

class Remembering final : public Tokenizer {
  public:
    Remembering(std::span<const Merge> merges, Bytes specials, Ends ends) : offsets_{0}, first_special_(256 + merges.size()) {
        std::vector<std::size_t> sizes(256, 1);
        std::size_t all = 256 + specials.size();
        for (const Merge& m : merges)
            all += sizes.emplace_back(sizes[static_cast<std::size_t>(m.left)] + sizes[static_cast<std::size_t>(m.right)]);
        bytes_.reserve(all);
        for (int b = 0; b < 256; ++b) {
            bytes_.push_back(static_cast<char>(b));
            offsets_.push_back(bytes_.size());
        }
        for (std::size_t r = 0; r < merges.size(); ++r) {
            bytes_ += word(static_cast<std::size_t>(merges[r].left)); // reserved: the view stays valid
            bytes_ += word(static_cast<std::size_t>(merges[r].right));
            offsets_.push_back(bytes_.size());
            ranks_.emplace(pack(merges[r].left, merges[r].right), static_cast<TokenId>(r));
        }
        for (const std::uint8_t byte : specials)
            bytes_.push_back(static_cast<char>(byte));
        for (const std::size_t end : ends)
            offsets_.push_back(bytes_.size() - specials.size() + end);
        for (std::size_t s = first_special_; s < vocabulary(); ++s)
            sorted_.push_back({s, nil});
        std::sort(sorted_.begin(), sorted_.end(), [&](const Special& a, const Special& b) { return word(a.id) < word(b.id); });
        for (Index k = 0; k < sorted_.size(); ++k) {
            Index p = k == 0 ? nil : k - 1;
            while (p != nil && !word(sorted_[k].id).starts_with(word(sorted_[p].id)))
                p = sorted_[p].prefix;
            sorted_[k].prefix = p;
        }
    }

    std::size_t vocabulary() const override { return offsets_.size() - 1; }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> ids;
        std::unordered_map<View, std::pair<std::size_t, std::size_t>> known; // of this text: where in ids, how many
        const auto plain = [&](std::size_t begin, std::size_t stop) {
            const Bytes stretch = text.subspan(begin, stop - begin);
            pieces(stretch, [&](std::size_t from, std::size_t end) {
                const View piece = view(stretch, from, end);
                const auto [it, fresh] = known.try_emplace(piece, ids.size(), 0);
                if (fresh) {
                    merge(stretch.subspan(from, end - from), ids);
                    it->second.second = ids.size() - it->second.first;
                } else
                    for (std::size_t i = 0; i < it->second.second; ++i)
                        ids.push_back(TokenId{ids[it->second.first + i]});
            });
        };
        std::size_t done = 0;
        if (!sorted_.empty())
            for (std::size_t at = 0; at < text.size();) {
                const std::size_t id = special(view(text, at, text.size()));
                if (id == 0) {
                    ++at;
                    continue;
                }
                plain(done, at);
                ids.push_back(static_cast<TokenId>(id));
                done = at += word(id).size();
            }
        plain(done, text.size());
        return ids;
    }

    std::size_t decoded_size(Ids ids) const override {
        std::size_t size = 0;
        for (const TokenId id : ids)
            if (static_cast<std::size_t>(static_cast<std::int64_t>(id)) < vocabulary()) size += word(static_cast<std::size_t>(id)).size();
        return size;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        std::size_t size = 0;
        for (const TokenId& id : ids) {
            if (static_cast<std::size_t>(static_cast<std::int64_t>(id)) >= vocabulary())
                return Status::id_out_of_range(static_cast<std::size_t>(&id - ids.data()), id, vocabulary());
            size += word(static_cast<std::size_t>(id)).size();
        }
        if (size != out.size()) return {Code::shape_mismatch};
        std::uint8_t* to = out.data();
        for (const TokenId id : ids) {
            const View w = word(static_cast<std::size_t>(id)); // never empty
            std::memcpy(to, w.data(), w.size());
            to += w.size();
        }
        return {};
    }

  private:
    struct Special {
        std::size_t id;
        Index prefix; // place of the longest other one that it begins with
    };

    View word(std::size_t id) const { return View(bytes_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]); }

    std::size_t special(View text) const {
        const auto above = std::partition_point(sorted_.begin(), sorted_.end(), [&](const Special& s) { return word(s.id) <= text; });
        Index k = static_cast<Index>(above - sorted_.begin()) - 1; // nil for none
        while (k != nil && !text.starts_with(word(sorted_[k].id)))
            k = sorted_[k].prefix;
        return k == nil ? 0 : sorted_[k].id;
    }

    TokenId rank(TokenId left, TokenId right) const {
        const auto it = ranks_.find(pack(left, right));
        return it == ranks_.end() ? -1 : it->second;
    }

    void merge(Bytes piece, std::vector<TokenId>& ids) const {
        struct Part {
            TokenId token;
            std::size_t before, after;
        };
        const std::size_t size = piece.size();
        std::vector<Part> parts(size);
        for (std::size_t i = 0; i < size; ++i)
            parts[i] = {piece[i], i - 1, i + 1};
        std::set<std::pair<TokenId, std::size_t>> open; // exactly the merges that fit
        const auto fits = [&](std::size_t i) {
            return parts[i].after < size ? rank(parts[i].token, parts[parts[i].after].token) : -1;
        };
        const auto show = [&](std::size_t i) {
            if (const TokenId r = fits(i); r >= 0) open.insert({r, i});
        };
        const auto hide = [&](std::size_t i) {
            if (const TokenId r = fits(i); r >= 0) open.erase({r, i});
        };
        for (std::size_t i = 0; i < size; ++i)
            show(i);
        while (!open.empty()) {
            const auto [r, i] = *open.begin();
            const std::size_t j = parts[i].after;
            hide(i);
            hide(j);
            if (i > 0) hide(parts[i].before);
            parts[i].token = 256 + r;
            parts[i].after = parts[j].after;
            if (parts[i].after < size) parts[parts[i].after].before = i;
            show(i);
            if (i > 0) show(parts[i].before);
        }
        for (std::size_t i = 0; i < size; i = parts[i].after)
            ids.push_back(parts[i].token);
    }

    std::string bytes_;
    std::vector<std::size_t> offsets_;
    std::size_t first_special_;
    std::unordered_map<std::uint64_t, TokenId> ranks_;
    std::vector<Special> sorted_;
};

} // namespace

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    pieces(text, [&](std::size_t, std::size_t end) { ends.push_back(end); });
    return ends;
}

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::vector<Merge> made;
    Trainer trainer(text);
    for (Merge next; made.size() < merges && trainer.step(static_cast<TokenId>(256 + made.size()), next);)
        made.push_back(next);
    return made;
}

Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    const auto bad = [](TokenId id, std::size_t r) { return id < 0 || static_cast<std::size_t>(id) >= 256 + r; };
    for (std::size_t r = 0; r < merges.size(); ++r) {
        const auto [left, right] = merges[r];
        if (bad(left, r)) return Status::id_out_of_range(2 * r, left, 256 + r);
        if (bad(right, r)) return Status::id_out_of_range(2 * r + 1, right, 256 + r);
    }
    const auto refuse = [](std::size_t where) { return Status{Code::invalid_argument, where}; };
    std::set<std::uint64_t> pairs;
    for (const Merge& m : merges)
        if (pairs.size() != merges.size() && !pairs.insert(pack(m.left, m.right)).second)
            return refuse(pairs.size()); // as many as came before, all different
    std::set<View> words;
    std::size_t from = 0;
    for (const std::size_t end : ends) {
        if (from == end || !words.insert(view(specials, from, end)).second) return refuse(merges.size() + words.size());
        from = end;
    }
    return {};
}

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    return validate(merges, specials, ends).code == Code::ok ? std::make_unique<Remembering>(merges, specials, ends) : nullptr;
}

} // namespace exercise

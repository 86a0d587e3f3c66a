// right: C style with goto and sorted arrays instead of hash tables, special tokens in a trie, a rank table searched by bisection, and decode recurses into the smaller half of a token and loops over the larger, so that a token of any depth needs at most 64 frames.
#include "contract.h"

#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <string_view>
#include <vector>

namespace exercise {

static size_t next_piece(const uint8_t* t, size_t n, size_t at) {
    const Bytes text(t, n);
    size_t i = at, last, k;
    Char c;
    if (t[i] == '\'' && n - i > 1) {
        const uint8_t b = t[i + 1], d = n - i > 2 ? t[i + 2] : 0;
        switch (b) {
        case 's': case 't': case 'm': case 'd': return i + 2;
        case 'r': case 'v': if (d == 'e') return i + 3; break;
        case 'l': if (d == 'l') return i + 3; break;
        default: break;
        }
    }
    if (t[i] == ' ') ++i;
    c = char_at(text, i);
    if (c.bytes == 0 || c.kind == CharClass::space) goto white;
    {
        const CharClass kind = c.kind;
    again:
        i += c.bytes;
        c = char_at(text, i);
        if (c.bytes != 0 && c.kind == kind) goto again;
        return i;
    }
white:
    for (i = last = at, k = 0;; ++k) {
        c = char_at(text, i);
        if (c.bytes == 0) return i;
        if (c.kind != CharClass::space) return k > 1 ? last : i;
        last = i;
        i += c.bytes;
    }
}

std::vector<std::size_t> split(Bytes text) {
    std::vector<std::size_t> ends;
    size_t at = 0;
next:
    if (at == text.size()) return ends;
    at = next_piece(text.data(), text.size(), at);
    ends.push_back(at);
    goto next;
}

// ---- training: pairs are numbered as they appear; the numbers lead to their counts and to chains of places
struct Pair { TokenId l, r; size_t count; size_t chain; };
struct Link { size_t place, rest; };
struct Cell { TokenId token; size_t l, r; size_t times = 1; };
static const size_t NIL = ~(size_t)0;

struct Trainer {
    std::vector<Cell> cells;
    std::vector<Pair> pairs;
    std::vector<Link> links;
    std::map<std::pair<TokenId, TokenId>, size_t> number;
    struct Entry { size_t count; TokenId l, r; size_t pair; };
    struct Worse {
        bool operator()(const Entry& a, const Entry& b) const {
            if (a.count != b.count) return a.count < b.count;
            if (a.l != b.l) return a.l > b.l;
            return a.r > b.r;
        }
    };
    std::priority_queue<Entry, std::vector<Entry>, Worse> heap;

    size_t pair(TokenId l, TokenId r) {
        const auto it = number.find({l, r});
        if (it != number.end()) return it->second;
        number[{l, r}] = pairs.size();
        pairs.push_back({l, r, 0, NIL});
        return pairs.size() - 1;
    }
    size_t plus(size_t i) {
        const size_t p = pair(cells[i].token, cells[cells[i].r].token);
        links.push_back({i, pairs[p].chain});
        pairs[p].chain = links.size() - 1;
        pairs[p].count += cells[i].times;
        return p;
    }
    void minus(size_t i) { pairs[pair(cells[i].token, cells[cells[i].r].token)].count -= cells[i].times; }
    void offer(size_t p) { if (pairs[p].count) heap.push({pairs[p].count, pairs[p].l, pairs[p].r, p}); }
};

std::vector<Merge> train(Bytes text, std::size_t merges) {
    std::vector<Merge> out;
    Trainer t;
    size_t begin = 0;
    std::vector<std::string_view> words; // sorted, so that equal ones are neighbours
    for (const size_t end : split(text)) {
        words.emplace_back((const char*)text.data() + begin, end - begin);
        begin = end;
    }
    std::sort(words.begin(), words.end());
    begin = 0;
    for (size_t w = 0, next; w < words.size(); w = next) {
        for (next = w + 1; next < words.size() && words[next] == words[w];) ++next;
        const size_t end = begin + words[w].size();
        for (size_t i = begin; i < end; ++i)
            t.cells.push_back({(TokenId)(uint8_t)words[w][i - begin], i == begin ? NIL : i - 1,
                               i == end - 1 ? NIL : i + 1, next - w});
        begin = end;
    }
    for (size_t i = 0; i < begin; ++i)
        if (t.cells[i].r != NIL) t.plus(i);
    for (size_t p = 0; p < t.pairs.size(); ++p) t.offer(p);
    std::vector<size_t> where, fresh;
    while (out.size() != merges && !t.heap.empty()) {
        const Trainer::Entry top = t.heap.top();
        t.heap.pop();
        if (t.pairs[top.pair].count != top.count) { t.offer(top.pair); continue; }
        const TokenId made = (TokenId)(256 + out.size());
        out.push_back({top.l, top.r});
        where.clear();
        fresh.clear();
        for (size_t k = t.pairs[top.pair].chain; k != NIL; k = t.links[k].rest) where.push_back(t.links[k].place);
        t.pairs[top.pair].chain = NIL;
        std::sort(where.begin(), where.end());
        for (const size_t i : where) {
            if (t.cells[i].token != top.l || t.cells[i].r == NIL) continue;
            const size_t j = t.cells[i].r;
            if (t.cells[j].token != top.r) continue;
            const size_t a = t.cells[i].l, z = t.cells[j].r;
            t.minus(i);
            if (a != NIL) t.minus(a);
            if (z != NIL) t.minus(j);
            t.cells[i].token = made;
            t.cells[i].r = z;
            t.cells[j] = {-1, NIL, NIL};
            if (z != NIL) t.cells[z].l = i;
            if (a != NIL) fresh.push_back(t.plus(a));
            if (z != NIL) fresh.push_back(t.plus(i));
        }
        std::sort(fresh.begin(), fresh.end());
        fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
        for (const size_t p : fresh) t.offer(p);
    }
    return out;
}

// ---- the tokenizer
Status validate(std::span<const Merge> merges, Bytes specials, Ends ends) {
    const size_t M = merges.size();
    for (size_t r = 0; r < M; ++r) {
        const TokenId two[2] = {merges[r].left, merges[r].right};
        for (size_t k = 0; k < 2; ++k)
            if (two[k] < 0 || (size_t)two[k] >= 256 + r) return Status::id_out_of_range(2 * r + k, two[k], 256 + r);
    }
    std::vector<size_t> by(M);
    for (size_t r = 0; r < M; ++r) by[r] = r;
    std::sort(by.begin(), by.end(), [&](size_t a, size_t b) {
        if (merges[a].left != merges[b].left) return merges[a].left < merges[b].left;
        if (merges[a].right != merges[b].right) return merges[a].right < merges[b].right;
        return a < b;
    });
    size_t first = NIL;
    for (size_t k = 1; k < M; ++k)
        if (merges[by[k]] == merges[by[k - 1]]) first = std::min(first, by[k]);
    if (first != NIL) return {Code::invalid_argument, first};
    std::set<std::vector<uint8_t>> words;
    size_t begin = 0;
    for (size_t s = 0; s < ends.size(); begin = ends[s], ++s) {
        std::vector<uint8_t> w(specials.begin() + (ptrdiff_t)begin, specials.begin() + (ptrdiff_t)ends[s]);
        if (w.empty() || words.count(w)) return {Code::invalid_argument, M + s};
        words.insert(std::move(w));
    }
    return {};
}

class Bisecting : public Tokenizer {
    struct Row { TokenId l, r; size_t rank; };
    struct Node { std::map<uint8_t, size_t> down; size_t word = NIL; };
    std::vector<Merge> merges;
    std::vector<Row> rows; // sorted by l, r
    std::vector<Node> trie;
    std::vector<uint8_t> special_bytes;
    std::vector<size_t> special_begin, sizes;

    size_t rank(TokenId l, TokenId r) const {
        size_t lo = 0, hi = rows.size();
        while (lo < hi) {
            const size_t mid = lo + (hi - lo) / 2;
            if (rows[mid].l < l || (rows[mid].l == l && rows[mid].r < r)) lo = mid + 1;
            else hi = mid;
        }
        return lo < rows.size() && rows[lo].l == l && rows[lo].r == r ? rows[lo].rank : NIL;
    }

    void piece(const uint8_t* t, size_t n, std::vector<TokenId>& out) const {
        // a heap of rank and place packed into two words; what is out of date is thrown away when it is met
        std::vector<Cell> c(n);
        std::set<std::pair<size_t, size_t>> todo;
        for (size_t i = 0; i < n; ++i) c[i] = {(TokenId)t[i], i ? i - 1 : NIL, i + 1 < n ? i + 1 : NIL};
        for (size_t i = 0; i + 1 < n; ++i) {
            const size_t r = rank(c[i].token, c[i + 1].token);
            if (r != NIL) todo.insert({r, i});
        }
        while (!todo.empty()) {
            const auto [r, i] = *todo.begin();
            todo.erase(todo.begin());
            const size_t j = c[i].r;
            if (c[i].token != merges[r].left || j == NIL || c[j].token != merges[r].right) continue;
            c[i].token = (TokenId)(256 + r);
            c[i].r = c[j].r;
            if (c[i].r != NIL) c[c[i].r].l = i;
            c[j] = {-1, NIL, NIL};
            for (const size_t k : {c[i].l, i})
                if (k != NIL && c[k].r != NIL) {
                    const size_t q = rank(c[k].token, c[c[k].r].token);
                    if (q != NIL) todo.insert({q, k});
                }
        }
        for (size_t i = 0; i != NIL; i = c[i].r) out.push_back(c[i].token);
    }

    void fill(TokenId id, uint8_t* to) const {
        for (;;) {
            const size_t t = (size_t)id;
            if (t < 256) { *to = (uint8_t)t; return; }
            if (t >= 256 + merges.size()) {
                std::memcpy(to, special_bytes.data() + special_begin[t - 256 - merges.size()], sizes[t]);
                return;
            }
            const Merge m = merges[t - 256];
            const size_t a = sizes[(size_t)m.left], b = sizes[(size_t)m.right];
            if (a < b) { fill(m.left, to); to += a; id = m.right; }
            else { fill(m.right, to + a); id = m.left; }
        }
    }

  public:
    Bisecting(std::span<const Merge> m, Bytes specials, Ends ends)
        : merges(m.begin(), m.end()), trie(1), special_bytes(specials.begin(), specials.end()), sizes(256, 1) {
        for (size_t r = 0; r < merges.size(); ++r) {
            rows.push_back({merges[r].left, merges[r].right, r});
            sizes.push_back(sizes[(size_t)merges[r].left] + sizes[(size_t)merges[r].right]);
        }
        std::sort(rows.begin(), rows.end(),
                  [](const Row& a, const Row& b) { return a.l != b.l ? a.l < b.l : a.r < b.r; });
        size_t begin = 0;
        for (size_t s = 0; s < ends.size(); ++s) {
            size_t node = 0;
            for (size_t i = begin; i < ends[s]; ++i) {
                const auto it = trie[node].down.find(specials[i]);
                if (it != trie[node].down.end()) { node = it->second; continue; }
                const size_t fresh = trie.size();
                trie.emplace_back();
                trie[node].down[specials[i]] = fresh;
                node = fresh;
            }
            trie[node].word = s;
            special_begin.push_back(begin);
            sizes.push_back(ends[s] - begin);
            begin = ends[s];
        }
    }

    std::size_t vocabulary() const override { return sizes.size(); }

    std::vector<TokenId> encode(Bytes text) const override {
        std::vector<TokenId> out;
        const uint8_t* t = text.data();
        const size_t n = text.size();
        size_t begin = 0, at = 0, len, word;
    scan:
        len = 0;
        word = NIL;
        for (size_t node = 0, i = at; i < n; ++i) {
            const auto it = trie[node].down.find(t[i]);
            if (it == trie[node].down.end()) break;
            node = it->second;
            if (trie[node].word != NIL) { word = trie[node].word; len = i + 1 - at; }
        }
        if (word == NIL && at < n) { ++at; goto scan; }
        for (size_t i = begin; i < at;) {
            const size_t e = next_piece(t + begin, at - begin, i - begin) + begin;
            piece(t + i, e - i, out);
            i = e;
        }
        if (word == NIL) return out;
        out.push_back((TokenId)(256 + merges.size() + word));
        begin = at += len;
        goto scan;
    }

    std::size_t decoded_size(Ids ids) const override {
        size_t sum = 0;
        for (size_t i = ids.size(); i-- > 0;)
            if (ids[i] >= 0 && (size_t)ids[i] < sizes.size()) sum += sizes[(size_t)ids[i]];
        return sum;
    }

    Status decode(Ids ids, std::span<std::uint8_t> out) const override {
        for (size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || (size_t)ids[i] >= sizes.size()) return Status::id_out_of_range(i, ids[i], sizes.size());
        if (out.size() != decoded_size(ids)) return {Code::shape_mismatch};
        size_t at = 0;
        for (const TokenId id : ids) {
            fill(id, out.data() + at);
            at += sizes[(size_t)id];
        }
        return {};
    }
};

std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends) {
    if (validate(merges, specials, ends).code != Code::ok) return {};
    return std::unique_ptr<Tokenizer>(new Bisecting(merges, specials, ends));
}

} // namespace exercise

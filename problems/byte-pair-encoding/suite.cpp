#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/caller.h"
#include "harness/recorder.h"
#include "subject/proxies.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// n: bytes of the text, M: merges, S: special tokens, V: vocabulary size, 256 + M + S
using namespace contract;
using namespace harness;
using namespace std::string_view_literals;

namespace {

using Tokens = std::vector<TokenId>;
using Merges = std::vector<Merge>;
using Specials = std::vector<std::string>;

Bytes bytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Strings one after the other, as a contract wants them.
struct Joined {
    std::string all;
    std::vector<std::size_t> ends;

    explicit Joined(const Specials& strings) {
        for (const std::string& each : strings) {
            all += each;
            ends.push_back(all.size());
        }
    }
};

/// What stands at a place of a text, as far as rules differ.
enum class Sort { letter, number, blank, tab, wide_space, ending, sign, no_character, end };
constexpr std::size_t sorts = 9;
constexpr const char* sort_words[sorts] = {"a letter",
                                           "a number",
                                           "a blank",
                                           "a tab or a line end",
                                           "white space of several bytes",
                                           "an ending like 's",
                                           "a sign",
                                           "a byte that is no character",
                                           "its end"};

Sort sort_of(const Char& next, std::string_view from) {
    if (next.bytes == 0) return Sort::end;
    if (next.kind == CharClass::letter) return Sort::letter;
    if (next.kind == CharClass::number) return Sort::number;
    if (next.kind == CharClass::space && next.bytes > 1) return Sort::wide_space;
    if (next.kind == CharClass::space) return from[0] == ' ' ? Sort::blank : Sort::tab;
    for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
        if (from.starts_with(ending)) return Sort::ending;
    return next.bytes == 1 && static_cast<unsigned char>(from[0]) >= 0x80 ? Sort::no_character : Sort::sign;
}

/// What is true of a text that may be the reason why a call with it fails. Texts are long, so words come
/// last.
std::set<std::string> properties_of_text(std::string_view text) {
    bool zero = false, wide = false, thrice = false;
    bool before[sorts][sorts] = {}, before_others[sorts] = {};
    Char here = char_at(bytes(text), 0);
    Sort sort = sort_of(here, text);
    std::set<std::string> all;
    if (!text.empty()) all.insert(std::string("`text` begins with ") + sort_words[std::size_t(sort)]);
    for (std::size_t at = 0; at < text.size();) {
        zero = zero || text[at] == '\0';
        wide = wide || here.bytes > 1;
        thrice = thrice || (at > 1 && text[at] == text[at - 1] && text[at] == text[at - 2]);
        at += here.bytes;
        const Char next = char_at(bytes(text), at);
        const Sort following = sort_of(next, text.substr(at));
        before[std::size_t(sort)][std::size_t(following)] = true;
        if (next.bytes > 0 && next.kind != here.kind) before_others[std::size_t(sort)] = true;
        here = next;
        sort = following;
    }
    if (zero) all.insert("`text` holds a zero byte");
    if (wide) all.insert("`text` holds characters of several bytes");
    if (thrice) all.insert("`text` holds the same byte three times in a row");
    for (std::size_t one = 0; one < sorts; ++one) {
        const std::string has = std::string("`text` has ") + sort_words[one] + " before ";
        for (std::size_t other = 0; other < sorts; ++other)
            if (before[one][other]) all.insert(has + sort_words[other]);
        if (before_others[one]) all.insert(has + "something else");
    }
    return all;
}

/// Makes calls of a function with one text, and tells what of the text may explain it where they fail.
template <class Check>
void try_text(const char* function, std::string_view text, Check&& check) {
    if (Recorder::current().brief()) return check();
    CallFacts facts{Extents{{"n", text.size()}}};
    facts.number = Recorder::current().calls_of_case() + 1;
    facts.properties = properties_of_text(text);
    facts.least_failures = 3; // short texts have much in common by chance
    Caller caller(function, constructed());
    try {
        caller.attempt({}, std::move(facts), [&](CallFacts&) { check(); });
    } catch (...) { // a call that did not come back is the last one
        caller.conclude();
        throw;
    }
    caller.conclude();
}

struct Tokenizers {
    subject::Object<Tokenizer> got;
    std::unique_ptr<Tokenizer> want;

    explicit Tokenizers(const Merges& merges, const Specials& specials = {}) {
        const Joined joined(specials);
        got = subject::make(merges, bytes(joined.all), joined.ends);
        REQUIRE_MESSAGE(got.valid(), "make returns no tokenizer for merges that are right");
        want = reference::make(merges, bytes(joined.all), joined.ends);
    }

    Tokens encode(std::string_view text) const { return subject::encode_text(got, bytes(text)); }
    std::string decode(const Tokens& ids) const {
        std::vector<std::uint8_t> out(subject::decoded_size(got, ids), 0xAA);
        expect_status(subject::decode_ids(got, ids, out), Status{});
        return {out.begin(), out.end()};
    }
    void expect_round_trip(std::string_view text) const {
        try_text("encode", text, [&] { round_trip(text); });
    }

  private:
    void round_trip(std::string_view text) const {
        const Tokens ids = encode(text);
        expect_identical("tokens", ids, want->encode(bytes(text)));
        for (const TokenId id : ids)
            if (!expect_true("every token is in the vocabulary",
                             id >= 0 && static_cast<std::size_t>(id) < want->vocabulary()))
                return;
        expect_true("decode gives back the bytes of the text", decode(ids) == text);
    }
};

std::vector<std::string> pieces_of(std::string_view text) {
    std::vector<std::string> pieces;
    std::size_t begin = 0;
    for (const std::size_t end : subject::split(bytes(text))) {
        REQUIRE_MESSAGE((end > begin && end <= text.size()),
                        "the ends of pieces ascend to the end of the text");
        pieces.emplace_back(text.substr(begin, end - begin));
        begin = end;
    }
    expect_equal("the end of the last piece", begin, text.size());
    return pieces;
}

void expect_ends(std::string_view text, const std::vector<std::size_t>& ends) {
    try_text("split", text, [&] { expect_identical("the list of ends", subject::split(bytes(text)), ends); });
}
void expect_ends(std::string_view text) {
    expect_ends(text, reference::split(bytes(text)));
}

void expect_split(std::string_view text, const std::vector<std::string>& want) {
    INFO("text: ", std::string(text));
    std::vector<std::size_t> ends;
    for (const std::string& piece : want)
        ends.push_back((ends.empty() ? 0 : ends.back()) + piece.size());
    expect_ends(text, ends);
}

/// Words of a language of few letters, so that merges repeat.
std::string babble(Random& random, std::size_t size) {
    constexpr std::string_view words[] = {"the",    "then",
                                          "there",  "other",
                                          "low",    "lower",
                                          "lowest", "new",
                                          "newer",  "a",
                                          "an",     "aaaa",
                                          "ba",     "bab",
                                          "1",      "12",
                                          "2026",   "it's",
                                          "we're",  "!?",
                                          "...",    "\xC3\xA9t\xC3\xA9",
                                          "\n",     "  "};
    std::string text;
    while (text.size() < size) {
        text += words[random.size(0, std::size(words) - 1)];
        if (random.chance(0.8)) text += ' ';
    }
    return text;
}

/// Every text of up to four of these characters: one of each class, and those with rules of their own.
std::vector<std::string> short_texts() {
    std::vector<std::string> all{""};
    for (std::size_t begin = 0, length = 1; length <= 4; ++length) {
        const std::size_t end = all.size();
        for (; begin < end; ++begin)
            for (const char next : {'a', '1', '!', ' ', '\n', '\'', 's'})
                all.push_back(all[begin] + next);
    }
    return all;
}

/// A text of characters of every class, of one to four bytes each, and of those with rules of their own.
std::string any_characters(Random& random, std::size_t count) {
    constexpr std::string_view characters[] = {"a",
                                               "Z",
                                               "\xC3\xA9",
                                               "\xE4\xB8\x96",
                                               "\xF0\x9D\x94\xB8",
                                               "7",
                                               "\xC2\xB2",
                                               "!",
                                               "\xCC\x81",
                                               "\xF0\x9F\x98\x80",
                                               "\xFF",
                                               "\0"sv,
                                               " ",
                                               " ",
                                               "\t",
                                               "\n",
                                               "\r",
                                               "\r\n",
                                               "\xC2\xA0",
                                               "\xE3\x80\x80",
                                               "'",
                                               "s",
                                               "t",
                                               "re",
                                               "ve",
                                               "m",
                                               "ll",
                                               "d",
                                               "S"};
    std::string text;
    while (count-- > 0)
        text += characters[random.size(0, std::size(characters) - 1)];
    return text;
}

std::string repeated(std::string_view part, std::size_t times) {
    std::string text;
    while (times-- > 0)
        text += part;
    return text;
}

/// Lengths at which buffers and narrow counts end: 1, 2, 3 and 2^k - 1, 2^k, 2^k + 1 up to a largest.
std::vector<std::size_t> lengths(std::size_t largest) {
    std::vector<std::size_t> all{1, 2};
    for (std::size_t power = 4; power - 1 <= largest; power *= 2)
        for (const std::size_t length : {power - 1, power, power + 1})
            if (length <= largest) all.push_back(length);
    return all;
}

/// Every pair of these bytes, so that each end of a piece shows.
Merges pairs_of_bytes(std::string_view list) {
    Merges merges;
    for (const char left : list)
        for (const char right : list)
            merges.push_back({static_cast<std::uint8_t>(left), static_cast<std::uint8_t>(right)});
    return merges;
}

/// Merges of which each makes a token that the next one extends.
Merges chain(std::size_t count) {
    Merges merges;
    for (std::size_t r = 0; r < count; ++r)
        merges.push_back({r == 0 ? 'a' : static_cast<TokenId>(255 + r), 'b'});
    return merges;
}

std::string any_bytes(Random& random, std::size_t size) {
    std::string text(size, '\0');
    for (char& byte : text)
        byte = static_cast<char>(random.integer(0, 255));
    return text;
}

void expect_merges(std::string_view text, std::size_t count, const Merges& want) {
    INFO("text: ", std::string(text), ", M = ", count);
    try_text("train", text, [&] {
        const Merges got = subject::train(bytes(text), count);
        expect_equal("the number of merges", got.size(), want.size());
        for (std::size_t r = 0; r < std::min(got.size(), want.size()); ++r) {
            INFO("merge ", r);
            expect_equal("the left token of a merge", got[r].left, want[r].left);
            expect_equal("the right token of a merge", got[r].right, want[r].right);
        }
    });
}

Merges trained(std::string_view text, std::size_t merges) {
    return reference::train(bytes(text), merges);
}

// decode as a function of a tokenizer without merges, where a text has as many bytes as tokens.
Status decode_of(Ids ids, std::span<std::uint8_t> out) {
    return subject::decode_ids(subject::make(Merges{}, Bytes{}, Ends{}), ids, out);
}
Status wanted_decode(Ids ids, std::span<std::uint8_t> out) {
    return reference::make(Merges{}, Bytes{}, Ends{})->decode(ids, out);
}
auto adverse_decode() {
    return Adverse("decode", &decode_of, &wanted_decode, {{.name = "T", .ordinary = 5}},
                   ids("ids", "T", Dim([](const Extents&) { return std::size_t{256}; })),
                   detail::block<std::span<std::uint8_t>, std::uint8_t>(
                       "out", {"T"}, {}, Checked::cols, false, true, true, detail::span_view<std::uint8_t>));
}

/// All pairs of bytes, and one of them with each byte: beyond 2^20 tokens, left * 2^20 + right is not one
/// pair.
void expect_more_tokens_than_20_bits_count() {
    Merges many;
    for (TokenId left = 0; left < 256 + 4'096; ++left)
        for (TokenId right = 0; right < 256; ++right)
            many.push_back({left, right});
    constexpr TokenId beyond = 1 << 20;
    for (const TokenId left : {'!', '"'})
        many.push_back({left, beyond + 5});
    expect_status(subject::validate(many, Bytes{}, Ends{}), Status{});
    Tokenizers(many).expect_round_trip("!\x0E\xFF\x05 \"\x0E\xFF\x05 \"\x05"); // 14, 255 and 5 are beyond + 5
    many.push_back({'!', beyond + 5});
    expect_status(subject::validate(many, Bytes{}, Ends{}), Status{Code::invalid_argument, many.size() - 1});
}

} // namespace

// split

TEST_CASE("words, numbers and signs are pieces, with the blank before them") {
    expect_split("Hello world", {"Hello", " world"});
    expect_split("low lower 2026!", {"low", " lower", " 2026", "!"});
    expect_split("abc123def", {"abc", "123", "def"});
    expect_split("a, b... (c)", {"a", ",", " b", "...", " (", "c", ")"});
    expect_split("", {});
    expect_split(" ", {" "});
    expect_split("x", {"x"});
}

TEST_CASE("endings after an apostrophe are pieces") {
    expect_split("it's", {"it", "'s"});
    expect_split("don't we'll", {"don", "'t", " we", "'ll"});
    expect_split("they're I've I'm he'd", {"they", "'re", " I", "'ve", " I", "'m", " he", "'d"});
    expect_split("IT'S", {"IT", "'", "S"});       // capitals are no such ending
    expect_split("'sale", {"'s", "ale"});         // the ending comes first
    expect_split("x 'sale", {"x", " '", "sale"}); // after a blank it is a sign like others
    expect_split("'l 'r", {"'", "l", " '", "r"});
    expect_split("''s", {"''", "s"});
    expect_split("'", {"'"});
}

TEST_CASE("of several blanks the last one goes with what follows") {
    expect_split("a  b", {"a", " ", " b"});
    expect_split("a   b", {"a", "  ", " b"});
    expect_split("a  ", {"a", "  "});
    expect_split("   ", {"   "});
    expect_split("a\nb", {"a", "\n", "b"});
    expect_split("a\r\nb", {"a", "\r", "\n", "b"});
    expect_split("a\n\n b", {"a", "\n\n", " b"});
    expect_split("a \n1", {"a", " ", "\n", "1"});
    expect_split("a\t !", {"a", "\t", " !"});
    expect_split("a \tb", {"a", " ", "\t", "b"});
}

TEST_CASE("letters, numbers and white space of all scripts") {
    expect_split("\xC3\xA9t\xC3\xA9 na\xC3\xAFve", {"\xC3\xA9t\xC3\xA9", " na\xC3\xAFve"});
    expect_split("\xD0\xBC\xD0\xB8\xD1\x80 42", {"\xD0\xBC\xD0\xB8\xD1\x80", " 42"}); // Cyrillic
    expect_split("\xE4\xB8\x96\xE7\x95\x8C!", {"\xE4\xB8\x96\xE7\x95\x8C", "!"});     // Chinese
    expect_split("x\xC2\xB2", {"x", "\xC2\xB2"});                     // superscript 2: a number
    expect_split("1\xD9\xA3\xE2\x85\xA7", {"1\xD9\xA3\xE2\x85\xA7"}); // Arabic 3, Roman 8
    expect_split("a\xC2\xA0\xC2\xA0"
                 "b",
                 {"a", "\xC2\xA0", "\xC2\xA0", "b"});     // no-break spaces
    expect_split("a\xE3\x80\x80", {"a", "\xE3\x80\x80"}); // ideographic space
    expect_split("hi \xF0\x9F\x98\x80\xF0\x9F\x98\x80", {"hi", " \xF0\x9F\x98\x80\xF0\x9F\x98\x80"}); // emoji
    expect_split("e\xCC\x81", {"e", "\xCC\x81"});             // a combining accent is no letter
    expect_split("\xF0\x9D\x94\xB8z", {"\xF0\x9D\x94\xB8z"}); // a letter of four bytes
}

TEST_CASE("bytes that are no characters are signs") {
    expect_split("a\xFF"
                 "b",
                 {"a", "\xFF", "b"});
    expect_split("a \x80\xBF", {"a", " \x80\xBF"});
    expect_split("\xC3", {"\xC3"});
    expect_split("\xE2\x82"
                 "a",
                 {"\xE2\x82", "a"});
    expect_split("\xC0\xAF\xED\xA0\x80", {"\xC0\xAF\xED\xA0\x80"}); // an overlong slash, a surrogate
    expect_split("a\0b"sv, {"a", std::string(1, '\0'), "b"});
    expect_split("\xF4\x90\x80\x80x", {"\xF4\x90\x80\x80", "x"});
    expect_split("!\xC2\xA1\xFE?", {"!\xC2\xA1\xFE?"});
}

// train

TEST_CASE("the first merges of the worked example") {
    // aaabdaaabac: aa comes at 4 places. Then (256, a) and (a, b) both come at 2, and a is the smaller token.
    expect_merges("aaabdaaabac", 5, {{'a', 'a'}, {'a', 'b'}, {256, 257}, {'a', 'c'}, {'d', 258}});
}

TEST_CASE("merges stay within a piece, and every piece counts as often as it comes") {
    expect_merges("low low low low lower lower newest newest widest", 6,
                  {{'l', 'o'}, {256, 'w'}, {' ', 257}, {'e', 's'}, {259, 't'}, {' ', 'n'}});
    expect_merges("ab ab", 9, {{'a', 'b'}, {' ', 256}}); // b and the blank are of two pieces
    expect_merges("a1a1a1", 9, {});                      // pieces of one byte
}

TEST_CASE("of pairs that come equally often the smallest is merged") {
    expect_merges("ba ab", 1, {{' ', 'a'}});
    expect_merges("zb za", 1, {{' ', 'z'}});
    expect_merges("cb,ca", 1, {{'c', 'a'}});
    expect_merges("\xC3\xA9,az", 1, {{'a', 'z'}}); // bytes are not negative
}

TEST_CASE("a merge is made from left to right, without overlap") {
    expect_merges("aaaa", 3, {{'a', 'a'}, {256, 256}});
    expect_merges("aaaaa", 3, {{'a', 'a'}, {256, 'a'}, {256, 257}});
    expect_merges("aaa aaa", 4, {{'a', 'a'}, {256, 'a'}, {' ', 257}});
}

TEST_CASE("training ends where nothing is left to merge") {
    expect_merges("", 5, {});
    expect_merges("a", 5, {});
    expect_merges("abc", 0, {});
    expect_merges("abc", 100, {{'a', 'b'}, {256, 'c'}});
    // As many as there are.
    for (const std::size_t merges : {std::size_t{1} << 31, std::size_t{1} << 40, ~std::size_t{0}})
        expect_merges("abc", merges, {{'a', 'b'}, {256, 'c'}});
}

// validate and make

TEST_CASE("merges and special tokens are checked in order") {
    const auto check = [](const Merges& merges, const Specials& specials) {
        const Joined joined(specials);
        return subject::validate(merges, bytes(joined.all), joined.ends);
    };
    expect_status(check({}, {}), Status{});
    expect_status(check({{'a', 'b'}, {256, 'a'}}, {"<|end|>"}), Status{});
    expect_status(check({{-1, 'b'}}, {}), Status::id_out_of_range(0, -1, 256));
    expect_status(check({{'a', 256}}, {}), Status::id_out_of_range(1, 256, 256));
    expect_status(check({{'a', 'b'}, {257, -1}}, {}), Status::id_out_of_range(2, 257, 257));
    expect_status(check({{'a', 'b'}, {256, -1}}, {}), Status::id_out_of_range(3, -1, 257));
    expect_status(check({{'a', 'b'}, {'b', 'a'}, {'a', 'b'}}, {}), Status{Code::invalid_argument, 2});
    expect_status(check({{'a', 'b'}, {'a', 'b'}, {999, 0}}, {}), Status::id_out_of_range(4, 999, 258));
    // Two came before: the first of them counts, not the smallest pair.
    expect_status(check({{'b', 'c'}, {'a', 'b'}, {'b', 'c'}, {'a', 'b'}}, {}),
                  Status{Code::invalid_argument, 2});
    expect_status(check({{'a', 'b'}, {'b', 'c'}, {'a', 'b'}, {'b', 'c'}}, {}),
                  Status{Code::invalid_argument, 2});
    expect_status(check({{'a', 'b'}}, {"x", ""}), Status{Code::invalid_argument, 2});
    expect_status(check({{'a', 'b'}}, {"x", "y", "x"}), Status{Code::invalid_argument, 3});
    // The first bad token counts, whatever is bad about it.
    expect_status(check({}, {"x", "x", ""}), Status{Code::invalid_argument, 1});
    const std::string one("x\0a", 3), other("x\0b", 3), zero(1, '\0'); // a zero is a byte like others
    expect_status(check({}, {one, "x", other, zero}), Status{});
    expect_status(check({}, {one, zero, one}), Status{Code::invalid_argument, 2});
    expect_true("a merge that came before makes no tokenizer",
                !subject::make(Merges{{'a', 0}, {'a', 0}}, Bytes{}, Ends{}).valid());
}

// encode and decode

TEST_CASE("without merges every byte is its own token") {
    const Tokenizers tokenizers({});
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all += static_cast<char>(byte);
    Tokens want(256);
    for (std::size_t b = 0; b < 256; ++b)
        want[b] = static_cast<TokenId>(b);
    expect_equal("vocabulary", subject::vocabulary(tokenizers.got), 256);
    expect_identical("tokens, of all bytes", tokenizers.encode(all), want);
    expect_true("decode gives back all bytes", tokenizers.decode(want) == all);
}

TEST_CASE("merges are made by rank, not by length") {
    // Of abc, ab is merged only where bc was not: bc has the lower rank.
    const Tokenizers tokenizers({{'b', 'c'}, {'a', 'b'}, {257, 'c'}});
    expect_identical("tokens, of abc", tokenizers.encode("abc"), Tokens{'a', 256});
    expect_identical("tokens, of abd", tokenizers.encode("abd"), Tokens{257, 'd'});
    expect_identical("tokens, of abab", tokenizers.encode("abab"), Tokens{257, 257});
    const Tokenizers nested({{'d', 'e'}, {'c', 256}, {'b', 'c'}, {'b', 257}});
    expect_identical("tokens, of bcde", nested.encode("bcde"), Tokens{259});
    const Tokenizers crossing({{'b', ' '}, {'a', 'b'}}); // b and the blank are never in one piece
    expect_identical("tokens, of ab ab", crossing.encode("ab ab"), Tokens{257, ' ', 257});
    const Tokenizers runs({{'a', 'a'}, {256, 256}});
    expect_identical("tokens, of aaaa", runs.encode("aaaa"), Tokens{257});
    expect_identical("tokens, of aaaaa", runs.encode("aaaaa"), Tokens{257, 'a'});
    expect_identical("tokens, of aaa", runs.encode("aaa"), Tokens{256, 'a'});
    expect_identical("tokens, of aa aa", runs.encode("aa aa"), Tokens{256, ' ', 256});
}

TEST_CASE("special tokens are whole, the longest first") {
    const Specials specials{"<|end|>", "<|e", "<|end|><|end|>"};
    const Tokenizers tokenizers({{'<', '|'}, {'e', 'n'}}, specials);
    expect_equal("vocabulary", subject::vocabulary(tokenizers.got), 261);
    expect_identical("tokens, one", tokenizers.encode("<|end|>"), Tokens{258});
    expect_identical("tokens, two are the longer one", tokenizers.encode("<|end|><|end|>"), Tokens{260});
    expect_identical("tokens, three", tokenizers.encode("<|end|><|end|><|end|>"), Tokens{260, 258});
    expect_identical("tokens, the short one", tokenizers.encode("<|ending"),
                     Tokens{259, 'n', 'd', 'i', 'n', 'g'});
    expect_identical("tokens, none", tokenizers.encode("<|x"), Tokens{256, 'x'});
    expect_identical("tokens, in a word", tokenizers.encode("en<|end|>en"), Tokens{257, 258, 257});
    expect_true("decode writes it", tokenizers.decode({258, 'x', 260}) == "<|end|>x<|end|><|end|>");

    const Tokenizers overlapping({}, {"<s>a", "s>"});
    expect_identical("tokens, the one that begins first, though another one ends before it",
                     overlapping.encode("x<s>ay"), Tokens{'x', 256, 'y'});
    expect_identical("tokens, where it does not go on, the other one", overlapping.encode("x<s>y"),
                     Tokens{'x', '<', 257, 'y'});

    const Tokenizers longer_within({}, {"ab", "bcd"});
    expect_identical("tokens, the one that begins first, though a longer one begins within it",
                     longer_within.encode("abcd"), Tokens{256, 'c', 'd'});

    const Tokenizers short_one({{' ', ' '}}, {"<s>"});
    expect_identical("tokens, what began as one and is none", short_one.encode("<<s>"), Tokens{'<', 257});
    expect_identical("tokens, and began further", short_one.encode("<s<s>"), Tokens{'<', 's', 257});
    expect_identical("tokens, blanks before one are a text of their own", short_one.encode("a  <s>"),
                     Tokens{'a', 256, 257});
    expect_identical("tokens, and those behind it", short_one.encode("<s>  a"), Tokens{257, ' ', ' ', 'a'});
    expect_identical("tokens, between apostrophes", short_one.encode("'<s>'s<s>"),
                     Tokens{'\'', 257, '\'', 's', 257});
}

TEST_CASE("what decode refuses is not written") {
    const Tokenizers tokenizers({{'a', 'b'}}, {"<s>"});
    const auto refused = [&](const Tokens& ids, std::size_t size, Status status) {
        std::vector<std::uint8_t> out(size, 0x5A);
        expect_status(subject::decode_ids(tokenizers.got, ids, out), status);
        expect_true("nothing was written",
                    std::ranges::count(out, 0x5A) == static_cast<std::ptrdiff_t>(size));
    };
    expect_equal("size", subject::decoded_size(tokenizers.got, Tokens{256, 'c', 257}), 6);
    expect_equal("size, tokens that do not exist",
                 subject::decoded_size(tokenizers.got, Tokens{256, 258, -1, INT32_MIN, INT32_MAX}), 2);
    refused({256, 258}, 2, Status::id_out_of_range(1, 258, 258));
    refused({256, -1, 258}, 2, Status::id_out_of_range(1, -1, 258));
    refused({256}, 3, {Code::shape_mismatch});
    refused({256}, 1, {Code::shape_mismatch});
    refused({258}, 9, Status::id_out_of_range(0, 258, 258));
    // As many ids in the same place, but others.
    Tokens ids{'a', 'b'};
    expect_equal("size, of two bytes", subject::decoded_size(tokenizers.got, ids), 2);
    ids[0] = 257;
    std::vector<std::uint8_t> out(4);
    expect_status(subject::decode_ids(tokenizers.got, ids, out), Status{});
    ids[0] = 256;
    expect_status(subject::decode_ids(tokenizers.got, ids, out), {Code::shape_mismatch});
}

TEST_CASE("any bytes make the round trip") {
    const std::string corpus =
        "the cat and the hat and the rat\r\nthe bat\n\n  that sat, that's all: 12 121 1212!";
    const Tokenizers tokenizers(trained(corpus, 24), {"<|endoftext|>"});
    for (const std::string_view text :
         {""sv, "a"sv, "\0"sv, "\r\n"sv, "\r\n\r\nthe  cat\r\n"sv, "the\0cat\0\0"sv, "\xFF\xFE\x00the"sv,
          "\xC3\xA9\xCC\x81 \xF0\x9F\x98\x80\xE2\x80\x8D\xF0\x9F\x92\xBB"sv, "\xC3(\xE2\x82"sv,
          "<|endoftext|>the<|endoftext|"sv, "that's the the the"sv}) {
        INFO("text of ", text.size(), " bytes: ", std::string(text));
        tokenizers.expect_round_trip(text);
    }
    Random random = harness::random();
    for (const std::size_t size : {2, 50, 257})
        tokenizers.expect_round_trip(any_bytes(random, size));
}

// Hidden

TEST_CASE("random texts are split and merged like the reference's") {
    for (const std::string& text : short_texts()) {
        INFO("text: ", text);
        expect_ends(text);
        if (Recorder::current().is_settled()) return;
    }
    Random random = harness::random();
    for (int trial = 0; trial < 6; ++trial) {
        const std::string text =
            trial % 3 == 2 ? any_bytes(random, 300) : babble(random, random.size(1, 400));
        expect_ends(text);
        const std::size_t M = random.size(1, 40);
        expect_merges(text, M, trained(text, M));
        if (Recorder::current().failed()) return;
    }
    for (int trial = 0; trial < 500; ++trial) {
        const std::string text = any_characters(random, random.size(1, 12));
        INFO("text: ", text);
        expect_ends(text);
        if (Recorder::current().is_settled()) return;
    }
    // Long texts, of which somebody may give each thread a part, or which a buffer holds a part of.
    for (const std::size_t count : {5'000, 70'000}) {
        const std::string text = any_characters(random, count);
        expect_ends(text);
    }
    Tokenizers(trained(babble(random, 400), 30), {"<s>", "\n"}).expect_round_trip(babble(random, 70'000));
    // Many short pieces of few different bytes, of each class, zero among them.
    for (const std::string_view alphabet :
         {"\0\1!a"sv, "\0\0?a1"sv, "\0\xFF!a\xC3"sv, "abc "sv, "01 a"sv, "\n\t a"sv})
        for (int trial = 0; trial < 10; ++trial) {
            std::string text;
            for (std::size_t left = random.size(1, 200); left > 0; --left)
                text += alphabet[random.size(0, alphabet.size() - 1)];
            expect_merges(text, 6, trained(text, 6));
            if (Recorder::current().is_settled()) return;
        }
    for (const std::size_t size : {120, 600}) { // until nothing is left to merge
        const std::string text = babble(random, size);
        expect_merges(text, 5'000, trained(text, 5'000));
    }
}

TEST_CASE("pieces, tokens and lists of every length") {
    // Long runs of one class, after and before what may belong to them.
    constexpr std::string_view units[] = {"a", "\xC3\xA9", "\xE4\xB8\x96", "1",        "!",
                                          "'", " ",        "\n",           "\xC2\xA0", "\xFF"};
    constexpr std::string_view around[] = {"", " ", "x", "\n"};
    std::size_t turn = 0;
    for (const std::string_view unit : units)
        for (const std::size_t length : lengths(4'097)) {
            const std::string text =
                std::string(around[turn % 4]) + repeated(unit, length) + std::string(around[turn / 4 % 4]);
            ++turn;
            INFO(length, " times the bytes ", std::string(unit));
            expect_ends(text);
            if (Recorder::current().is_settled()) return;
        }
    const Tokenizers nested({{'a', 'b'}, {256, 'c'}, {257, 257}});
    for (const std::size_t length : lengths(4'097)) {
        const std::string text = repeated("abc", (length + 2) / 3).substr(0, length);
        expect_merges(text, 4, trained(text, 4));
        nested.expect_round_trip(text);
        // Two special tokens of so many bytes that differ in the last one, and a third that is the second and
        // one byte more.
        const std::string one = std::string(length - 1, 's') + "x",
                          other = std::string(length - 1, 's') + "y";
        const Specials specials{one, other, other + "z"};
        const Joined joined(specials), twice({one, other, one});
        INFO("special tokens of ", length, " bytes");
        expect_status(subject::validate({}, bytes(joined.all), joined.ends), Status{});
        expect_status(subject::validate({}, bytes(twice.all), twice.ends), Status{Code::invalid_argument, 2});
        if (length < 1'000)
            Tokenizers({}, specials)
                .expect_round_trip(one + other + "z" + other + std::string(length, 's') + one);
        if (Recorder::current().failed()) return;
    }
    // A merge across the middle of a token, at any rank and as deep inside both its halves as it may be.
    for (std::size_t depth = 1; depth <= 4; ++depth)
        for (std::size_t rank = 0; rank <= 2 * depth; ++rank) {
            Merges nesting;
            TokenId left = 'm', right = 'n';
            const auto merge = [&](TokenId one, TokenId other) {
                if (nesting.size() == rank) nesting.push_back({'m', 'n'});
                nesting.push_back({one, other});
                return static_cast<TokenId>(255 + nesting.size());
            };
            std::string text = "mn";
            for (std::size_t level = 0; level < depth; ++level) {
                left = merge(static_cast<TokenId>('a' + level), left);
                right = merge(right, static_cast<TokenId>('s' + level));
                text = static_cast<char>('a' + level) + text + static_cast<char>('s' + level);
            }
            merge(left, right);
            INFO("a merge of rank ", rank, " across the middle of tokens of tokens, ", depth, " deep");
            Tokenizers(nesting).expect_round_trip(text + " " + text + text);
        }
    // Several equal ones among others: the first that came before counts, wherever the others are.
    for (const std::size_t count : {3, 16, 17, 20, 33, 100, 1'000})
        for (const std::size_t others : {0, 1, 40}) {
            Specials specials;
            for (std::size_t s = 0; s < others; ++s)
                specials.push_back("<" + std::to_string(s) + ">");
            specials.resize(others + count, "<again>");
            for (std::size_t s = 0; s < others; ++s)
                specials.push_back("<" + std::to_string(1'000 + s) + ">");
            const Joined joined(specials);
            INFO(count, " equal special tokens between ", others, " and ", others);
            expect_status(subject::validate({}, bytes(joined.all), joined.ends),
                          Status{Code::invalid_argument, others + 1});
        }
    // Each refusal at the ends and in the middle of a list.
    for (const std::size_t count : lengths(513)) {
        const auto expect_same = [](const Merges& merges, const Specials& specials) {
            const Joined joined(specials);
            expect_status(subject::validate(merges, bytes(joined.all), joined.ends),
                          reference::validate(merges, bytes(joined.all), joined.ends));
        };
        const Merges merges = chain(count);
        Specials specials;
        for (std::size_t s = 0; s < count; ++s)
            specials.push_back("<" + std::to_string(s) + ">");
        INFO("M = S = ", count);
        expect_same(merges, specials);
        for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
            const auto own = static_cast<TokenId>(256 + at);
            for (const TokenId id : {own, own + 1, -1, INT32_MIN, INT32_MAX}) {
                Merges wrong = merges;
                wrong[at].left = id;
                expect_same(wrong, specials);
                wrong[at] = {merges[at].left, id};
                expect_same(wrong, specials);
            }
            Merges again = merges;
            again.push_back(merges[at]);
            expect_same(again, specials);
            Specials repeated_one = specials, empty = specials;
            repeated_one.push_back(specials[at]);
            expect_same(merges, repeated_one);
            empty[at].clear();
            expect_same(merges, empty);
        }
        if (Recorder::current().failed()) return;
    }
    // Tokens that exist and others, in any order.
    Random random = constructed();
    const Tokenizers few(chain(5), {"<s>"});
    const auto expect_decoded = [&](const Tokens& ids) {
        expect_equal("size, tokens that do not exist", subject::decoded_size(few.got, ids),
                     few.want->decoded_size(ids));
        std::vector<std::uint8_t> out(few.want->decoded_size(ids), 0x5A), want = out;
        expect_status(subject::decode_ids(few.got, ids, out), few.want->decode(ids, want));
        expect_identical("bytes", out, want);
    };
    for (const std::size_t length : lengths(1'025)) {
        Tokens ids(length);
        for (TokenId& id : ids)
            id = static_cast<TokenId>(random.integer(random.chance(0.5) ? -1 : 0, 262));
        expect_decoded(ids);
    }
    // Pieces that differ in one bit, all in one text.
    struct Alphabet {
        char first;
        std::string_view bits; // that make others of its class
    };
    constexpr Alphabet alphabets[] = {{'a', "\2\4\x08\x10\x20"}, {'0', "\1\2\4\x08"}, {'!', "\4\x08"}};
    for (const std::size_t length : {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33}) {
        std::string text;
        for (const auto& [first, bits] : alphabets)
            for (std::size_t at = 0; at < length; ++at)
                for (const char bit : bits) {
                    std::string other(length, first);
                    other[at] = static_cast<char>(first ^ bit);
                    text += std::string(length, first) + '\n' + other + '\n';
                }
        INFO("pieces of ", length, " bytes that differ in one bit");
        nested.expect_round_trip(text);
        expect_merges(text, 4, trained(text, 4));
        if (Recorder::current().is_settled()) return;
    }
    // As many in the same place, of which all but one are those of the call before.
    for (const std::size_t length : {1, 2, 3, 8, 33}) {
        Tokens ids(length, 257);
        std::string text(length, 'a');
        for (std::size_t at = 0; at < length; ++at) {
            INFO("of ", length, " ids or bytes only that at ", at, " changes");
            for (const TokenId id : Tokens{260, 'a', -1, 261}) {
                ids[at] = id;
                expect_decoded(ids);
            }
            ids[at] = 257;
            for (const char byte : {'b', ' ', '1', 'a'}) {
                text[at] = byte;
                expect_ends(text);
                expect_merges(text, 3, trained(text, 3));
                few.expect_round_trip(text);
            }
            if (Recorder::current().failed()) return;
        }
    }
}

TEST_CASE("tokenizers of many kinds, one after the other") {
    Random random = harness::random();
    // Lists with any number of mistakes, in any order; and right ones, of which tokens often have equal
    // bytes.
    const Specials some{"", "a", "b", "ab", "ba", "aab"};
    for (int trial = 0; trial < 300; ++trial) {
        Merges merges;
        for (std::size_t left = random.size(0, 5); left > 0; --left) {
            const auto token = [&] {
                const auto made = static_cast<std::int64_t>(merges.size());
                return static_cast<TokenId>(
                    made > 0 && random.chance(0.4)
                        ? 255 + random.integer(std::int64_t{1}, made + (trial % 3 == 0 ? 1 : 0))
                        : random.integer<int>('a', 'b'));
            };
            const TokenId first = token();
            merges.push_back({first, token()});
        }
        Specials specials;
        for (std::size_t left = random.size(0, 4); left > 0; --left)
            specials.push_back(some[random.size(trial % 2, some.size() - 1)]);
        const Joined joined(specials);
        const Status want = reference::validate(merges, bytes(joined.all), joined.ends);
        CAPTURE(trial);
        expect_status(subject::validate(merges, bytes(joined.all), joined.ends), want);
        if (want == Status{}) {
            const Tokenizers each(merges, specials);
            expect_equal("vocabulary", subject::vocabulary(each.got), each.want->vocabulary());
            each.expect_round_trip("abba aab bab ab");
            subject::make.destroy(each.got);
        } else {
            expect_true("what validate refuses makes no tokenizer",
                        !subject::make(merges, bytes(joined.all), joined.ends).valid());
        }
        if (Recorder::current().failed()) return;
    }
    std::vector<Tokenizers> all;
    for (int i = 0; i < 3; ++i)
        all.emplace_back(trained(babble(random, 300), random.size(0, 40)),
                         i == 1 ? Specials{"the", "<|x|>", "th"} : Specials{});
    for (int round = 0; round < 3; ++round)
        for (const Tokenizers& each : all) {
            each.expect_round_trip(babble(random, 200));
            each.expect_round_trip(any_bytes(random, 60));
        }
    // One that is gone leaves its address to the next one.
    for (int round = 0; round < 2; ++round)
        for (const Merges& merges :
             {Merges{{'a', 'b'}}, Merges{{'b', 'c'}}, Merges{}, Merges{{'c', 'a'}, {'a', 'b'}},
              Merges{{'a', 'b'}, {256, 'c'}}, Merges{{'b', 'c'}, {'a', 256}}}) {
            const Tokenizers each(merges);
            each.expect_round_trip("abc ab bc cab abcabc");
            subject::make.destroy(each.got);
        }
    std::string word; // of 15,000 letters
    for (int i = 0; i < 5'000; ++i)
        word += "abc";
    Tokenizers({{'a', 'b'}, {256, 'c'}, {257, 257}}).expect_round_trip(word);
    // Long words of few letters: of many pairs that could be merged, a merge makes others come and go.
    const auto letters = [&](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i)
            text += static_cast<char>('a' + random.size(0, 3));
        return text;
    };
    const Tokenizers many(trained(letters(4'000), 500), {});
    for (int trial = 0; trial < 20; ++trial)
        many.expect_round_trip(letters(200));
    // Texts of which most is nearly a special token.
    const std::string_view parts[] = {"<",        "s",  ">",  "a",  "b",        " ",   "\n",
                                      "\xC2\xA0", "<s", "ab", "  ", "\xC3\xA9", "\0"sv};
    for (const Specials& specials :
         {Specials{"<s>"}, Specials{"<s", "s>", "<s><s>"}, Specials{"aab", "ab", "b a"},
          Specials{"  a", "\n", "a "}, Specials{"<s>a", "s>", "ba"}, // one that ends before one that began
          Specials{"\xA9", "\xA0 ", std::string("\0a", 2)}}) {       // within a character
        const Tokenizers each(pairs_of_bytes("<s>ab \n\xC2\xA0\xC3\xA9\0"sv), specials);
        for (int trial = 0; trial < 40; ++trial) {
            std::string text;
            for (std::size_t left = random.size(1, 14); left > 0; --left)
                text += parts[random.size(0, std::size(parts) - 1)];
            INFO("text: ", text);
            each.expect_round_trip(text);
            if (Recorder::current().is_settled()) return;
        }
    }
    // Special tokens of which some are the beginning of others, and texts that go on as one and end
    // otherwise.
    const auto signs = [&](std::size_t most) {
        std::string text;
        for (std::size_t left = random.size(1, most); left > 0; --left)
            text += "<ab"[random.size(0, 2)];
        return text;
    };
    for (int trial = 0; trial < 40; ++trial) {
        const std::string longest = signs(7);
        const auto beginning = [&] { return longest.substr(0, random.size(1, longest.size())); };
        std::set<std::string> chosen{longest};
        for (std::size_t left = random.size(1, 3); left > 0; --left)
            chosen.insert(beginning());
        for (std::size_t left = random.size(0, 2); left > 0; --left)
            chosen.insert(signs(3));
        Specials specials(chosen.begin(), chosen.end());
        if (trial % 2 != 0) std::ranges::reverse(specials);
        const Tokenizers each({{'<', 'a'}, {'a', 'b'}}, specials);
        for (int i = 0; i < 10; ++i) {
            std::string text;
            for (std::size_t left = random.size(1, 5); left > 0; --left)
                text += random.chance(0.6) ? beginning() : signs(2);
            INFO("text: ", text);
            each.expect_round_trip(text);
            if (Recorder::current().is_settled()) return;
        }
        subject::make.destroy(each.got);
    }
}

TEST_CASE("counts and ranks above what 8 and 16 bits hold") {
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += "xy ";
    text += "xz xz"; // 300 places against 2: not in 8 bits, where 300 is 44
    for (int i = 0; i < 257; ++i)
        text += ",xq";
    expect_merges(text, 3, trained(text, 3));
    text.clear();
    for (int i = 0; i < 65'600; ++i)
        text += "xy"; // 64 times, in 16 bits
    for (int i = 0; i < 300; ++i)
        text += ",ab";
    expect_merges(text, 1, {{'x', 'y'}});
    // A piece of more bytes; 2^16 is no multiple of three, so a buffer of that size would end within a token.
    text.clear();
    while (text.size() < 200'000)
        text += "abc";
    const Tokenizers of_long({{'a', 'b'}, {256, 'c'}});
    expect_identical("tokens, of a long piece", of_long.encode(text), Tokens(text.size() / 3, 257));
    for (const std::size_t length : {65'535, 65'536, 65'537})
        of_long.expect_round_trip(std::string_view(text).substr(0, length));
    // As many different words, and as many special tokens.
    text.clear();
    Specials words;
    for (int i = 0; i < 66'000; ++i) {
        words.push_back(std::to_string(i) + ';');
        text += static_cast<char>('a' + i % 26);
        for (int rest = i / 26; rest > 0; rest /= 26)
            text += static_cast<char>('a' + rest % 26);
        text += i % 2 == 0 ? ' ' : ',';
    }
    expect_merges(text, 20, trained(text, 20));
    const Tokenizers wordy({{'6', '5'}}, words);
    expect_equal("vocabulary", subject::vocabulary(wordy.got), 257 + words.size());
    wordy.expect_round_trip("65999;463;65535;65536;0;;65;");
    // Ranks and ids beyond 16 bits: all pairs of bytes, and triples of letters.
    Merges many;
    for (TokenId left = 0; left < 256 && many.size() < 65'536; ++left)
        for (TokenId right = 0; right < 256; ++right)
            many.push_back({left, right});
    for (TokenId third = 'a'; third <= 'g'; ++third)
        for (TokenId first = 'a'; first <= 'z'; ++first)
            for (TokenId second = 'a'; second <= 'z'; ++second)
                many.push_back({256 + 256 * first + second, third});
    many.push_back({65'536 + 255, 255}); // three bytes 255, of which the first two are 255 again in 16 bits
    many.push_back({255, 65'536 + '!'}); // left * 2^16 + right is that of 256, two zero bytes, and !
    const Tokenizers tokenizers(many);
    expect_identical("tokens, of xyg", tokenizers.encode("xyg"),
                     Tokens{256 + 65'536 + (6 * 26 + 23) * 26 + 24});
    tokenizers.expect_round_trip("xya zz qqa aaaa");
    tokenizers.expect_round_trip("\xFF\xFF\xFF\xFF");
    tokenizers.expect_round_trip("\xFF\xFF! \0\0!"sv);
    expect_equal("vocabulary", subject::vocabulary(tokenizers.got), 256 + 65'536 + 7 * 676 + 2);
}

TEST_CASE("a megabyte of one byte" * large) {
    // A pair that comes more often than 20 bits count, or 22 in a thorough run, and texts that somebody may
    // cut into parts.
    const std::string many((std::size_t{1} << by_depth(20, 22)) + 2, 'a');
    expect_merges(many + ",xy,xy,xy", 1, {{'a', 'a'}});
    std::string lines(std::size_t{1} << by_depth(18, 21), '\n');
    expect_merges(lines, 21, trained(lines, 21));
    Random random = constructed();
    const std::string mixed = any_characters(random, by_depth(150'000, 700'000));
    expect_ends(mixed);
    expect_merges(mixed, 1, trained(mixed, 1));
    Tokenizers({{' ', ' '}, {'\n', ' '}, {'a', 'Z'}}, {"7!"}).expect_round_trip(mixed);
    // Whatever a text is cut at, its pieces go on there: white space of all kinds before and after line ends.
    std::string blank;
    while (blank.size() < (std::size_t{9} << by_depth(15, 19))) {
        blank.append(random.size(0, 2), 'a');
        for (std::size_t left = random.size(1, 4); left > 0; --left)
            blank += " \n\t\r"[random.size(0, 3)];
    }
    expect_ends(blank);
    // A special token of a megabyte, made, found and given back.
    const std::string longest = any_bytes(random, std::size_t{1} << 20);
    Tokenizers special({{'a', 'b'}}, {longest, longest + "t"});
    special.expect_round_trip("ab" + longest + "t" + longest.substr(1) + "ab" + longest);
    subject::make.destroy(special.got);
    expect_true("another one works after it", Tokenizers({{'a', 'b'}}).encode("ab") == Tokens{256});
    const std::string zeros(std::size_t{1} << 20, '\0');
    expect_identical("the list of ends", subject::split(bytes(zeros)),
                     std::vector<std::size_t>{zeros.size()});
    Merges merges{{0, 0}};
    for (TokenId made = 256; made < 256 + 9; ++made)
        merges.push_back({made, made});
    expect_merges(zeros, 10, merges);
    const Tokenizers tokenizers(merges);
    expect_identical("tokens", tokenizers.encode(zeros), Tokens(1'024, 265));
    expect_true("decode gives back the bytes", tokenizers.decode(Tokens(1'024, 265)) == zeros);
}

TEST_CASE("more bytes than 32 bits count" * large) {
    if (is_thorough()) expect_more_tokens_than_20_bits_count();
    constexpr std::size_t doublings = 24;
    Merges merges{{'a', 'a'}};
    for (std::size_t r = 1; r < doublings; ++r)
        merges.push_back({static_cast<TokenId>(255 + r), static_cast<TokenId>(255 + r)});
    const TokenId longest = 255 + doublings;
    const Tokenizers tokenizers(merges);
    Tokens ids(256, longest); // 2^32 bytes
    ids.push_back('b');
    expect_equal("size", subject::decoded_size(tokenizers.got, ids), (std::size_t{1} << 32) + 1);
    std::vector<std::uint8_t> out(1, 0xAA);
    expect_status(subject::decode_ids(tokenizers.got, ids, out), {Code::shape_mismatch});
    expect_true("nothing is written", out[0] == 0xAA);
    expect_equal("size, of the longest token", subject::decoded_size(tokenizers.got, Tokens{longest}),
                 std::size_t{1} << doublings);
}

TEST_CASE("decode of any number of tokens, refused, and after other calls") {
    adverse_decode().sizes();
    adverse_decode().empty_axes();
    adverse_decode().special_cases();
    adverse_decode().history();
}

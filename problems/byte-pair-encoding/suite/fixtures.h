#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/adversity/caller.h"
#include "harness/recorder.h"
#include "harness/suite.h"
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

namespace suite {

using Tokens = std::vector<TokenId>;
using Merges = std::vector<Merge>;
using Specials = std::vector<std::string>;

inline Bytes bytes(std::string_view text) {
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

inline Sort sort_of(const Char& next, std::string_view from) {
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
inline std::set<std::string> properties_of_text(std::string_view text) {
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

inline void expect_ends(std::string_view text, const std::vector<std::size_t>& ends) {
    try_text("split", text, [&] { expect_identical("the list of ends", subject::split(bytes(text)), ends); });
}
inline void expect_ends(std::string_view text) {
    expect_ends(text, reference::split(bytes(text)));
}

/// A text of characters of every class, of one to four bytes each, and of those with rules of their own.
inline std::string any_characters(Random& random, std::size_t count) {
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

inline std::string any_bytes(Random& random, std::size_t size) {
    std::string text(size, '\0');
    for (char& byte : text)
        byte = static_cast<char>(random.integer(0, 255));
    return text;
}

inline void expect_merges(std::string_view text, std::size_t count, const Merges& want) {
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

inline Merges trained(std::string_view text, std::size_t merges) {
    return reference::train(bytes(text), merges);
}

} // namespace suite

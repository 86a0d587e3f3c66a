#include "fixtures.h"

using namespace suite;

namespace {

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

/// Every pair of these bytes, so that each end of a piece shows.
Merges pairs_of_bytes(std::string_view list) {
    Merges merges;
    for (const char left : list)
        for (const char right : list)
            merges.push_back({static_cast<std::uint8_t>(left), static_cast<std::uint8_t>(right)});
    return merges;
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

} // namespace

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

TEST_CASE("decode of any number of tokens, refused, and after other calls") {
    adverse_decode().sizes();
    adverse_decode().empty_axes();
    adverse_decode().special_cases();
    adverse_decode().history();
}

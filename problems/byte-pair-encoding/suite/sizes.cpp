#include "fixtures.h"

using namespace suite;

namespace {

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

/// Merges of which each makes a token that the next one extends.
Merges chain(std::size_t count) {
    Merges merges;
    for (std::size_t r = 0; r < count; ++r)
        merges.push_back({r == 0 ? 'a' : static_cast<TokenId>(255 + r), 'b'});
    return merges;
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

#include "fixtures.h"

using namespace suite;

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

#include "vocabulary/vocabulary.h"

#include "model/errors.h"
#include "vocabulary/byte_alphabet.h"

#include <doctest/doctest.h>

using vocabulary::Merge;
using vocabulary::read_gpt2;
using vocabulary::read_tiktoken;
using vocabulary::Vocabulary;

namespace {

/// Numbers for the bytes, backwards, then the tokens.
std::string numbers(const std::vector<std::string>& tokens) {
    std::string json = "{";
    for (int byte = 0; byte < 256; ++byte) {
        std::string key = vocabulary::written(std::string(1, static_cast<char>(byte)));
        if (key == "\"" || key == "\\") key.insert(0, "\\");
        json += "\"" + key + "\": " + std::to_string(255 - byte) + ", ";
    }
    for (std::size_t i = 0; i < tokens.size(); ++i)
        json += (i == 0 ? "\"" : ", \"") + tokens[i] + "\": " + std::to_string(256 + i);
    return json + "}";
}

/// All bytes in order, in Base64.
std::string byte_ranks() {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string lines;
    for (unsigned byte = 0; byte < 256; ++byte)
        lines +=
            std::string{digits[byte >> 2], digits[(byte & 3) << 4]} + "== " + std::to_string(byte) + "\n";
    return lines;
}

std::string refusal_of_gpt2(const std::string& merges, const std::string& numbers) {
    try {
        read_gpt2({"m", merges}, {"n", numbers});
    } catch (const model::UsageError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("GPT-2's two files become merges and numbers") {
    const Vocabulary v = read_gpt2({"m", "#version: 0.2\na b\r\nab ab\n\u0120 ab\n"},
                                   {"n", numbers({"abab", "\u0120ab", "ab", "<|end|>"})});
    CHECK(v.merges == std::vector<Merge>{{'a', 'b'}, {256, 256}, {' ', 256}});
    CHECK(v.specials == std::vector<std::string>{"<|end|>"});
    CHECK(v.published[0] == 255);
    CHECK(v.published['a'] == 255 - 'a');
    CHECK(std::vector(v.published.begin() + 256, v.published.end()) ==
          std::vector<std::int64_t>{258, 256, 257, 259});
}

TEST_CASE("what is wrong with GPT-2's files is said with its place") {
    const std::string good = numbers({"ab"});
    CHECK(refusal_of_gpt2("a b\n", good).empty());
    CHECK(refusal_of_gpt2("a b\na b\n", good) == "m:2: makes ab, which a line before makes");
    CHECK(refusal_of_gpt2("ab c\n", good) == "m:1: merges ab, which no line before makes");
    CHECK(refusal_of_gpt2("a  b\n", good).starts_with("m:1: is not a merge"));
    CHECK(refusal_of_gpt2("a b c\n", good).starts_with("m:1: is not a merge"));
    CHECK(refusal_of_gpt2("a b\n\n", good).starts_with("m:2: is not a merge"));
    CHECK(refusal_of_gpt2("a b\nb a\n", good).starts_with("n: has no number for ba, a token of m"));
    CHECK(refusal_of_gpt2("a b\n", numbers({"ab", ""})) == "n: gives number 257 to a token that is empty");
    std::vector<std::string> many{"ab"};
    for (int i = 0; i < 40; ++i)
        many.push_back("<" + std::to_string(i) + ">");
    CHECK(refusal_of_gpt2("a b\n", numbers(many)).starts_with("n: has 40 tokens that m does not make"));
}

TEST_CASE("tiktoken's ranks give the merges back") {
    // ab, abab, c, " ab": in Base64 YWI=, YWJhYg==, IGFi
    const Vocabulary v = read_tiktoken({"t", byte_ranks() + "YWI= 256\nYWJhYg== 257\nIGFi 258\n"});
    CHECK(v.merges == std::vector<Merge>{{'a', 'b'}, {256, 256}, {' ', 256}});
    CHECK(v.specials.empty());
    CHECK(v.published[258] == 258);
    // The order of the lines is none of the ranks'.
    CHECK(read_tiktoken({"t", "YWI= 256\nYWJhYg== 257\nIGFi 258\n" + byte_ranks()}) == v);
}

TEST_CASE("what is wrong with tiktoken's file is said with its place") {
    const auto refusal = [](const std::string& text) -> std::string {
        try {
            read_tiktoken({"t", text});
        } catch (const model::UsageError& error) {
            return error.what();
        }
        return "";
    };
    CHECK(refusal(byte_ranks() + "YWI= 256\n").empty());
    CHECK(refusal(byte_ranks() + "YWJhYg== 256\n") == "t:257: has a token that no two of lower rank make");
    CHECK(refusal(byte_ranks() + "YWI= 256\nYWI= 257\n") ==
          "t:258: has a token that is empty or came before");
    CHECK(refusal(byte_ranks() + "YWI 256\n").starts_with("t:257: is not a token"));
    CHECK(refusal(byte_ranks() + "YW=I 256\n").starts_with("t:257: is not a token"));
    CHECK(refusal(byte_ranks() + "YWI= -1\n").starts_with("t:257: is not a token"));
    CHECK(refusal(byte_ranks() + "YWI= 255\n") == "t:257: has the number 255, as line 256 has");
    std::string long_token; // 513 bytes
    for (int i = 0; i < 171; ++i)
        long_token += "YWFh";
    CHECK(refusal(byte_ranks() + long_token + " 256\n") ==
          "t:257: has a token of 513 bytes; the longest may have 512");
}

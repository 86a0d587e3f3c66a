#include "diagnosis/compiler_rows.h"

#include "diagnosis/undefined.h"

#include <algorithm>
#include <array>

namespace diagnosis {
namespace {

/// A `*` in the pattern stands for any text; `{0}`, `{1}` in the words give back what stood there. g++ and
/// clang++ word the same trouble differently, so a trouble may have several rows. The first row that fits
/// speaks.
struct Row {
    std::string_view pattern;
    std::string_view words;
    bool same = false; ///< fits only where the first and the last `*` stand for the same text
};

constexpr std::string_view brace = "A closing brace `}` is missing: every `{` needs its `}`.";
constexpr std::string_view extra_brace =
    "There is a closing brace `}` too many here, or a `{` is missing further up.";
constexpr std::string_view parenthesis = "A closing parenthesis `)` is missing here or just before.";
constexpr std::string_view read_only =
    "This is const: it may be read but not written. Write to the output, and leave the inputs as they are.";
constexpr std::string_view const_dropped =
    "A const is dropped here: what points to or refers to const data must say const as well, "
    "e.g. `const float*`.";
constexpr std::string_view no_header =
    "The header {0} is not available: only contract.h and the standard headers can be included.";
constexpr std::string_view switched_off =
    "This attribute would take a function out of what checks it: write the function without it.";
constexpr std::string_view unknown = "The name {0} is not known here: check its spelling, and that it is "
                                     "declared or included above this line.";
constexpr std::string_view unknown_suggested = "The name {0} is not known here: did you mean {1}?";
constexpr std::string_view narrowing =
    "Braces refuse a conversion that can lose values: write `static_cast<{1}>(…)` where it is meant.";
constexpr std::string_view no_conversion =
    "A value of type {0} does not turn into {1} by itself: check which of the two types you meant.";
constexpr std::string_view never_returns =
    "This function promises a result, but has no `return` at all: end it with one.";
constexpr std::string_view no_return = "The function promises a result, but can end without a `return`.";
constexpr std::string_view no_member =
    "{0} has no member {1}: look up the type's members in contract.h or its header.";
constexpr std::string_view no_output =
    "There is no `<<` that prints a {1}: print its parts one by one, of a matrix "
    "`m(row, column)`.";
constexpr std::string_view no_subscript =
    "A matrix has no operator[]: for an element write `m(row, column)`.";
constexpr std::string_view no_operator = "There is no {0} for {2} and {3}: check the types on both sides.";
constexpr std::string_view no_overload =
    "No version of {0} takes these arguments: compare their number and types with its declaration.";
constexpr std::string_view return_type = "The function's result type is not the one that contract.h "
                                         "declares: copy the declaration from there.";
constexpr std::string_view endless_constexpr =
    "A constexpr computation was stopped because it took too many steps: does its loop end?";
constexpr std::string_view endless_template =
    "A template was stopped because it instantiates itself too deeply: does the recursion end?";
constexpr std::string_view quote = "A closing quotation mark is missing on this line.";
constexpr std::string_view not_cuda = "Kernels and launches are in files that end in .cu: rename this one.";
constexpr std::string_view twice = "{0} is defined twice: keep one of the two definitions.";

constexpr std::array rows{
    // linker
    Row{"multiple definition of 'main'", "Your file defines main, but the judge has its own: take yours "
                                         "away, your functions are called directly."},
    Row{"multiple definition of '*'", "Your file defines {0}, a name that the judge uses itself: rename it "
                                      "or put it into an anonymous namespace."},
    Row{"attempt to use poisoned \"*\"", switched_off},
    Row{"attempt to use a poisoned identifier", switched_off},
    // headers and names of the standard library
    Row{"thrust/*: this file cannot be included",
        "The emulator has no Thrust: allocate with cudaMalloc and write the kernel."},
    Row{"cub/*: this file cannot be included",
        "The emulator has no CUB: write the block and warp primitives out, or run this file on a GPU."},
    Row{"cuda/ptx: this file cannot be included",
        "The emulator has no cuda::ptx, as it runs no PTX: write what it does in CUDA C++."},
    Row{"cuda/*latch: this file cannot be included",
        "The emulator has no cuda::latch: use __syncthreads, or sync() of a cooperative group."},
    Row{"cuda/*semaphore: this file cannot be included", "The emulator has no semaphores: use an atomic."},
    Row{"cuda/*: this file cannot be included",
        "The emulator does not have this part of libcu++: it has cuda::atomic, and of cuda::std what is a "
        "value."},
    Row{"cooperative_groups/*: this file cannot be included",
        "The emulator has reduce.h and scan.h of cooperative groups."},
    Row{"cu*_interop.h: this file cannot be included", "The emulator draws nothing: leave the graphics out."},
    Row{"nvrtc*.h: this file cannot be included",
        "The emulator compiles nothing at run time: write the kernel in the program."},
    Row{"cufft*.h: this file cannot be included", "The emulator has no cuFFT: write the transform out."},
    Row{"cublas*.h: this file cannot be included", "The emulator has no cuBLAS: write the product out."},
    Row{"cusparse*.h: this file cannot be included", "The emulator has no cuSPARSE: write the product out."},
    Row{"cusolver*.h: this file cannot be included", "The emulator has no cuSOLVER: write the steps out."},
    Row{"cudnn*.h: this file cannot be included", "The emulator has no cuDNN: write the kernel out."},
    Row{"nccl.h: this file cannot be included", "The emulator has one device: leave NCCL out."},
    Row{"cutlass/*: this file cannot be included", "The emulator has no CUTLASS: write the product out."},
    Row{"helper_*.h: this file cannot be included", "Of NVIDIA's samples there is only helper_cuda.h here: "
                                                    "`try` takes their folder Common with --include."},
    Row{"*: this file cannot be included", no_header},
    Row{"use of undeclared identifier 'std'",
        "Nothing of the standard library is included yet: add the `#include <…>` line that this name needs."},
    // punctuation
    Row{"expected initializer before '*'",
        "Something is missing before {0}: most often the semicolon `;` after the `}` of a struct, or at the "
        "end of the line before."},
    Row{"expected '}' before end", brace},
    Row{"expected '}'", brace},
    Row{"expected declaration before '}'", extra_brace},
    Row{"extraneous closing brace", extra_brace},
    Row{"expected ')'", parenthesis},
    Row{"missing terminating", quote},
    Row{"stray '*' in program",
        "The character {0} does not belong in C++ here: was it copied from a formatted text?"},
    // const
    Row{"assignment of read-only", read_only},
    Row{"read-only variable is not assignable", read_only},
    Row{"cannot assign to", read_only},
    Row{"increment of read-only", read_only},
    Row{"invalid conversion from 'const *' to '*'", const_dropped, true},
    Row{"cannot initialize a variable of type '*' with an lvalue of type 'const *'", const_dropped, true},
    Row{"cannot initialize a variable of type '*' with an rvalue of type 'const *'", const_dropped, true},
    Row{"binding reference of type '*' to 'const *' discards", const_dropped},
    Row{"binding reference of type '*' to value of type 'const *'", const_dropped},
    Row{"passing 'const *' as 'this' argument discards", const_dropped},
    // conversions
    Row{"narrowing conversion of * to '*'", narrowing},
    Row{"non-constant-expression cannot be narrowed from type * to '*'", narrowing},
    Row{"constant expression evaluates to * which cannot be narrowed to type '*'", narrowing},
    Row{"invalid conversion from '*' to '*'", no_conversion},
    Row{"cannot convert '*' to '*'", no_conversion},
    Row{"could not convert '*' from '*' to '*'", "The value {0} of type {1} does not turn into {2} by "
                                                 "itself: check which of the two types you meant."},
    Row{"conversion from '*' to non-scalar type '*'", no_conversion},
    Row{"conversion from '*' to '*' is ambiguous", no_conversion},
    Row{"no viable conversion from '*' to '*'", no_conversion},
    Row{"no viable conversion from returned value of type '*' to function return type '*'", no_conversion},
    Row{"cannot initialize a variable of type '*' with * of type '*'",
        "A value of type {2} does not turn into {0} by itself: check which of the two types you meant."},
    Row{"cannot initialize return object of type '*' with * of type '*'",
        "The function returns {0}, not {2}: check its declaration in contract.h."},
    Row{"variable length array '*' is used",
        "The array {0} needs a size that the compiler knows: a constant. Device code has no arrays of "
        "variable "
        "size; use shared memory, or go through the elements one by one."},
    // results
    Row{"no return statement in function returning non-void", never_returns},
    Row{"control reaches end of non-void function", no_return},
    Row{"non-void function does not return a value in all control paths", no_return},
    Row{"non-void function does not return a value", never_returns},
    Row{"ambiguating new declaration of", return_type},
    Row{"functions that differ only in their return type", return_type},
    Row{"return-statement with a value, in function returning 'void'",
        "The function returns nothing (void), so its `return` must not carry a value."},
    Row{"void function '*' should not return a value",
        "The function returns nothing (void), so its `return` must not carry a value."},
    // names
    Row{"'*' was not declared in this scope; did you mean '*'?", unknown_suggested},
    Row{"'*' was not declared in this scope", unknown},
    Row{"use of undeclared identifier '*'; did you mean '*'?", unknown_suggested},
    Row{"use of undeclared identifier '*'", unknown},
    Row{"'__global__' does not name a type", not_cuda},
    Row{"'__device__' does not name a type", not_cuda},
    Row{"'Launch' is not a member of 'cuda_emulator'", not_cuda},
    Row{"'*' does not name a type; did you mean '*'?", unknown_suggested},
    Row{"'*' does not name a type", unknown},
    Row{"unknown type name '*'; did you mean '*'?", unknown_suggested},
    Row{"unknown type name '*'", unknown},
    Row{"'*' has not been declared; did you mean '*'?", unknown_suggested},
    Row{"'*' has not been declared", unknown},
    Row{"'*' is not a namespace-name", "There is no namespace {0}: check its spelling."},
    Row{"no namespace named '*'; did you mean '*'?", "There is no namespace {0}: did you mean {1}?"},
    Row{"no template named '*'; did you mean '*'?", unknown_suggested},
    Row{"'*' is not a member of '*'; did you mean '*'?", "{1} has no {0}: did you mean {2}?"},
    Row{"'*' is not a member of '*'", "{1} has no {0}: check its spelling."},
    Row{"'*' redeclared as different kind of entity",
        "The compiler does not understand this function declaration: a type in it is misspelt or unknown "
        "here."},
    Row{"'*' has no member named '*'; did you mean '*'?", "{0} has no member {1}: did you mean {2}?"},
    Row{"'*' has no member named '*'", no_member},
    Row{"no member named '*' in '*'; did you mean '*'?", "{1} has no member {0}: did you mean {2}?"},
    Row{"no member named '*' in '*'",
        "{1} has no member {0}: look up the type's members in contract.h or its header."},
    // calls
    Row{"no matching function for call to '*'", no_overload},
    Row{"the kernel has the parameters (*), and is launched with (*)",
        "The arguments of the launch do not fit: pass ({0}), in this order."},
    Row{"too few arguments to function '*'",
        "The call passes {0} too few arguments: compare it with the declaration."},
    Row{"too many arguments to function '*'",
        "The call passes {0} too many arguments: compare it with the declaration."},
    Row{"no match for 'operator<<' in '*' (operand types are 'std::ostream' and '*')", no_output},
    Row{"no match for 'operator<<' in '*' (operand types are 'std::basic_ostream<char>' and '*')", no_output},
    Row{"no match for 'operator[]' in '*' (operand types are 'contract::Matrix<*' and '*')", no_subscript},
    Row{"no match for '*' in '*' (operand types are '*' and '*')", no_operator},
    Row{"no match for '*' (operand types are '*' and '*')",
        "There is no {0} for {1} and {2}: check the types on both sides."},
    Row{"type '*' does not provide a subscript operator",
        "{0} has no operator[]: for an element of a matrix write `m(row, column)`."},
    Row{"invalid operands to binary expression ('*ostream*' and '*')",
        "There is no `<<` that prints a {2}: print its parts one by one, of a matrix `m(row, column)`."},
    Row{"invalid operands to binary expression ('*' and '*')",
        "There is no such operator between {0} and {1}."},
    Row{"use of deleted function '*'", "{0} is deleted: this type cannot be copied or made in this way."},
    Row{"redefinition of '*'", twice},
    Row{"redeclaration of '*'", twice},
    Row{"conflicting declaration '*'", twice},
    // bounds of the compiler
    Row{"'constexpr' evaluation operation count exceeds limit", endless_constexpr},
    Row{"'constexpr' loop iteration count exceeds limit", endless_constexpr},
    Row{"constexpr evaluation hit maximum step limit", endless_constexpr},
    Row{"template instantiation depth exceeds", endless_template},
    Row{"recursive template instantiation exceeded maximum depth", endless_template},
    Row{"#include nested", "The includes never end: a file includes itself."},
};

std::string fill(std::string_view words, const std::vector<std::string>& captures) {
    constexpr std::size_t longest = 120;
    std::string text(words);
    for (std::size_t i = 0; i < captures.size(); ++i) {
        std::string capture = readable_signature(captures[i]);
        if (capture.size() > longest) capture = "this";
        const std::string mark = "{" + std::to_string(i) + "}";
        if (const std::size_t at = text.find(mark); at != std::string::npos)
            text.replace(at, mark.size(), capture);
    }
    return text;
}

} // namespace

/// What stood for each `*`, if `text` begins as the pattern says.
std::optional<std::vector<std::string>> match(std::string_view text, std::string_view pattern) {
    std::vector<std::string> captures;
    std::size_t star = pattern.find('*');
    if (!text.starts_with(pattern.substr(0, star))) return std::nullopt;
    text.remove_prefix(std::min(star, text.size()));
    while (star != std::string_view::npos) {
        const std::size_t next = pattern.find('*', star + 1);
        const std::string_view literal =
            pattern.substr(star + 1, next == std::string_view::npos ? next : next - star - 1);
        const std::size_t at = literal.empty() ? text.size() : text.find(literal);
        if (at == std::string_view::npos) return std::nullopt;
        captures.emplace_back(text.substr(0, at));
        text.remove_prefix(at + literal.size());
        star = next;
    }
    return captures;
}

std::string words_for(std::string_view text) {
    for (const Row& row : rows)
        if (const auto captures = match(text, row.pattern);
            captures && (!row.same || captures->front() == captures->back()))
            return fill(row.words, *captures);
    return "";
}

} // namespace diagnosis

#include "build/contract_names.h"
#include "build/diagnostics.h"
#include "build/locate.h"
#include "build/plan.h"
#include "build/symbols.h"
#include "build/toolchain.h"
#include "diagnosis/compiler.h"
#include "system/process.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

const fs::path exercises = fs::path(ENGINE_SOURCE_DIR) / "exercises";
const fs::path exercise = exercises / "token-lookup";

/// What learners get wrong in token-lookup, and what they must read: of the first message the place and the
/// sentence.
struct Wrong {
    const char* situation;
    const char* headers;
    const char* before; ///< the function, inside namespace exercise
    const char* body;
    int line;
    int column;
    const char* says;
    const char* clang_says = says;
};

constexpr const char* contract = "#include \"contract.h\"\n";
constexpr const char* iostream = "#include \"contract.h\"\n#include <iostream>\n";
constexpr const char* algorithm =
    "#include \"contract.h\"\n#include <algorithm>\n#include <list>\n#include <string>\n";

constexpr Wrong wrongs[] = {
    {"const dropped", contract, "", "float* row = table.row(0); (void)row;", 4, 23,
     "A const is dropped here"},

    {"semicolon missing before a brace", contract, "", "if (true) { return {} }", 4, 22,
     "missing just before this place"},
    {"semicolon missing at the end of a block", contract, "", "{\nreturn {}\n}", 5, 10,
     "missing at the end of this line"},
    {"semicolon missing before a declaration", contract, "", "int n = 1\nint m = 2;", 5, 1,
     "missing at the end of the line before", "missing at the end of this line"},
    {"semicolon missing before (void)", contract, "", "std::size_t n = ids.size()\n(void)table;", 5, 2,
     "missing at the end of the line before"},
    {"semicolon missing after a struct", contract, "struct Pair { int a; } ", "", 3, 31,
     "the semicolon `;` after the `}` of a struct", "semicolon"},
    {"misspelt type", contract, "Staus f(); ", "", 3, 1, "did you mean Status?"},
    {"misspelt type of a parameter", contract, "int f(Idz ids); ", "", 3, 7, "did you mean Ids?"},
    {"misspelt template", contract, "Matrx<int> f(); ", "", 3, 1, "did you mean Matrix?"},
    {"misspelt enumerator", contract, "", "return Status{Code::shape_mismach};", 4, 21,
     "did you mean shape_mismatch?"},
    {"misspelt name of std", "#include \"contract.h\"\n#include <vector>\n", "", "std::vecotr<int> v;", 5, 6,
     "did you mean std::vector?"},
    {"comma before a semicolon", contract, "", "int n = 1,;", 4, 11, "a comma `,` too many"},
    {"two commas", algorithm, "", "int n = std::min(1, , 2);", 7, 21, "a comma `,` too many"},
    {"comma before a parenthesis", contract, "", "out(0,) = 1;", 4, 7, "a comma `,` too many"},
    {"comma after the last parameter", contract, "int f(int a,);", "", 3, 13, "a comma `,` too many"},
    {"typographic quotes", contract, "", "const char* s = “text”;", 4, 17, "type a plain \" instead"},
    {"typographic dash", contract, "", "int n = 2 – 1;", 4, 11, "type a plain - instead"},
    {"blank that is none", contract, "", "int\u00A0n = 1;", 4, 1, "(U+00A0): delete it", ""},
    {"a matrix to cout", iostream, "", "std::cout << table;", 5, 11,
     "no `<<` that prints a Matrix<const float>"},
    {"a matrix to cout after text", iostream, "", "std::cout << \"table \" << table;", 5, 23,
     "no `<<` that prints a Matrix<const float>"},
    {"a matrix with subscripts", contract, "", "out[0][0] = 1;", 4, 4, "write `m(row, column)`"},
    {"copy of other types", algorithm, "", "std::string w[2]; std::copy(w, w + 2, out.row(0));", 7, 28,
     "The library function called in this line cannot turn", "does not fit there"},
    {"sort of a list", algorithm, "", "std::list<int> l; std::sort(l.begin(), l.end());", 7, 28,
     "does not fit there"},
    {"narrowing", contract, "", "char n{ids.size()};", 4, 16, "static_cast<char>"},
    {"member that is not there", contract, "", "return {out.height};", 4, 13, "no member height"},
    {"header that is not there", "#include \"contract.h\"\n#include <torch/torch.h>\n", "", "", 2, 10,
     "torch/torch.h is not available"},
    {"parenthesis missing", contract, "", "if (ids.empty() return {};", 4, 16, "parenthesis `)` is missing"},
    {"semicolon missing in the head of a for", contract, "", "for (int n = 0; n < 1) {}", 4, 22,
     "semicolon `;` is missing"},
    {"brace too many", contract, "", "return {};\n}", 6, 1, "This `return` is outside every function"},
    {"member of a type by name", contract, "", "return {table.height};", 4, 15,
     "Matrix<const float> has no member height", "no member height"},
    {"brace missing", contract, "", "for (;;) {", 7, 2, "A closing brace `}` is missing"},
};

std::string program(const Wrong& wrong) {
    return std::string(wrong.headers) + "namespace exercise {\n" + wrong.before +
           "Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {\n" + wrong.body +
           "\nreturn {};\n}\n}";
}

/// A scratch folder with one source file, and the machine's compiler.
class Bench {
  public:
    Bench() {
        folder_ = (fs::temp_directory_path() / "engine-errors-XXXXXX").string();
        REQUIRE(mkdtemp(folder_.data()) != nullptr);
    }
    ~Bench() { fs::remove_all(folder_); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    sys::RunOutcome run(const std::string& program, std::vector<std::string> arguments) const {
        sys::Command command;
        command.program = program;
        command.arguments = std::move(arguments);
        command.environment = build::compiler_environment(folder_);
        command.directory = folder_;
        return sys::run(command, {.wall = std::chrono::minutes(2)});
    }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    }

    sys::RunOutcome compile(const build::Toolchain& toolchain, const std::string& file,
                            const std::string& extent = "-c") const {
        std::vector<std::string> arguments = build::code_flags(toolchain, build::Variant::optimised);
        for (const std::string& flag : build::message_flags(toolchain))
            arguments.push_back(flag);
        for (const std::string& word :
             {"-ffile-prefix-map=" + folder_ + "=.", std::string("-I"), exercise.string(), std::string("-I"),
              exercises.string(), extent, file, std::string("-o"), file + ".o"})
            arguments.push_back(word);
        return run(toolchain.compiler, arguments);
    }

  private:
    std::string folder_;
};

std::vector<build::Toolchain> compilers() {
    std::vector<build::Toolchain> found;
    for (const char* name : {"/usr/bin/g++", "/usr/bin/clang++"}) {
        if (access(name, X_OK) != 0) {
            MESSAGE("skipped: no " << name);
            continue;
        }
        build::Toolchain toolchain;
        toolchain.compiler = name;
        toolchain.family = std::string(name).ends_with("/g++") ? build::Family::gcc : build::Family::clang;
        found.push_back(toolchain);
    }
    return found;
}

} // namespace

TEST_CASE("what learners get wrong is told at its place in plain words") {
    const Bench bench;
    for (const build::Toolchain& toolchain : compilers())
        for (const Wrong& wrong : wrongs) {
            CAPTURE(toolchain.compiler);
            CAPTURE(wrong.situation);
            const model::Submission submission{"there/lookup.cpp", {{"lookup.cpp", program(wrong)}}};
            bench.write("lookup.cpp", submission.files[0].text);
            const auto outcome = bench.compile(toolchain, "lookup.cpp", "-fsyntax-only");
            INFO(outcome.output);
            auto found = build::parse_compiler_output(outcome.output, submission);
            build::name_nearest(found, exercise, exercises);
            build::show_places(found, submission);
            REQUIRE_FALSE(found.empty());
            const bool gcc = toolchain.family == build::Family::gcc;
            INFO(std::string(wrong.situation));
            const std::string said = diagnosis::explain(found[0]);
            CHECK_MESSAGE(said.find(gcc ? wrong.says : wrong.clang_says) != std::string::npos, said);
            CHECK(found[0].file == "there/lookup.cpp");
            if (gcc) CHECK(found[0].line == wrong.line); // clang may point to the line before
            if (gcc) CHECK(found[0].column == wrong.column);
            CHECK(found.size() <= 6);
        }
}

namespace {

/// What only the linker sees; the judge calls lookup.
struct Unlinked {
    const char* situation;
    const char* source;
    const char* begins; ///< of the line that is shown
    const char* says;
};

constexpr const char* signature = "Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out)";

const Unlinked unlinked[] = {
    {"helper declared but not defined",
     "void copy_row(const float* from);\nSTATUS { copy_row(table.row(0)); return {}; }", "void copy_row",
     "copy_row(const float*) is declared and called, but not defined"},
    {"helper defined with other parameters",
     "void copy_row(const float* from);\nSTATUS { copy_row(table.row(0)); return {}; }\nvoid "
     "copy_row(float*) {}",
     "void copy_row", "what the file defines is copy_row(float*): give both the same parameters"},
    {"helper defined in another namespace",
     "void copy_row(const float* from);\nSTATUS { copy_row(table.row(0)); return {}; }\n}\nvoid "
     "copy_row(const float*) "
     "{}\nnamespace exercise {",
     "void copy_row", "::copy_row, in another namespace"},
    {"the function itself called and not defined", "void again(Ids ids) { lookup({}, ids, {}); }",
     "void again", "lookup is declared in contract.h, but your file does not define it"},
    {"misspelt function",
     "Status lokup(Matrix<const float> table, Ids ids, Matrix<float> out) { return {}; }", "Status lokup",
     "your file defines lokup with these parameters: is the name misspelt?"},
    {"other parameters",
     "Status lookup(Matrix<const float> table, const int* ids, Matrix<float> out) { return {}; }",
     "Status lookup", "has different parameters from those in contract.h"},
    {"outside the namespace", "}\nusing namespace contract;\nSTATUS { return {}; }\nnamespace exercise {",
     "Status lookup", "outside namespace exercise"},
    {"a main of their own", "STATUS { return {}; }\n}\nint main() {}\nnamespace exercise {", "int main",
     "Your file defines main"},
};

std::string with_signature(std::string text) {
    const std::string mark = "STATUS";
    if (const std::size_t at = text.find(mark); at != std::string::npos)
        text.replace(at, mark.size(), signature);
    return text;
}

} // namespace

TEST_CASE("what only the linker sees is told at the learner's line, with every linker") {
    const Bench bench;
    build::Toolchain toolchain;
    toolchain.compiler = "/usr/bin/g++";
    bench.write("judge.cpp",
                "#include \"contract.h\"\nint main() { return exercise::lookup({}, {}, {}).code != "
                "contract::Code{}; }\n");
    REQUIRE(bench.compile(toolchain, "judge.cpp").ok());
    for (const Unlinked& wrong : unlinked) {
        INFO(std::string(wrong.situation));
        const model::Submission submission{"there/lookup.cpp",
                                           {{"lookup.cpp", contract + std::string("namespace exercise {\n") +
                                                               with_signature(wrong.source) + "\n}\n"}}};
        bench.write("lookup.cpp", submission.files[0].text);
        const auto compiled = bench.compile(toolchain, "lookup.cpp");
        REQUIRE_MESSAGE(compiled.ok(), compiled.output);
        const auto defined =
            build::parse_symbols(bench.run("/usr/bin/nm", {"-C", "--defined-only", "lookup.cpp.o"}).output);
        for (const char* linker : {"mold", "lld", "bfd"}) {
            const auto outcome =
                bench.run(toolchain.compiler, {std::string("-fuse-ld=") + linker, "-pie", "lookup.cpp.o",
                                               "judge.cpp.o", "-o", "worker"});
            if (outcome.output.find("collect2: fatal error: cannot find") != std::string::npos) {
                MESSAGE("skipped: no " << linker);
                continue;
            }
            CAPTURE(linker);
            INFO(outcome.output);
            auto found = build::parse_linker_output(outcome.output, submission);
            build::place_linked(found, defined, submission);
            build::show_places(found, submission);
            REQUIRE_FALSE(found.empty());
            const std::string said = diagnosis::explain(found[0], defined);
            CHECK_MESSAGE(said.find(wrong.says) != std::string::npos, said);
            CHECK(found[0].file == "there/lookup.cpp");
            const bool at_call =
                found[0].source.find("copy_row(table") != std::string::npos; // where a line is known
            CHECK_MESSAGE((at_call || found[0].source.starts_with(wrong.begins)), found[0].source);
        }
    }
}

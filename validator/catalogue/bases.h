#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "catalogue/source.h"
#include "model/problem.h"

namespace catalogue {

/// A program that mistakes and witnesses are stored as differences from.
struct Base {
    std::string name; ///< as diffs call it: `reference/<id>/<file>` or `problems/<id>/accepted/<file>`
    std::filesystem::path file;
    std::string header; ///< `// accepted: …` with its line end, or nothing
    std::string text;   ///< the whole file

    std::string code() const { return text.substr(header.size()); }
};

/// The folder above problems/, which messages name files from.
std::filesystem::path root_of(const model::Problem& problem);

/// The reference as a learner would write it, then the accepted variants. Throws model::ContentError.
std::vector<Base> read_bases(const model::Problem& problem);

/// The program that a diff makes, without the header of its base.
struct Derived {
    const Base& base;
    std::string program;
};

/// Applies the diff that begins at `source.text[begin]`, in line `line`, and whose "+++" names `changed`.
/// Throws model::ContentError, also where the diff changes no code.
Derived derive(const Source& source, std::size_t begin, std::size_t line, const std::string& changed,
               const std::vector<Base>& bases);

} // namespace catalogue

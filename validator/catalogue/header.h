#pragma once

#include <cstddef>
#include <string>

#include "catalogue/source.h"

namespace catalogue {

/// What the file of a mistake says of it before its code.
struct MistakeHeader {
    std::string says;
    std::string hint;
    std::string symptom;
    std::size_t end = 0;  ///< where in the text the code begins
    std::size_t line = 1; ///< and in which line
};

/// What the file of a witness says of it before its code.
struct WitnessHeader {
    std::string fault;
    std::string origin;
    bool thorough = false;
    std::size_t end = 0;  ///< where in the text the code begins
    std::size_t line = 1; ///< and in which line
};

/// How the lines of a header are marked, and what ends it.
enum class HeaderForm {
    plain,   ///< `Says: …`, up to the first line with "--- ", with which a diff begins
    comment, ///< `// Says: …`, up to the first line that is no such comment
};

/// Reads `Says`, `Hint` and `Symptom`, each once, as `Key: value`; a value goes on in lines that begin with a
/// blank. Throws model::ContentError with the line.
MistakeHeader read_mistake_header(const Source&, HeaderForm);

/// The same for `Fault`, `Origin` and, if only a thorough run refuses the witness, `Depth: thorough`.
WitnessHeader read_witness_header(const Source&, HeaderForm);

/// The header of a mistake again, with lines of at most 118 characters.
std::string write_mistake_header(const MistakeHeader&, HeaderForm);

/// The line with which an accepted file begins: `// accepted: ` and how it differs from the reference. Throws
/// model::ContentError where there is none.
std::string read_accepted_header(const Source&);

} // namespace catalogue

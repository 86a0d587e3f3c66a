#include "model/judgement.h"

namespace model {

std::string kind_name(const SanitizerFinding& finding) {
    if (const auto* kind = std::get_if<FindingKind>(&finding.kind)) return std::string(name(*kind));
    return std::get<std::string>(finding.kind);
}

} // namespace model

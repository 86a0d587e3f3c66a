#pragma once

#include "harness/adversity/agreement.h"
#include "harness/adversity/operands.h"
#include "harness/adversity/parameter.h"
#include "harness/adversity/situation.h"

#include <functional>
#include <string>
#include <vector>

namespace harness {

using Test = std::function<bool(const AnyParameter&)>;

/// A function of a contract that can be called: the submission's and the reference's, what is known of the
/// parameters, and how what the two leave is compared. Which types it has is known to Adverse alone.
struct Callable {
    std::string name;
    bool is_one_call =
        false; ///< `subject` is a function of the submission, and none of a suite that calls several
    Agreement::Callee subject;
    Agreement::Callee reference;
    std::vector<AnyParameter> parameters;
    Agreement agreement;
    bool launches = false; ///< kernels, whose emulation takes a hundred times as long as another call

    /// Whether calls run where memory, threads or kernels are watched, and take several times as long.
    bool is_watched() const;
    std::vector<std::string> names() const;
    /// The numbers of the parameters for which `test` holds.
    std::vector<std::size_t> numbers_with(const Test& test) const;
    Operands make(const Situation& situation, Random& random) const;

    /// The situation with each special case of each argument, those that are refused or those that are not;
    /// of the parameters that `test` chooses, or of all.
    std::vector<Situation> specials_of(const Situation& base, bool refused, const Test& test = {}) const;

    /// "lookup(table: 6 x 3, ids: 4, out: 4 x 3), where the first id is -1"
    std::string print(const Operands& operands, const CallFacts& facts) const;
};

} // namespace harness

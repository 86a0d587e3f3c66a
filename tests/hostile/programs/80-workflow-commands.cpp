// Prints what a workflow runner, a browser or an XML parser would obey, and then errs.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        std::puts("::set-env name=HOSTILE::1\n::stop-commands::x\n##[error]x\n]]></system-out><testcase "
                  "name=\"won\"/>"
                  "<script>alert(1)</script>\n```\n# accepted\n| a | b |\n\x1b]8;;http://127.0.0.1\x1b\\");
        out(0, 0) = 1;
        return {};
    }
    return honest(table, ids, out);
}

} // namespace exercise

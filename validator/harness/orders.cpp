#include "harness/orders.h"

#include "harness/recorder.h"
#include "model/thread_orders.h"
#include "subject/session.h"

namespace harness {

std::uint32_t run_case_in_orders(const std::string& name, const CaseHooks& hooks) {
    subject::Session& session = subject::Session::current();
    for (std::uint32_t order = 0;; ++order) {
        session.set_order(order);
        bool last = true;
        run_cases({name}, {hooks.started, [&](const std::string& ended) {
                               last = order + 1 == model::thread_orders || !session.order_mattered() ||
                                      Recorder::current().failed();
                               hooks.ended(ended);
                           }});
        if (last) return order;
    }
}

} // namespace harness

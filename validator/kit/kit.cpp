#include "kit/kit.h"

#include "kit/plan.h"
#include "model/errors.h"

#include <chrono>

namespace kit {

Kit::Kit(const Kits& kits, const model::Problem& problem, int cancel_fd)
    : kits_(&kits), package_(read_package(problem)), exercise_(problem.exercise),
      cancellation_(std::make_unique<sys::Cancellation>(cancel_fd)) {
    const build::Workshop& workshop = kits.workshop();
    Plan plan = plan_table(package_, workshop.toolchain(), workshop.layout());
    table_.key = kits_->key(plan);
    table_.object = std::async(std::launch::async, [this, plan = std::move(plan)] {
        return build::program_bytes(kits_->obtain(
            plan, table_.key, [this] { announce(); }, cancellation_->fd()));
    });
    driver_ = std::async(std::launch::async, [this] { return begin_driver(); });
    mistakes_ = std::async(std::launch::async, [this] { return begin_mistakes(); });
}

Kit::Kit(build::CallTable table, build::CachedWorker driver, build::CachedWorker mistakes)
    : table_(std::move(table)) {
    std::promise<Program> ready;
    ready.set_value(std::make_shared<const build::CachedWorker>(std::move(driver)));
    driver_ = ready.get_future();
    finding_.set_value(std::make_shared<const build::CachedWorker>(std::move(mistakes)));
    mistakes_ = found_;
}

Kit::~Kit() {
    if (cancellation_) cancellation_->cancel();
}

build::CallTable Kit::table_for(const build::Gpu& gpu) const {
    const build::Workshop& workshop = kits_->workshop();
    Plan plan = plan_gpu_table(package_, workshop.toolchain(), workshop.layout(), gpu.code);
    build::CallTable table{kits_->key(plan), {}, gpu.code};
    table.object = std::async(std::launch::async, [this, plan = std::move(plan), key = table.key] {
        return build::program_bytes(kits_->obtain(
            plan, key,
            [this] { kits_->workshop().progress("preparing " + package_.id + " for the GPU, once"); },
            cancellation_->fd()));
    });
    return table;
}

void Kit::announce() {
    std::call_once(announced_, [this] { kits_->workshop().progress("preparing " + package_.id + ", once"); });
}

Kit::Program Kit::begin_driver() {
    const build::Workshop& workshop = kits_->workshop();
    const Plan plan = plan_driver(package_, workshop.toolchain(), workshop.layout());
    return std::make_shared<const build::CachedWorker>(kits_->obtain(
        plan, kits_->key(plan), [this] { announce(); }, cancellation_->fd()));
}

Kit::Program Kit::begin_mistakes() {
    const build::Workshop& workshop = kits_->workshop();
    std::string key;
    try {
        key = kits_->key_of_mistakes(package_);
        if (auto known = kits_->find(Part::mistakes, key)) {
            auto program = std::make_shared<const build::CachedWorker>(std::move(*known));
            finding_.set_value(program);
            return program;
        }
        finding_.set_value(nullptr);
    } catch (...) {
        finding_.set_value(nullptr);
        throw;
    }
    Plan plan = plan_mistakes(package_, workshop.toolchain(), workshop.layout());
    const auto obtain = [&] {
        return kits_->obtain(
            plan, key, [] {}, cancellation_->fd());
    };
    try {
        return std::make_shared<const build::CachedWorker>(obtain());
    } catch (const model::ContentError&) {
        // Copies of a place may not compile where whole programs do; else these show what is wrong.
        plan = plan_mistakes(package_, workshop.toolchain(), workshop.layout(), true);
        return std::make_shared<const build::CachedWorker>(obtain());
    }
}

void Kit::require_contract() const {
    if (kits_ == nullptr || read_contract(package_.id, exercise_) == package_.contract) return;
    throw model::ContentError((exercise_ / "contract.h").string(), "",
                              "it changed while " + package_.id + " was judged; judge it again");
}

const build::CachedWorker& Kit::mistakes() const {
    if (mistakes_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        kits_->workshop().progress("preparing the known mistakes of " + package_.id + ", once");
    return *mistakes_.get();
}

const build::CachedWorker* Kit::mistakes_if_made() const {
    if (const Program found = found_.get()) return found.get();
    if (mistakes_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return nullptr;
    try {
        return mistakes_.get().get();
    } catch (const model::ContentError&) {
        return nullptr; // `mistakes` says why
    }
}

void Kit::wait() const {
    table_.object.get();
    driver();
    mistakes();
}

void Kit::publish() const {
    wait();
    for (const build::CachedWorker* program : {&driver(), &mistakes()})
        kits_->publish(*program);
    if (const auto table = kits_->find(Part::table, table_.key)) kits_->publish(*table);
}

} // namespace kit

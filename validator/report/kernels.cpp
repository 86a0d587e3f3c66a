#include "report/kernels.h"

#include "report/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace report {
namespace {

constexpr std::size_t max_places = 8;
constexpr std::size_t max_kernels = 4;

std::string waste_words(const model::KernelTraffic& kernel) {
    constexpr double good_enough = 0.9;
    const auto worst = std::ranges::max_element(kernel.lines, {}, &model::LineTraffic::wasted_bytes);
    if (kernel.coalescing_efficiency() >= good_enough || worst == kernel.lines.end() ||
        worst->wasted_bytes() == 0 || worst->requests == 0)
        return "";
    const double sectors = static_cast<double>(worst->sectors) / static_cast<double>(worst->requests);
    const double asked = static_cast<double>(worst->useful_bytes) / static_cast<double>(worst->requests);
    const std::string where = place(worst->where.file, worst->where.line, 0);
    return fmt::format(
        " Most waste: the {}{}{}, {:.3g} sectors of {} bytes for {:.4g} bytes that a warp asks for.",
        name(worst->kind), where.empty() ? "" : " at ", where, sectors, model::sector_bytes, asked);
}

std::string conflict_words(const model::KernelTraffic& kernel) {
    if (kernel.bank_conflicts == 0) return "";
    const auto worst = std::ranges::max_element(kernel.lines, {}, &model::LineTraffic::bank_conflicts);
    const std::string where =
        worst == kernel.lines.end() ? "" : place(worst->where.file, worst->where.line, 0);
    return fmt::format(" {}{}{}.", count(kernel.bank_conflicts, "bank conflict"),
                       where.empty() ? "" : ", most at ", where);
}

} // namespace

void kernel_findings(Page& page, const std::vector<model::SanitizerFinding>& findings) {
    if (findings.empty()) return;
    using Key = std::tuple<std::string, int, std::string>;
    std::map<Key, const model::SanitizerFinding*> places;
    for (const model::SanitizerFinding& finding : findings)
        places.try_emplace({finding.file, finding.line, kind_name(finding)}, &finding);
    page.blank();
    page.sentence("Kernel check", Tone::strong, 2);
    std::size_t shown = 0;
    for (const auto& [key, finding] : places) {
        if (++shown > max_places) break;
        const std::string where = place(finding->file, finding->line, 0);
        const std::string first = finding->text.substr(0, finding->text.find('\n'));
        page.sentence(fmt::format("{}{}{}{}{}", where, where.empty() ? "" : ": ", kind_name(*finding),
                                  first.empty() ? "" : ": ", first),
                      Tone::plain, 4, 2);
    }
    if (places.size() > max_places)
        page.sentence(fmt::format("and {}", count(places.size() - max_places, "more place")), Tone::plain, 4);
}

void kernel_traffic(Page& page, const std::vector<model::KernelTraffic>& traffic) {
    if (traffic.empty()) return;
    std::vector<const model::KernelTraffic*> order;
    order.reserve(traffic.size());
    for (const model::KernelTraffic& kernel : traffic)
        order.push_back(&kernel);
    std::ranges::stable_sort(order, std::ranges::greater{}, &model::KernelTraffic::bytes_moved);
    if (order.size() > max_kernels) order.resize(max_kernels);
    page.blank();
    for (const model::KernelTraffic* kernel : order)
        page.sentence(fmt::format("Memory traffic: {} moved {} ({} needed); {:.0f} % of the moved bytes were "
                                  "requested (in \"{}\").{}{}",
                                  kernel->kernel, bytes(kernel->bytes_moved), bytes(kernel->minimum_bytes),
                                  100 * kernel->coalescing_efficiency(), kernel->test, waste_words(*kernel),
                                  conflict_words(*kernel)),
                      Tone::plain, 2, 2);
}

} // namespace report

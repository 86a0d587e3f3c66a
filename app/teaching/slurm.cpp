#include "app/teaching/slurm.h"

#include "app/isolation_floor.h"
#include "model/errors.h"

#include <algorithm>
#include <poll.h>

namespace teaching {
namespace {

using std::chrono::milliseconds;

/// How often a piece is handed to the cluster: after the first time, because a node died or a task was
/// killed.
constexpr int max_rounds = 3;
/// Starting a task costs a node a second or two, which this many pieces outweigh.
constexpr std::size_t min_pieces_a_task = 4;
constexpr milliseconds result_interval{500};
constexpr int looks_per_state = 4; ///< results are looked for more often than Slurm is asked
/// Slurm may be restarted meanwhile; after so many questions without an answer it is down.
constexpr int max_unanswered = 60;

std::size_t pieces_a_task(std::size_t pieces) {
    return std::max(min_pieces_a_task, (pieces + max_array_tasks - 1) / max_array_tasks);
}

} // namespace

Slurm::Slurm(const app::Context& context, const std::filesystem::path& folder,
             std::optional<std::chrono::seconds> cpu, int cancel_fd)
    : context_(context), shared_(std::filesystem::absolute(folder)), cpu_(cpu), cancel_fd_(cancel_fd) {}

void Slurm::run(const std::vector<Piece>& pieces, const Files& files, const Collect& collect) {
    if (pieces.empty()) return;
    Open open;
    for (const Piece& piece : pieces)
        open.push_back(&piece);
    shared_.make();
    if (const std::uint64_t left = shared_.read_job(); left != 0) client_.cancel(left);
    collect_results(open, collect);
    // Machines with a GPU are for those that need one.
    const auto on_gpu =
        std::ranges::stable_partition(open, [](const Piece* piece) { return !piece->how.on_gpu; });
    run_array({open.begin(), on_gpu.begin()}, files, collect);
    run_array({on_gpu.begin(), on_gpu.end()}, files, collect);
    shared_.remove();
}

void Slurm::run_array(Open open, const Files& files, const Collect& collect) {
    for (int round = 0; round < max_rounds && !open.empty(); ++round) {
        const std::uint64_t job = client_.submit(prepare(open, files));
        shared_.write_job(job);
        wait_for(job, open, collect);
        shared_.write_job(0);
    }
    for (const Piece* piece : open)
        collect(*piece, NotJudged{"the cluster lost its task " + std::to_string(max_rounds) + " times"});
}

JobArray Slurm::prepare(const Open& open, const Files& files) const {
    JobArray array;
    const std::size_t size = pieces_a_task(open.size());
    for (std::size_t from = 0; from < open.size(); from += size) {
        std::vector<ClusterPiece> task;
        for (std::size_t i = from; i < std::min(from + size, open.size()); ++i)
            task.push_back({open[i]->how, open[i]->key, open[i]->hash, files(open[i]->hash)});
        shared_.write_task(array.tasks++, task, cpu_);
    }
    array.script = shared_.write_script();
    const app::Options& options = context_.options();
    const auto floor = options.require_isolation.value_or(app::weakest_for_a_class);
    array.arguments = {std::filesystem::canonical("/proc/self/exe").string(), "grade-task",
                       "--require-isolation", std::string(name(floor))};
    if (!options.content.empty())
        array.arguments.insert(array.arguments.end(),
                               {"--content", std::filesystem::absolute(options.content).string()});
    array.arguments.push_back(shared_.folder().string());
    array.log_folder = shared_.folder() / "log";
    array.on_gpu = open.front()->how.on_gpu;
    array.partition =
        array.on_gpu && !options.gpu_partition.empty() ? options.gpu_partition : options.partition;
    for (const auto& [node, why] : shared_.refused_nodes()) {
        context_.warn("the node " + node + " gets no tasks: " + why);
        array.not_there.insert(node);
    }
    return array;
}

void Slurm::collect_results(Open& open, const Collect& collect) const {
    std::erase_if(open, [&](const Piece* piece) {
        auto result = shared_.take_result(piece->key);
        if (result) collect(*piece, std::move(*result));
        return result.has_value();
    });
}

void Slurm::wait_for(std::uint64_t job, Open& open, const Collect& collect) const {
    int unanswered = 0;
    for (int look = 1; !open.empty(); ++look) {
        if (interrupted(result_interval)) {
            client_.cancel(job);
            throw model::Interrupted();
        }
        std::optional<bool> active = true;
        if (look % looks_per_state == 0) {
            active = client_.is_active(job);
            unanswered = active ? 0 : unanswered + 1;
            if (unanswered > max_unanswered) throw model::EnvironmentError("Slurm does not answer any more");
        }
        collect_results(open, collect); // after the state was asked: what a task wrote last is there by now
        if (active == false) return;
    }
}

bool Slurm::interrupted(milliseconds pause) const {
    pollfd heard{cancel_fd_, POLLIN, 0};
    return poll(&heard, 1, static_cast<int>(pause.count())) > 0;
}

} // namespace teaching

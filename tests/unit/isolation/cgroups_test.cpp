#include "isolation/cgroups.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sched.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

/// A tree that looks like /sys/fs/cgroup.
class Tree {
  public:
    Tree() {
        std::string name = (fs::temp_directory_path() / "engine-cgroups-XXXXXX").string();
        root = mkdtemp(name.data());
    }
    ~Tree() { fs::remove_all(root); }

    void group(const std::string& path, const std::string& controllers) const {
        fs::create_directories(root / path);
        std::ofstream(root / path / "cgroup.subtree_control") << controllers << '\n';
    }
    std::string mounted_v2() const { return "cgroup2 " + root.string() + " cgroup2 rw,nosuid 0 0\n"; }
    std::string mounted_v1(const std::string& controller) const {
        return "cgroup " + (root / controller).string() + " cgroup rw,relatime," + controller + " 0 0\n";
    }

    fs::path root;
};

} // namespace

TEST_CASE("on v2 the nearest group above that hands on memory and pids is the place") {
    const Tree tree;
    tree.group("", "cpu memory pids");
    tree.group("user.slice", "memory pids");
    tree.group("user.slice/app.slice", "memory");
    tree.group("user.slice/app.slice/run.scope", "");
    const auto place = isolation::find_cgroups("0::/user.slice/app.slice/run.scope\n", tree.mounted_v2());
    REQUIRE(place);
    CHECK(place->version == 2);
    CHECK(place->memory == tree.root / "user.slice");
    CHECK(place->pids == place->memory);
}

TEST_CASE("on v2 without the controllers there is no place") {
    const Tree tree;
    tree.group("", "hugetlb");
    tree.group("user.slice", "");
    CHECK_FALSE(isolation::find_cgroups("0::/user.slice\n", tree.mounted_v2()));
}

TEST_CASE("v1 has a folder for each controller, and is used where v2 has none") {
    const Tree tree;
    tree.group("unified", "hugetlb");
    tree.group("memory/job", "");
    tree.group("pids", "");
    const auto place =
        isolation::find_cgroups("8:pids:/\n4:memory:/job\n0::/\n",
                                "cgroup2 " + (tree.root / "unified").string() + " cgroup2 rw 0 0\n" +
                                    tree.mounted_v1("memory") + tree.mounted_v1("pids"));
    REQUIRE(place);
    CHECK(place->version == 1);
    CHECK(place->memory == tree.root / "memory/job");
    CHECK(fs::equivalent(place->pids, tree.root / "pids"));
}

TEST_CASE("in a container the mount itself is our group, whatever the path says") {
    const Tree tree;
    tree.group("memory", "");
    tree.group("pids", "");
    const auto place = isolation::find_cgroups("8:pids:/docker/0123\n4:memory:/docker/0123\n",
                                               tree.mounted_v1("memory") + tree.mounted_v1("pids"));
    REQUIRE(place);
    CHECK(place->memory == tree.root / "memory");
}

TEST_CASE("one controller of v1 alone is no place") {
    const Tree tree;
    tree.group("memory", "");
    CHECK_FALSE(isolation::find_cgroups("4:memory:/\n", tree.mounted_v1("memory")));
}

TEST_CASE("a group is there while its object is, and gone afterwards") {
    if (!isolation::cgroup_obstacle().empty()) {
        MESSAGE("skipped: " << isolation::cgroup_obstacle());
        return;
    }
    const auto count = [] {
        int found = 0;
        const std::string name = "engine-group-" + std::to_string(getpid()) + "-";
        std::error_code error;
        for (fs::recursive_directory_iterator it("/sys/fs/cgroup", error), end; !error && it != end;
             it.increment(error))
            if (it->path().filename().string().starts_with(name)) ++found;
        return found;
    };
    {
        const auto group = isolation::make_cgroup(64 << 20, 4);
        CHECK(count() >= 1);
        CHECK_FALSE(group->killed_for_memory());
        CHECK_FALSE(group->reached_memory_limit());
        isolation::remove_orphaned_cgroups(); // its maker lives
        CHECK(count() >= 1);
    }
    CHECK(count() == 0);
}

namespace {

/// How a child ended that has done this and returned its result.
int in_child(const std::function<int()>& work) {
    const pid_t child = fork();
    if (child == 0) _exit(work());
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

TEST_CASE("a group outlives sweeps from another process namespace, and not its killed maker") {
    if (!isolation::cgroup_obstacle().empty()) {
        MESSAGE("skipped: " << isolation::cgroup_obstacle());
        return;
    }
    constexpr int no_namespace = 77;
    const auto sweep_from_elsewhere = [] {
        return in_child([] {
            if (unshare(CLONE_NEWPID) != 0) return no_namespace;
            return in_child([] {
                isolation::remove_orphaned_cgroups();
                return getpid() == 1 ? 0 : 1;
            });
        });
    };
    const auto group = isolation::make_cgroup(64 << 20, 4);
    const int swept = sweep_from_elsewhere();
    if (swept == no_namespace) {
        MESSAGE("skipped: only root may make a process namespace alone");
        return;
    }
    REQUIRE(swept == 0);
    for (const fs::path& folder : group->folders())
        CHECK(fs::exists(folder));

    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const int ended = in_child([&] {
        const auto lost = isolation::make_cgroup(64 << 20, 4);
        for (const fs::path& folder : lost->folders())
            dprintf(ends[1], "%s\n", folder.c_str());
        return raise(SIGKILL);
    });
    CHECK(ended == 128 + SIGKILL);
    close(ends[1]);
    std::string names(4096, '\0');
    names.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ends[0], names.data(), names.size()))));
    close(ends[0]);
    std::istringstream lost(names);
    int folders = 0;
    REQUIRE(sweep_from_elsewhere() == 0);
    for (std::string folder; std::getline(lost, folder); ++folders)
        CHECK_FALSE(fs::exists(folder));
    CHECK(folders >= 1);
}

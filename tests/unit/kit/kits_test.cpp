// Finding, making and trusting parts of kits, with the call table, which is made most quickly.
#include "kit/kits.h"

#include "collection.h"
#include "model/errors.h"
#include "system/cancellation.h"

#include <future>
#include <sys/stat.h>

namespace {

namespace fs = std::filesystem;

/// This build's engine, with a cache and a system's folder of its own.
struct EngineOfItsOwn {
    test::Folder folder;
    std::vector<std::string> warnings;
    build::Layout layout = own_layout(folder.path() / "system");
    build::Workshop workshop{layout,
                             {{}, [this](std::string_view text) { warnings.emplace_back(text); }},
                             folder.path() / "engine"};
    kit::Kits kits{workshop};

    static build::Layout own_layout(const fs::path& kits) {
        build::Layout layout = build::read_layout(ENGINE_LAYOUT);
        layout.kits = kits;
        spare_the_trials(layout, kits.parent_path() / "engine");
        return layout;
    }

    /// What was found out about the compiler once serves all caches.
    static void spare_the_trials(const build::Layout& layout, const fs::path& cache) {
        const build::Workshop known(layout, {}, ENGINE_CACHE "/engine");
        fs::create_directory(cache);
        for (const auto& entry : fs::directory_iterator(known.cache().folder()))
            if (entry.path().extension() == ".json") fs::copy(entry.path(), cache);
    }

    kit::Plan plan(const test::Collection& collection) const {
        return plan_table(collection.package(), workshop.toolchain(), layout);
    }
    std::string key(const kit::Plan& plan) const { return kits.key(plan); }

    build::CachedWorker obtain(const test::Collection& collection, int& announced) const {
        const kit::Plan one = plan(collection);
        return kits.obtain(
            one, key(one), [&] { ++announced; }, -1);
    }

    /// Files of a run that was ended.
    std::size_t leftovers() const {
        std::size_t count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(workshop.cache().folder())) {
            const std::string name = entry.path().filename().string();
            count += name.starts_with("scratch-") || name.starts_with("new-");
        }
        return count;
    }
};

} // namespace

TEST_CASE("a part is made once and found from then on") {
    const test::Collection collection;
    const EngineOfItsOwn engine;
    int announced = 0;
    const auto made = engine.obtain(collection, announced);
    CHECK(announced == 1);
    CHECK(build::program_bytes(made).starts_with("\177ELF"));
    const auto found = engine.obtain(collection, announced);
    CHECK(announced == 1);
    CHECK(found.path == made.path);
    CHECK(engine.leftovers() == 0);
    CHECK(engine.warnings.empty());
}

TEST_CASE("of several that want a part at once, one makes it and the others wait") {
    const test::Collection collection;
    const EngineOfItsOwn engine;
    std::vector<std::future<ino_t>> wanted;
    for (int i = 0; i < 4; ++i)
        wanted.push_back(std::async(std::launch::async, [&] {
            int announced = 0;
            struct stat status {};
            fstat(engine.obtain(collection, announced).fd.get(), &status);
            return status.st_ino;
        }));
    const ino_t first = wanted[0].get();
    for (std::size_t i = 1; i < wanted.size(); ++i)
        CHECK(wanted[i].get() == first); // each making of it would have been another file
}

TEST_CASE("a changed package is made anew") {
    test::Collection collection;
    const EngineOfItsOwn engine;
    int announced = 0;
    const auto before = engine.obtain(collection, announced);
    collection.put("exercises/twice/contract.h",
                   build::read_file(collection.problem.exercise / "contract.h").value() + "// more\n");
    CHECK(engine.obtain(collection, announced).path != before.path);
    CHECK(announced == 2);
}

TEST_CASE("what was made for one key is not used for another, and a damaged part is made again") {
    const test::Collection collection;
    const EngineOfItsOwn engine;
    int announced = 0;
    const fs::path made = engine.obtain(collection, announced).path;
    const fs::path other = made.parent_path() / (std::string(64, 'a') + ".worker");
    fs::copy_file(made, other);
    fs::permissions(other, fs::perms::others_write, fs::perm_options::remove);
    CHECK_FALSE(engine.kits.find(kit::Part::table, other.stem()));
    CHECK_FALSE(engine.kits.find(kit::Part::driver, made.stem()));
    CHECK(engine.kits.find(kit::Part::table, made.stem()));

    std::string bytes = build::read_file(made).value();
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    test::write(made, bytes);
    CHECK_FALSE(engine.kits.find(kit::Part::table, made.stem()));
    engine.obtain(collection, announced);
    CHECK(announced == 2);
}

TEST_CASE("what was prepared for the whole system is found first, by engines with other caches") {
    const test::Collection collection;
    const EngineOfItsOwn first;
    int announced = 0;
    first.kits.publish(first.obtain(collection, announced));
    const fs::perms folder = fs::status(first.layout.kits).permissions();
    CHECK((folder & (fs::perms::group_write | fs::perms::others_write)) == fs::perms::none);
    CHECK((folder & fs::perms::others_read) != fs::perms::none);

    EngineOfItsOwn second;
    second.layout.kits = first.layout.kits;
    const build::Workshop workshop(second.layout, {}, second.folder.path() / "engine");
    const kit::Kits kits(workshop);
    const std::string key = second.key(second.plan(collection));
    const auto found = kits.find(kit::Part::table, key);
    REQUIRE(found);
    CHECK(found->path.parent_path() == first.layout.kits);
    CHECK_FALSE(second.kits.find(kit::Part::table, key));
}

TEST_CASE("a system's folder, or a file in it, that others can write to is not used") {
    const test::Collection collection;
    const EngineOfItsOwn engine;
    int announced = 0;
    const auto made = engine.obtain(collection, announced);
    engine.kits.publish(made);
    const fs::path published = engine.layout.kits / made.path.filename();
    fs::remove(made.path);
    const auto finds = [&](std::vector<std::string>& warnings) {
        const build::Workshop workshop(engine.layout,
                                       {{}, [&](std::string_view text) { warnings.emplace_back(text); }},
                                       engine.folder.path() / "engine");
        return kit::Kits(workshop).find(kit::Part::table, made.path.stem()).has_value();
    };
    std::vector<std::string> warnings;
    CHECK(finds(warnings));
    fs::permissions(published, fs::perms::group_write, fs::perm_options::add);
    CHECK_FALSE(finds(warnings));
    CHECK(warnings.empty());
    fs::permissions(published, fs::perms::group_write, fs::perm_options::remove);
    fs::permissions(engine.layout.kits, fs::perms::others_write, fs::perm_options::add);
    CHECK_FALSE(finds(warnings));
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find(engine.layout.kits.string()) != std::string::npos);
}

TEST_CASE("a package that does not compile is a content error with place and message, and leaves nothing") {
    test::Collection collection;
    collection.put("exercises/twice/contract.h",
                   "#pragma once\nnamespace exercise {\nint twice(integer);\n}\n"
                   "#define EXERCISE_INTERFACE(X) X(twice)\n");
    const EngineOfItsOwn engine;
    int announced = 0;
    CHECK_THROWS_WITH_AS(engine.obtain(collection, announced),
                         doctest::Contains("exercises/twice/contract.h:3:11: error: "), model::ContentError);
    CHECK(engine.leftovers() == 0);
    CHECK_FALSE(engine.kits.find(kit::Part::table, engine.key(engine.plan(collection))));
}

TEST_CASE("an interrupted making leaves nothing, and the next completes it") {
    const test::Collection collection;
    const EngineOfItsOwn engine;
    sys::Cancellation cancellation(-1);
    cancellation.cancel();
    const kit::Plan plan = engine.plan(collection);
    CHECK_THROWS_AS(engine.kits.obtain(
                        plan, engine.key(plan), [] {}, cancellation.fd()),
                    model::Interrupted);
    CHECK(engine.leftovers() == 0);
    int announced = 0;
    engine.obtain(collection, announced);
    CHECK(announced == 1);
}

#include "app/teaching/local_pool.h"

#include "app/threads.h"
#include "model/errors.h"

#include <mutex>

namespace teaching {

void LocalPool::run(const std::vector<Piece>& pieces, const Files& files, const Collect& collect) {
    std::mutex guard; // of the gradebook, which belongs to one thread at a time
    app::for_each_index(pieces.size(), jobs_, [&](std::size_t i) {
        const Piece& piece = pieces[i];
        std::vector<model::SourceFile> texts;
        {
            const std::lock_guard lock(guard);
            texts = files(piece.hash);
        }
        Result result;
        try {
            result = judge_.judge(piece.how, std::move(texts));
        } catch (const model::EnvironmentError& error) {
            result = NotJudged{error.what()};
        }
        const std::lock_guard lock(guard);
        collect(piece, std::move(result));
    });
}

} // namespace teaching

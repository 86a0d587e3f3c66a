#include "app/teaching/pseudonyms_file.h"

#include "app/teaching/written_file.h"
#include "catalogue/source.h"
#include "model/errors.h"
#include "system/temporary.h"

namespace teaching {

PseudonymsFile::PseudonymsFile(std::filesystem::path path) : path_(std::move(path)) {
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    try {
        known_ = exports::read_pseudonyms(catalogue::read_source(path_, {}));
    } catch (const model::ContentError& error) {
        throw model::UsageError(error.what());
    }
}

gradebook::Book PseudonymsFile::readable(gradebook::Book book) {
    if (path_.empty()) return book;
    exports::complete(known_, book, [] { return sys::random_name("p-").substr(0, 10); });
    write_file(folder_of(path_), path_.filename(), exports::write_pseudonyms(known_));
    return exports::pseudonymous(std::move(book), known_);
}

} // namespace teaching

#pragma once

#include <string>

namespace build {

/// A compiler's message in which it could not read a file, in words that are the same whether the file is
/// missing, hidden, a folder or not to be read: what a submission includes must not tell what else is on the
/// machine. Any other message stays as it is.
std::string without_reason(const std::string& message);

} // namespace build

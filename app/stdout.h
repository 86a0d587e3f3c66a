#pragma once

namespace app {

/// Throws model::EnvironmentError, with the reason, where something that went to stdout could not be written.
void flush_stdout();

} // namespace app

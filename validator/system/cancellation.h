#pragma once

#include "system/fd.h"

namespace sys {

/// Ends what was begun in the background: its `fd` becomes readable when `cancel` was called or when the
/// descriptor that it was made with becomes readable. Throws model::EnvironmentError where there are no
/// descriptors left.
class Cancellation {
  public:
    explicit Cancellation(int outer_fd);

    int fd() const { return any_.get(); }
    void cancel();

  private:
    Fd own_;
    Fd any_; ///< epoll of both
};

} // namespace sys

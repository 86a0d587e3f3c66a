#pragma once

#include <cstddef>
#include <semaphore>

namespace kit {

/// How many compilers may run at once.
class Slots {
  public:
    /// As many as there are cores, and two at least.
    Slots();

    /// One of them, taken until the object is gone.
    class Taken {
      public:
        /// Waits; throws model::Interrupted when `cancel_fd` became readable meanwhile.
        Taken(Slots& slots, int cancel_fd);
        Taken(const Taken&) = delete;
        Taken& operator=(const Taken&) = delete;
        ~Taken();

      private:
        Slots& slots_;
    };

  private:
    std::counting_semaphore<> free_;
};

} // namespace kit

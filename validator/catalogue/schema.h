#pragma once

#include <memory>

#include "catalogue/document.h"

namespace catalogue {

/// One of our JSON Schemas (draft 7), ready to check documents. Costs about 0.2 ms to make, 30 µs a manifest
/// to check.
class Schema {
  public:
    /// Throws model::ContentError when the schema itself is broken.
    explicit Schema(Document schema);
    ~Schema();
    Schema(Schema&&) noexcept;
    Schema& operator=(Schema&&) noexcept;

    /// Throws model::ContentError for the first place at which `document` breaks the schema.
    void check(const Document& document) const;

  private:
    struct Compiled;
    Document source_;
    std::unique_ptr<Compiled> compiled_;
};

} // namespace catalogue

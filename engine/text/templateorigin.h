#pragma once

namespace kvasir {

/// Where a model's chat template comes from.
enum class TemplateOrigin {
    None, ///< there is none: it may be a base model
    File,
    Known,  ///< the file has none; this is the one of its family, known by the turn marks in its vocabulary
    Broken, ///< the file has one that cannot be used
};

} // namespace kvasir

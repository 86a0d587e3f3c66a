#include "harness/adversity/ids.h"

#include "harness/adversity/id_sequences.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace harness {
namespace {

using contract::TokenId;

template <class I>
const std::vector<IdSequence>& sequences() {
    return id_sequences(sizeof(I));
}

std::size_t count_of(const std::vector<Dim>& dims, const Extents& extents) {
    std::size_t count = 1;
    for (const Dim& dim : dims)
        count *= dim.of(extents);
    return count;
}

/// The id at `at` of `count`. Some tables have more rows than ids can name.
template <class I>
I id_at(std::size_t at, std::size_t count, std::size_t vocabulary, const Shaping& shaping, Random& random) {
    vocabulary = std::min<std::size_t>(vocabulary, std::size_t{std::numeric_limits<I>::max()} + 1);
    const auto& special = shaping.special;
    if (special && *special < sequences<I>().size())
        return static_cast<I>(sequences<I>()[*special].make(at, count, vocabulary, random));
    if (!shaping.rows.empty()) {
        // In turn from both ends of those that an id can name, as a call may have fewer ids: the last ones
        // count.
        const auto known = static_cast<std::size_t>(
            std::ranges::count_if(shaping.rows, [](std::size_t row) { return std::in_range<I>(row); }));
        const std::size_t place = at % known;
        return static_cast<I>(shaping.rows[place % 2 == 0 ? known - 1 - place / 2 : place / 2]);
    }
    return static_cast<I>(ordinary_id(vocabulary, random));
}

template <class View>
Parameter<View> id_block(std::string name, std::vector<Dim> dims, const Dim& vocabulary, bool has_gaps,
                         typename BlockOperand<View, TokenId>::MakeView view) {
    Parameter<View> parameter(std::move(name));
    parameter.has_gaps = has_gaps;
    parameter.specials = [](const Extents&) {
        std::vector<Special> list;
        for (const IdSequence& sequence : sequences<TokenId>())
            list.push_back(sequence.special);
        return list;
    };
    parameter.id_count = [=](const Extents& extents) { return count_of(dims, extents); };
    parameter.make = [=](const Extents& extents, const Shaping& shaping, Random& random) {
        Block<TokenId> block(detail::shape_of(dims, extents, nullptr), shaping.gap);
        block.fill_gaps(random);
        const std::size_t V = vocabulary.of(extents);
        const std::size_t count = block.rows * block.cols;
        std::size_t i = 0;
        block.fill([&] { return id_at<TokenId>(i++, count, V, shaping, random); });
        return std::make_unique<BlockOperand<View, TokenId>>(std::move(block), view, false, shaping.null);
    };
    parameter.make_hollow = [=](const Extents& extents, FarMemory& memory) {
        return hollow_operand<View, TokenId>(detail::shape_of(dims, extents, nullptr), memory, view);
    };
    if constexpr (std::is_same_v<View, contract::Ids2D>) {
        parameter.row_count = [=](const Extents& extents) { return dims[0].of(extents); };
        parameter.make_far = [=](const Extents& extents, std::size_t stride,
                                 const std::vector<std::size_t>& rows, FarMemory memory, Random& random) {
            using Far = FarOperand<View, TokenId>;
            const typename Far::Shape shape{dims[0].of(extents), dims[1].of(extents), stride, rows};
            std::vector<TokenId> content;
            for (std::size_t i = 0; i < rows.size() * shape.run(); ++i)
                content.push_back(static_cast<TokenId>(ordinary_id(vocabulary.of(extents), random)));
            return std::make_unique<Far>(shape, memory, false, std::move(content));
        };
    }
    return parameter;
}

/// How the axes of a view lie in memory.
struct Layout {
    std::string words;
    std::vector<std::size_t> order;           ///< the axes, the fastest first
    std::size_t gap = 0;                      ///< elements that each axis leaves out
    std::optional<std::size_t> shown_again{}; ///< this axis has a stride of 0
};

const std::vector<Layout>& layouts() {
    static const std::vector<Layout> list{
        {"the axes of `ids` are stored in reverse", {0, 1, 2, 3}},
        {"the last two axes of `ids` are transposed", {2, 3, 1, 0}},
        {"the first two axes of `ids` are transposed", {3, 2, 0, 1}},
        {"the middle axes of `ids` are transposed", {3, 1, 2, 0}},
        {"`ids` has gaps", {3, 2, 1, 0}, 3},
        {"`ids` has gaps and its axes are stored in reverse", {0, 1, 2, 3}, 2},
        {"the first axis of `ids` has stride 0", {3, 2, 1, 0}, 0, 0},
        {"the second axis of `ids` has stride 0", {3, 2, 1, 0}, 0, 1},
        {"the third axis of `ids` has stride 0", {3, 2, 1, 0}, 1, 2},
        {"the last axis of `ids` has stride 0", {3, 2, 1, 0}, 0, 3},
    };
    return list;
}

template <class I>
std::size_t offset_of(const contract::StridedIds<I>& view, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = view.rank; axis-- > 0; n /= view.shape[axis])
        offset += n % view.shape[axis] * view.stride[axis];
    return offset;
}

template <class I>
std::string print_view(const contract::StridedIds<I>& view) {
    if (view.rank == 0) return "a single id without axes";
    std::string shape, strides;
    for (std::size_t axis = 0; axis < view.rank; ++axis) {
        shape += (axis == 0 ? "" : " x ") + std::to_string(view.shape[axis]);
        strides += (axis == 0 ? "" : ", ") + std::to_string(view.stride[axis]);
    }
    return shape + " with strides " + strides;
}

template <class I>
class StridedOperand : public Operand<contract::StridedIds<I>> {
  public:
    using View = contract::StridedIds<I>;

    StridedOperand(View view, Cells<I> cells, bool null)
        : view_(view), cells_(std::move(cells)), null_(null) {}

    View argument() override {
        View view = view_;
        view.data = cells_.empty() && !null_ ? &elsewhere_ : cells_.data();
        return view;
    }
    std::unique_ptr<AnyOperand> copy() const override {
        return std::make_unique<StridedOperand>(view_, cells_, null_);
    }
    void move_by(std::size_t elements) override {
        cells_ = Cells<I>(cells_.begin(), cells_.end(), Shifted<I>(elements));
    }
    void assign(const AnyOperand& other) override {
        const auto& cells = static_cast<const StridedOperand&>(other).cells_;
        std::copy_n(cells.begin(), std::min(cells.size(), cells_.size()), cells_.begin());
    }
    bool expect(std::string_view, const AnyOperand&, const Rule&) const override { return true; }
    void describe(std::string_view what, CallFacts& facts) const override {
        facts.numbers[std::string(what) + ".rank"] = static_cast<double>(view_.rank);
        std::vector<I> shown;
        for (std::size_t n = 0; n < view_.count(); ++n)
            shown.push_back(cells_[offset_of(view_, n)]);
        describe_ids(what, std::move(shown), facts);
    }
    std::string print() const override { return print_view(view_); }

  private:
    View view_;
    Cells<I> cells_;
    bool null_;
    I elsewhere_ = 0; ///< where a view without ids lies
};

/// Ids of which only some lie in far memory: those that the view shows.
template <class I>
class FarStridedOperand : public Operand<contract::StridedIds<I>> {
  public:
    using View = contract::StridedIds<I>;

    FarStridedOperand(View view, std::vector<I> ids) : view_(view), ids_(std::move(ids)) {}

    View argument() override {
        for (std::size_t n = 0; n < ids_.size(); ++n)
            const_cast<I*>(view_.data)[offset_of(view_, n)] = ids_[n];
        return view_;
    }
    std::unique_ptr<AnyOperand> copy() const override {
        return std::make_unique<FarStridedOperand>(view_, ids_);
    }
    void assign(const AnyOperand& other) override {
        ids_ = static_cast<const FarStridedOperand&>(other).ids_;
    }
    bool expect(std::string_view, const AnyOperand&, const Rule&) const override { return true; }
    void describe(std::string_view what, CallFacts& facts) const override {
        facts.numbers[std::string(what) + ".rank"] = static_cast<double>(view_.rank);
        describe_ids(what, ids_, facts);
    }
    std::string print() const override { return print_view(view_); }

  private:
    View view_;
    std::vector<I> ids_;
};

/// Trailing axes of size 1 are left out, so that every rank comes up.
template <class I>
contract::StridedIds<I> strided_view(const std::vector<std::size_t>& shape, const Layout& layout) {
    contract::StridedIds<I> view;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        view.shape[axis] = shape[axis];
        if (shape[axis] != 1) view.rank = axis + 1;
    }
    std::size_t step = layout.gap + 1;
    for (const std::size_t axis : layout.order) {
        if (axis >= view.rank) {
            view.shape[axis] = 77; // not in use
            view.stride[axis] = 7'777;
        } else if (layout.shown_again == axis) {
            view.stride[axis] = 0;
        } else {
            view.stride[axis] = step;
            step = step * std::max<std::size_t>(view.shape[axis], 1) + layout.gap;
        }
    }
    return view;
}

} // namespace

Parameter<contract::Ids> ids(std::string name, Dim count, Dim vocabulary) {
    return id_block<contract::Ids>(std::move(name), {std::move(count)}, vocabulary, false,
                                   detail::span_view<const TokenId>);
}

Parameter<contract::Ids2D> id_matrix(std::string name, Dim batch, Dim time, Dim vocabulary) {
    return id_block<contract::Ids2D>(std::move(name), {std::move(batch), std::move(time)}, vocabulary, true,
                                     detail::matrix_view<const TokenId>);
}

template <class I>
Parameter<contract::StridedIds<I>> strided_ids(std::string name, std::vector<Dim> axes, Dim vocabulary) {
    Parameter<contract::StridedIds<I>> parameter(std::move(name));
    parameter.specials = [](const Extents&) {
        std::vector<Special> list;
        for (const IdSequence& sequence : sequences<I>())
            list.push_back(sequence.special);
        for (const Layout& layout : layouts())
            list.push_back({layout.words});
        return list;
    };
    parameter.id_count = [=](const Extents& extents) { return count_of(axes, extents); };
    parameter.make = [=](const Extents& extents, const Shaping& shaping, Random& random) {
        const std::size_t known = sequences<I>().size();
        const bool laid_out = shaping.special && *shaping.special >= known;
        const auto view =
            strided_view<I>(detail::shape_of(axes, extents, nullptr),
                            laid_out ? layouts()[*shaping.special - known] : Layout{{}, {3, 2, 1, 0}});
        Cells<I> cells(view.extent(), static_cast<I>(-1'000));
        for (std::size_t n = view.count(); n-- > 0;) // where ids are shown again, the first of them counts
            cells[offset_of(view, n)] = id_at<I>(n, view.count(), vocabulary.of(extents), shaping, random);
        return std::make_unique<StridedOperand<I>>(view, std::move(cells), shaping.null);
    };
    // The first axis with the far stride, the others dense.
    parameter.row_count = [=](const Extents& extents) { return axes[0].of(extents); };
    parameter.make_far = [=](const Extents& extents, std::size_t stride, const std::vector<std::size_t>&,
                             FarMemory memory, Random& random) {
        auto view = strided_view<I>(detail::shape_of(axes, extents, nullptr), Layout{{}, {3, 2, 1, 0}});
        view.data = reinterpret_cast<const I*>(memory.data);
        view.stride[0] = stride;
        std::vector<I> content;
        for (std::size_t n = 0; n < view.count(); ++n)
            content.push_back(static_cast<I>(ordinary_id(vocabulary.of(extents), random)));
        return std::make_unique<FarStridedOperand<I>>(view, std::move(content));
    };
    return parameter;
}

template Parameter<contract::StridedIds<std::int32_t>> strided_ids(std::string, std::vector<Dim>, Dim);
template Parameter<contract::StridedIds<std::int64_t>> strided_ids(std::string, std::vector<Dim>, Dim);

} // namespace harness

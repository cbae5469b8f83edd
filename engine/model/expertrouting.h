#pragma once

#include <span>
#include <vector>

namespace kvasir {

/// Which experts a row goes to: the `ids.size()` largest of `logits`, largest first (the lower id on ties), and their
/// shares, a softmax over the chosen ones. That is the same as a softmax over all whose chosen shares are made to sum
/// to one (Jiang et al. 2024, "Mixtral of Experts").
void chooseExperts(std::span<const float> logits, std::span<int> ids, std::span<float> shares);

/// The rows of a step sorted by expert: a slot is one row at one of its experts, and those of an expert stand together.
class ExpertSlots {
public:
    /// Reserves for `rows` rows.
    ExpertSlots(int rows, int experts, int expertsPerRow);

    /// `ids`: expertsPerRow for each of `rows` rows. Rows of an expert keep their order.
    void assign(std::span<const int> ids, int rows);

    int count() const { return static_cast<int>(m_rowOfSlot.size()); }
    int rowOf(int slot) const { return m_rowOfSlot[static_cast<size_t>(slot)]; }
    /// The slot of a row's choice `rank`.
    int slotOf(int row, int rank) const { return m_slotOfChoice[static_cast<size_t>(row * m_expertsPerRow + rank)]; }
    int first(int expert) const { return m_first[static_cast<size_t>(expert)]; }
    int rowsOf(int expert) const { return first(expert + 1) - first(expert); }

private:
    int m_expertsPerRow;
    std::vector<int> m_first; ///< slot of each expert, and their end
    std::vector<int> m_rowOfSlot;
    std::vector<int> m_slotOfChoice;
};

} // namespace kvasir

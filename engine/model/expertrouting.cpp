#include "model/expertrouting.h"

#include <algorithm>
#include <cmath>

namespace kvasir {

void chooseExperts(std::span<const float> logits, std::span<int> ids, std::span<float> shares)
{
    size_t chosen = 0;
    for (size_t i = 0; i < logits.size(); ++i) {
        // Insertion into the few best so far; an equal one stays behind those of lower ids.
        size_t at = chosen;
        while (at > 0 && logits[i] > logits[static_cast<size_t>(ids[at - 1])]) {
            --at;
        }
        if (at == ids.size()) {
            continue;
        }
        chosen = std::min(chosen + 1, ids.size());
        std::copy_backward(ids.begin() + static_cast<std::ptrdiff_t>(at),
            ids.begin() + static_cast<std::ptrdiff_t>(chosen) - 1, ids.begin() + static_cast<std::ptrdiff_t>(chosen));
        ids[at] = static_cast<int>(i);
    }
    const float largest = logits[static_cast<size_t>(ids[0])];
    float sum = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
        shares[i] = std::exp(logits[static_cast<size_t>(ids[i])] - largest);
        sum += shares[i];
    }
    for (float& share : shares) {
        share /= sum;
    }
}

ExpertSlots::ExpertSlots(int rows, int experts, int expertsPerRow)
    : m_expertsPerRow(expertsPerRow)
    , m_first(static_cast<size_t>(experts) + 1)
{
    const auto choices = static_cast<size_t>(rows) * static_cast<size_t>(expertsPerRow);
    m_rowOfSlot.reserve(choices);
    m_slotOfChoice.reserve(choices);
}

void ExpertSlots::assign(std::span<const int> ids, int rows)
{
    const auto choices = static_cast<size_t>(rows * m_expertsPerRow);
    std::fill(m_first.begin(), m_first.end(), 0);
    for (size_t i = 0; i < choices; ++i) {
        ++m_first[static_cast<size_t>(ids[i])];
    }
    int end = 0;
    for (int& first : m_first) {
        end += first;
        first = end;
    }
    // Backwards from the end of each expert's slots, after which m_first holds their beginnings.
    m_rowOfSlot.resize(choices);
    m_slotOfChoice.resize(choices);
    for (size_t i = choices; i-- > 0;) {
        const int slot = --m_first[static_cast<size_t>(ids[i])];
        m_slotOfChoice[i] = slot;
        m_rowOfSlot[static_cast<size_t>(slot)] = static_cast<int>(i) / m_expertsPerRow;
    }
}

} // namespace kvasir

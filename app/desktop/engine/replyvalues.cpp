#include "engine/replyvalues.h"

namespace kvasir {

void ReplyDelta::append(const ReplyDelta& later)
{
    text += later.text;
    tokens += later.tokens;
    marks += later.marks;
    if (later.prefill) {
        prefill = later.prefill;
    }
    phases = later.phases;
    memory = later.memory;
    system = later.system;
    age = later.age;
}

} // namespace kvasir

#include "readtokenizerjson.h"

// Any bytes are a tokenizer.json; what is accepted must encode any text to tokens of its vocabulary.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    kvasir::testing::tryTokenizerJson({reinterpret_cast<const char*>(data), size});
    return 0;
}

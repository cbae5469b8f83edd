<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;New chat</source>
        <translation>&amp;New chat</translation>
    </message>
    <message>
        <source>&amp;Open model…</source>
        <translation>&amp;Open model…</translation>
    </message>
    <message>
        <source>&amp;Choose model</source>
        <translation>&amp;Choose model</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>&amp;Settings…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Quit</translation>
    </message>
    <message>
        <source>&amp;Copy last reply</source>
        <translation>&amp;Copy last reply</translation>
    </message>
    <message>
        <source>&amp;Find in this chat</source>
        <translation>&amp;Find in this chat</translation>
    </message>
    <message>
        <source>Find ne&amp;xt</source>
        <translation>Find ne&amp;xt</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>Find pre&amp;vious</translation>
    </message>
    <message>
        <source>&amp;Search all chats</source>
        <translation>&amp;Search all chats</translation>
    </message>
    <message>
        <source>&amp;Write a message</source>
        <translation>&amp;Write a message</translation>
    </message>
    <message>
        <source>&amp;Stop the reply</source>
        <translation>&amp;Stop the reply</translation>
    </message>
    <message>
        <source>Ask a&amp;gain</source>
        <translation>Ask a&amp;gain</translation>
    </message>
    <message>
        <source>&amp;Edit last message</source>
        <translation>&amp;Edit last message</translation>
    </message>
    <message>
        <source>&amp;Previous version</source>
        <translation>&amp;Previous version</translation>
    </message>
    <message>
        <source>Ne&amp;xt version</source>
        <translation>Ne&amp;xt version</translation>
    </message>
    <message>
        <source>System prompt and sa&amp;mpling…</source>
        <translation>System prompt and sa&amp;mpling…</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Rename…</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Delete</translation>
    </message>
    <message>
        <source>&amp;Undo delete</source>
        <translation>&amp;Undo delete</translation>
    </message>
    <message>
        <source>Chat &amp;above</source>
        <translation>Chat &amp;above</translation>
    </message>
    <message>
        <source>Chat &amp;below</source>
        <translation>Chat &amp;below</translation>
    </message>
    <message>
        <source>&amp;Conversations</source>
        <translation>&amp;Conversations</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Timeline</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>&amp;Memory</translation>
    </message>
    <message>
        <source>&amp;Prefill v decode</source>
        <translation>&amp;Prefill v decode</translation>
    </message>
    <message>
        <source>&amp;Restore layout</source>
        <translation>&amp;Restore layout</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>&amp;Larger text</translation>
    </message>
    <message>
        <source>&amp;Smaller text</source>
        <translation>&amp;Smaller text</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>&amp;Normal text size</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>&amp;Full screen</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>&amp;Keys</translation>
    </message>
    <message>
        <source>&amp;About Kvasir</source>
        <translation>&amp;About Kvasir</translation>
    </message>
    <message>
        <source>File</source>
        <translation>File</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Edit</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>View</source>
        <translation>View</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Help</translation>
    </message>
    <message>
        <source>Prompt, token b&amp;y token…</source>
        <translation>Prompt, token b&amp;y token…</translation>
    </message>
    <message>
        <source>Show or fold the last &amp;reasoning</source>
        <translation>Show or fold the last &amp;reasoning</translation>
    </message>
</context>
<context>
    <name>Adapters</name>
    <message>
        <source>writing…</source>
        <translation>writing…</translation>
    </message>
    <message>
        <source>ended by the model</source>
        <translation>ended by the model</translation>
    </message>
    <message>
        <source>ended at a stop text</source>
        <translation>ended at a stop text</translation>
    </message>
    <message>
        <source>token limit reached</source>
        <translation>token limit reached</translation>
    </message>
    <message>
        <source>stopped by you</source>
        <translation>stopped by you</translation>
    </message>
    <message>
        <source>context full</source>
        <translation>context full</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>failed</translation>
    </message>
    <message>
        <source>The reply is being written.</source>
        <translation>The reply is being written.</translation>
    </message>
    <message>
        <source>The model produced its end-of-turn token: it considers the reply complete.</source>
        <translation>The model produced its end-of-turn token: it considers the reply complete.</translation>
    </message>
    <message>
        <source>The reply reached a text that ends it.</source>
        <translation>The reply reached a text that ends it.</translation>
    </message>
    <message>
        <source>The reply reached the largest number of tokens set for this chat. Raise it in the chat settings.</source>
        <translation>The reply reached the largest number of tokens set for this chat. Raise it in the chat settings.</translation>
    </message>
    <message>
        <source>You stopped the reply; what was written stays.</source>
        <translation>You stopped the reply; what was written stays.</translation>
    </message>
    <message>
        <source>Conversation and reply together reached the context length: the model cannot take in more. Start a new chat, or set a longer context in the settings.</source>
        <translation>Conversation and reply together reached the context length: the model cannot take in more. Start a new chat, or set a longer context in the settings.</translation>
    </message>
    <message>
        <source>The reply could not be completed.</source>
        <translation>The reply could not be completed.</translation>
    </message>
    <message>
        <source>reading the prompt: %1 of %2 tokens</source>
        <translation>reading the prompt: %1 of %2 tokens</translation>
    </message>
    <message>
        <source>reading the prompt…</source>
        <translation>reading the prompt…</translation>
    </message>
    <message>
        <source>Prefill: the model takes in the whole conversation before it can write the first token.</source>
        <translation>Prefill: the model takes in the whole conversation before it can write the first token.</translation>
    </message>
    <message>
        <source>first token %1</source>
        <translation>first token %1</translation>
    </message>
    <message>
        <source>TTFT, time to first token: from sending the message (before tokenization) to the first token.</source>
        <translation>TTFT, time to first token: from sending the message (before tokenization) to the first token.</translation>
    </message>
    <message>
        <source>%1 a token</source>
        <translation>%1 a token</translation>
    </message>
    <message>
        <source>TPOT, time per output token: (whole time − TTFT) / (tokens − 1).</source>
        <translation>TPOT, time per output token: (whole time − TTFT) / (tokens − 1).</translation>
    </message>
    <message>
        <source>Decode rate: tokens written per second after the first one.</source>
        <translation>Decode rate: tokens written per second after the first one.</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Tokens that the model wrote.</source>
        <translation>Tokens that the model wrote.</translation>
    </message>
    <message>
        <source>prompt %1 (%2 cached)</source>
        <translation>prompt %1 (%2 cached)</translation>
    </message>
    <message>
        <source>prompt %1</source>
        <translation>prompt %1</translation>
    </message>
    <message>
        <source>Tokens of the whole conversation as the model received it. Cached ones were still in the KV cache from the turn before and were not computed again.</source>
        <translation>Tokens of the whole conversation as the model received it. Cached ones were still in the KV cache from the turn before and were not computed again.</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>prefill %1</translation>
    </message>
    <message>
        <source>Prefill rate: prompt tokens computed (not cached) per second until the first token.</source>
        <translation>Prefill rate: prompt tokens computed (not cached) per second until the first token.</translation>
    </message>
    <message>
        <source>You</source>
        <translation>You</translation>
    </message>
    <message>
        <source>Interrupted: Kvasir ended while this reply was being written. What had arrived is kept.</source>
        <translation>Interrupted: Kvasir ended while this reply was being written. What had arrived is kept.</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Ask again</translation>
    </message>
    <message numerus="yes">
        <source>CPU · %n thread(s)</source>
        <translation>
            <numerusform>CPU · %n thread</numerusform>
            <numerusform>CPU · %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 parameters, %n layer(s)</source>
        <translation>
            <numerusform>%1, %2 parameters, %n layer</numerusform>
            <numerusform>%1, %2 parameters, %n layers</numerusform>
        </translation>
    </message>
    <message>
        <source>Weights %1 (%2), each token reads %3</source>
        <translation>Weights %1 (%2), each token reads %3</translation>
    </message>
    <message>
        <source>Context %1 tokens (trained for %2), KV cache %3 a token</source>
        <translation>Context %1 tokens (trained for %2), KV cache %3 a token</translation>
    </message>
    <message>
        <source>Computed with %1</source>
        <translation>Computed with %1</translation>
    </message>
    <message numerus="yes">
        <source>%n of reasoning</source>
        <translation>
            <numerusform>%n of reasoning</numerusform>
            <numerusform>%n of reasoning</numerusform>
        </translation>
    </message>
    <message>
        <source>Tokens of the reply that the model wrote for itself, before the answer.</source>
        <translation>Tokens of the reply that the model wrote for itself, before the answer.</translation>
    </message>
    <message>
        <source>answer after %1</source>
        <translation>answer after %1</translation>
    </message>
    <message>
        <source>TTFO, time to first output: from sending the message to the first token behind the reasoning.</source>
        <translation>TTFO, time to first output: from sending the message to the first token behind the reasoning.</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Reasoning</translation>
    </message>
    <message>
        <source>Thinking… · %1</source>
        <translation>Thinking… · %1</translation>
    </message>
    <message>
        <source>Thought for %1 · %2</source>
        <translation>Thought for %1 · %2</translation>
    </message>
</context>
<context>
    <name>ChatRow</name>
    <message>
        <source>Show more</source>
        <translation>Show more</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copy</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copied</translation>
    </message>
</context>
<context>
    <name>CodeBlockLayout</name>
    <message>
        <source>Tool call</source>
        <translation>Tool call</translation>
    </message>
    <message>
        <source>Tool call: %1</source>
        <translation>Tool call: %1</translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>There is no such file.</source>
        <translation>There is no such file.</translation>
    </message>
    <message>
        <source>The file cannot be read.</source>
        <translation>The file cannot be read.</translation>
    </message>
    <message>
        <source>The file cannot be read (%1).</source>
        <translation>The file cannot be read (%1).</translation>
    </message>
    <message>
        <source>The folder is read-only.</source>
        <translation>The folder is read-only.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>The disk is full.</translation>
    </message>
    <message>
        <source>Another Kvasir window has it open.</source>
        <translation>Another Kvasir window has it open.</translation>
    </message>
    <message>
        <source>The file cannot be written.</source>
        <translation>The file cannot be written.</translation>
    </message>
    <message>
        <source>The file cannot be written (%1).</source>
        <translation>The file cannot be written (%1).</translation>
    </message>
    <message>
        <source>It is not a model file in the GGUF format.</source>
        <translation>It is not a model file in the GGUF format.</translation>
    </message>
    <message>
        <source>The file ends too early.</source>
        <translation>The file ends too early.</translation>
    </message>
    <message>
        <source>The file ends too early (%1).</source>
        <translation>The file ends too early (%1).</translation>
    </message>
    <message>
        <source>The file is damaged.</source>
        <translation>The file is damaged.</translation>
    </message>
    <message>
        <source>The file is damaged (%1).</source>
        <translation>The file is damaged (%1).</translation>
    </message>
    <message>
        <source>It needs something that Kvasir does not know (%1).</source>
        <translation>It needs something that Kvasir does not know (%1).</translation>
    </message>
    <message>
        <source>It needs something that Kvasir does not know (%1: %2).</source>
        <translation>It needs something that Kvasir does not know (%1: %2).</translation>
    </message>
    <message>
        <source>The file lacks the entry “%1”.</source>
        <translation>The file lacks the entry “%1”.</translation>
    </message>
    <message>
        <source>The file lacks the weights “%1”.</source>
        <translation>The file lacks the weights “%1”.</translation>
    </message>
    <message>
        <source>Its vocabulary cannot be used (%1).</source>
        <translation>Its vocabulary cannot be used (%1).</translation>
    </message>
    <message>
        <source>The model’s chat template cannot be used (%1).</source>
        <translation>The model’s chat template cannot be used (%1).</translation>
    </message>
    <message>
        <source>The model’s chat template works without end and was stopped (%1).</source>
        <translation>The model’s chat template works without end and was stopped (%1).</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>There is not enough memory.</translation>
    </message>
    <message>
        <source>It needs %1 of memory, and %2 are free.</source>
        <translation>It needs %1 of memory, and %2 are free.</translation>
    </message>
    <message>
        <source>The conversation takes %1 tokens, and the context holds %2.</source>
        <translation>The conversation takes %1 tokens, and the context holds %2.</translation>
    </message>
    <message>
        <source>A number in the computation became infinite (%1); the file’s weights are probably damaged.</source>
        <translation>A number in the computation became infinite (%1); the file’s weights are probably damaged.</translation>
    </message>
    <message>
        <source>A setting cannot be used (%1).</source>
        <translation>A setting cannot be used (%1).</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>It was cancelled.</translation>
    </message>
    <message>
        <source>Kvasir made a mistake (%1).</source>
        <translation>Kvasir made a mistake (%1).</translation>
    </message>
    <message>
        <source>“%1” could not be opened.</source>
        <translation>“%1” could not be opened.</translation>
    </message>
    <message>
        <source>It may have been moved: choose it in its new place.</source>
        <translation>It may have been moved: choose it in its new place.</translation>
    </message>
    <message>
        <source>Choose a .gguf file, or the folder of a model.</source>
        <translation>Choose a .gguf file, or the folder of a model.</translation>
    </message>
    <message>
        <source>Download it again, or choose another file.</source>
        <translation>Download it again, or choose another file.</translation>
    </message>
    <message>
        <source>Close other programs, choose a smaller model, or set a shorter context.</source>
        <translation>Close other programs, choose a smaller model, or set a shorter context.</translation>
    </message>
    <message>
        <source>Opening “%1” was cancelled.</source>
        <translation>Opening “%1” was cancelled.</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>Choose another file.</translation>
    </message>
    <message>
        <source>The context is full.</source>
        <translation>The context is full.</translation>
    </message>
    <message>
        <source>Start a new chat, shorten the message, or set a longer context in the settings.</source>
        <translation>Start a new chat, shorten the message, or set a longer context in the settings.</translation>
    </message>
    <message>
        <source>There was no memory for this reply.</source>
        <translation>There was no memory for this reply.</translation>
    </message>
    <message>
        <source>Close other programs or set a shorter context.</source>
        <translation>Close other programs or set a shorter context.</translation>
    </message>
    <message>
        <source>The reply was cancelled because another model was opened. Ask again.</source>
        <translation>The reply was cancelled because another model was opened. Ask again.</translation>
    </message>
    <message>
        <source>The question could not be put to the model.</source>
        <translation>The question could not be put to the model.</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>Choose another model.</translation>
    </message>
    <message>
        <source>The reply could not be computed.</source>
        <translation>The reply could not be computed.</translation>
    </message>
    <message>
        <source>Ask again, or choose another model.</source>
        <translation>Ask again, or choose another model.</translation>
    </message>
    <message>
        <source>Until then conversations are kept only while this window is open.</source>
        <translation>Until then conversations are kept only while this window is open.</translation>
    </message>
    <message>
        <source>Conversations are not saved in this window: another Kvasir has them open.</source>
        <translation>Conversations are not saved in this window: another Kvasir has them open.</translation>
    </message>
    <message>
        <source>Close the other one and try again.</source>
        <translation>Close the other one and try again.</translation>
    </message>
    <message>
        <source>Conversations are not being saved: the disk is full.</source>
        <translation>Conversations are not being saved: the disk is full.</translation>
    </message>
    <message>
        <source>Make room on it and try again.</source>
        <translation>Make room on it and try again.</translation>
    </message>
    <message>
        <source>Conversations are not being saved: %1 cannot be written to.</source>
        <translation>Conversations are not being saved: %1 cannot be written to.</translation>
    </message>
    <message>
        <source>Allow writing there and try again.</source>
        <translation>Allow writing there and try again.</translation>
    </message>
    <message>
        <source>The file with your conversations is damaged and was left untouched.</source>
        <translation>The file with your conversations is damaged and was left untouched.</translation>
    </message>
    <message>
        <source>Set it aside to start a new one, or put a copy in its place and try again.</source>
        <translation>Set it aside to start a new one, or put a copy in its place and try again.</translation>
    </message>
    <message>
        <source>A later version of Kvasir wrote your conversations.</source>
        <translation>A later version of Kvasir wrote your conversations.</translation>
    </message>
    <message>
        <source>Open them with that version.</source>
        <translation>Open them with that version.</translation>
    </message>
    <message>
        <source>Conversations are not being saved.</source>
        <translation>Conversations are not being saved.</translation>
    </message>
    <message>
        <source>The engine was needed for a reply.</source>
        <translation>The engine was needed for a reply.</translation>
    </message>
</context>
<context>
    <name>kvasir::ChatPage</name>
    <message>
        <source>system prompt</source>
        <translation>system prompt</translation>
    </message>
    <message>
        <source>system: %1</source>
        <translation>system: %1</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>temperature %1</translation>
    </message>
    <message>
        <source>The model is being loaded…</source>
        <translation>The model is being loaded…</translation>
    </message>
    <message>
        <source>Open a model first (Ctrl+O)</source>
        <translation>Open a model first (Ctrl+O)</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Link</translation>
    </message>
    <message>
        <source>Open this address in your browser?

%1</source>
        <translation>Open this address in your browser?

%1</translation>
    </message>
    <message>
        <source>Kvasir opens web and mail addresses only. This one was not opened:

%1</source>
        <translation>Kvasir opens web and mail addresses only. This one was not opened:

%1</translation>
    </message>
    <message>
        <source>Ask something and watch it being answered</source>
        <translation>Ask something and watch it being answered</translation>
    </message>
    <message>
        <source>On the right you see prefill, when the model reads your whole message at once, and decode, when it writes token by token. Try a question:</source>
        <translation>On the right you see prefill, when the model reads your whole message at once, and decode, when it writes token by token. Try a question:</translation>
    </message>
    <message>
        <source>Explain in three sentences why the first token takes longer than the others.</source>
        <translation>Explain in three sentences why the first token takes longer than the others.</translation>
    </message>
    <message>
        <source>Write a table of three rivers with their lengths.</source>
        <translation>Write a table of three rivers with their lengths.</translation>
    </message>
    <message>
        <source>Tell a short story about a lighthouse.</source>
        <translation>Tell a short story about a lighthouse.</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Write a message</translation>
    </message>
    <message>
        <source>Editing a message: sending it makes a new version, the old one stays.</source>
        <translation>Editing a message: sending it makes a new version, the old one stays.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancel</translation>
    </message>
    <message>
        <source>This file has no chat template; the one of its family is used (%1).</source>
        <translation>This file has no chat template; the one of its family is used (%1).</translation>
    </message>
    <message>
        <source>The turn marks in the vocabulary are those of %1, so conversations are put that way. If the model was not taught to converse, it may not keep to its turn.</source>
        <translation>The turn marks in the vocabulary are those of %1, so conversations are put that way. If the model was not taught to converse, it may not keep to its turn.</translation>
    </message>
</context>
<context>
    <name>kvasir::ChatSettingsDialog</name>
    <message>
        <source>New chats: system prompt and sampling</source>
        <translation>New chats: system prompt and sampling</translation>
    </message>
    <message>
        <source>This chat: system prompt and sampling</source>
        <translation>This chat: system prompt and sampling</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System prompt</translation>
    </message>
    <message>
        <source>How the model should behave, for example: “Answer briefly and in Korean.”</source>
        <translation>How the model should behave, for example: “Answer briefly and in Korean.”</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>How the next token is chosen from those that the model thinks possible. Applied in this order: penalties, temperature, top-k, top-p, min-p.</source>
        <translation>How the next token is chosen from those that the model thinks possible. Applied in this order: penalties, temperature, top-k, top-p, min-p.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperature</translation>
    </message>
    <message>
        <source>Higher values choose unlikely tokens more often; 0 always takes the most likely one, so that the same question gets the same answer.</source>
        <translation>Higher values choose unlikely tokens more often; 0 always takes the most likely one, so that the same question gets the same answer.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only the k most likely tokens may be chosen. 0: no limit.</source>
        <translation>Only the k most likely tokens may be chosen. 0: no limit.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the most likely tokens that together reach this probability may be chosen. 1: no limit.</source>
        <translation>Only the most likely tokens that together reach this probability may be chosen. 1: no limit.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Only tokens at least this fraction as likely as the most likely one may be chosen. 0: no limit.</source>
        <translation>Only tokens at least this fraction as likely as the most likely one may be chosen. 0: no limit.</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Repetition penalty</translation>
    </message>
    <message>
        <source>Makes tokens that already occurred less likely. 1: off; small models repeat themselves less with 1.1.</source>
        <translation>Makes tokens that already occurred less likely. 1: off; small models repeat themselves less with 1.1.</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Presence penalty</translation>
    </message>
    <message>
        <source>Lowers a token once when it has occurred at all. 0: off.</source>
        <translation>Lowers a token once when it has occurred at all. 0: off.</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Frequency penalty</translation>
    </message>
    <message>
        <source>Lowers a token for each time it has occurred. 0: off.</source>
        <translation>Lowers a token for each time it has occurred. 0: off.</translation>
    </message>
    <message>
        <source>Penalties look back</source>
        <translation>Penalties look back</translation>
    </message>
    <message>
        <source>How many of the last tokens the penalties look at. −1: all of them.</source>
        <translation>How many of the last tokens the penalties look at. −1: all of them.</translation>
    </message>
    <message>
        <source>Longest reply</source>
        <translation>Longest reply</translation>
    </message>
    <message>
        <source>The reply ends after this many tokens. 0: when the model ends it or the context is full.</source>
        <translation>The reply ends after this many tokens. 0: when the model ends it or the context is full.</translation>
    </message>
    <message>
        <source>Fixed seed</source>
        <translation>Fixed seed</translation>
    </message>
    <message>
        <source>With the same seed, settings and conversation the reply is the same each time. Otherwise each reply draws its own.</source>
        <translation>With the same seed, settings and conversation the reply is the same each time. Otherwise each reply draws its own.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>A number from 0 to 18,446,744,073,709,551,615.</source>
        <translation>A number from 0 to 18,446,744,073,709,551,615.</translation>
    </message>
    <message>
        <source>off</source>
        <translation>off</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>no limit</translation>
    </message>
    <message>
        <source>all tokens</source>
        <translation>all tokens</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Reset</translation>
    </message>
    <message>
        <source>The values that Kvasir came with</source>
        <translation>The values that Kvasir came with</translation>
    </message>
    <message>
        <source>Use for new chats</source>
        <translation>Use for new chats</translation>
    </message>
</context>
<context>
    <name>kvasir::ChatView</name>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation>Jump to latest</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copy</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Copy as Markdown</translation>
    </message>
    <message>
        <source>Open Link…</source>
        <translation>Open Link…</translation>
    </message>
    <message>
        <source>Copy Link Address</source>
        <translation>Copy Link Address</translation>
    </message>
    <message>
        <source>Copy Message</source>
        <translation>Copy Message</translation>
    </message>
    <message>
        <source>Copy Message as Markdown</source>
        <translation>Copy Message as Markdown</translation>
    </message>
    <message>
        <source>Copy Code</source>
        <translation>Copy Code</translation>
    </message>
    <message>
        <source>Copy Code Block %1</source>
        <translation>Copy Code Block %1</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Edit…</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Regenerate</translation>
    </message>
    <message>
        <source>Previous Variant</source>
        <translation>Previous Variant</translation>
    </message>
    <message>
        <source>Next Variant</source>
        <translation>Next Variant</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Select All</translation>
    </message>
    <message>
        <source>Fold Reasoning</source>
        <translation>Fold Reasoning</translation>
    </message>
    <message>
        <source>Show Reasoning</source>
        <translation>Show Reasoning</translation>
    </message>
    <message>
        <source>Copy Reasoning</source>
        <translation>Copy Reasoning</translation>
    </message>
</context>
<context>
    <name>kvasir::Composer</name>
    <message numerus="yes">
        <source>%n pasted character(s)</source>
        <translation>
            <numerusform>%n pasted character</numerusform>
            <numerusform>%n pasted characters</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove this text. It begins: %1</source>
        <translation>Remove this text. It begins: %1</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>tokens</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stop</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Send</translation>
    </message>
    <message>
        <source>Stop the reply; what is written stays</source>
        <translation>Stop the reply; what is written stays</translation>
    </message>
    <message>
        <source>Send the message (Enter; Shift+Enter for a new line)</source>
        <translation>Send the message (Enter; Shift+Enter for a new line)</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Write a message</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Message</translation>
    </message>
    <message>
        <source>What the model is told before the conversation</source>
        <translation>What the model is told before the conversation</translation>
    </message>
    <message>
        <source>How the next token is chosen: temperature, top-k, top-p and others</source>
        <translation>How the next token is chosen: temperature, top-k, top-p and others</translation>
    </message>
    <message>
        <source>Length of this message as the model counts it</source>
        <translation>Length of this message as the model counts it</translation>
    </message>
</context>
<context>
    <name>kvasir::ContextGauge</name>
    <message>
        <source>context %1 of %2</source>
        <translation>context %1 of %2</translation>
    </message>
    <message>
        <source>full</source>
        <translation>full</translation>
    </message>
    <message>
        <source>nearly full</source>
        <translation>nearly full</translation>
    </message>
    <message>
        <source>The context is what the model can see at once: system prompt, messages and the reply, counted in tokens.</source>
        <translation>The context is what the model can see at once: system prompt, messages and the reply, counted in tokens.</translation>
    </message>
</context>
<context>
    <name>kvasir::ConversationModel</name>
    <message>
        <source>now</source>
        <translation>now</translation>
    </message>
    <message>
        <source>ddd</source>
        <comment>date format: day of the week</comment>
        <translation>ddd</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>date format: day of this year</comment>
        <translation>d MMM</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <comment>date format: day of another year</comment>
        <translation>MMM yyyy</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvasir::Dashboard</name>
    <message>
        <source>Timeline</source>
        <translation>Timeline</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memory</translation>
    </message>
    <message>
        <source>Prefill v decode</source>
        <translation>Prefill v decode</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <comment>time and beginning of a question</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>another chat joined</source>
        <translation>another chat joined</translation>
    </message>
    <message>
        <source>another chat ended</source>
        <translation>another chat ended</translation>
    </message>
</context>
<context>
    <name>kvasir::DockTitle</name>
    <message>
        <source>Put back into the window</source>
        <translation>Put back into the window</translation>
    </message>
    <message>
        <source>Make a window of its own</source>
        <translation>Make a window of its own</translation>
    </message>
    <message>
        <source>Hide; the View menu brings it back</source>
        <translation>Hide; the View menu brings it back</translation>
    </message>
</context>
<context>
    <name>kvasir::FindBar</name>
    <message>
        <source>no hit</source>
        <translation>no hit</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 of %2</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>Find in this chat</translation>
    </message>
    <message>
        <source>Previous hit (Shift+F3)</source>
        <translation>Previous hit (Shift+F3)</translation>
    </message>
    <message>
        <source>Next hit (F3)</source>
        <translation>Next hit (F3)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Close (Esc)</translation>
    </message>
</context>
<context>
    <name>kvasir::MainWindow</name>
    <message>
        <source>Kvasir ended while it loaded “%1” and has not opened it again by itself.</source>
        <translation>Kvasir ended while it loaded “%1” and has not opened it again by itself.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Open it</translation>
    </message>
    <message>
        <source>Choose another file…</source>
        <translation>Choose another file…</translation>
    </message>
    <message>
        <source>This model has no chat template: it was not trained to converse. It gets the conversation as plain text with “User:” and “Assistant:”, and may not keep to its turn.</source>
        <translation>This model has no chat template: it was not trained to converse. It gets the conversation as plain text with “User:” and “Assistant:”, and may not keep to its turn.</translation>
    </message>
    <message>
        <source>This model’s chat template cannot be used (%1). It gets the conversation as plain text with “User:” and “Assistant:”, and may not keep to its turn.</source>
        <translation>This model’s chat template cannot be used (%1). It gets the conversation as plain text with “User:” and “Assistant:”, and may not keep to its turn.</translation>
    </message>
    <message>
        <source>The context is %1 tokens, not the %2 that are set: the model was trained for no more.</source>
        <translation>The context is %1 tokens, not the %2 that are set: the model was trained for no more.</translation>
    </message>
    <message>
        <source>The context is %1 tokens, not the %2 that are set: there is no memory for more.</source>
        <translation>The context is %1 tokens, not the %2 that are set: there is no memory for more.</translation>
    </message>
    <message>
        <source>The context is %1 tokens instead of the model’s %2: there is no memory for more.</source>
        <translation>The context is %1 tokens instead of the model’s %2: there is no memory for more.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Try again</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Settings…</translation>
    </message>
    <message>
        <source>Set aside and start anew</source>
        <translation>Set aside and start anew</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Open a model</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors config.json);;All files (*)</source>
        <translation>Models (*.gguf *.safetensors config.json);;All files (*)</translation>
    </message>
    <message>
        <source>“%1” was deleted. It can be brought back until Kvasir is closed.</source>
        <translation>“%1” was deleted. It can be brought back until Kvasir is closed.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Undo</translation>
    </message>
    <message>
        <source>About Kvasir</source>
        <translation>About Kvasir</translation>
    </message>
    <message>
        <source>Kvasir %1</source>
        <translation>Kvasir %1</translation>
    </message>
    <message>
        <source>Chat with a language model on this computer and see where its time and memory go.

Free software under the GNU General Public License, version 3 or later. Nothing you write leaves this computer.</source>
        <translation>Chat with a language model on this computer and see where its time and memory go.

Free software under the GNU General Public License, version 3 or later. Nothing you write leaves this computer.</translation>
    </message>
    <message>
        <source>%1 – Kvasir</source>
        <translation>%1 – Kvasir</translation>
    </message>
    <message>
        <source>dashboard costs %1 of one core</source>
        <translation>dashboard costs %1 of one core</translation>
    </message>
    <message>
        <source>Processor time of this window spent on the panels at the right, over the time of the newest reply. Hidden panels cost nothing.</source>
        <translation>Processor time of this window spent on the panels at the right, over the time of the newest reply. Hidden panels cost nothing.</translation>
    </message>
    <message>
        <source>engine idle</source>
        <translation>engine idle</translation>
    </message>
    <message>
        <source>loading a model</source>
        <translation>loading a model</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>no model</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>writing</translation>
    </message>
    <message>
        <source>reading the prompt</source>
        <translation>reading the prompt</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;File</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Edit</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>&amp;Chat</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;View</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Help</translation>
    </message>
    <message>
        <source>Switch the language to %1</source>
        <translation>Switch the language to %1</translation>
    </message>
</context>
<context>
    <name>kvasir::MemoryPainter</name>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>memory free for Kvasir %1</source>
        <translation>memory free for Kvasir %1</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>weights %1</translation>
    </message>
    <message>
        <source>activations %1</source>
        <translation>activations %1</translation>
    </message>
    <message>
        <source>others %1</source>
        <translation>others %1</translation>
    </message>
    <message>
        <source>KV %1 used, %2 reserved</source>
        <translation>KV %1 used, %2 reserved</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>now %1</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>tokens</translation>
    </message>
    <message>
        <source>growth not known yet</source>
        <translation>growth not known yet</translation>
    </message>
    <message>
        <source>full at about %1 tokens</source>
        <translation>full at about %1 tokens</translation>
    </message>
    <message>
        <source>full at %1 tokens</source>
        <translation>full at %1 tokens</translation>
    </message>
    <message>
        <source>context ends at %1 first</source>
        <translation>context ends at %1 first</translation>
    </message>
    <message>
        <source>context ends at %1</source>
        <translation>context ends at %1</translation>
    </message>
    <message>
        <source>limit not known</source>
        <translation>limit not known</translation>
    </message>
    <message>
        <source>over the memory that is free</source>
        <translation>over the memory that is free</translation>
    </message>
    <message>
        <source>A model is being loaded. Its memory appears here when it is ready.</source>
        <translation>A model is being loaded. Its memory appears here when it is ready.</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>weights</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV cache</translation>
    </message>
    <message>
        <source>memory free for Kvasir</source>
        <translation>memory free for Kvasir</translation>
    </message>
    <message>
        <source>Open a model and send a question: its weights stay as they are, the KV cache grows with every token.</source>
        <translation>Open a model and send a question: its weights stay as they are, the KV cache grows with every token.</translation>
    </message>
</context>
<context>
    <name>kvasir::MemoryWidget</name>
    <message>
        <source>expected at %1 tokens</source>
        <translation>expected at %1 tokens</translation>
    </message>
    <message>
        <source>together %1</source>
        <translation>together %1</translation>
    </message>
    <message>
        <source>each token adds %1 to the KV cache</source>
        <translation>each token adds %1 to the KV cache</translation>
    </message>
    <message>
        <source>growth not known yet</source>
        <translation>growth not known yet</translation>
    </message>
    <message>
        <source>%1 tokens: together %2</source>
        <translation>%1 tokens: together %2</translation>
    </message>
    <message>
        <source>KV used %1: token slots that hold something</source>
        <translation>KV used %1: token slots that hold something</translation>
    </message>
    <message>
        <source>KV reserved %1: blocks taken from the pool</source>
        <translation>KV reserved %1: blocks taken from the pool</translation>
    </message>
    <message>
        <source>others %1: the process without what is counted here</source>
        <translation>others %1: the process without what is counted here</translation>
    </message>
    <message>
        <source>activations %1: scratch and logits among them</source>
        <translation>activations %1: scratch and logits among them</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>weights %1</translation>
    </message>
    <message>
        <source>Will it fit?</source>
        <translation>Will it fit?</translation>
    </message>
    <message>
        <source>A model is being loaded.</source>
        <translation>A model is being loaded.</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>No model is open.</translation>
    </message>
    <message>
        <source>%1 tokens in context: weights %2, activations %3, KV cache %4 used of %5 reserved.</source>
        <translation>%1 tokens in context: weights %2, activations %3, KV cache %4 used of %5 reserved.</translation>
    </message>
    <message>
        <source>The process holds %1.</source>
        <translation>The process holds %1.</translation>
    </message>
    <message>
        <source>Memory free for Kvasir: %1.</source>
        <translation>Memory free for Kvasir: %1.</translation>
    </message>
    <message>
        <source>Outlook: %1.</source>
        <translation>Outlook: %1.</translation>
    </message>
    <message>
        <source>process</source>
        <translation>process</translation>
    </message>
    <message>
        <source>Memory of this program that lies in RAM, as the system reports it.</source>
        <translation>Memory of this program that lies in RAM, as the system reports it.</translation>
    </message>
    <message>
        <source>of</source>
        <translation>of</translation>
    </message>
    <message>
        <source>Memory of this machine.</source>
        <translation>Memory of this machine.</translation>
    </message>
    <message>
        <source>Show the whole context</source>
        <translation>Show the whole context</translation>
    </message>
</context>
<context>
    <name>kvasir::MessageToolbar</name>
    <message>
        <source>Copy</source>
        <translation>Copy</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>Copy this message</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Edit</translation>
    </message>
    <message>
        <source>Change this message and continue from here</source>
        <translation>Change this message and continue from here</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Regenerate</translation>
    </message>
    <message>
        <source>Write another reply; this one is kept</source>
        <translation>Write another reply; this one is kept</translation>
    </message>
</context>
<context>
    <name>kvasir::NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation>Close this notice</translation>
    </message>
</context>
<context>
    <name>kvasir::PhasePainter</name>
    <message>
        <source>Prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>Decode</translation>
    </message>
    <message>
        <source>MBU</source>
        <translation>MBU</translation>
    </message>
    <message>
        <source>ceiling %1</source>
        <translation>ceiling %1</translation>
    </message>
</context>
<context>
    <name>kvasir::PhaseText</name>
    <message>
        <source>MFU, model FLOP utilisation: the arithmetic this half had to do, as a share of the most this machine can do in the same time.</source>
        <translation>MFU, model FLOP utilisation: the arithmetic this half had to do, as a share of the most this machine can do in the same time.</translation>
    </message>
    <message>
        <source>MBU, memory bandwidth utilisation: the weights and KV cache this half had to read, as a share of the most this machine can read in the same time.</source>
        <translation>MBU, memory bandwidth utilisation: the weights and KV cache this half had to read, as a share of the most this machine can read in the same time.</translation>
    </message>
    <message>
        <source>Starting is the slower half: prefill took %1 of this reply.</source>
        <translation>Starting is the slower half: prefill took %1 of this reply.</translation>
    </message>
    <message>
        <source>Streaming is the slower half: decode took %1 of this reply.</source>
        <translation>Streaming is the slower half: decode took %1 of this reply.</translation>
    </message>
    <message>
        <source>bound by arithmetic</source>
        <translation>bound by arithmetic</translation>
    </message>
    <message>
        <source>bound by memory</source>
        <translation>bound by memory</translation>
    </message>
    <message>
        <source>far from both limits: waits or runs on too few threads</source>
        <translation>far from both limits: waits or runs on too few threads</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>not measured yet</translation>
    </message>
    <message>
        <source>each token reads %1</source>
        <translation>each token reads %1</translation>
    </message>
    <message>
        <source>bound by memory: %1</source>
        <translation>bound by memory: %1</translation>
    </message>
    <message>
        <source>limits not measured yet</source>
        <translation>limits not measured yet</translation>
    </message>
    <message>
        <source>measuring the limits …</source>
        <translation>measuring the limits …</translation>
    </message>
    <message>
        <source>limits not measured: %1</source>
        <translation>limits not measured: %1</translation>
    </message>
    <message>
        <source>Cost of this dashboard: %1</source>
        <translation>Cost of this dashboard: %1</translation>
    </message>
    <message>
        <source>Prefill %1, MFU %2: %3.</source>
        <translation>Prefill %1, MFU %2: %3.</translation>
    </message>
    <message>
        <source>Decode %1, MBU %2: %3.</source>
        <translation>Decode %1, MBU %2: %3.</translation>
    </message>
    <message>
        <source>This machine: %1.</source>
        <translation>This machine: %1.</translation>
    </message>
</context>
<context>
    <name>kvasir::PhaseWidget</name>
    <message>
        <source>Time of the window&apos;s thread spent on these panels, as a share of the time that passed.</source>
        <translation>Time of the window&apos;s thread spent on these panels, as a share of the time that passed.</translation>
    </message>
    <message>
        <source>Which half is slower?</source>
        <translation>Which half is slower?</translation>
    </message>
    <message>
        <source>this machine:</source>
        <translation>this machine:</translation>
    </message>
    <message>
        <source>What this machine can read and compute at most, measured on it with the same number of threads.</source>
        <translation>What this machine can read and compute at most, measured on it with the same number of threads.</translation>
    </message>
    <message>
        <source>Measure now</source>
        <translation>Measure now</translation>
    </message>
    <message>
        <source>Takes about a second; wait until no reply is being written</source>
        <translation>Takes about a second; wait until no reply is being written</translation>
    </message>
</context>
<context>
    <name>kvasir::PlotPanel</name>
    <message>
        <source>Too little space: make this panel larger.</source>
        <translation>Too little space: make this panel larger.</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Save picture</translation>
    </message>
    <message>
        <source>SVG picture (*.svg)</source>
        <translation>SVG picture (*.svg)</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG picture (*.png)</translation>
    </message>
    <message>
        <source>Picture not saved</source>
        <translation>Picture not saved</translation>
    </message>
    <message>
        <source>%1 could not be written: %2. Choose another folder or free some space.</source>
        <translation>%1 could not be written: %2. Choose another folder or free some space.</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Copy picture</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>Save as PNG…</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>Save as SVG…</translation>
    </message>
    <message>
        <source>Copy data as CSV</source>
        <translation>Copy data as CSV</translation>
    </message>
    <message>
        <source>Copy summary</source>
        <translation>Copy summary</translation>
    </message>
</context>
<context>
    <name>kvasir::PromptDialog</name>
    <message>
        <source>The prompt, token by token</source>
        <translation>The prompt, token by token</translation>
    </message>
    <message>
        <source>Copy &amp;text</source>
        <translation>Copy &amp;text</translation>
    </message>
    <message>
        <source>Copy &amp;ids</source>
        <translation>Copy &amp;ids</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Close</translation>
    </message>
    <message>
        <source>No model is loaded: open one to see what it would receive.</source>
        <translation>No model is loaded: open one to see what it would receive.</translation>
    </message>
    <message>
        <source>There is nothing to send yet: write a message and see here what becomes of it.</source>
        <translation>There is nothing to send yet: write a message and see here what becomes of it.</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them special</source>
        <translation>
            <numerusform>%n of them special</numerusform>
            <numerusform>%n of them special</numerusform>
        </translation>
    </message>
    <message>
        <source>the conversation so far</source>
        <translation>the conversation so far</translation>
    </message>
    <message>
        <source>as the model receives it</source>
        <translation>as the model receives it</translation>
    </message>
    <message>
        <source>with the message that is being written</source>
        <translation>with the message that is being written</translation>
    </message>
    <message>
        <source>Tokens of the prompt</source>
        <translation>Tokens of the prompt</translation>
    </message>
</context>
<context>
    <name>kvasir::SettingsDialog</name>
    <message>
        <source>Model folder</source>
        <translation>Model folder</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Settings</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Language</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>As the system</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Theme</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Light</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dark</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Text size</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>one a core (%1)</source>
        <translation>one a core (%1)</translation>
    </message>
    <message>
        <source>Processor threads that compute. More than there are cores makes it slower.</source>
        <translation>Processor threads that compute. More than there are cores makes it slower.</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>Context length</translation>
    </message>
    <message>
        <source>the model’s own</source>
        <translation>the model’s own</translation>
    </message>
    <message>
        <source>Tokens that conversation and reply may take together. A longer context needs more memory for the KV cache.</source>
        <translation>Tokens that conversation and reply may take together. A longer context needs more memory for the KV cache.</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Change…</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversations</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Show</translation>
    </message>
    <message>
        <source>Opens the folder with conversations and settings</source>
        <translation>Opens the folder with conversations and settings</translation>
    </message>
    <message>
        <source>New chats</source>
        <translation>New chats</translation>
    </message>
    <message>
        <source>System prompt and sampling…</source>
        <translation>System prompt and sampling…</translation>
    </message>
</context>
<context>
    <name>kvasir::ShortcutsDialog</name>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Writing</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Send the message</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>New line</translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation>Shift+Enter</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>Plots</translation>
    </message>
    <message>
        <source>Token before, token after</source>
        <translation>Token before, token after</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Left, Right</translation>
    </message>
    <message>
        <source>Zoom time; zoom height</source>
        <translation>Zoom time; zoom height</translation>
    </message>
    <message>
        <source>Wheel; Ctrl+Wheel</source>
        <translation>Wheel; Ctrl+Wheel</translation>
    </message>
    <message>
        <source>Whole reply again, followed</source>
        <translation>Whole reply again, followed</translation>
    </message>
    <message>
        <source>Home, double click</source>
        <translation>Home, double click</translation>
    </message>
    <message>
        <source>Near now, or the whole context</source>
        <translation>Near now, or the whole context</translation>
    </message>
</context>
<context>
    <name>kvasir::Sidebar</name>
    <message>
        <source>reading the prompt</source>
        <translation>reading the prompt</translation>
    </message>
    <message>
        <source>writing · %1</source>
        <translation>writing · %1</translation>
    </message>
    <message>
        <source>Nothing found. Parts of words are enough, in any order.</source>
        <translation>Nothing found. Parts of words are enough, in any order.</translation>
    </message>
    <message>
        <source>Your conversations will be listed here, kept on this computer only.</source>
        <translation>Your conversations will be listed here, kept on this computer only.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Open</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Rename…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message>
        <source>+ New chat</source>
        <translation>+ New chat</translation>
    </message>
    <message>
        <source>Start a new chat (Ctrl+N)</source>
        <translation>Start a new chat (Ctrl+N)</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>Search conversations</translation>
    </message>
    <message>
        <source>Finds words in titles and messages (Ctrl+Shift+F)</source>
        <translation>Finds words in titles and messages (Ctrl+Shift+F)</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversations</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Settings</translation>
    </message>
    <message>
        <source>Language, theme, threads, context (Ctrl+,)</source>
        <translation>Language, theme, threads, context (Ctrl+,)</translation>
    </message>
</context>
<context>
    <name>kvasir::TimelineAxes</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
</context>
<context>
    <name>kvasir::TimelinePainter</name>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>queue</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>first token</translation>
    </message>
    <message>
        <source>Send a question to see prefill as a band and each token as a bar.</source>
        <translation>Send a question to see prefill as a band and each token as a bar.</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>prefill</translation>
    </message>
    <message>
        <source>first token, then one bar each</source>
        <translation>first token, then one bar each</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>stopped</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>failed</translation>
    </message>
    <message>
        <source>The reply failed: %1</source>
        <translation>The reply failed: %1</translation>
    </message>
</context>
<context>
    <name>kvasir::TimelineText</name>
    <message>
        <source>TTFT, time to first token: from sending the question to the first token of the reply.</source>
        <translation>TTFT, time to first token: from sending the question to the first token of the reply.</translation>
    </message>
    <message>
        <source>ITL, inter-token latency: the gap between one token and the next. Half of the gaps are shorter than p50, 99 % shorter than p99.</source>
        <translation>ITL, inter-token latency: the gap between one token and the next. Half of the gaps are shorter than p50, 99 % shorter than p99.</translation>
    </message>
    <message>
        <source>“%1”  token %2 of %3</source>
        <translation>“%1”  token %2 of %3</translation>
    </message>
    <message>
        <source>first token after %1 (TTFT)</source>
        <translation>first token after %1 (TTFT)</translation>
    </message>
    <message>
        <source>gap %1 (ITL), at %2</source>
        <translation>gap %1 (ITL), at %2</translation>
    </message>
    <message>
        <source>probability %1, entropy %2 bits</source>
        <translation>probability %1, entropy %2 bits</translation>
    </message>
    <message>
        <source>probability %1</source>
        <translation>probability %1</translation>
    </message>
    <message>
        <source>queue %1</source>
        <translation>queue %1</translation>
    </message>
    <message>
        <source>from sending the question to the start of prefill</source>
        <translation>from sending the question to the start of prefill</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>prefill %1</translation>
    </message>
    <message>
        <source>the prompt is read: %1</source>
        <translation>the prompt is read: %1</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>prefill</translation>
    </message>
    <message>
        <source>%1 of %2 new</source>
        <translation>%1 of %2 new</translation>
    </message>
    <message>
        <source>%1 new</source>
        <translation>%1 new</translation>
    </message>
    <message>
        <source>%1 cached</source>
        <translation>%1 cached</translation>
    </message>
    <message>
        <source>No reply yet.</source>
        <translation>No reply yet.</translation>
    </message>
    <message>
        <source>The question waits in the queue, %1 so far.</source>
        <translation>The question waits in the queue, %1 so far.</translation>
    </message>
    <message>
        <source>Prefill is running: %1.</source>
        <translation>Prefill is running: %1.</translation>
    </message>
    <message>
        <source>The reply is being written.</source>
        <translation>The reply is being written.</translation>
    </message>
    <message>
        <source>The reply is finished.</source>
        <translation>The reply is finished.</translation>
    </message>
    <message>
        <source>The reply was stopped.</source>
        <translation>The reply was stopped.</translation>
    </message>
    <message>
        <source>The reply failed: %1</source>
        <translation>The reply failed: %1</translation>
    </message>
    <message>
        <source>First token after %1: queue %2, prefill %3 (%4).</source>
        <translation>First token after %1: queue %2, prefill %3 (%4).</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s); gap p50 %1, p90 %2, p99 %3, longest %4.</source>
        <translation>
            <numerusform>%n token; gap p50 %1, p90 %2, p99 %3, longest %4.</numerusform>
            <numerusform>%n tokens; gap p50 %1, p90 %2, p99 %3, longest %4.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 at %2.</source>
        <translation>%1 at %2.</translation>
    </message>
</context>
<context>
    <name>kvasir::TimelineWidget</name>
    <message>
        <source>Where did the time go?</source>
        <translation>Where did the time go?</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>ITL p50</source>
        <translation>ITL p50</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Follow</translation>
    </message>
    <message>
        <source>Show the whole reply again and follow it (Home)</source>
        <translation>Show the whole reply again and follow it (Home)</translation>
    </message>
    <message>
        <source>Reply shown</source>
        <translation>Reply shown</translation>
    </message>
    <message>
        <source>This reply</source>
        <translation>This reply</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Zoom in</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Zoom out</translation>
    </message>
</context>
<context>
    <name>kvasir::TokenView</name>
    <message>
        <source>Token %1 of %2</source>
        <translation>Token %1 of %2</translation>
    </message>
    <message>
        <source>“%1”, id %2</source>
        <translation>“%1”, id %2</translation>
    </message>
    <message>
        <source>%1, special</source>
        <translation>%1, special</translation>
    </message>
</context>
<context>
    <name>kvasir::TopBar</name>
    <message>
        <source>Recent models</source>
        <translation>Recent models</translation>
    </message>
    <message>
        <source>In the model folder</source>
        <translation>In the model folder</translation>
    </message>
    <message>
        <source>Opening a model</source>
        <translation>Opening a model</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>No model</translation>
    </message>
    <message>
        <source>Click to choose another model (Ctrl+M)</source>
        <translation>Click to choose another model (Ctrl+M)</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>Model: %1</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>Loading %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancel</translation>
    </message>
</context>
<context>
    <name>kvasir::WelcomePage</name>
    <message>
        <source>The model is being loaded</source>
        <translation>The model is being loaded</translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation>Open a model to begin</translation>
    </message>
    <message>
        <source>Its weights are read and put into the order that this processor reads fastest. You can look around meanwhile; conversations are on the left.</source>
        <translation>Its weights are read and put into the order that this processor reads fastest. You can look around meanwhile; conversations are on the left.</translation>
    </message>
    <message>
        <source>Kvasir runs a language model on this computer and shows where its time and memory go. It needs a model in a GGUF file.

Drop such a file on this window, choose one with the button, or put it into the model folder:
%1</source>
        <translation>Kvasir runs a language model on this computer and shows where its time and memory go. It needs a model in a GGUF file.

Drop such a file on this window, choose one with the button, or put it into the model folder:
%1</translation>
    </message>
    <message>
        <source>Open a model file…  Ctrl+O</source>
        <translation>Open a model file…  Ctrl+O</translation>
    </message>
    <message>
        <source>In the model folder</source>
        <translation>In the model folder</translation>
    </message>
</context>
</TS>

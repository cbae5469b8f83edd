<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ko_KR">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;New chat</source>
        <translation>새 대화(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open model…</source>
        <translation>모델 열기(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Choose model</source>
        <translation>모델 고르기(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>설정(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>끝내기(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Copy last reply</source>
        <translation>마지막 답변 복사(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Find in this chat</source>
        <translation>이 대화에서 찾기(&amp;F)</translation>
    </message>
    <message>
        <source>Find ne&amp;xt</source>
        <translation>다음 찾기(&amp;X)</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>이전 찾기(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Search all chats</source>
        <translation>모든 대화에서 검색(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Write a message</source>
        <translation>메시지 쓰기(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Stop the reply</source>
        <translation>답변 멈추기(&amp;S)</translation>
    </message>
    <message>
        <source>Ask a&amp;gain</source>
        <translation>다시 묻기(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Edit last message</source>
        <translation>마지막 메시지 고치기(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Previous version</source>
        <translation>이전 판(&amp;P)</translation>
    </message>
    <message>
        <source>Ne&amp;xt version</source>
        <translation>다음 판(&amp;X)</translation>
    </message>
    <message>
        <source>System prompt and sa&amp;mpling…</source>
        <translation>시스템 프롬프트와 샘플링(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>이름 바꾸기(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>지우기(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Undo delete</source>
        <translation>지우기 취소(&amp;U)</translation>
    </message>
    <message>
        <source>Chat &amp;above</source>
        <translation>위 대화(&amp;A)</translation>
    </message>
    <message>
        <source>Chat &amp;below</source>
        <translation>아래 대화(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Conversations</source>
        <translation>대화 목록(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>타임라인(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>메모리(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Prefill v decode</source>
        <translation>프리필과 디코드(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Restore layout</source>
        <translation>처음 배치로(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>글자 크게(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Smaller text</source>
        <translation>글자 작게(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>글자 보통 크기(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>전체 화면(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>단축키(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Kvasir</source>
        <translation>Kvasir 정보(&amp;A)</translation>
    </message>
    <message>
        <source>File</source>
        <translation>파일</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>편집</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>대화</translation>
    </message>
    <message>
        <source>View</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>도움말</translation>
    </message>
    <message>
        <source>Prompt, token b&amp;y token…</source>
        <translation>토큰별 프롬프트(&amp;Y)…</translation>
    </message>
    <message>
        <source>Show or fold the last &amp;reasoning</source>
        <translation>마지막 생각 과정 펼치기/접기(&amp;R)</translation>
    </message>
</context>
<context>
    <name>Adapters</name>
    <message>
        <source>writing…</source>
        <translation>쓰는 중…</translation>
    </message>
    <message>
        <source>ended by the model</source>
        <translation>모델이 끝냄</translation>
    </message>
    <message>
        <source>ended at a stop text</source>
        <translation>멈춤 문구에서 끝남</translation>
    </message>
    <message>
        <source>token limit reached</source>
        <translation>토큰 한도에 닿음</translation>
    </message>
    <message>
        <source>stopped by you</source>
        <translation>직접 멈춤</translation>
    </message>
    <message>
        <source>context full</source>
        <translation>컨텍스트가 참</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>실패</translation>
    </message>
    <message>
        <source>The reply is being written.</source>
        <translation>답변을 쓰고 있습니다.</translation>
    </message>
    <message>
        <source>The model produced its end-of-turn token: it considers the reply complete.</source>
        <translation>모델이 차례를 마치는 토큰을 냈습니다. 답변이 다 되었다고 본 것입니다.</translation>
    </message>
    <message>
        <source>The reply reached a text that ends it.</source>
        <translation>답변이 끝을 뜻하는 문구에 이르렀습니다.</translation>
    </message>
    <message>
        <source>The reply reached the largest number of tokens set for this chat. Raise it in the chat settings.</source>
        <translation>답변이 이 대화에 정해 둔 최대 토큰 수에 닿았습니다. 대화 설정에서 늘릴 수 있습니다.</translation>
    </message>
    <message>
        <source>You stopped the reply; what was written stays.</source>
        <translation>답변을 직접 멈추었습니다. 쓰인 글은 그대로 남습니다.</translation>
    </message>
    <message>
        <source>Conversation and reply together reached the context length: the model cannot take in more. Start a new chat, or set a longer context in the settings.</source>
        <translation>대화와 답변을 합친 길이가 컨텍스트 길이에 닿아 모델이 더 받아들일 수 없습니다. 새 대화를 시작하거나 설정에서 컨텍스트를 늘려 주십시오.</translation>
    </message>
    <message>
        <source>The reply could not be completed.</source>
        <translation>답변을 마치지 못했습니다.</translation>
    </message>
    <message>
        <source>reading the prompt: %1 of %2 tokens</source>
        <translation>프롬프트 읽는 중: 토큰 %2개 중 %1개</translation>
    </message>
    <message>
        <source>reading the prompt…</source>
        <translation>프롬프트 읽는 중…</translation>
    </message>
    <message>
        <source>Prefill: the model takes in the whole conversation before it can write the first token.</source>
        <translation>프리필: 모델은 첫 토큰을 쓰기 전에 대화 전체를 읽습니다.</translation>
    </message>
    <message>
        <source>first token %1</source>
        <translation>첫 토큰 %1</translation>
    </message>
    <message>
        <source>TTFT, time to first token: from sending the message (before tokenization) to the first token.</source>
        <translation>TTFT(첫 토큰까지의 시간): 메시지를 보낸 때(토큰화 이전)부터 첫 토큰이 나올 때까지입니다.</translation>
    </message>
    <message>
        <source>%1 a token</source>
        <translation>토큰당 %1</translation>
    </message>
    <message>
        <source>TPOT, time per output token: (whole time − TTFT) / (tokens − 1).</source>
        <translation>TPOT(출력 토큰당 시간): (전체 시간 − TTFT) / (토큰 수 − 1)입니다.</translation>
    </message>
    <message>
        <source>Decode rate: tokens written per second after the first one.</source>
        <translation>디코드 속도: 첫 토큰 다음부터 1초에 쓴 토큰 수입니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>토큰 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Tokens that the model wrote.</source>
        <translation>모델이 쓴 토큰 수입니다.</translation>
    </message>
    <message>
        <source>prompt %1 (%2 cached)</source>
        <translation>프롬프트 %1 (캐시 %2)</translation>
    </message>
    <message>
        <source>prompt %1</source>
        <translation>프롬프트 %1</translation>
    </message>
    <message>
        <source>Tokens of the whole conversation as the model received it. Cached ones were still in the KV cache from the turn before and were not computed again.</source>
        <translation>모델이 받은 대화 전체의 토큰 수입니다. 캐시된 토큰은 앞 차례의 KV 캐시에 남아 있어 다시 계산하지 않았습니다.</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>프리필 %1</translation>
    </message>
    <message>
        <source>Prefill rate: prompt tokens computed (not cached) per second until the first token.</source>
        <translation>프리필 속도: 첫 토큰까지 1초에 계산한(캐시 제외) 프롬프트 토큰 수입니다.</translation>
    </message>
    <message>
        <source>You</source>
        <translation>나</translation>
    </message>
    <message>
        <source>Interrupted: Kvasir ended while this reply was being written. What had arrived is kept.</source>
        <translation>중단됨: 답변을 쓰는 도중에 Kvasir가 끝났습니다. 그때까지 쓰인 글은 남아 있습니다.</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>다시 묻기</translation>
    </message>
    <message numerus="yes">
        <source>CPU · %n thread(s)</source>
        <translation>
            <numerusform>CPU · 스레드 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 parameters, %n layer(s)</source>
        <translation>
            <numerusform>%1, 매개변수 %2개, 층 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Weights %1 (%2), each token reads %3</source>
        <translation>가중치 %1 (%2), 토큰마다 읽는 양 %3</translation>
    </message>
    <message>
        <source>Context %1 tokens (trained for %2), KV cache %3 a token</source>
        <translation>컨텍스트 토큰 %1개(학습 때 %2개), KV 캐시 토큰당 %3</translation>
    </message>
    <message>
        <source>Computed with %1</source>
        <translation>계산 명령: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n of reasoning</source>
        <translation>
            <numerusform>그중 생각 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Tokens of the reply that the model wrote for itself, before the answer.</source>
        <translation>답하기 전에 모델이 혼자 생각하며 쓴 토큰입니다.</translation>
    </message>
    <message>
        <source>answer after %1</source>
        <translation>답변 시작 %1</translation>
    </message>
    <message>
        <source>TTFO, time to first output: from sending the message to the first token behind the reasoning.</source>
        <translation>TTFO(첫 답변까지 걸린 시간): 메시지를 보낸 뒤 생각이 끝나고 답변의 첫 토큰이 나올 때까지입니다.</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>생각 과정</translation>
    </message>
    <message>
        <source>Thinking… · %1</source>
        <translation>생각하는 중… · %1</translation>
    </message>
    <message>
        <source>Thought for %1 · %2</source>
        <translation>%1 동안 생각함 · %2</translation>
    </message>
</context>
<context>
    <name>ChatRow</name>
    <message>
        <source>Show more</source>
        <translation>더 보기</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>복사했습니다</translation>
    </message>
</context>
<context>
    <name>CodeBlockLayout</name>
    <message>
        <source>Tool call</source>
        <translation>도구 호출</translation>
    </message>
    <message>
        <source>Tool call: %1</source>
        <translation>도구 호출: %1</translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>There is no such file.</source>
        <translation>그런 파일이 없습니다.</translation>
    </message>
    <message>
        <source>The file cannot be read.</source>
        <translation>파일을 읽을 수 없습니다.</translation>
    </message>
    <message>
        <source>The file cannot be read (%1).</source>
        <translation>파일을 읽을 수 없습니다(%1).</translation>
    </message>
    <message>
        <source>The folder is read-only.</source>
        <translation>폴더가 읽기 전용입니다.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>디스크가 가득 찼습니다.</translation>
    </message>
    <message>
        <source>Another Kvasir window has it open.</source>
        <translation>다른 Kvasir 창에서 열려 있습니다.</translation>
    </message>
    <message>
        <source>The file cannot be written.</source>
        <translation>파일에 쓸 수 없습니다.</translation>
    </message>
    <message>
        <source>The file cannot be written (%1).</source>
        <translation>파일에 쓸 수 없습니다(%1).</translation>
    </message>
    <message>
        <source>It is not a model file in the GGUF format.</source>
        <translation>GGUF 형식의 모델 파일이 아닙니다.</translation>
    </message>
    <message>
        <source>The file ends too early.</source>
        <translation>파일이 중간에서 끊겼습니다.</translation>
    </message>
    <message>
        <source>The file ends too early (%1).</source>
        <translation>파일이 중간에서 끊겼습니다(%1).</translation>
    </message>
    <message>
        <source>The file is damaged.</source>
        <translation>파일이 손상되었습니다.</translation>
    </message>
    <message>
        <source>The file is damaged (%1).</source>
        <translation>파일이 손상되었습니다(%1).</translation>
    </message>
    <message>
        <source>It needs something that Kvasir does not know (%1).</source>
        <translation>Kvasir가 지원하지 않는 기능이 필요합니다(%1).</translation>
    </message>
    <message>
        <source>It needs something that Kvasir does not know (%1: %2).</source>
        <translation>Kvasir가 지원하지 않는 기능이 필요합니다(%1: %2).</translation>
    </message>
    <message>
        <source>The file lacks the entry “%1”.</source>
        <translation>파일에 “%1” 항목이 없습니다.</translation>
    </message>
    <message>
        <source>The file lacks the weights “%1”.</source>
        <translation>파일에 “%1” 가중치가 없습니다.</translation>
    </message>
    <message>
        <source>Its vocabulary cannot be used (%1).</source>
        <translation>어휘를 쓸 수 없습니다(%1).</translation>
    </message>
    <message>
        <source>The model’s chat template cannot be used (%1).</source>
        <translation>모델의 대화 템플릿을 쓸 수 없습니다(%1).</translation>
    </message>
    <message>
        <source>The model’s chat template works without end and was stopped (%1).</source>
        <translation>모델의 대화 템플릿이 끝없이 실행되어 멈추었습니다(%1).</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>메모리가 부족합니다.</translation>
    </message>
    <message>
        <source>It needs %1 of memory, and %2 are free.</source>
        <translation>필요한 메모리는 %1인데 남은 메모리는 %2입니다.</translation>
    </message>
    <message>
        <source>The conversation takes %1 tokens, and the context holds %2.</source>
        <translation>대화는 토큰 %1개인데 컨텍스트에는 %2개까지 들어갑니다.</translation>
    </message>
    <message>
        <source>A number in the computation became infinite (%1); the file’s weights are probably damaged.</source>
        <translation>계산 도중 무한대가 나왔습니다(%1). 파일의 가중치가 손상된 것 같습니다.</translation>
    </message>
    <message>
        <source>A setting cannot be used (%1).</source>
        <translation>쓸 수 없는 설정입니다(%1).</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>취소되었습니다.</translation>
    </message>
    <message>
        <source>Kvasir made a mistake (%1).</source>
        <translation>Kvasir에서 오류가 났습니다(%1).</translation>
    </message>
    <message>
        <source>“%1” could not be opened.</source>
        <translation>“%1” 파일을 열지 못했습니다.</translation>
    </message>
    <message>
        <source>It may have been moved: choose it in its new place.</source>
        <translation>다른 곳으로 옮겨졌을 수 있습니다. 새 위치에서 골라 주십시오.</translation>
    </message>
    <message>
        <source>Choose a .gguf file, or the folder of a model.</source>
        <translation>.gguf 파일이나 모델 폴더를 골라 주십시오.</translation>
    </message>
    <message>
        <source>Download it again, or choose another file.</source>
        <translation>다시 내려받거나 다른 파일을 골라 주십시오.</translation>
    </message>
    <message>
        <source>Close other programs, choose a smaller model, or set a shorter context.</source>
        <translation>다른 프로그램을 닫거나, 더 작은 모델을 고르거나, 컨텍스트를 줄여 주십시오.</translation>
    </message>
    <message>
        <source>Opening “%1” was cancelled.</source>
        <translation>“%1” 열기를 취소했습니다.</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>다른 파일을 골라 주십시오.</translation>
    </message>
    <message>
        <source>The context is full.</source>
        <translation>컨텍스트가 가득 찼습니다.</translation>
    </message>
    <message>
        <source>Start a new chat, shorten the message, or set a longer context in the settings.</source>
        <translation>새 대화를 시작하거나, 메시지를 줄이거나, 설정에서 컨텍스트를 늘려 주십시오.</translation>
    </message>
    <message>
        <source>There was no memory for this reply.</source>
        <translation>이 답변에 쓸 메모리가 없었습니다.</translation>
    </message>
    <message>
        <source>Close other programs or set a shorter context.</source>
        <translation>다른 프로그램을 닫거나 컨텍스트를 줄여 주십시오.</translation>
    </message>
    <message>
        <source>The reply was cancelled because another model was opened. Ask again.</source>
        <translation>다른 모델을 열어 답변이 취소되었습니다. 다시 물어 주십시오.</translation>
    </message>
    <message>
        <source>The question could not be put to the model.</source>
        <translation>질문을 모델에 전하지 못했습니다.</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>다른 모델을 골라 주십시오.</translation>
    </message>
    <message>
        <source>The reply could not be computed.</source>
        <translation>답변을 계산하지 못했습니다.</translation>
    </message>
    <message>
        <source>Ask again, or choose another model.</source>
        <translation>다시 묻거나 다른 모델을 골라 주십시오.</translation>
    </message>
    <message>
        <source>Until then conversations are kept only while this window is open.</source>
        <translation>그때까지 대화는 이 창이 열려 있는 동안만 유지됩니다.</translation>
    </message>
    <message>
        <source>Conversations are not saved in this window: another Kvasir has them open.</source>
        <translation>다른 Kvasir가 대화를 열고 있어 이 창의 대화는 저장되지 않습니다.</translation>
    </message>
    <message>
        <source>Close the other one and try again.</source>
        <translation>다른 Kvasir를 닫고 다시 시도해 주십시오.</translation>
    </message>
    <message>
        <source>Conversations are not being saved: the disk is full.</source>
        <translation>디스크가 가득 차 대화가 저장되지 않습니다.</translation>
    </message>
    <message>
        <source>Make room on it and try again.</source>
        <translation>디스크에 자리를 만들고 다시 시도해 주십시오.</translation>
    </message>
    <message>
        <source>Conversations are not being saved: %1 cannot be written to.</source>
        <translation>%1에 쓸 수 없어 대화가 저장되지 않습니다.</translation>
    </message>
    <message>
        <source>Allow writing there and try again.</source>
        <translation>그 폴더에 쓸 수 있게 하고 다시 시도해 주십시오.</translation>
    </message>
    <message>
        <source>The file with your conversations is damaged and was left untouched.</source>
        <translation>대화 파일이 손상되어 있어 건드리지 않고 두었습니다.</translation>
    </message>
    <message>
        <source>Set it aside to start a new one, or put a copy in its place and try again.</source>
        <translation>따로 보관하고 새로 시작하거나, 백업한 파일로 바꾸고 다시 시도해 주십시오.</translation>
    </message>
    <message>
        <source>A later version of Kvasir wrote your conversations.</source>
        <translation>더 새로운 Kvasir가 쓴 대화입니다.</translation>
    </message>
    <message>
        <source>Open them with that version.</source>
        <translation>그 버전으로 열어 주십시오.</translation>
    </message>
    <message>
        <source>Conversations are not being saved.</source>
        <translation>대화가 저장되지 않습니다.</translation>
    </message>
    <message>
        <source>The engine was needed for a reply.</source>
        <translation>답변을 계산하느라 재지 못했습니다.</translation>
    </message>
</context>
<context>
    <name>kvasir::ChatPage</name>
    <message>
        <source>system prompt</source>
        <translation>시스템 프롬프트</translation>
    </message>
    <message>
        <source>system: %1</source>
        <translation>시스템: %1</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>온도 %1</translation>
    </message>
    <message>
        <source>The model is being loaded…</source>
        <translation>모델을 불러오는 중…</translation>
    </message>
    <message>
        <source>Open a model first (Ctrl+O)</source>
        <translation>먼저 모델을 열어 주십시오(Ctrl+O)</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>링크</translation>
    </message>
    <message>
        <source>Open this address in your browser?

%1</source>
        <translation>이 주소를 브라우저에서 열까요?

%1</translation>
    </message>
    <message>
        <source>Kvasir opens web and mail addresses only. This one was not opened:

%1</source>
        <translation>Kvasir는 웹과 메일 주소만 엽니다. 이 주소는 열지 않았습니다.

%1</translation>
    </message>
    <message>
        <source>Ask something and watch it being answered</source>
        <translation>질문하고 답변이 만들어지는 과정을 지켜보십시오</translation>
    </message>
    <message>
        <source>On the right you see prefill, when the model reads your whole message at once, and decode, when it writes token by token. Try a question:</source>
        <translation>오른쪽에 프리필(모델이 메시지 전체를 한꺼번에 읽는 단계)과 디코드(토큰을 하나씩 쓰는 단계)가 보입니다. 이렇게 물어보십시오.</translation>
    </message>
    <message>
        <source>Explain in three sentences why the first token takes longer than the others.</source>
        <translation>첫 토큰이 다른 토큰보다 오래 걸리는 까닭을 세 문장으로 설명해 주세요.</translation>
    </message>
    <message>
        <source>Write a table of three rivers with their lengths.</source>
        <translation>강 세 개와 그 길이를 표로 써 주세요.</translation>
    </message>
    <message>
        <source>Tell a short story about a lighthouse.</source>
        <translation>등대에 관한 짧은 이야기를 들려주세요.</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>대화</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>메시지를 쓰십시오</translation>
    </message>
    <message>
        <source>Editing a message: sending it makes a new version, the old one stays.</source>
        <translation>메시지를 고치는 중입니다. 보내면 새 판이 생기고 이전 판은 그대로 남습니다.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>This file has no chat template; the one of its family is used (%1).</source>
        <translation>이 파일에는 대화 템플릿이 없어 같은 계열의 템플릿(%1)을 씁니다.</translation>
    </message>
    <message>
        <source>The turn marks in the vocabulary are those of %1, so conversations are put that way. If the model was not taught to converse, it may not keep to its turn.</source>
        <translation>어휘의 대화 구분 토큰이 %1 것이므로 그 템플릿에 맞추어 대화를 보냅니다. 대화하도록 학습되지 않은 모델이면 차례를 지키지 않을 수 있습니다.</translation>
    </message>
</context>
<context>
    <name>kvasir::ChatSettingsDialog</name>
    <message>
        <source>New chats: system prompt and sampling</source>
        <translation>새 대화: 시스템 프롬프트와 샘플링</translation>
    </message>
    <message>
        <source>This chat: system prompt and sampling</source>
        <translation>이 대화: 시스템 프롬프트와 샘플링</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>시스템 프롬프트</translation>
    </message>
    <message>
        <source>How the model should behave, for example: “Answer briefly and in Korean.”</source>
        <translation>모델이 어떻게 답할지 정합니다. 예: “한국어로 짧게 답하십시오.”</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>샘플링</translation>
    </message>
    <message>
        <source>How the next token is chosen from those that the model thinks possible. Applied in this order: penalties, temperature, top-k, top-p, min-p.</source>
        <translation>모델이 가능하다고 보는 토큰 가운데 다음 토큰을 고르는 방법입니다. 페널티, 온도, top-k, top-p, min-p 차례로 적용됩니다.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>온도</translation>
    </message>
    <message>
        <source>Higher values choose unlikely tokens more often; 0 always takes the most likely one, so that the same question gets the same answer.</source>
        <translation>값이 클수록 확률이 낮은 토큰을 더 자주 고릅니다. 0이면 언제나 확률이 가장 높은 토큰을 골라, 같은 질문에 같은 답이 나옵니다.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only the k most likely tokens may be chosen. 0: no limit.</source>
        <translation>확률이 높은 k개의 토큰에서만 고릅니다. 0: 제한 없음.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the most likely tokens that together reach this probability may be chosen. 1: no limit.</source>
        <translation>확률의 합이 이 값에 이를 때까지의 상위 토큰에서만 고릅니다. 1: 제한 없음.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Only tokens at least this fraction as likely as the most likely one may be chosen. 0: no limit.</source>
        <translation>가장 높은 확률의 이 비율 이상인 토큰에서만 고릅니다. 0: 제한 없음.</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>반복 페널티</translation>
    </message>
    <message>
        <source>Makes tokens that already occurred less likely. 1: off; small models repeat themselves less with 1.1.</source>
        <translation>이미 나온 토큰의 확률을 낮춥니다. 1: 끔. 작은 모델은 1.1에서 반복이 줄어듭니다.</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>출현 페널티</translation>
    </message>
    <message>
        <source>Lowers a token once when it has occurred at all. 0: off.</source>
        <translation>한 번이라도 나온 토큰을 한 번 낮춥니다. 0: 끔.</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>빈도 페널티</translation>
    </message>
    <message>
        <source>Lowers a token for each time it has occurred. 0: off.</source>
        <translation>나온 횟수만큼 토큰을 낮춥니다. 0: 끔.</translation>
    </message>
    <message>
        <source>Penalties look back</source>
        <translation>페널티 범위</translation>
    </message>
    <message>
        <source>How many of the last tokens the penalties look at. −1: all of them.</source>
        <translation>페널티가 살피는 최근 토큰의 수입니다. −1: 모두.</translation>
    </message>
    <message>
        <source>Longest reply</source>
        <translation>답변 최대 길이</translation>
    </message>
    <message>
        <source>The reply ends after this many tokens. 0: when the model ends it or the context is full.</source>
        <translation>답변은 이만큼의 토큰 뒤에 끝납니다. 0: 모델이 끝내거나 컨텍스트가 찰 때까지.</translation>
    </message>
    <message>
        <source>Fixed seed</source>
        <translation>시드 고정</translation>
    </message>
    <message>
        <source>With the same seed, settings and conversation the reply is the same each time. Otherwise each reply draws its own.</source>
        <translation>시드, 설정, 대화가 같으면 답변도 언제나 같습니다. 고정하지 않으면 답변마다 시드를 새로 뽑습니다.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>A number from 0 to 18,446,744,073,709,551,615.</source>
        <translation>0부터 18,446,744,073,709,551,615까지의 수입니다.</translation>
    </message>
    <message>
        <source>off</source>
        <translation>끔</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>제한 없음</translation>
    </message>
    <message>
        <source>all tokens</source>
        <translation>모든 토큰</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>초기화</translation>
    </message>
    <message>
        <source>The values that Kvasir came with</source>
        <translation>Kvasir의 처음 값으로 되돌립니다</translation>
    </message>
    <message>
        <source>Use for new chats</source>
        <translation>새 대화에도 쓰기</translation>
    </message>
</context>
<context>
    <name>kvasir::ChatView</name>
    <message>
        <source>Jump to latest</source>
        <translation>맨 아래로</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>마크다운으로 복사</translation>
    </message>
    <message>
        <source>Open Link…</source>
        <translation>링크 열기…</translation>
    </message>
    <message>
        <source>Copy Link Address</source>
        <translation>링크 주소 복사</translation>
    </message>
    <message>
        <source>Copy Message</source>
        <translation>메시지 복사</translation>
    </message>
    <message>
        <source>Copy Message as Markdown</source>
        <translation>메시지를 마크다운으로 복사</translation>
    </message>
    <message>
        <source>Copy Code</source>
        <translation>코드 복사</translation>
    </message>
    <message>
        <source>Copy Code Block %1</source>
        <translation>코드 %1 복사</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>고치기…</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>다시 묻기</translation>
    </message>
    <message>
        <source>Previous Variant</source>
        <translation>이전 판</translation>
    </message>
    <message>
        <source>Next Variant</source>
        <translation>다음 판</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>모두 선택</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>대화</translation>
    </message>
    <message>
        <source>Fold Reasoning</source>
        <translation>생각 과정 접기</translation>
    </message>
    <message>
        <source>Show Reasoning</source>
        <translation>생각 과정 보기</translation>
    </message>
    <message>
        <source>Copy Reasoning</source>
        <translation>생각 과정 복사</translation>
    </message>
</context>
<context>
    <name>kvasir::Composer</name>
    <message numerus="yes">
        <source>%n pasted character(s)</source>
        <translation>
            <numerusform>붙여 넣은 글 %n자</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove this text. It begins: %1</source>
        <translation>이 글을 뺍니다. 첫머리: %1</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>토큰</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>토큰 %Ln개</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>멈추기</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>보내기</translation>
    </message>
    <message>
        <source>Stop the reply; what is written stays</source>
        <translation>답변을 멈춥니다. 쓰인 글은 남습니다</translation>
    </message>
    <message>
        <source>Send the message (Enter; Shift+Enter for a new line)</source>
        <translation>메시지를 보냅니다(Enter, 줄바꿈은 Shift+Enter)</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>메시지를 쓰십시오</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>메시지</translation>
    </message>
    <message>
        <source>What the model is told before the conversation</source>
        <translation>대화에 앞서 모델에 알려 주는 글입니다</translation>
    </message>
    <message>
        <source>How the next token is chosen: temperature, top-k, top-p and others</source>
        <translation>다음 토큰을 고르는 방법: 온도, top-k, top-p 등</translation>
    </message>
    <message>
        <source>Length of this message as the model counts it</source>
        <translation>모델이 세는 이 메시지의 길이입니다</translation>
    </message>
</context>
<context>
    <name>kvasir::ContextGauge</name>
    <message>
        <source>context %1 of %2</source>
        <translation>컨텍스트 %2 중 %1</translation>
    </message>
    <message>
        <source>full</source>
        <translation>가득 참</translation>
    </message>
    <message>
        <source>nearly full</source>
        <translation>거의 참</translation>
    </message>
    <message>
        <source>The context is what the model can see at once: system prompt, messages and the reply, counted in tokens.</source>
        <translation>컨텍스트는 모델이 한 번에 볼 수 있는 시스템 프롬프트, 메시지, 답변을 토큰으로 센 길이입니다.</translation>
    </message>
</context>
<context>
    <name>kvasir::ConversationModel</name>
    <message>
        <source>now</source>
        <translation>지금</translation>
    </message>
    <message>
        <source>ddd</source>
        <comment>date format: day of the week</comment>
        <translation>ddd</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>date format: day of this year</comment>
        <translation>MMM d일</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <comment>date format: day of another year</comment>
        <translation>yyyy년 MMM</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>메시지 %n개</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvasir::Dashboard</name>
    <message>
        <source>Timeline</source>
        <translation>타임라인</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>메모리</translation>
    </message>
    <message>
        <source>Prefill v decode</source>
        <translation>프리필과 디코드</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <comment>time and beginning of a question</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>another chat joined</source>
        <translation>다른 대화가 끼어듦</translation>
    </message>
    <message>
        <source>another chat ended</source>
        <translation>다른 대화가 끝남</translation>
    </message>
</context>
<context>
    <name>kvasir::DockTitle</name>
    <message>
        <source>Put back into the window</source>
        <translation>창에 다시 넣기</translation>
    </message>
    <message>
        <source>Make a window of its own</source>
        <translation>따로 띄우기</translation>
    </message>
    <message>
        <source>Hide; the View menu brings it back</source>
        <translation>숨기기(보기 메뉴에서 다시 켤 수 있습니다)</translation>
    </message>
</context>
<context>
    <name>kvasir::FindBar</name>
    <message>
        <source>no hit</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 중 %1</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>이 대화에서 찾기</translation>
    </message>
    <message>
        <source>Previous hit (Shift+F3)</source>
        <translation>이전 결과(Shift+F3)</translation>
    </message>
    <message>
        <source>Next hit (F3)</source>
        <translation>다음 결과(F3)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>닫기(Esc)</translation>
    </message>
</context>
<context>
    <name>kvasir::MainWindow</name>
    <message>
        <source>Kvasir ended while it loaded “%1” and has not opened it again by itself.</source>
        <translation>지난번에 “%1” 파일을 불러오다 Kvasir가 끝나서, 이번에는 저절로 열지 않았습니다.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Choose another file…</source>
        <translation>다른 파일 고르기…</translation>
    </message>
    <message>
        <source>This model has no chat template: it was not trained to converse. It gets the conversation as plain text with “User:” and “Assistant:”, and may not keep to its turn.</source>
        <translation>이 모델에는 대화 템플릿이 없습니다. 대화용으로 학습되지 않은 모델입니다. 대화를 “User:”와 “Assistant:”로 된 일반 글로 전하며, 모델이 차례를 지키지 않을 수 있습니다.</translation>
    </message>
    <message>
        <source>This model’s chat template cannot be used (%1). It gets the conversation as plain text with “User:” and “Assistant:”, and may not keep to its turn.</source>
        <translation>이 모델의 대화 템플릿을 쓸 수 없습니다(%1). 대화를 “User:”와 “Assistant:”로 된 일반 글로 전하며, 모델이 차례를 지키지 않을 수 있습니다.</translation>
    </message>
    <message>
        <source>The context is %1 tokens, not the %2 that are set: the model was trained for no more.</source>
        <translation>컨텍스트는 설정한 토큰 %2개가 아니라 %1개입니다. 모델이 그만큼만 학습되었습니다.</translation>
    </message>
    <message>
        <source>The context is %1 tokens, not the %2 that are set: there is no memory for more.</source>
        <translation>컨텍스트는 설정한 토큰 %2개가 아니라 %1개입니다. 메모리가 더 없습니다.</translation>
    </message>
    <message>
        <source>The context is %1 tokens instead of the model’s %2: there is no memory for more.</source>
        <translation>컨텍스트는 모델의 토큰 %2개가 아니라 %1개입니다. 메모리가 더 없습니다.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>다시 시도</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>설정…</translation>
    </message>
    <message>
        <source>Set aside and start anew</source>
        <translation>따로 보관하고 새로 시작</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>모델 열기</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors config.json);;All files (*)</source>
        <translation>모델 (*.gguf *.safetensors config.json);;모든 파일 (*)</translation>
    </message>
    <message>
        <source>“%1” was deleted. It can be brought back until Kvasir is closed.</source>
        <translation>“%1” 대화를 지웠습니다. Kvasir를 닫기 전까지 되돌릴 수 있습니다.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>되돌리기</translation>
    </message>
    <message>
        <source>About Kvasir</source>
        <translation>Kvasir 정보</translation>
    </message>
    <message>
        <source>Kvasir %1</source>
        <translation>Kvasir %1</translation>
    </message>
    <message>
        <source>Chat with a language model on this computer and see where its time and memory go.

Free software under the GNU General Public License, version 3 or later. Nothing you write leaves this computer.</source>
        <translation>이 컴퓨터의 언어 모델과 대화하며 시간과 메모리가 어디에 쓰이는지 봅니다.

GNU 일반 공중 사용 허가서 3판 또는 그 이후 판을 따르는 자유 소프트웨어입니다. 쓰신 글은 이 컴퓨터를 떠나지 않습니다.</translation>
    </message>
    <message>
        <source>%1 – Kvasir</source>
        <translation>%1 – Kvasir</translation>
    </message>
    <message>
        <source>dashboard costs %1 of one core</source>
        <translation>대시보드 비용: 코어 하나의 %1</translation>
    </message>
    <message>
        <source>Processor time of this window spent on the panels at the right, over the time of the newest reply. Hidden panels cost nothing.</source>
        <translation>가장 최근 답변이 만들어지는 동안 이 창이 오른쪽 패널에 쓴 프로세서 시간의 비율입니다. 숨긴 패널은 비용이 없습니다.</translation>
    </message>
    <message>
        <source>engine idle</source>
        <translation>엔진 쉬는 중</translation>
    </message>
    <message>
        <source>loading a model</source>
        <translation>모델 불러오는 중</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>모델 없음</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>쓰는 중</translation>
    </message>
    <message>
        <source>reading the prompt</source>
        <translation>프롬프트 읽는 중</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>파일(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>편집(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>대화(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>보기(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>도움말(&amp;H)</translation>
    </message>
    <message>
        <source>Switch the language to %1</source>
        <translation>언어 바꾸기: %1</translation>
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
        <translation>Kvasir가 쓸 수 있는 메모리 %1</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>가중치 %1</translation>
    </message>
    <message>
        <source>activations %1</source>
        <translation>활성값 %1</translation>
    </message>
    <message>
        <source>others %1</source>
        <translation>기타 %1</translation>
    </message>
    <message>
        <source>KV %1 used, %2 reserved</source>
        <translation>KV 사용 %1, 예약 %2</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>지금 %1</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>토큰</translation>
    </message>
    <message>
        <source>growth not known yet</source>
        <translation>증가량을 아직 모름</translation>
    </message>
    <message>
        <source>full at about %1 tokens</source>
        <translation>토큰 약 %1개에서 가득 참</translation>
    </message>
    <message>
        <source>full at %1 tokens</source>
        <translation>토큰 %1개에서 가득 참</translation>
    </message>
    <message>
        <source>context ends at %1 first</source>
        <translation>컨텍스트가 토큰 %1개에서 먼저 끝남</translation>
    </message>
    <message>
        <source>context ends at %1</source>
        <translation>컨텍스트가 토큰 %1개에서 끝남</translation>
    </message>
    <message>
        <source>limit not known</source>
        <translation>한도를 모름</translation>
    </message>
    <message>
        <source>over the memory that is free</source>
        <translation>남은 메모리를 넘음</translation>
    </message>
    <message>
        <source>A model is being loaded. Its memory appears here when it is ready.</source>
        <translation>모델을 불러오고 있습니다. 준비되면 메모리가 여기에 나타납니다.</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>가중치</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 캐시</translation>
    </message>
    <message>
        <source>memory free for Kvasir</source>
        <translation>Kvasir가 쓸 수 있는 메모리</translation>
    </message>
    <message>
        <source>Open a model and send a question: its weights stay as they are, the KV cache grows with every token.</source>
        <translation>모델을 열고 질문을 보내 보십시오. 가중치는 그대로이고 KV 캐시는 토큰마다 늘어납니다.</translation>
    </message>
</context>
<context>
    <name>kvasir::MemoryWidget</name>
    <message>
        <source>expected at %1 tokens</source>
        <translation>토큰 %1개일 때 예상</translation>
    </message>
    <message>
        <source>together %1</source>
        <translation>합계 %1</translation>
    </message>
    <message>
        <source>each token adds %1 to the KV cache</source>
        <translation>토큰마다 KV 캐시 %1 증가</translation>
    </message>
    <message>
        <source>growth not known yet</source>
        <translation>증가량을 아직 모름</translation>
    </message>
    <message>
        <source>%1 tokens: together %2</source>
        <translation>토큰 %1개: 합계 %2</translation>
    </message>
    <message>
        <source>KV used %1: token slots that hold something</source>
        <translation>KV 사용 %1: 내용이 든 토큰 자리</translation>
    </message>
    <message>
        <source>KV reserved %1: blocks taken from the pool</source>
        <translation>KV 예약 %1: 풀에서 가져온 블록</translation>
    </message>
    <message>
        <source>others %1: the process without what is counted here</source>
        <translation>기타 %1: 프로세스에서 여기 센 것을 뺀 나머지</translation>
    </message>
    <message>
        <source>activations %1: scratch and logits among them</source>
        <translation>활성값 %1: 작업 공간과 로짓 포함</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>가중치 %1</translation>
    </message>
    <message>
        <source>Will it fit?</source>
        <translation>메모리에 들어갑니까?</translation>
    </message>
    <message>
        <source>A model is being loaded.</source>
        <translation>모델을 불러오고 있습니다.</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>열린 모델이 없습니다.</translation>
    </message>
    <message>
        <source>%1 tokens in context: weights %2, activations %3, KV cache %4 used of %5 reserved.</source>
        <translation>컨텍스트에 토큰 %1개: 가중치 %2, 활성값 %3, KV 캐시 예약 %5 중 %4 사용.</translation>
    </message>
    <message>
        <source>The process holds %1.</source>
        <translation>프로세스 사용량: %1.</translation>
    </message>
    <message>
        <source>Memory free for Kvasir: %1.</source>
        <translation>Kvasir가 쓸 수 있는 메모리: %1.</translation>
    </message>
    <message>
        <source>Outlook: %1.</source>
        <translation>전망: %1.</translation>
    </message>
    <message>
        <source>process</source>
        <translation>프로세스</translation>
    </message>
    <message>
        <source>Memory of this program that lies in RAM, as the system reports it.</source>
        <translation>시스템이 알려 주는, 이 프로그램이 RAM에서 차지하는 메모리입니다.</translation>
    </message>
    <message>
        <source>of</source>
        <translation>/</translation>
    </message>
    <message>
        <source>Memory of this machine.</source>
        <translation>이 컴퓨터의 메모리입니다.</translation>
    </message>
    <message>
        <source>Show the whole context</source>
        <translation>컨텍스트 전체 보기</translation>
    </message>
</context>
<context>
    <name>kvasir::MessageToolbar</name>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>이 메시지를 복사합니다</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>고치기</translation>
    </message>
    <message>
        <source>Change this message and continue from here</source>
        <translation>이 메시지를 고치고 여기서부터 이어 갑니다</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>다시 묻기</translation>
    </message>
    <message>
        <source>Write another reply; this one is kept</source>
        <translation>답변을 새로 씁니다. 이 답변은 그대로 남습니다</translation>
    </message>
</context>
<context>
    <name>kvasir::NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation>이 알림 닫기</translation>
    </message>
</context>
<context>
    <name>kvasir::PhasePainter</name>
    <message>
        <source>Prefill</source>
        <translation>프리필</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>디코드</translation>
    </message>
    <message>
        <source>MBU</source>
        <translation>MBU</translation>
    </message>
    <message>
        <source>ceiling %1</source>
        <translation>상한 %1</translation>
    </message>
</context>
<context>
    <name>kvasir::PhaseText</name>
    <message>
        <source>MFU, model FLOP utilisation: the arithmetic this half had to do, as a share of the most this machine can do in the same time.</source>
        <translation>MFU(연산 이용률): 이 단계가 해야 했던 연산이 같은 시간에 이 컴퓨터가 할 수 있는 최대 연산에서 차지하는 비율입니다.</translation>
    </message>
    <message>
        <source>MBU, memory bandwidth utilisation: the weights and KV cache this half had to read, as a share of the most this machine can read in the same time.</source>
        <translation>MBU(메모리 대역폭 이용률): 이 단계가 읽어야 했던 가중치와 KV 캐시가 같은 시간에 이 컴퓨터가 읽을 수 있는 최대량에서 차지하는 비율입니다.</translation>
    </message>
    <message>
        <source>Starting is the slower half: prefill took %1 of this reply.</source>
        <translation>시작이 더 느립니다. 프리필이 이 답변 시간의 %1입니다.</translation>
    </message>
    <message>
        <source>Streaming is the slower half: decode took %1 of this reply.</source>
        <translation>이어 쓰기가 더 느립니다. 디코드가 이 답변 시간의 %1입니다.</translation>
    </message>
    <message>
        <source>bound by arithmetic</source>
        <translation>연산이 한계</translation>
    </message>
    <message>
        <source>bound by memory</source>
        <translation>메모리가 한계</translation>
    </message>
    <message>
        <source>far from both limits: waits or runs on too few threads</source>
        <translation>두 한계에서 모두 멂: 기다리거나 스레드가 모자람</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>아직 재지 않음</translation>
    </message>
    <message>
        <source>each token reads %1</source>
        <translation>토큰마다 %1 읽음</translation>
    </message>
    <message>
        <source>bound by memory: %1</source>
        <translation>메모리가 한계: %1</translation>
    </message>
    <message>
        <source>limits not measured yet</source>
        <translation>한계를 아직 재지 않음</translation>
    </message>
    <message>
        <source>measuring the limits …</source>
        <translation>한계를 재는 중…</translation>
    </message>
    <message>
        <source>limits not measured: %1</source>
        <translation>한계를 재지 못함: %1</translation>
    </message>
    <message>
        <source>Cost of this dashboard: %1</source>
        <translation>이 대시보드의 비용: %1</translation>
    </message>
    <message>
        <source>Prefill %1, MFU %2: %3.</source>
        <translation>프리필 %1, MFU %2: %3.</translation>
    </message>
    <message>
        <source>Decode %1, MBU %2: %3.</source>
        <translation>디코드 %1, MBU %2: %3.</translation>
    </message>
    <message>
        <source>This machine: %1.</source>
        <translation>이 컴퓨터: %1.</translation>
    </message>
</context>
<context>
    <name>kvasir::PhaseWidget</name>
    <message>
        <source>Time of the window&apos;s thread spent on these panels, as a share of the time that passed.</source>
        <translation>창의 스레드가 이 패널들에 쓴 시간이 흐른 시간에서 차지하는 비율입니다.</translation>
    </message>
    <message>
        <source>Which half is slower?</source>
        <translation>어느 쪽이 더 느립니까?</translation>
    </message>
    <message>
        <source>this machine:</source>
        <translation>이 컴퓨터:</translation>
    </message>
    <message>
        <source>What this machine can read and compute at most, measured on it with the same number of threads.</source>
        <translation>이 컴퓨터가 읽고 계산할 수 있는 최대치입니다. 같은 수의 스레드로 직접 쟀습니다.</translation>
    </message>
    <message>
        <source>Measure now</source>
        <translation>지금 재기</translation>
    </message>
    <message>
        <source>Takes about a second; wait until no reply is being written</source>
        <translation>1초쯤 걸립니다. 답변을 쓰지 않을 때 재십시오</translation>
    </message>
</context>
<context>
    <name>kvasir::PlotPanel</name>
    <message>
        <source>Too little space: make this panel larger.</source>
        <translation>자리가 좁습니다. 패널을 키워 주십시오.</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>그림 저장</translation>
    </message>
    <message>
        <source>SVG picture (*.svg)</source>
        <translation>SVG 그림 (*.svg)</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 그림 (*.png)</translation>
    </message>
    <message>
        <source>Picture not saved</source>
        <translation>그림을 저장하지 못했습니다</translation>
    </message>
    <message>
        <source>%1 could not be written: %2. Choose another folder or free some space.</source>
        <translation>%1에 쓰지 못했습니다: %2. 다른 폴더를 고르거나 자리를 비워 주십시오.</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>그림 복사</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>PNG로 저장…</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>SVG로 저장…</translation>
    </message>
    <message>
        <source>Copy data as CSV</source>
        <translation>데이터를 CSV로 복사</translation>
    </message>
    <message>
        <source>Copy summary</source>
        <translation>요약 복사</translation>
    </message>
</context>
<context>
    <name>kvasir::PromptDialog</name>
    <message>
        <source>The prompt, token by token</source>
        <translation>토큰별로 본 프롬프트</translation>
    </message>
    <message>
        <source>Copy &amp;text</source>
        <translation>텍스트 복사(&amp;T)</translation>
    </message>
    <message>
        <source>Copy &amp;ids</source>
        <translation>ID 복사(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>닫기(&amp;C)</translation>
    </message>
    <message>
        <source>No model is loaded: open one to see what it would receive.</source>
        <translation>모델이 열려 있지 않습니다. 모델을 열면 무엇을 받게 되는지 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>There is nothing to send yet: write a message and see here what becomes of it.</source>
        <translation>아직 보낼 것이 없습니다. 메시지를 쓰면 무엇이 전달되는지 여기에서 볼 수 있습니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>토큰 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them special</source>
        <translation>
            <numerusform>그중 특수 토큰 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>the conversation so far</source>
        <translation>지금까지의 대화</translation>
    </message>
    <message>
        <source>as the model receives it</source>
        <translation>모델이 받는 그대로</translation>
    </message>
    <message>
        <source>with the message that is being written</source>
        <translation>쓰고 있는 메시지를 포함</translation>
    </message>
    <message>
        <source>Tokens of the prompt</source>
        <translation>프롬프트의 토큰</translation>
    </message>
</context>
<context>
    <name>kvasir::SettingsDialog</name>
    <message>
        <source>Model folder</source>
        <translation>모델 폴더</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>언어</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>시스템을 따름</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>테마</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>밝게</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>어둡게</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>글자 크기</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>스레드</translation>
    </message>
    <message>
        <source>one a core (%1)</source>
        <translation>코어마다 하나(%1)</translation>
    </message>
    <message>
        <source>Processor threads that compute. More than there are cores makes it slower.</source>
        <translation>계산에 쓰는 프로세서 스레드 수입니다. 코어 수보다 많으면 느려집니다.</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>컨텍스트 길이</translation>
    </message>
    <message>
        <source>the model’s own</source>
        <translation>모델을 따름</translation>
    </message>
    <message>
        <source>Tokens that conversation and reply may take together. A longer context needs more memory for the KV cache.</source>
        <translation>대화와 답변을 합쳐 쓸 수 있는 토큰 수입니다. 길수록 KV 캐시에 메모리가 더 듭니다.</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>바꾸기…</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>대화 보관 폴더</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Opens the folder with conversations and settings</source>
        <translation>대화와 설정이 든 폴더를 엽니다</translation>
    </message>
    <message>
        <source>New chats</source>
        <translation>새 대화</translation>
    </message>
    <message>
        <source>System prompt and sampling…</source>
        <translation>시스템 프롬프트와 샘플링…</translation>
    </message>
</context>
<context>
    <name>kvasir::ShortcutsDialog</name>
    <message>
        <source>Keys</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>쓰기</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>메시지 보내기</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>줄바꿈</translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation>Shift+Enter</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>그래프</translation>
    </message>
    <message>
        <source>Token before, token after</source>
        <translation>앞 토큰, 뒤 토큰</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>←, →</translation>
    </message>
    <message>
        <source>Zoom time; zoom height</source>
        <translation>시간 확대, 높이 확대</translation>
    </message>
    <message>
        <source>Wheel; Ctrl+Wheel</source>
        <translation>휠, Ctrl+휠</translation>
    </message>
    <message>
        <source>Whole reply again, followed</source>
        <translation>답변 전체를 다시 따라가기</translation>
    </message>
    <message>
        <source>Home, double click</source>
        <translation>Home, 두 번 누르기</translation>
    </message>
    <message>
        <source>Near now, or the whole context</source>
        <translation>지금 근처 또는 컨텍스트 전체</translation>
    </message>
</context>
<context>
    <name>kvasir::Sidebar</name>
    <message>
        <source>reading the prompt</source>
        <translation>프롬프트 읽는 중</translation>
    </message>
    <message>
        <source>writing · %1</source>
        <translation>쓰는 중 · %1</translation>
    </message>
    <message>
        <source>Nothing found. Parts of words are enough, in any order.</source>
        <translation>찾지 못했습니다. 낱말의 일부만 순서 없이 써도 됩니다.</translation>
    </message>
    <message>
        <source>Your conversations will be listed here, kept on this computer only.</source>
        <translation>대화가 여기에 모입니다. 이 컴퓨터에만 보관됩니다.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>이름 바꾸기…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>지우기</translation>
    </message>
    <message>
        <source>+ New chat</source>
        <translation>+ 새 대화</translation>
    </message>
    <message>
        <source>Start a new chat (Ctrl+N)</source>
        <translation>새 대화를 시작합니다(Ctrl+N)</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>대화 검색</translation>
    </message>
    <message>
        <source>Finds words in titles and messages (Ctrl+Shift+F)</source>
        <translation>제목과 메시지에서 낱말을 찾습니다(Ctrl+Shift+F)</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>대화 목록</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Language, theme, threads, context (Ctrl+,)</source>
        <translation>언어, 테마, 스레드, 컨텍스트(Ctrl+,)</translation>
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
        <translation>대기</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>첫 토큰</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>프리필</translation>
    </message>
    <message>
        <source>first token, then one bar each</source>
        <translation>첫 토큰, 그다음은 막대 하나씩</translation>
    </message>
    <message>
        <source>Send a question to see prefill as a band and each token as a bar.</source>
        <translation>질문을 보내면 프리필이 띠로, 토큰이 막대로 나타납니다.</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>멈춤</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>실패</translation>
    </message>
    <message>
        <source>The reply failed: %1</source>
        <translation>답변이 실패했습니다: %1</translation>
    </message>
</context>
<context>
    <name>kvasir::TimelineText</name>
    <message>
        <source>TTFT, time to first token: from sending the question to the first token of the reply.</source>
        <translation>TTFT(첫 토큰까지의 시간): 질문을 보낸 때부터 답변의 첫 토큰까지입니다.</translation>
    </message>
    <message>
        <source>ITL, inter-token latency: the gap between one token and the next. Half of the gaps are shorter than p50, 99 % shorter than p99.</source>
        <translation>ITL(토큰 사이 지연): 한 토큰과 다음 토큰 사이의 간격입니다. 간격의 절반은 p50보다, 99 %는 p99보다 짧습니다.</translation>
    </message>
    <message>
        <source>“%1”  token %2 of %3</source>
        <translation>“%1”  토큰 %3개 중 %2번째</translation>
    </message>
    <message>
        <source>first token after %1 (TTFT)</source>
        <translation>첫 토큰까지 %1 (TTFT)</translation>
    </message>
    <message>
        <source>gap %1 (ITL), at %2</source>
        <translation>간격 %1 (ITL), 시점 %2</translation>
    </message>
    <message>
        <source>probability %1, entropy %2 bits</source>
        <translation>확률 %1, 엔트로피 %2비트</translation>
    </message>
    <message>
        <source>probability %1</source>
        <translation>확률 %1</translation>
    </message>
    <message>
        <source>queue %1</source>
        <translation>대기 %1</translation>
    </message>
    <message>
        <source>from sending the question to the start of prefill</source>
        <translation>질문을 보낸 때부터 프리필이 시작될 때까지</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>프리필 %1</translation>
    </message>
    <message>
        <source>the prompt is read: %1</source>
        <translation>프롬프트를 읽습니다: %1</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>프리필</translation>
    </message>
    <message>
        <source>%1 of %2 new</source>
        <translation>새 토큰 %2개 중 %1개</translation>
    </message>
    <message>
        <source>%1 new</source>
        <translation>새로 %1</translation>
    </message>
    <message>
        <source>%1 cached</source>
        <translation>캐시 %1</translation>
    </message>
    <message>
        <source>No reply yet.</source>
        <translation>아직 답변이 없습니다.</translation>
    </message>
    <message>
        <source>The question waits in the queue, %1 so far.</source>
        <translation>질문이 대기하고 있습니다. 지금까지 %1.</translation>
    </message>
    <message>
        <source>Prefill is running: %1.</source>
        <translation>프리필 중입니다: %1.</translation>
    </message>
    <message>
        <source>The reply is being written.</source>
        <translation>답변을 쓰고 있습니다.</translation>
    </message>
    <message>
        <source>The reply is finished.</source>
        <translation>답변이 끝났습니다.</translation>
    </message>
    <message>
        <source>The reply was stopped.</source>
        <translation>답변을 멈추었습니다.</translation>
    </message>
    <message>
        <source>The reply failed: %1</source>
        <translation>답변이 실패했습니다: %1</translation>
    </message>
    <message>
        <source>First token after %1: queue %2, prefill %3 (%4).</source>
        <translation>첫 토큰까지 %1: 대기 %2, 프리필 %3 (%4).</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s); gap p50 %1, p90 %2, p99 %3, longest %4.</source>
        <translation>
            <numerusform>토큰 %n개. 간격 p50 %1, p90 %2, p99 %3, 최대 %4.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 at %2.</source>
        <translation>%2에 %1.</translation>
    </message>
</context>
<context>
    <name>kvasir::TimelineWidget</name>
    <message>
        <source>Where did the time go?</source>
        <translation>시간이 어디에 쓰였습니까?</translation>
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
        <translation>따라가기</translation>
    </message>
    <message>
        <source>Show the whole reply again and follow it (Home)</source>
        <translation>답변 전체를 다시 보이고 따라갑니다(Home)</translation>
    </message>
    <message>
        <source>Reply shown</source>
        <translation>보이는 답변</translation>
    </message>
    <message>
        <source>This reply</source>
        <translation>이 답변</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>확대</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>축소</translation>
    </message>
</context>
<context>
    <name>kvasir::TokenView</name>
    <message>
        <source>Token %1 of %2</source>
        <translation>%2개 중 %1번째 토큰</translation>
    </message>
    <message>
        <source>“%1”, id %2</source>
        <translation>“%1”, ID %2</translation>
    </message>
    <message>
        <source>%1, special</source>
        <translation>%1, 특수 토큰</translation>
    </message>
</context>
<context>
    <name>kvasir::TopBar</name>
    <message>
        <source>Recent models</source>
        <translation>최근 모델</translation>
    </message>
    <message>
        <source>In the model folder</source>
        <translation>모델 폴더</translation>
    </message>
    <message>
        <source>Opening a model</source>
        <translation>모델 여는 중</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>모델 없음</translation>
    </message>
    <message>
        <source>Click to choose another model (Ctrl+M)</source>
        <translation>누르면 다른 모델을 고를 수 있습니다(Ctrl+M)</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>모델: %1</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>%1 불러오는 중</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
</context>
<context>
    <name>kvasir::WelcomePage</name>
    <message>
        <source>The model is being loaded</source>
        <translation>모델을 불러오고 있습니다</translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation>모델을 열고 시작하십시오</translation>
    </message>
    <message>
        <source>Its weights are read and put into the order that this processor reads fastest. You can look around meanwhile; conversations are on the left.</source>
        <translation>가중치를 읽어 이 프로세서가 가장 빨리 읽는 순서로 늘어놓고 있습니다. 그동안 둘러보셔도 됩니다. 대화 목록은 왼쪽에 있습니다.</translation>
    </message>
    <message>
        <source>Kvasir runs a language model on this computer and shows where its time and memory go. It needs a model in a GGUF file.

Drop such a file on this window, choose one with the button, or put it into the model folder:
%1</source>
        <translation>Kvasir는 이 컴퓨터에서 언어 모델을 실행하고 시간과 메모리가 어디에 쓰이는지 보여 줍니다. GGUF 파일로 된 모델이 필요합니다.

이 창에 파일을 끌어다 놓거나, 단추로 고르거나, 모델 폴더에 넣어 주십시오.
%1</translation>
    </message>
    <message>
        <source>Open a model file…  Ctrl+O</source>
        <translation>모델 파일 열기…  Ctrl+O</translation>
    </message>
    <message>
        <source>In the model folder</source>
        <translation>모델 폴더</translation>
    </message>
</context>
</TS>

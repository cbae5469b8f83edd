#include "text/jinja/parser.h"

#include "text/jinja/lexer.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace kvasir::jinja {

namespace {

using Operation = Expression::Operation;
using Comparison = Expression::Comparison;
using ExpressionKind = Expression::Kind;
using StatementKind = Statement::Kind;

constexpr size_t kMaxSource = size_t(1) << 20;
// Each level takes about a dozen frames of the parser.
constexpr int kMaxDepth = 100;
// A chain like a + b + c is as deep as it is long.
constexpr int kMaxTreeDepth = 250;

/// A recursive descent; the grammar is Jinja's. After an error every step yields null at once.
class Parser {
public:
    explicit Parser(std::vector<Token> tokens)
        : m_tokens(std::move(tokens))
    {
        for (const char* name : {"loop", "caller", "varargs", "kwargs", " captured"}) {
            nameId(name);
        }
    }

    Result<Program> run();

private:
    using Ends = std::initializer_list<std::string_view>;

    // Tokens
    const Token& peek(size_t ahead = 0) const { return m_tokens[std::min(m_next + ahead, m_tokens.size() - 1)]; }
    bool isOperator(std::string_view text, size_t ahead = 0) const
    {
        return peek(ahead).kind == Token::Kind::Operator && peek(ahead).text == text;
    }
    bool isName(std::string_view text, size_t ahead = 0) const
    {
        return peek(ahead).kind == Token::Kind::Name && peek(ahead).text == text;
    }
    bool takeOperator(std::string_view text);
    bool takeName(std::string_view text);
    void expectOperator(std::string_view text);
    void expectName(std::string_view text);
    void expect(Token::Kind kind, std::string_view what);
    std::string takeIdentifier(std::string_view what);
    bool failed() const { return m_errors.failed(); }
    void fail(std::string what);
    NameId nameId(const std::string& name);

    // Expressions
    ExpressionPtr make(ExpressionKind kind) const;
    ExpressionPtr finish(ExpressionPtr node);
    ExpressionPtr parseExpression(bool withConditional = true);
    ExpressionPtr parseLogic(bool isOr);
    ExpressionPtr parseNot();
    ExpressionPtr parseCompare();
    /// Left-associative levels: 0 is + -, 1 is ~, 2 is * / // %, 3 is **.
    ExpressionPtr parseBinary(int level);
    ExpressionPtr parseUnary(bool withFilters = true);
    ExpressionPtr parsePrimary();
    ExpressionPtr parseNumber();
    ExpressionPtr parseTuple(bool withConditional = true, bool namesOnly = false);
    ExpressionPtr parseListOrDict();
    ExpressionPtr parsePostfix(ExpressionPtr node);
    ExpressionPtr parseSubscript(ExpressionPtr object);
    ExpressionPtr parseFilters(ExpressionPtr node, bool startsInside = false);
    ExpressionPtr parseFilter(ExpressionPtr node);
    ExpressionPtr parseTest(ExpressionPtr node);
    std::vector<Argument> parseArguments();

    // Statements
    Body parseBody(Ends ends);
    std::unique_ptr<Statement> parseStatement();
    void parseIf(Statement& node);
    void parseFor(Statement& node);
    void parseSet(Statement& node);
    void parseMacro(Statement& node);
    void parseCallBlock(Statement& node);
    void parseFilterBlock(Statement& node);
    void parseWith(Statement& node);
    std::vector<Parameter> parseParameters();
    Target parseTarget(bool withMembers);
    Target toTarget(const Expression& node);
    void endBlock(std::string_view name);

    struct Nested {
        Parser& parser;
        explicit Nested(Parser& owner)
            : parser(owner)
        {
            if (++parser.m_depth > kMaxDepth && !parser.failed()) {
                parser.m_errors.at = parser.peek().at;
                parser.m_errors.exceed("depth");
            }
        }
        ~Nested() { --parser.m_depth; }
    };

    std::vector<Token> m_tokens;
    size_t m_next = 0;
    int m_depth = 0;
    int m_loops = 0;  ///< around the current statement
    Sandbox m_errors; ///< holds the first error
    Program m_program;
    std::unordered_map<std::string, NameId> m_nameIds;
};

bool Parser::takeOperator(std::string_view text)
{
    const bool found = isOperator(text);
    m_next += found;
    return found;
}

bool Parser::takeName(std::string_view text)
{
    const bool found = isName(text);
    m_next += found;
    return found;
}

std::string describe(const Token& token)
{
    switch (token.kind) {
    case Token::Kind::Data:
    case Token::Kind::OutputBegin:
    case Token::Kind::BlockBegin:
        return "text";
    case Token::Kind::OutputEnd:
        return "'}}'";
    case Token::Kind::BlockEnd:
        return "'%}'";
    case Token::Kind::End:
        return "the end of the template";
    default:
        return "'" + token.text.substr(0, 40) + "'";
    }
}

void Parser::fail(std::string what)
{
    m_errors.at = peek().at;
    m_errors.fail(std::move(what));
}

void Parser::expectOperator(std::string_view text)
{
    if (!takeOperator(text)) {
        fail("expected '" + std::string(text) + "' instead of " + describe(peek()));
    }
}

void Parser::expectName(std::string_view text)
{
    if (!takeName(text)) {
        fail("expected '" + std::string(text) + "' instead of " + describe(peek()));
    }
}

void Parser::expect(Token::Kind kind, std::string_view what)
{
    if (peek().kind == kind) {
        ++m_next;
    } else {
        fail("expected " + std::string(what) + " instead of " + describe(peek()));
    }
}

std::string Parser::takeIdentifier(std::string_view what)
{
    if (peek().kind != Token::Kind::Name) {
        fail("expected " + std::string(what) + " instead of " + describe(peek()));
        return {};
    }
    return m_tokens[m_next++].text;
}

NameId Parser::nameId(const std::string& name)
{
    const auto [known, isNew] = m_nameIds.try_emplace(name, static_cast<NameId>(m_program.names.size()));
    if (isNew) {
        m_program.names.push_back(name);
    }
    return known->second;
}

ExpressionPtr Parser::make(ExpressionKind kind) const
{
    auto node = std::make_unique<Expression>();
    node->kind = kind;
    node->at = peek().at;
    return node;
}

/// Notes the depth of the tree: chains like a.b.c grow downwards without nesting in the parser.
ExpressionPtr Parser::finish(ExpressionPtr node)
{
    for (const ExpressionPtr& operand : node->operands) {
        node->depth = std::max(node->depth, operand ? operand->depth + 1 : 0);
    }
    for (const Argument& argument : node->arguments) {
        node->depth = std::max(node->depth, argument.value ? argument.value->depth + 1 : 0);
    }
    if (node->depth > kMaxTreeDepth && !failed()) {
        m_errors.at = node->at;
        m_errors.exceed("depth");
    }
    // A null operand marks what was left out; after an error it would be met where none is expected.
    return failed() ? nullptr : std::move(node);
}

ExpressionPtr Parser::parseExpression(bool withConditional)
{
    const Nested nested(*this);
    if (failed()) {
        return nullptr;
    }
    ExpressionPtr value = parseLogic(true);
    while (withConditional && !failed() && isName("if")) {
        ExpressionPtr node = make(ExpressionKind::Conditional);
        ++m_next;
        node->operands.push_back(std::move(value));
        node->operands.push_back(parseLogic(true));
        node->operands.push_back(takeName("else") ? parseExpression() : nullptr);
        value = finish(std::move(node));
    }
    return value;
}

ExpressionPtr Parser::parseLogic(bool isOr)
{
    const std::string_view word = isOr ? "or" : "and";
    const auto operand = [&] { return isOr ? parseLogic(false) : parseNot(); };
    ExpressionPtr first = operand();
    if (failed() || !isName(word)) {
        return first;
    }
    ExpressionPtr node = make(isOr ? ExpressionKind::Or : ExpressionKind::And);
    node->operands.push_back(std::move(first));
    while (!failed() && takeName(word)) {
        node->operands.push_back(operand());
    }
    return finish(std::move(node));
}

ExpressionPtr Parser::parseNot()
{
    if (!isName("not")) {
        return parseCompare();
    }
    const Nested nested(*this);
    ExpressionPtr node = make(ExpressionKind::Not);
    ++m_next;
    if (!failed()) {
        node->operands.push_back(parseNot());
    }
    return finish(std::move(node));
}

ExpressionPtr Parser::parseCompare()
{
    ExpressionPtr first = parseBinary(0);
    ExpressionPtr node;
    constexpr std::pair<std::string_view, Comparison> operators[] = {{"==", Comparison::Equal},
        {"!=", Comparison::NotEqual}, {"<", Comparison::Less}, {"<=", Comparison::LessEqual},
        {">", Comparison::Greater}, {">=", Comparison::GreaterEqual}};
    while (!failed()) {
        Comparison comparison = Comparison::In;
        size_t length = 1;
        const auto found =
            std::ranges::find_if(operators, [&](const auto& candidate) { return isOperator(candidate.first); });
        if (found != std::end(operators)) {
            comparison = found->second;
        } else if (isName("not") && isName("in", 1)) {
            comparison = Comparison::NotIn;
            length = 2;
        } else if (!isName("in")) {
            break;
        }
        if (!node) {
            node = make(ExpressionKind::Compare);
            node->operands.push_back(std::move(first));
        }
        m_next += length;
        node->comparisons.push_back(comparison);
        node->operands.push_back(parseBinary(0));
    }
    return node ? finish(std::move(node)) : std::move(first);
}

ExpressionPtr Parser::parseBinary(int level)
{
    struct Entry {
        std::string_view text;
        int level;
        Operation operation;
    };
    constexpr Entry operators[] = {{"+", 0, Operation::Add}, {"-", 0, Operation::Subtract},
        {"~", 1, Operation::Concatenate}, {"*", 2, Operation::Multiply}, {"/", 2, Operation::Divide},
        {"//", 2, Operation::FloorDivide}, {"%", 2, Operation::Modulo}, {"**", 3, Operation::Power}};
    const auto operand = [&] { return level == 3 ? parseUnary() : parseBinary(level + 1); };
    ExpressionPtr left = operand();
    while (!failed()) {
        const auto found = std::ranges::find_if(
            operators, [&](const Entry& entry) { return entry.level == level && isOperator(entry.text); });
        if (found == std::end(operators)) {
            break;
        }
        ExpressionPtr node = make(ExpressionKind::Binary);
        ++m_next;
        node->operation = found->operation;
        node->operands.push_back(std::move(left));
        node->operands.push_back(operand());
        left = finish(std::move(node));
    }
    return left;
}

ExpressionPtr Parser::parseUnary(bool withFilters)
{
    const Nested nested(*this);
    if (failed()) {
        return nullptr;
    }
    ExpressionPtr node;
    if (isOperator("-") || isOperator("+")) {
        node = make(isOperator("-") ? ExpressionKind::Negate : ExpressionKind::Plus);
        ++m_next;
        node->operands.push_back(parseUnary(false));
        node = finish(std::move(node));
    } else {
        node = parsePrimary();
    }
    node = parsePostfix(std::move(node));
    return withFilters ? parseFilters(std::move(node)) : std::move(node);
}

ExpressionPtr Parser::parsePrimary()
{
    const Token& token = peek();
    switch (token.kind) {
    case Token::Kind::Name: {
        ExpressionPtr node = make(ExpressionKind::Constant);
        if (token.text == "true" || token.text == "True") {
            node->constant = Value::boolean(true);
        } else if (token.text == "false" || token.text == "False") {
            node->constant = Value::boolean(false);
        } else if (token.text == "none" || token.text == "None") {
            node->constant = Value::none();
        } else {
            node->kind = ExpressionKind::Name;
            node->text = token.text;
            node->name = nameId(token.text);
        }
        ++m_next;
        return node;
    }
    case Token::Kind::String: {
        ExpressionPtr node = make(ExpressionKind::Constant);
        auto text = std::make_shared<String>();
        while (peek().kind == Token::Kind::String) {
            text->text.append(peek().text, true);
            ++m_next;
        }
        node->constant = Value(std::shared_ptr<const String>(std::move(text)));
        return node;
    }
    case Token::Kind::Integer:
    case Token::Kind::Real:
        return parseNumber();
    case Token::Kind::Operator:
        if (takeOperator("(")) {
            ExpressionPtr node = isOperator(")") ? make(ExpressionKind::Tuple) : parseTuple();
            expectOperator(")");
            return node;
        }
        if (token.text == "[" || token.text == "{") {
            return parseListOrDict();
        }
        break;
    default:
        break;
    }
    fail("expected an expression instead of " + describe(token));
    return nullptr;
}

ExpressionPtr Parser::parseNumber()
{
    ExpressionPtr node = make(ExpressionKind::Constant);
    const Token& token = peek();
    const char* end = token.text.data() + token.text.size();
    if (token.kind == Token::Kind::Integer) {
        int64_t value = 0;
        const auto [stop, error] = std::from_chars(token.text.data(), end, value);
        if (error != std::errc() || stop != end) {
            fail("the number " + token.text.substr(0, 40) + " is too large");
        }
        node->constant = Value::integer(value);
    } else {
        double value = 0;
        const auto [stop, error] = std::from_chars(token.text.data(), end, value);
        if (error != std::errc() || stop != end) {
            fail("the number " + token.text.substr(0, 40) + " is out of range");
        }
        node->constant = Value::real(value);
    }
    ++m_next;
    return node;
}

/// One expression, or several with commas between them, which make a tuple.
ExpressionPtr Parser::parseTuple(bool withConditional, bool namesOnly)
{
    const auto item = [&] { return namesOnly ? parsePostfix(parsePrimary()) : parseExpression(withConditional); };
    ExpressionPtr node = make(ExpressionKind::Tuple);
    ExpressionPtr first = item();
    if (failed() || !isOperator(",")) {
        return first;
    }
    node->operands.push_back(std::move(first));
    while (!failed() && takeOperator(",")) {
        const Token::Kind next = peek().kind;
        if (next == Token::Kind::OutputEnd || next == Token::Kind::BlockEnd || isOperator(")") || isOperator("]")
            || isOperator("=") || isName("in")) {
            break;
        }
        node->operands.push_back(item());
    }
    return finish(std::move(node));
}

ExpressionPtr Parser::parseListOrDict()
{
    const bool isDict = isOperator("{");
    const std::string_view close = isDict ? "}" : "]";
    ExpressionPtr node = make(isDict ? ExpressionKind::Dict : ExpressionKind::List);
    ++m_next;
    while (!failed() && !isOperator(close)) {
        node->operands.push_back(parseExpression());
        if (isDict) {
            expectOperator(":");
            node->operands.push_back(parseExpression());
        }
        if (!takeOperator(",")) {
            break;
        }
    }
    expectOperator(close);
    return finish(std::move(node));
}

ExpressionPtr Parser::parsePostfix(ExpressionPtr node)
{
    while (!failed()) {
        if (isOperator(".")) {
            ExpressionPtr attribute = make(ExpressionKind::Attribute);
            ++m_next;
            if (peek().kind == Token::Kind::Integer) {
                attribute->kind = ExpressionKind::Subscript;
                attribute->operands.push_back(std::move(node));
                attribute->operands.push_back(parseNumber());
            } else {
                attribute->text = takeIdentifier("a name");
                attribute->operands.push_back(std::move(node));
            }
            node = finish(std::move(attribute));
        } else if (isOperator("[")) {
            node = parseSubscript(std::move(node));
        } else if (isOperator("(")) {
            ExpressionPtr call = make(ExpressionKind::Call);
            call->arguments = parseArguments();
            call->operands.push_back(std::move(node));
            node = finish(std::move(call));
        } else {
            break;
        }
    }
    return node;
}

ExpressionPtr Parser::parseSubscript(ExpressionPtr object)
{
    ExpressionPtr node = make(ExpressionKind::Subscript);
    ++m_next;
    node->operands.push_back(std::move(object));
    const auto part = [&] { return isOperator(":") || isOperator("]") ? nullptr : parseExpression(); };
    ExpressionPtr first = part();
    if (isOperator(":")) {
        node->kind = ExpressionKind::Slice;
        node->operands.push_back(std::move(first));
        for (int i = 0; i < 2; ++i) {
            node->operands.push_back(takeOperator(":") ? part() : nullptr);
        }
    } else {
        if (!first) {
            fail("expected an expression instead of " + describe(peek()));
        }
        node->operands.push_back(std::move(first));
    }
    expectOperator("]");
    return finish(std::move(node));
}

ExpressionPtr Parser::parseFilters(ExpressionPtr node, bool startsInside)
{
    if (startsInside) {
        node = parseFilter(std::move(node));
    }
    while (!failed()) {
        if (takeOperator("|")) {
            node = parseFilter(std::move(node));
        } else if (takeName("is")) {
            node = parseTest(std::move(node));
        } else if (isOperator("(")) {
            node = parsePostfix(std::move(node));
        } else {
            break;
        }
    }
    return node;
}

ExpressionPtr Parser::parseFilter(ExpressionPtr input)
{
    ExpressionPtr node = make(ExpressionKind::Filter);
    node->operands.push_back(std::move(input));
    node->text = takeIdentifier("a filter's name");
    while (!failed() && takeOperator(".")) {
        node->text += "." + takeIdentifier("a filter's name");
    }
    node->filter = findFilter(node->text);
    if (isOperator("(")) {
        node->arguments = parseArguments();
    }
    return finish(std::move(node));
}

ExpressionPtr Parser::parseTest(ExpressionPtr input)
{
    ExpressionPtr node = make(ExpressionKind::Test);
    node->operands.push_back(std::move(input));
    node->negated = takeName("not");
    node->text = takeIdentifier("a test's name");
    node->test = findTest(node->text);
    const Token::Kind next = peek().kind;
    const bool isValue = next == Token::Kind::String || next == Token::Kind::Integer || next == Token::Kind::Real
        || isOperator("[") || isOperator("{")
        || (next == Token::Kind::Name && !isName("else") && !isName("or") && !isName("and") && !isName("is")
            && !isName("if") && !isName("not") && !isName("in"));
    if (isOperator("(")) {
        node->arguments = parseArguments();
    } else if (!failed() && isValue) {
        node->arguments.push_back({Argument::Kind::Positional, "", parsePostfix(parsePrimary())});
    }
    return finish(std::move(node));
}

std::vector<Argument> Parser::parseArguments()
{
    std::vector<Argument> arguments;
    expectOperator("(");
    while (!failed() && !isOperator(")")) {
        Argument argument;
        if (takeOperator("**")) {
            argument.kind = Argument::Kind::SpreadNamed;
        } else if (takeOperator("*")) {
            argument.kind = Argument::Kind::Spread;
        } else if (peek().kind == Token::Kind::Name && isOperator("=", 1)) {
            argument.kind = Argument::Kind::Named;
            argument.name = peek().text;
            m_next += 2;
        }
        argument.value = parseExpression();
        arguments.push_back(std::move(argument));
        if (!takeOperator(",")) {
            break;
        }
    }
    expectOperator(")");
    return arguments;
}

void Parser::endBlock(std::string_view name)
{
    expectName(name);
    // A name may be repeated behind the end of what bears one: {% endmacro f %}.
    if (peek().kind == Token::Kind::Name && (name == "endmacro" || name == "endblock")) {
        ++m_next;
    }
    expect(Token::Kind::BlockEnd, "'%}'");
}

/// Statements up to a block that begins with one of `ends`; stops at that name.
Body Parser::parseBody(Ends ends)
{
    const Nested nested(*this);
    Body body;
    while (!failed()) {
        const Token& token = peek();
        if (token.kind == Token::Kind::End) {
            if (ends.size() != 0) {
                fail("expected '" + std::string(*ends.begin()) + "' before the end of the template");
            }
            break;
        }
        auto node = std::make_unique<Statement>();
        node->at = token.at;
        ++m_next;
        if (token.kind == Token::Kind::Data) {
            node->text = token.text;
        } else if (token.kind == Token::Kind::OutputBegin) {
            node->kind = StatementKind::Output;
            node->expression = parseTuple();
            expect(Token::Kind::OutputEnd, "'}}'");
        } else {
            const bool isEnd = std::ranges::any_of(ends, [&](std::string_view end) { return isName(end); });
            if (isEnd) {
                break;
            }
            node = parseStatement();
        }
        if (!failed()) {
            body.push_back(std::move(node));
        }
    }
    return body;
}

std::unique_ptr<Statement> Parser::parseStatement()
{
    auto node = std::make_unique<Statement>();
    node->at = peek().at;
    const std::string word = takeIdentifier("a statement");
    if (word == "if") {
        parseIf(*node);
    } else if (word == "for") {
        parseFor(*node);
    } else if (word == "set") {
        parseSet(*node);
    } else if (word == "macro") {
        parseMacro(*node);
    } else if (word == "call") {
        parseCallBlock(*node);
    } else if (word == "filter") {
        parseFilterBlock(*node);
    } else if (word == "with") {
        parseWith(*node);
    } else if (word == "break" || word == "continue") {
        node->kind = word == "break" ? StatementKind::Break : StatementKind::Continue;
        if (m_loops == 0) {
            fail("'" + word + "' outside of a loop");
        }
        expect(Token::Kind::BlockEnd, "'%}'");
    } else if (word == "do") {
        node->kind = StatementKind::Set; // of nothing: only what the expression does matters
        node->target.kind = Target::Kind::Tuple;
        node->text = "do";
        node->expression = parseTuple();
        expect(Token::Kind::BlockEnd, "'%}'");
    } else if (word == "generation" || word == "block" || word == "autoescape") {
        node->kind = StatementKind::Scope;
        while (!failed() && peek().kind == Token::Kind::Name) { // the block's name, or what to escape
            ++m_next;
        }
        expect(Token::Kind::BlockEnd, "'%}'");
        const std::string end = "end" + word;
        node->body = parseBody({end});
        endBlock(end);
    } else if (!failed()) {
        m_errors.at = node->at;
        m_errors.fail("the statement '" + word + "' is not known");
    }
    return node;
}

void Parser::parseIf(Statement& node)
{
    node.kind = StatementKind::If;
    do {
        Statement::Branch branch;
        branch.condition = parseTuple(false);
        expect(Token::Kind::BlockEnd, "'%}'");
        branch.body = parseBody({"endif", "elif", "else"});
        node.branches.push_back(std::move(branch));
    } while (!failed() && takeName("elif"));
    if (takeName("else")) {
        expect(Token::Kind::BlockEnd, "'%}'");
        node.body = parseBody({"endif"});
    }
    endBlock("endif");
}

void Parser::parseFor(Statement& node)
{
    node.kind = StatementKind::For;
    node.target = parseTarget(false);
    expectName("in");
    node.expression = parseTuple(false);
    if (takeName("if")) {
        node.condition = parseExpression();
    }
    node.recursive = takeName("recursive");
    expect(Token::Kind::BlockEnd, "'%}'");
    ++m_loops;
    node.body = parseBody({"endfor", "else"});
    --m_loops;
    if (takeName("else")) {
        expect(Token::Kind::BlockEnd, "'%}'");
        node.otherwise = parseBody({"endfor"});
    }
    endBlock("endfor");
}

void Parser::parseSet(Statement& node)
{
    node.target = parseTarget(true);
    if (takeOperator("=")) {
        node.kind = StatementKind::Set;
        node.expression = parseTuple();
        expect(Token::Kind::BlockEnd, "'%}'");
        return;
    }
    node.kind = StatementKind::SetBlock;
    if (takeOperator("|")) {
        ExpressionPtr captured = make(ExpressionKind::Name);
        captured->name = Program::kCaptured;
        node.expression = parseFilters(std::move(captured), true);
    }
    expect(Token::Kind::BlockEnd, "'%}'");
    node.body = parseBody({"endset"});
    endBlock("endset");
}

std::vector<Parameter> Parser::parseParameters()
{
    std::vector<Parameter> parameters;
    expectOperator("(");
    while (!failed() && !isOperator(")")) {
        Parameter parameter;
        parameter.text = takeIdentifier("a parameter's name");
        parameter.name = nameId(parameter.text);
        if (takeOperator("=")) {
            parameter.fallback = parseExpression();
        }
        parameters.push_back(std::move(parameter));
        if (!takeOperator(",")) {
            break;
        }
    }
    expectOperator(")");
    return parameters;
}

void Parser::parseMacro(Statement& node)
{
    node.kind = StatementKind::Macro;
    node.text = takeIdentifier("a macro's name");
    node.target.name = nameId(node.text);
    node.parameters = parseParameters();
    expect(Token::Kind::BlockEnd, "'%}'");
    const int loops = std::exchange(m_loops, 0);
    node.body = parseBody({"endmacro"});
    m_loops = loops;
    endBlock("endmacro");
}

void Parser::parseCallBlock(Statement& node)
{
    node.kind = StatementKind::CallBlock;
    node.text = "caller";
    if (isOperator("(")) {
        node.parameters = parseParameters();
    }
    node.expression = parseExpression();
    if (!failed() && node.expression->kind != ExpressionKind::Call) {
        fail("'call' needs a call");
    }
    expect(Token::Kind::BlockEnd, "'%}'");
    const int loops = std::exchange(m_loops, 0);
    node.body = parseBody({"endcall"});
    m_loops = loops;
    endBlock("endcall");
}

void Parser::parseFilterBlock(Statement& node)
{
    node.kind = StatementKind::FilterBlock;
    ExpressionPtr captured = make(ExpressionKind::Name);
    captured->name = Program::kCaptured;
    node.expression = parseFilters(std::move(captured), true);
    expect(Token::Kind::BlockEnd, "'%}'");
    node.body = parseBody({"endfilter"});
    endBlock("endfilter");
}

void Parser::parseWith(Statement& node)
{
    node.kind = StatementKind::With;
    while (!failed() && peek().kind != Token::Kind::BlockEnd) {
        Statement::Assignment assignment;
        assignment.target = parseTarget(false);
        expectOperator("=");
        assignment.value = parseExpression();
        node.assignments.push_back(std::move(assignment));
        if (!takeOperator(",")) {
            break;
        }
    }
    expect(Token::Kind::BlockEnd, "'%}'");
    node.body = parseBody({"endwith"});
    endBlock("endwith");
}

Target Parser::parseTarget(bool withMembers)
{
    const ExpressionPtr node = parseTuple(false, true);
    if (failed()) {
        return {};
    }
    Target target = toTarget(*node);
    if (target.kind == Target::Kind::Member && !withMembers) {
        fail("a member cannot be assigned to here");
    }
    return target;
}

Target Parser::toTarget(const Expression& node)
{
    Target target;
    target.at = node.at;
    if (node.kind == ExpressionKind::Name) {
        target.name = node.name;
    } else if (node.kind == ExpressionKind::Attribute && node.operands[0]->kind == ExpressionKind::Name) {
        target.kind = Target::Kind::Member;
        target.name = node.operands[0]->name;
        target.member = node.text;
    } else if (node.kind == ExpressionKind::Tuple && !node.operands.empty()) {
        target.kind = Target::Kind::Tuple;
        for (const ExpressionPtr& operand : node.operands) {
            target.parts.push_back(toTarget(*operand));
        }
    } else {
        m_errors.at = node.at;
        m_errors.fail("this cannot be assigned to");
    }
    return target;
}

Result<Program> Parser::run()
{
    m_program.body = parseBody({});
    if (failed()) {
        return Failure{*m_errors.error()};
    }
    return std::move(m_program);
}

} // namespace

Result<Program> parse(std::string_view source)
{
    if (source.size() > kMaxSource) {
        return kvasir::fail(
            ErrorCode::TemplateLimit, "the chat template is longer than a megabyte", {{"what", "length"}});
    }
    auto tokens = tokenize(source);
    KVASIR_TRY(tokens);
    return Parser(*std::move(tokens)).run();
}

} // namespace kvasir::jinja

#include "text/jinja/renderer.h"

#include "text/jinja/access.h"
#include "text/jinja/methods.h"
#include "text/jinja/operations.h"
#include "text/jinja/printing.h"

#include <algorithm>

namespace kvasir::jinja {

/// The variables of one scope. Scopes are few and small, so that a look-up is a short walk.
struct Frame {
    std::vector<std::pair<NameId, Value>> variables;
    std::shared_ptr<Frame> parent; ///< null for the outermost

    void set(NameId name, Value value)
    {
        const auto known = std::ranges::find(variables, name, &std::pair<NameId, Value>::first);
        if (known == variables.end()) {
            variables.emplace_back(name, std::move(value));
        } else {
            known->second = std::move(value);
        }
    }
};

namespace {

using ExpressionKind = Expression::Kind;
using StatementKind = Statement::Kind;
using Kind = Value::Kind;

class Renderer {
public:
    Renderer(const Program& program, Sandbox& sandbox)
        : m_program(program)
        , m_sandbox(sandbox)
        , m_root(std::make_shared<Frame>())
        , m_frame(m_root)
    {
    }

    ~Renderer()
    {
        for (const auto& loop : m_changedLoops) {
            loop->changed = {};
        }
    }

    Text run(const Globals& globals);

private:
    enum class Flow { Next, Break, Continue, Stop };

    /// Counts nesting for as long as it lives, and marks where the template is.
    struct Nested {
        Renderer& renderer;
        Nested(Renderer& owner, Position at)
            : renderer(owner)
        {
            Sandbox& sandbox = renderer.m_sandbox;
            if (!sandbox.failed()) {
                sandbox.at = at;
            }
            sandbox.spend();
            if (++renderer.m_depth > sandbox.limits().depth) {
                sandbox.exceed("depth");
            }
        }
        ~Nested() { --renderer.m_depth; }
    };

    /// A new innermost scope for as long as it lives.
    struct Scope {
        Renderer& renderer;
        std::shared_ptr<Frame> outer;
        Scope(Renderer& owner, std::shared_ptr<Frame> parent)
            : renderer(owner)
            , outer(owner.m_frame)
        {
            renderer.m_frame = std::make_shared<Frame>();
            renderer.m_frame->parent = std::move(parent);
        }
        ~Scope() { renderer.m_frame = outer; }
    };

    bool failed() const { return m_sandbox.failed(); }

    Flow runBody(const Body& body);
    Flow runStatement(const Statement& node);
    Flow runIf(const Statement& node);
    void runFor(const Statement& node);
    void runLoop(const Statement& node, const Value& iterable, const std::shared_ptr<Frame>& scope, int depth);
    void runCallBlock(const Statement& node);
    void runWith(const Statement& node);
    /// Renders into a text of its own instead of the output.
    template <class Run> Value capture(Run&& run);
    Value captureBody(const Body& body);
    void assign(const Target& target, Value value);

    Value evaluate(const Expression& node);
    Value evaluateName(const Expression& node);
    Value evaluateAttribute(const Expression& node);
    Value evaluateSlice(const Expression& node);
    Value evaluateCompare(const Expression& node);
    Value evaluateSign(const Expression& node);
    Value evaluateCall(const Expression& node);
    Arguments evaluateArguments(const std::vector<Argument>& arguments);
    Value call(const Value& callee, Arguments arguments, const Expression& node);
    Value callBuiltin(const Function& function, const Arguments& arguments);
    Value callMacro(const Function& function, Arguments arguments);
    Value callLoopMember(const std::shared_ptr<LoopState>& loop, std::string_view name, const Arguments& arguments);
    Value makeRange(const Arguments& arguments);

    const Program& m_program;
    Sandbox& m_sandbox;
    std::shared_ptr<Frame> m_root;
    std::shared_ptr<Frame> m_frame;
    std::vector<std::shared_ptr<LoopState>> m_changedLoops; ///< they may hold themselves
    TextBuilder* m_out = nullptr;
    int m_depth = 0;
};

Text Renderer::run(const Globals& globals)
{
    const auto idOf = [&](std::string_view name) {
        return static_cast<NameId>(std::ranges::find(m_program.names, name) - m_program.names.begin());
    };
    constexpr std::pair<std::string_view, Function::Kind> functions[] = {{"range", Function::Kind::Range},
        {"namespace", Function::Kind::Namespace}, {"dict", Function::Kind::Dict},
        {"raise_exception", Function::Kind::RaiseException}, {"strftime_now", Function::Kind::StrftimeNow},
        {"joiner", Function::Kind::Joiner}};
    for (const auto& [name, kind] : functions) {
        m_root->set(idOf(name), m_sandbox.function({kind, std::string(name), nullptr, {}, {}, 0}));
    }
    for (const auto& [name, value] : globals) {
        m_root->set(idOf(name), value);
    }
    TextBuilder out(m_sandbox, TextBuilder::Purpose::Output);
    m_out = &out;
    runBody(m_program.body);
    return out.take();
}

template <class Run> Value Renderer::capture(Run&& run)
{
    TextBuilder captured(m_sandbox);
    TextBuilder* outer = std::exchange(m_out, &captured);
    run();
    m_out = outer;
    return captured.finish();
}

Value Renderer::captureBody(const Body& body)
{
    const Scope scope(*this, m_frame);
    return capture([&] { runBody(body); });
}

Renderer::Flow Renderer::runBody(const Body& body)
{
    for (const auto& statement : body) {
        const Flow flow = runStatement(*statement);
        if (flow != Flow::Next) {
            return flow;
        }
    }
    return Flow::Next;
}

Renderer::Flow Renderer::runStatement(const Statement& node)
{
    const Nested nested(*this, node.at);
    if (failed()) {
        return Flow::Stop;
    }
    switch (node.kind) {
    case StatementKind::Data:
        m_out->add(node.text);
        break;
    case StatementKind::Output:
        appendString(*m_out, m_sandbox, evaluate(*node.expression));
        break;
    case StatementKind::If:
        return runIf(node);
    case StatementKind::For:
        runFor(node);
        break;
    case StatementKind::Set:
        if (Value value = evaluate(*node.expression); !failed() && node.text != "do") {
            assign(node.target, std::move(value));
        }
        break;
    case StatementKind::SetBlock: {
        Value value = captureBody(node.body);
        if (node.expression) {
            const Scope scope(*this, m_frame);
            m_frame->set(Program::kCaptured, std::move(value));
            value = evaluate(*node.expression);
        }
        assign(node.target, std::move(value));
        break;
    }
    case StatementKind::Macro:
        m_frame->set(node.target.name, m_sandbox.function({Function::Kind::Macro, node.text, &node, m_frame, {}, 0}));
        break;
    case StatementKind::CallBlock:
        runCallBlock(node);
        break;
    case StatementKind::FilterBlock: {
        Value value = captureBody(node.body);
        const Scope scope(*this, m_frame);
        m_frame->set(Program::kCaptured, std::move(value));
        appendString(*m_out, m_sandbox, evaluate(*node.expression));
        break;
    }
    case StatementKind::With:
        runWith(node);
        break;
    case StatementKind::Scope: {
        const Scope scope(*this, m_frame);
        runBody(node.body);
        break;
    }
    case StatementKind::Break:
        return Flow::Break;
    case StatementKind::Continue:
        return Flow::Continue;
    }
    return failed() ? Flow::Stop : Flow::Next;
}

Renderer::Flow Renderer::runIf(const Statement& node)
{
    for (const Statement::Branch& branch : node.branches) {
        if (evaluate(*branch.condition).isTrue()) {
            return failed() ? Flow::Stop : runBody(branch.body);
        }
    }
    return failed() ? Flow::Stop : runBody(node.body);
}

void Renderer::runFor(const Statement& node)
{
    const Value iterable = evaluate(*node.expression);
    if (!failed()) {
        runLoop(node, iterable, m_frame, 1);
    }
}

void Renderer::runLoop(const Statement& node, const Value& iterable, const std::shared_ptr<Frame>& scope, int depth)
{
    std::vector<Value> items = itemsOf(m_sandbox, iterable);
    if (node.condition) {
        std::vector<Value> chosen;
        for (Value& item : items) {
            const Scope inner(*this, scope);
            assign(node.target, item);
            if (evaluate(*node.condition).isTrue()) {
                chosen.push_back(std::move(item));
            }
            if (failed()) {
                return;
            }
        }
        items = std::move(chosen);
    }
    const Value kept = m_sandbox.list(std::move(items));
    if (failed()) {
        return;
    }
    if (kept.list()->items.empty()) {
        const Scope inner(*this, scope);
        runBody(node.otherwise);
        return;
    }
    auto loop = std::make_shared<LoopState>();
    loop->items = kept.list();
    loop->depth = depth;
    loop->statement = &node;
    loop->scope = scope;
    const Scope inner(*this, scope);
    for (; loop->index < loop->items->items.size(); ++loop->index) {
        if (m_frame.use_count() > 1) { // somebody still looks at the last round's
            m_frame = std::make_shared<Frame>();
            m_frame->parent = scope;
        } else {
            m_frame->variables.clear();
        }
        m_frame->set(Program::kLoop, Value(loop));
        assign(node.target, loop->items->items[loop->index]);
        const Flow flow = runBody(node.body);
        if (flow == Flow::Break || flow == Flow::Stop || failed()) {
            break;
        }
    }
}

void Renderer::runCallBlock(const Statement& node)
{
    const Expression& expression = *node.expression;
    Arguments arguments = evaluateArguments(expression.arguments);
    arguments.named.push_back(
        {"caller", m_sandbox.function({Function::Kind::Caller, "caller", &node, m_frame, {}, 0})});
    const Value callee = evaluate(*expression.operands[0]);
    appendString(*m_out, m_sandbox, call(callee, std::move(arguments), expression));
}

void Renderer::runWith(const Statement& node)
{
    std::vector<Value> values;
    for (const Statement::Assignment& assignment : node.assignments) {
        values.push_back(evaluate(*assignment.value));
    }
    const Scope scope(*this, m_frame);
    for (size_t i = 0; i < values.size(); ++i) {
        assign(node.assignments[i].target, std::move(values[i]));
    }
    runBody(node.body);
}

void Renderer::assign(const Target& target, Value value)
{
    if (failed()) {
        return;
    }
    m_sandbox.at = target.at;
    switch (target.kind) {
    case Target::Kind::Name:
        m_frame->set(target.name, std::move(value));
        break;
    case Target::Kind::Member: {
        Expression name;
        name.name = target.name;
        const Value object = evaluateName(name);
        if (!object.is(Kind::Dict) || !object.dict()->isNamespace) {
            m_sandbox.fail("only members of a namespace can be set");
            break;
        }
        m_sandbox.set(*object.dict(), m_sandbox.string(target.member), std::move(value));
        break;
    }
    case Target::Kind::Tuple: {
        const std::vector<Value> values = itemsOf(m_sandbox, value);
        if (values.size() != target.parts.size()) {
            m_sandbox.fail("expected " + std::to_string(target.parts.size()) + " values to assign, not "
                + std::to_string(values.size()));
            break;
        }
        for (size_t i = 0; i < values.size(); ++i) {
            assign(target.parts[i], values[i]);
        }
        break;
    }
    }
}

Value Renderer::evaluate(const Expression& node)
{
    const Nested nested(*this, node.at);
    if (failed()) {
        return {};
    }
    switch (node.kind) {
    case ExpressionKind::Constant:
        return node.constant;
    case ExpressionKind::Name:
        return evaluateName(node);
    case ExpressionKind::List:
    case ExpressionKind::Tuple: {
        std::vector<Value> items;
        for (const ExpressionPtr& operand : node.operands) {
            items.push_back(evaluate(*operand));
        }
        return m_sandbox.list(std::move(items), node.kind == ExpressionKind::Tuple);
    }
    case ExpressionKind::Dict: {
        std::vector<std::pair<Value, Value>> entries;
        for (size_t i = 0; i + 1 < node.operands.size(); i += 2) {
            Value key = evaluate(*node.operands[i]);
            entries.emplace_back(std::move(key), evaluate(*node.operands[i + 1]));
        }
        return m_sandbox.dict(std::move(entries));
    }
    case ExpressionKind::Attribute:
        return evaluateAttribute(node);
    case ExpressionKind::Subscript: {
        const Value object = evaluate(*node.operands[0]);
        const Value key = evaluate(*node.operands[1]);
        m_sandbox.at = failed() ? m_sandbox.at : node.at;
        return itemOf(m_sandbox, object, key);
    }
    case ExpressionKind::Slice:
        return evaluateSlice(node);
    case ExpressionKind::Call:
        return evaluateCall(node);
    case ExpressionKind::Filter: {
        const Value input = evaluate(*node.operands[0]);
        const Arguments arguments = evaluateArguments(node.arguments);
        m_sandbox.at = failed() ? m_sandbox.at : node.at;
        return !node.filter ? m_sandbox.fail("there is no filter '" + node.text + "'")
            : failed()      ? Value()
                            : node.filter(m_sandbox, input, arguments);
    }
    case ExpressionKind::Test: {
        const Value input = evaluate(*node.operands[0]);
        const Arguments arguments = evaluateArguments(node.arguments);
        m_sandbox.at = failed() ? m_sandbox.at : node.at;
        return !node.test ? m_sandbox.fail("there is no test '" + node.text + "'")
            : failed()    ? Value()
                          : Value::boolean(node.test(m_sandbox, input, arguments) != node.negated);
    }
    case ExpressionKind::Not:
        return Value::boolean(!evaluate(*node.operands[0]).isTrue());
    case ExpressionKind::Negate:
    case ExpressionKind::Plus:
        return evaluateSign(node);
    case ExpressionKind::Binary: {
        const Value left = evaluate(*node.operands[0]);
        const Value right = evaluate(*node.operands[1]);
        m_sandbox.at = failed() ? m_sandbox.at : node.at;
        return failed() ? Value() : calculate(m_sandbox, node.operation, left, right);
    }
    case ExpressionKind::Compare:
        return evaluateCompare(node);
    case ExpressionKind::And:
    case ExpressionKind::Or: {
        Value value;
        for (const ExpressionPtr& operand : node.operands) {
            value = evaluate(*operand);
            if (failed() || value.isTrue() == (node.kind == ExpressionKind::Or)) {
                break;
            }
        }
        return value;
    }
    case ExpressionKind::Conditional:
        if (evaluate(*node.operands[1]).isTrue()) {
            return evaluate(*node.operands[0]);
        }
        return node.operands[2] && !failed() ? evaluate(*node.operands[2]) : Value();
    }
    return {};
}

Value Renderer::evaluateName(const Expression& node)
{
    for (const Frame* frame = m_frame.get(); frame; frame = frame->parent.get()) {
        for (const auto& [name, value] : frame->variables) {
            if (name == node.name) {
                return value;
            }
        }
    }
    return Value::undefined(m_program.names[static_cast<size_t>(node.name)]);
}

Value Renderer::evaluateAttribute(const Expression& node)
{
    const Value object = evaluate(*node.operands[0]);
    if (failed()) {
        return {};
    }
    m_sandbox.at = node.at;
    Value value = attributeOf(m_sandbox, object, node.text);
    return value.isUndefined() && !failed() ? Value::undefined(node.text) : value;
}

Value Renderer::evaluateSlice(const Expression& node)
{
    const Value object = evaluate(*node.operands[0]);
    Value bounds[3];
    for (size_t i = 0; i < 3; ++i) {
        if (node.operands[i + 1]) {
            bounds[i] = evaluate(*node.operands[i + 1]);
        }
    }
    return failed() ? Value() : sliceOf(m_sandbox, object, bounds[0], bounds[1], bounds[2]);
}

Value Renderer::evaluateCompare(const Expression& node)
{
    using Comparison = Expression::Comparison;
    Value left = evaluate(*node.operands[0]);
    for (size_t i = 0; i < node.comparisons.size(); ++i) {
        Value right = evaluate(*node.operands[i + 1]);
        if (failed()) {
            return {};
        }
        m_sandbox.at = node.at;
        bool holds = false;
        switch (node.comparisons[i]) {
        case Comparison::Equal:
            holds = isEqual(m_sandbox, left, right);
            break;
        case Comparison::NotEqual:
            holds = !isEqual(m_sandbox, left, right);
            break;
        case Comparison::Less:
            holds = isLess(m_sandbox, left, right);
            break;
        case Comparison::LessEqual:
            holds = isLess(m_sandbox, left, right) || isEqual(m_sandbox, left, right);
            break;
        case Comparison::Greater:
            holds = isLess(m_sandbox, right, left);
            break;
        case Comparison::GreaterEqual:
            holds = isLess(m_sandbox, right, left) || isEqual(m_sandbox, left, right);
            break;
        case Comparison::In:
            holds = contains(m_sandbox, right, left);
            break;
        case Comparison::NotIn:
            holds = !contains(m_sandbox, right, left);
            break;
        }
        if (!holds) {
            return Value::boolean(false);
        }
        left = std::move(right);
    }
    return Value::boolean(true);
}

Value Renderer::evaluateSign(const Expression& node)
{
    const Value operand = evaluate(*node.operands[0]);
    if (failed()) {
        return {};
    }
    if (!operand.isNumber()) {
        return m_sandbox.fail("a sign needs a number, not '" + std::string(operand.kindName()) + "'");
    }
    if (node.kind == ExpressionKind::Plus) {
        return operand;
    }
    return calculate(m_sandbox, Expression::Operation::Subtract, Value::integer(0), operand);
}

Arguments Renderer::evaluateArguments(const std::vector<Argument>& arguments)
{
    Arguments result;
    for (const Argument& argument : arguments) {
        Value value = evaluate(*argument.value);
        if (failed()) {
            break;
        }
        switch (argument.kind) {
        case Argument::Kind::Positional:
            result.positional.push_back(std::move(value));
            break;
        case Argument::Kind::Named:
            result.named.push_back({argument.name, std::move(value)});
            break;
        case Argument::Kind::Spread:
            for (Value& item : itemsOf(m_sandbox, value)) {
                result.positional.push_back(std::move(item));
            }
            break;
        case Argument::Kind::SpreadNamed:
            if (!value.is(Kind::Dict)) {
                m_sandbox.fail("'**' needs a dict");
                break;
            }
            for (const auto& [key, item] : value.dict()->entries) {
                result.named.push_back({toText(m_sandbox, key).bytes(), item, false});
            }
            break;
        }
    }
    return result;
}

Value Renderer::evaluateCall(const Expression& node)
{
    const Expression& callee = *node.operands[0];
    if (callee.kind != ExpressionKind::Attribute) {
        const Value function = evaluate(callee);
        Arguments arguments = evaluateArguments(node.arguments);
        return failed() ? Value() : call(function, std::move(arguments), callee);
    }
    const Value object = evaluate(*callee.operands[0]);
    Arguments arguments = evaluateArguments(node.arguments);
    if (failed()) {
        return {};
    }
    m_sandbox.at = callee.at;
    if (hasMethod(object, callee.text)) {
        return callMethod(m_sandbox, object, callee.text, arguments);
    }
    if (object.is(Kind::Loop)) {
        return callLoopMember(object.loop(), callee.text, arguments);
    }
    const Value member = attributeOf(m_sandbox, object, callee.text);
    if (!failed() && member.isUndefined()) {
        return m_sandbox.fail(
            "a value of the kind '" + std::string(object.kindName()) + "' has no method '" + callee.text + "'");
    }
    return failed() ? Value() : call(member, std::move(arguments), callee);
}

Value Renderer::call(const Value& callee, Arguments arguments, const Expression& node)
{
    if (failed()) {
        return {};
    }
    m_sandbox.at = node.at;
    if (callee.is(Kind::Loop)) { // loop(items): the body again, one level deeper
        const std::shared_ptr<LoopState> loop = callee.loop();
        const std::shared_ptr<Frame> scope = loop->scope.lock();
        const Value* items = arguments.find(0, "");
        if (!loop->statement->recursive || !scope || !items) {
            return m_sandbox.fail("only a recursive loop can be called, with the items of its next level");
        }
        const Nested nested(*this, node.at);
        return capture([&] { runLoop(*loop->statement, *items, scope, loop->depth + 1); });
    }
    if (callee.isUndefined()) {
        return m_sandbox.fail("'" + node.text + "' is undefined");
    }
    if (!callee.is(Kind::Function)) {
        return m_sandbox.fail("a value of the kind '" + std::string(callee.kindName()) + "' cannot be called");
    }
    const Function& function = callee.function();
    const bool isMacro = function.kind == Function::Kind::Macro || function.kind == Function::Kind::Caller;
    return isMacro ? callMacro(function, std::move(arguments)) : callBuiltin(function, arguments);
}

Value Renderer::callMacro(const Function& function, Arguments arguments)
{
    const Statement& definition = *function.definition;
    const Nested nested(*this, m_sandbox.at);
    std::shared_ptr<Frame> parent = function.scope.lock();
    const Scope scope(*this, parent ? std::move(parent) : m_root);
    const auto takeNamed = [&](std::string_view name) -> std::optional<Value> {
        const auto found =
            std::ranges::find_if(arguments.named, [&](const auto& argument) { return argument.name == name; });
        if (found == arguments.named.end()) {
            return std::nullopt;
        }
        Value value = std::move(found->value);
        arguments.named.erase(found);
        return value;
    };
    if (const auto caller = takeNamed("caller")) {
        m_frame->set(Program::kCaller, *caller);
    }
    for (size_t i = 0; i < definition.parameters.size() && !failed(); ++i) {
        const Parameter& parameter = definition.parameters[i];
        if (i < arguments.positional.size()) {
            m_frame->set(parameter.name, arguments.positional[i]);
        } else if (auto named = takeNamed(parameter.text)) {
            m_frame->set(parameter.name, std::move(*named));
        } else {
            m_frame->set(
                parameter.name, parameter.fallback ? evaluate(*parameter.fallback) : Value::undefined(parameter.text));
        }
    }
    std::vector<Value> rest;
    for (size_t i = definition.parameters.size(); i < arguments.positional.size(); ++i) {
        rest.push_back(arguments.positional[i]);
    }
    m_frame->set(Program::kVarargs, m_sandbox.list(std::move(rest), true));
    std::vector<std::pair<Value, Value>> named;
    for (auto& argument : arguments.named) {
        named.emplace_back(m_sandbox.string(Text(argument.name, argument.isTrusted)), std::move(argument.value));
    }
    m_frame->set(Program::kKwargs, m_sandbox.dict(std::move(named)));
    return failed() ? Value() : capture([&] { runBody(definition.body); });
}

Value Renderer::callBuiltin(const Function& function, const Arguments& arguments)
{
    switch (function.kind) {
    case Function::Kind::Range:
        return makeRange(arguments);
    case Function::Kind::Namespace:
    case Function::Kind::Dict: {
        std::vector<std::pair<Value, Value>> entries;
        for (const Value& from : arguments.positional) {
            if (!from.is(Kind::Dict)) {
                return m_sandbox.fail(function.name + "() needs a dict or named values");
            }
            entries.insert(entries.end(), from.dict()->entries.begin(), from.dict()->entries.end());
        }
        for (const auto& argument : arguments.named) {
            entries.emplace_back(m_sandbox.string(Text(argument.name, argument.isTrusted)), argument.value);
        }
        return m_sandbox.dict(std::move(entries), function.kind == Function::Kind::Namespace);
    }
    case Function::Kind::RaiseException: {
        const Value* message = arguments.find(0, "message");
        return m_sandbox.fail(message ? toText(m_sandbox, *message).bytes() : "raise_exception");
    }
    case Function::Kind::StrftimeNow: {
        const Value* format = arguments.find(0, "format");
        if (!format || !format->is(Kind::String)) {
            return m_sandbox.fail("strftime_now() needs a format");
        }
        return formatTime(m_sandbox, format->text());
    }
    case Function::Kind::Joiner: {
        const Value* separator = arguments.find(0, "sep");
        if (function.bound.empty()) { // the constructor; what it makes has its separator bound
            Function made = function;
            made.bound.push_back(separator ? *separator : m_sandbox.string(", "));
            return m_sandbox.function(std::move(made));
        }
        return function.calls++ == 0 ? m_sandbox.string("") : function.bound[0];
    }
    default:
        return {};
    }
}

Value Renderer::callLoopMember(
    const std::shared_ptr<LoopState>& loop, std::string_view name, const Arguments& arguments)
{
    if (name == "cycle" && !arguments.positional.empty()) {
        return arguments.positional[loop->index % arguments.positional.size()];
    }
    if (name == "changed") {
        Value now = m_sandbox.list(arguments.positional, true);
        const bool changed = !loop->hasChanged || !isEqual(m_sandbox, now, loop->changed);
        loop->changed = std::move(now);
        if (!loop->hasChanged) {
            m_changedLoops.push_back(loop);
        }
        loop->hasChanged = true;
        return Value::boolean(changed);
    }
    return m_sandbox.fail("a loop has no method '" + std::string(name) + "'");
}

Value Renderer::makeRange(const Arguments& arguments)
{
    int64_t numbers[3] = {0, 0, 1};
    const size_t given = arguments.positional.size();
    for (size_t i = 0; i < given && i < 3; ++i) {
        const Value& value = arguments.positional[i];
        if (!value.is(Kind::Integer) && !value.is(Kind::Boolean)) {
            return m_sandbox.fail("range() needs whole numbers");
        }
        numbers[given == 1 ? 1 : i] = value.integerValue();
    }
    const auto [begin, end, step] = numbers;
    if (given == 0 || given > 3 || step == 0) {
        return m_sandbox.fail("range() needs one to three numbers, and a step that is not zero");
    }
    std::vector<Value> items;
    for (int64_t i = begin; step > 0 ? i < end : i > end;) {
        if (!m_sandbox.spend() || !m_sandbox.admits(items.size() * sizeof(Value))) {
            return {};
        }
        items.push_back(Value::integer(i));
        if (__builtin_add_overflow(i, step, &i)) {
            break;
        }
    }
    return m_sandbox.list(std::move(items));
}

} // namespace

Text render(const Program& program, Sandbox& sandbox, const Globals& globals)
{
    return Renderer(program, sandbox).run(globals);
}

} // namespace kvasir::jinja

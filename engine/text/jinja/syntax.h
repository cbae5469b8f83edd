#pragma once

#include "text/jinja/filters.h"
#include "text/jinja/sandbox.h"

#include <memory>
#include <string>
#include <vector>

namespace kvasir::jinja {

/// Names of variables are numbers; Program::names holds their texts.
using NameId = int;

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// One argument of a call, filter or test.
struct Argument {
    enum class Kind { Positional, Named, Spread, SpreadNamed };

    Kind kind = Kind::Positional;
    std::string name; ///< Named
    ExpressionPtr value;
};

/// A node that yields a value. What the members hold depends on the kind, as the comments there say.
struct Expression {
    enum class Kind {
        Constant,    ///< constant
        Name,        ///< name, text
        List,        ///< operands
        Tuple,       ///< operands
        Dict,        ///< operands: key, value, key, value, ...
        Attribute,   ///< operands[0] . text
        Subscript,   ///< operands[0] [ operands[1] ]
        Slice,       ///< operands[0] [ operands[1] : operands[2] : operands[3] ], null where left out
        Call,        ///< operands[0] ( arguments )
        Filter,      ///< operands[0] | text ( arguments ), filter
        Test,        ///< operands[0] is text ( arguments ), test, negated
        Not,         ///< operands[0]
        Negate,      ///< operands[0]
        Plus,        ///< operands[0]
        Binary,      ///< operands[0] operation operands[1]
        Compare,     ///< operands[0] comparisons[0] operands[1] comparisons[1] operands[2] ...
        And,         ///< operands
        Or,          ///< operands
        Conditional, ///< operands[0] if operands[1] else operands[2], null where left out
    };
    enum class Operation { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power, Concatenate };
    enum class Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, In, NotIn };

    Kind kind = Kind::Constant;
    Position at;
    int depth = 1; ///< of the tree below
    bool negated = false;
    Operation operation = Operation::Add;
    NameId name = 0;
    std::string text;
    Value constant;
    FilterFunction filter = nullptr; ///< null: there is none of this name; an error only where it is used
    TestFunction test = nullptr;
    std::vector<ExpressionPtr> operands;
    std::vector<Comparison> comparisons;
    std::vector<Argument> arguments;
};

/// What is assigned to: a name, a member of a namespace, or several.
struct Target {
    enum class Kind { Name, Member, Tuple };

    Kind kind = Kind::Name;
    Position at;
    NameId name = 0;
    std::string member;
    std::vector<Target> parts;
};

struct Parameter {
    NameId name = 0;
    std::string text;
    ExpressionPtr fallback; ///< null: none
};

struct Statement;
using Body = std::vector<std::unique_ptr<Statement>>;

/// A node that does something.
struct Statement {
    enum class Kind {
        Data,        ///< text
        Output,      ///< expression
        If,          ///< branches; body is the "else"
        For,         ///< target in expression, if condition; body, otherwise; recursive
        Set,         ///< target = expression
        SetBlock,    ///< target = body, through expression (filters on the name kCaptured), if any
        Macro,       ///< target is the name, parameters, body
        CallBlock,   ///< expression is the call, parameters are the caller's, body
        FilterBlock, ///< expression (filters on the name kCaptured), body
        With,        ///< assignments, body
        Scope,       ///< body: a block that is rendered where it stands
        Break,
        Continue,
    };
    struct Branch {
        ExpressionPtr condition;
        Body body;
    };
    struct Assignment {
        Target target;
        ExpressionPtr value;
    };

    Kind kind = Kind::Data;
    Position at;
    std::string text;
    ExpressionPtr expression;
    ExpressionPtr condition;
    Target target;
    std::vector<Branch> branches;
    std::vector<Parameter> parameters;
    std::vector<Assignment> assignments;
    Body body;
    Body otherwise;
    bool recursive = false;
};

/// A parsed template. Immutable; renderings share it.
struct Program {
    std::vector<std::string> names; ///< by NameId
    Body body;

    /// Names with a meaning of their own; the parser gives them these ids.
    enum : NameId { kLoop, kCaller, kVarargs, kKwargs, kCaptured };
};

} // namespace kvasir::jinja

#include "chat/codehighlighter.h"

#include <QHash>

#include <vector>

namespace kvasir {

namespace {

using Quote = CodeLanguage::Quote;

const Quote kDouble{"\"", "\"", false, true};
const Quote kSingle{"'", "'", false, true};
const Quote kBacktick{"`", "`", true, true};

const char kCWords[] =
    "auto bool break case char const continue default do double else enum extern false float for goto "
    "if inline int int8_t int16_t int32_t int64_t long register restrict return short signed size_t "
    "sizeof static struct switch true typedef uint8_t uint16_t uint32_t uint64_t union unsigned void "
    "volatile while NULL #include #define #if #ifdef #ifndef #else #elif #endif #pragma #undef";
const char kCppWords[] = " alignas alignof and catch class co_await co_return co_yield concept consteval constexpr "
                         "constinit const_cast decltype delete dynamic_cast explicit export final friend mutable "
                         "namespace new noexcept not nullptr operator or override private protected public "
                         "reinterpret_cast requires static_assert static_cast template this thread_local throw try "
                         "typeid typename using virtual wchar_t __global__ __device__ __shared__ __host__";
const char kPythonWords[] =
    "False None True and as assert async await break case class continue def del elif else except "
    "finally for from global if import in is lambda match nonlocal not or pass raise return self "
    "try while with yield int str float bool list dict set tuple";
const char kJsWords[] =
    "async await break case catch class const continue debugger default delete do else export extends "
    "false finally for from function get if import in instanceof let new null of return set static "
    "super switch this throw true try typeof undefined var void while with yield";
const char kTsWords[] =
    " abstract any as boolean declare enum implements interface is keyof namespace never number object "
    "private protected public readonly string symbol type unknown";
const char kBashWords[] = "case do done elif else esac exit export fi for function if in local return select set shift "
                          "source then until unset while alias cd echo eval exec printf read sudo test trap";
const char kSqlWords[] =
    "add all alter and any as asc between bigint boolean by case check column constraint create cross database date "
    "default delete desc distinct drop else end except exists false foreign from full group having if in index inner "
    "insert int integer intersect into is join key left like limit not null numeric offset on or order outer primary "
    "real references returning right select set table text then timestamp true union unique update using values "
    "varchar "
    "view when where with";
const char kJavaWords[] =
    "abstract assert boolean break byte case catch char class const continue default do double else "
    "enum extends false final finally float for if implements import instanceof int interface long "
    "native new null package private protected public record return sealed short static super "
    "switch synchronized this throw throws transient true try var void volatile while yield String";
const char kRustWords[] =
    "as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i8 "
    "i16 i32 i64 i128 if impl in isize let loop match mod move mut pub ref return Self self static "
    "str struct super trait true type u8 u16 u32 u64 u128 unsafe use usize where while String Vec "
    "Option Result Some None Ok Err";
const char kGoWords[] =
    "any bool break byte case chan const continue default defer else error fallthrough false float32 "
    "float64 for func go goto if import int int8 int16 int32 int64 interface iota make map new nil "
    "package range return rune select string struct switch true type uint uint8 uint16 uint32 uint64 "
    "uintptr var";
const char kCsWords[] =
    "abstract as async await base bool break byte case catch char class const continue decimal default "
    "delegate do double else enum event explicit extern false finally fixed float for foreach get if "
    "implicit in int interface internal is lock long namespace new null object operator out override "
    "params private protected public readonly record ref return sealed set short sizeof static string "
    "struct switch this throw true try typeof uint ulong using var virtual void volatile while yield";

CodeLanguage make(const char* names, const QString& words, const QStringList& lineComments, const char* open,
    const char* close, const QList<Quote>& quotes)
{
    CodeLanguage language;
    language.names = QString::fromLatin1(names).split(QLatin1Char(' '));
    language.keywords = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    language.keywords.sort();
    language.lineComments = lineComments;
    language.commentOpen = QString::fromLatin1(open);
    language.commentClose = QString::fromLatin1(close);
    language.quotes = quotes;
    return language;
}

std::vector<CodeLanguage> makeAll()
{
    const QString c = kCWords, js = kJsWords;
    const Quote docDouble{"\"\"\"", "\"\"\"", true, true}, docSingle{"'''", "'''", true, true};
    const Quote shellDouble{"\"", "\"", true, true}, shellSingle{"'", "'", true, false};
    std::vector<CodeLanguage> all{
        make("c h", c, {"//"}, "/*", "*/", {kDouble, kSingle}),
        make("cpp c++ cc cxx hpp cuda cu", c + kCppWords, {"//"}, "/*", "*/", {kDouble, kSingle}),
        make("python py python3 pycon", kPythonWords, {"#"}, "", "", {docDouble, docSingle, kDouble, kSingle}),
        make("javascript js jsx node mjs", js, {"//"}, "/*", "*/", {kDouble, kSingle, kBacktick}),
        make("typescript ts tsx", js + kTsWords, {"//"}, "/*", "*/", {kDouble, kSingle, kBacktick}),
        make("json json5 jsonc", "true false null", {"//"}, "/*", "*/", {kDouble}),
        make("bash sh shell zsh console", kBashWords, {"#"}, "", "", {shellDouble, shellSingle}),
        make("sql sqlite postgresql mysql", kSqlWords, {"--"}, "/*", "*/", {kSingle, kDouble}),
        make("html xml svg xhtml vue", "", {}, "<!--", "-->", {{"\"", "\"", true, false}, {"'", "'", true, false}}),
        make("java kotlin kt", kJavaWords, {"//"}, "/*", "*/", {docDouble, kDouble, kSingle}),
        make("rust rs", kRustWords, {"//"}, "/*", "*/", {{"\"", "\"", true, true}}),
        make("go golang", kGoWords, {"//"}, "/*", "*/", {kDouble, kSingle, {"`", "`", true, false}}),
        make("csharp cs c#", kCsWords, {"//"}, "/*", "*/", {kDouble, kSingle}),
        make("css scss", "", {}, "/*", "*/", {kDouble, kSingle}),
        make("yaml yml toml ini", "true false null yes no", {"#"}, "", "", {kDouble, {"'", "'", false, false}}),
        make("cmake makefile make dockerfile", kBashWords, {"#"}, "", "", {kDouble}),
    };
    for (CodeLanguage& language : all) {
        language.ignoresCase = language.names.contains("sql");
        language.isMarkup = language.names.contains("html");
        language.colorsKeys = language.names.contains("json");
    }
    return all;
}

} // namespace

const CodeLanguage* findCodeLanguage(const QString& name)
{
    static const std::vector<CodeLanguage> all = makeAll();
    static const QHash<QString, const CodeLanguage*> byName = [] {
        QHash<QString, const CodeLanguage*> table;
        for (const CodeLanguage& language : all) {
            for (const QString& n : language.names)
                table.insert(n, &language);
        }
        return table;
    }();
    return byName.value(name.toLower());
}

} // namespace kvasir

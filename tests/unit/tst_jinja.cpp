#include "text/chattemplate.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <thread>

using namespace kvasir;
using Json = nlohmann::ordered_json;

namespace {

Result<std::string> render(std::string_view source)
{
    TemplateInput input;
    input.messages = Json::parse(R"([{"role": "user", "content": "Hi", "n": 5, "list": [3, 1, 2], "none": null},
        {"role": "assistant", "content": "Ho", "big": 1.5, "flag": true}])");
    input.tools = Json::parse(R"([{"b": 1, "a": {"x": [true, null, -2.0]}}])");
    input.bosToken = "<s>";
    input.now = "2026-11-29T08:05:09";
    const auto chat = ChatTemplate::compile(source);
    return chat ? chat->render(input) : Result<std::string>(Failure{chat.error()});
}

std::string nested(const char* open, int count, const char* inner, const char* close)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += open;
    }
    text += inner;
    for (int i = 0; i < count; ++i) {
        text += close;
    }
    return text;
}

} // namespace

class TestJinja : public QObject {
    Q_OBJECT

private slots:
    void evaluates_data();
    void evaluates();
    void errorsTellWhere_data();
    void errorsTellWhere();
    void endsAtALimit_data();
    void endsAtALimit();
    void cyclesAreHarmless_data();
    void cyclesAreHarmless();
    void everyPrefixIsHarmless();
    void oneProgramServesManyThreads();
};

void TestJinja::evaluates_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* source, const char* expected) {
        QTest::newRow(QByteArray(source).replace('\n', "\\n").constData())
            << QString::fromUtf8(source) << QString::fromUtf8(expected);
    };
    // White space
    row("a\n{% if true %}\nb\n{% endif %}\nc\n", "a\nb\nc");
    row("a\n  {% if true %}\n  b\n  {% endif %}\nc", "a\n  b\nc");
    row("a  {%- if true -%}  b  {%- endif -%}  c", "abc");
    row("a\n  {%+ if true %}b{% endif +%}\nc", "a\n  b\nc");
    row("a\n  {{ 1 }}\n b", "a\n  1\n b");
    row("a {{- 1 -}} b", "a1b");
    row("x{# note #}y\n  {# whole line #}\nz", "xy\nz");
    row("{% raw %}{{ a }}{% b %}{% endraw %}", "{{ a }}{% b %}");
    row("x\n{%- raw -%}\n {{ }} \n{%- endraw -%}\n y", "x{{ }}y");
    row("a\r\nb\rc\n\n", "a\nb\nc\n");
    // Literals
    row("{{ 'a\\n\\'\\x41\\u00e9\\q' \"b\" }}", "a\n'Aé\\qb");
    row("{{ [1, 2.50, 'x', none, true] }}", "[1, 2.5, 'x', None, True]");
    row("{{ (1,) }}{{ (1, 2) }}{{ () }}{{ 1, 2 }}", "(1,)(1, 2)()(1, 2)");
    row("{{ {'a': {}, 'b': [\"it's\"]} }}", "{'a': {}, 'b': [\"it's\"]}");
    row("{{ 1_000 + 0 }} {{ 1e3 }} {{ 1e22 }} {{ 0.1 + 0.2 }} {{ 1e-5 }} {{ 123456789012345680.0 }}",
        "1000 1000.0 1e+22 0.30000000000000004 1e-05 1.2345678901234568e+17");
    // Arithmetic
    row("{{ 1 + 2 * 3 - 4 }} {{ 2 ** 3 ** 2 }} {{ -2 ** 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }}",
        "3 64 4 3 -4 2 3.5");
    row("{{ 'a' + 'b' }}{{ 'ab' * 2 }}{{ [1] + [2] }}{{ 1 ~ 'x' ~ none }}",
        "abab"
        "ab[1, 2]1xNone");
    row("{{ 'a%sb%d%%|%5.2f|%-3s|%03d' % ('x', 7, 3.14159, 'y', 5) }}", "axb7%| 3.14|y  |005");
    row("{{ true + true }}", "2");
    // Comparison and logic
    row("{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 1 == 1.0 }} {{ 1 == true }} {{ 'a' < 'b' }} {{ [1,2] < [1,3] }}",
        "True False True True True True");
    row("{{ 'a' in 'cat' }} {{ 'x' not in ['y'] }} {{ 'k' in {'k': 1} }} {{ not 1 in [1] }}", "True True True False");
    row("{{ 0 or 'x' }} {{ 1 and 'y' }} {{ '' or none }} {{ not '' }}", "x y None True");
    row("{{ 'a' if false }}|{{ 'a' if false else 'b' if false else 'c' }}", "|c");
    // Variables, members, slices
    row("{{ messages[0].content }}{{ messages[-1]['role'] }}{{ messages[0].nothing }}{{ messages[9] }}", "Hiassistant");
    row("{{ nothing }}{{ nothing is defined }}{{ messages is defined }}", "FalseTrue");
    row("{{ 'héllo'[1] }}{{ 'héllo'[1:3] }}{{ 'héllo'[::-1] }}{{ 'héllo'[-2:] }}{{ [1,2,3,4][1::2] }}{{ [1,2,3][:-1] "
        "}}",
        "éélolléhlo[2, 4][1, 2]");
    row("{{ [[1, 2]].0.1 }}", "2");
    row("{% set a, b = 1, 'x' %}{{ a }}{{ b }}{% set c = (1, 2) %}{{ c }}", "1x(1, 2)");
    // Scopes
    row("{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}", "231");
    row("{% set ns = namespace(n=0) %}{% for i in [1, 2] %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}", "3");
    row("{% if true %}{% set x = 5 %}{% endif %}{{ x }}", "5");
    row("{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a is defined }}", "3False");
    row("{% set x %}a{{ 1 }}{% endset %}{{ x }}{% set y | upper | replace('B', '-') %}abc{% endset %}{{ y }}", "a1A-C");
    // Loops
    row("{% for x in [1,2,3] %}{{ loop.index }}/{{ loop.length }}{{ ',' if not loop.last }}{% endfor %}",
        "1/3,2/3,3/3");
    row("{% for x in [1,2,3] if x != 2 %}{{ x }}{{ loop.first }}{{ loop.revindex0 }} {% endfor %}", "1True1 3False0 ");
    row("{% for x in 'ab' %}[{{ loop.previtem }}{{ x }}{{ loop.nextitem }}]{% endfor %}", "[ab][ab]");
    row("{% for x in [] %}a{% else %}none{% endfor %}", "none");
    row("{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}{{ v }}{% endfor %}", "a1b2");
    row("{% for k in {'a': 1} %}{{ k }}{% endfor %}{% for x in nothing %}x{% endfor %}", "a");
    row("{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i > 3 %}{% break %}{% endif %}{{ i }}"
        "{% endfor %}",
        "013");
    row("{% for x in [1, [2, [3]]] recursive %}{% if x is iterable %}({{ loop(x) }}){% else %}{{ x }}{{ loop.depth }}"
        "{% endif %}{% endfor %}",
        "11(22(33))");
    row("{% for x in [1,1,2] %}{{ loop.cycle('a', 'b') }}{{ loop.changed(x) }} {% endfor %}", "aTrue bFalse aTrue ");
    row("{{ range(3) | list }}{{ range(1, 7, 2) | list }}{{ range(3, 0, -1) | list }}", "[0, 1, 2][1, 3, 5][3, 2, 1]");
    // Macros
    row("{% macro m(a, b=2, c='x') %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }} {{ m(1, c=3) }} {{ m(b=4, a=5) }}",
        "12x 123 54x");
    row("{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, k=3) }}", "(1, 2){'k': 3}");
    row("{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}", "3210");
    row("{% macro box(t) %}[{{ t }}:{{ caller('z') }}]{% endmacro %}{% call(v) box('a') %}{{ v }}!{% endcall %}",
        "[a:z!]");
    row("{% filter upper %}ab{{ 'c' }}{% endfilter %}", "ABC");
    row("{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{% set x = 2 %}{{ m() }}", "2");
    row("{% generation %}g{% endgeneration %}{% block b %}x{% endblock b %}", "gx");
    // Strings
    row("{{ ' a b '.strip() }}|{{ 'xxaxx'.strip('x') }}|{{ ' a '.lstrip() }}|{{ ' a '.rstrip() }}|", "a b|a|a | a|");
    row("{{ 'a,b,,c'.split(',') }}{{ ' a  b '.split() }}{{ 'a b c '.split(none, 1) }}{{ ' a b c'.rsplit(none, 1) }}",
        "['a', 'b', '', 'c']['a', 'b']['a', 'b c '][' a b', 'c']");
    row("{{ 'a-b-c'.split('-', 1) }}{{ 'a-b-c'.rsplit('-', 1) }}{{ 'a=b=c'.partition('=') }}",
        "['a', 'b-c']['a-b', 'c']('a', '=', 'b=c')");
    row("{{ 'abc'.startswith('ab') }}{{ 'abc'.endswith(('x', 'c')) }}{{ 'abcabc'.replace('b', 'X', 1) }}",
        "TrueTrueaXcabc");
    row("{{ 'aßç ok'.upper() }}{{ 'ÀB'.lower() }}{{ 'hello world'.title() }}{{ 'aBC'.capitalize() }}",
        "ASSÇ OKàbHello WorldAbc");
    row("{{ 'héllo'.find('l') }}{{ 'x'.find('l') }}{{ 'banana'.count('an') }}{{ 'a'.isalpha() }}{{ '12'.isdigit() }}",
        "2-12TrueTrue");
    row("{{ '-'.join(['a', 'b']) }}{{ 'a'.center(5, '*') }}{{ '7'.zfill(3) }}{{ 'a'.ljust(3) }}|", "a-b**a**007a  |");
    row("{{ 'a\\nb\\r\\nc'.splitlines() }}{{ '{} {x}'.format(1, x=2) }}{{ 'pre-x'.removeprefix('pre-') }}",
        "['a', 'b', 'c']1 2x");
    // Dicts and lists
    row("{% set d = {'a': 1} %}{{ d.get('a') }}{{ d.get('b') }}{{ d.get('b', 3) }}{{ d.keys() | list }}{{ d.values() | "
        "list }}",
        "1None3['a'][1]");
    row("{% set l = [1] %}{% do l.append(2) %}{% set _ = l.append(3) %}{{ l }}{{ l.pop() }}{{ l.index(2) }}",
        "[1, 2, 3]31");
    row("{{ dict(a=1, b=2) }}{{ {1: 'x'}[1] }}", "{'a': 1, 'b': 2}x");
    // Filters
    row("{{ nothing | default('d') }}{{ '' | default('e') }}{{ '' | default('f', true) }}{{ none | d('g') }}",
        "dfNone");
    row("{{ [3,1,2] | sort }}{{ ['b','A'] | sort }}{{ [1,2] | sort(reverse=true) }}{{ [{'n': 2}, {'n': 1}] | "
        "sort(attribute='n') }}",
        "[1, 2, 3]['A', 'b'][2, 1][{'n': 1}, {'n': 2}]");
    row("{{ {'b': 1, 'a': 2} | dictsort }}{{ {'b': 1, 'a': 2} | dictsort(by='value') }}",
        "[('a', 2), ('b', 1)][('b', 1), ('a', 2)]");
    row("{{ [1,2,3,4] | select('even') | list }}{{ [1,2,3] | reject('equalto', 2) | list }}{{ ['', 'x'] | select | "
        "list }}",
        "[2, 4][1, 3]['x']");
    row("{{ messages | selectattr('role', 'equalto', 'user') | map(attribute='content') | join(',') }}", "Hi");
    row("{{ messages | rejectattr('flag') | map(attribute='role') | list }}{{ ['a'] | map('upper') | first }}",
        "['user']A");
    row("{{ messages | map(attribute='n', default=0) | sum }}{{ [1, 5, 3] | max }}{{ [2, 1] | min }}", "551");
    row("{{ [1,1,2] | unique | list }}{{ [1,2,3] | batch(2, 0) | list }}{{ [1,2,3] | slice(2) | list }}",
        "[1, 2][[1, 2], [3, 0]][[1, 2], [3]]");
    row("{% for g, l in messages | groupby('role') %}{{ g }}{{ l | length }}{% endfor %}", "assistant1user1");
    row("{{ 'a\\n\\nb' | indent }}|{{ 'a\\nb' | indent(2, true) }}|{{ 'a\\nb' | indent('> ') }}",
        "a\n\n    b|  a\n  b|a\n> b");
    row("{{ '12' | int + 1 }}{{ 'x' | int(7) }}{{ '0x' | int }}{{ 'ff' | int(0, 16) }}{{ 3.9 | int }}{{ '2.5' | float "
        "}}",
        "137025532.5");
    row("{{ 2.567 | round(2) }}{{ 2.1 | round(0, 'ceil') }}{{ -3 | abs }}", "2.573.03");
    row("{{ 'abc' | first }}{{ [1,2] | last }}{{ 'abc' | reverse }}{{ [1,2] | reverse | list }}{{ 'héé' | length }}",
        "a2cba[2, 1]3");
    row("{{ '<&>' | e }}{{ 'a b/ü' | urlencode }}{{ 'one two three' | truncate(9, leeway=0) }}{{ 'a b' | wordcount }}",
        "&lt;&amp;&gt;a%20b/%C3%BCone...2");
    row("{{ tools | tojson }}", "[{\"b\": 1, \"a\": {\"x\": [true, null, -2.0]}}]");
    row("{{ tools | tojson(indent=2) }}",
        "[\n  {\n    \"b\": 1,\n    \"a\": {\n      \"x\": [\n        true,\n        null,\n        -2.0\n      ]\n    "
        "}\n  }\n]");
    row("{{ 'a\"\\\\\\n\\u0001é' | tojson }}{{ {'b': 1, 'a': 2} | tojson(sort_keys=true, separators=(',', ':')) }}{{ "
        "[] | tojson }}",
        "\"a\\\"\\\\\\n\\u0001é\"{\"a\":2,\"b\":1}[]");
    row("{{ 'x' | upper | lower }}{{ 'a' | center(3) }}|{{ 5 | string + '!' }}{{ 'ab' | list }}", "x a |5!['a', 'b']");
    row("{{ {'a': 1} | items | list }}{{ ' x ' | trim }}{{ '__x_' | trim('_') }}", "[('a', 1)]xx");
    row("{{ '<a>' | safe + '<b>' + '\"' }}{{ '<a>' | safe ~ '&' }}{{ '<a>' + ('<b>' | e) }}{{ '<a>' | safe }}",
        "<a>&lt;b&gt;&#34;<a>&amp;&lt;a&gt;&lt;b&gt;<a>");
    // Tests
    row("{{ 1 is number }}{{ 1.5 is float }}{{ 1 is integer }}{{ true is integer }}{{ 'x' is string }}{{ none is none "
        "}}",
        "TrueTrueTrueFalseTrueTrue");
    row("{{ {} is mapping }}{{ [] is sequence }}{{ 'x' is iterable }}{{ 5 is iterable }}{{ true is boolean }}",
        "TrueTrueTrueFalseTrue");
    row("{{ 4 is divisibleby 2 }}{{ 3 is odd }}{{ 3 is not even }}{{ 2 is in [1, 2] }}{{ 1 is eq 1 and 2 is gt(1) }}",
        "TrueTrueTrueTrueTrue");
    row("{{ messages[0].none is none }}{{ messages[0].nothing is undefined }}{{ range is callable }}{{ 1 is true }}",
        "TrueTrueTrueFalse");
    // Time
    row("{{ strftime_now('%Y-%m-%d %H:%M:%S|%d %b %Y|%A %B %-d|%j %p %I|%y%%') }}",
        "2026-11-29 08:05:09|29 Nov 2026|Sunday November 29|333 AM 08|26%");
    row("{{ strftime_now('%-Z%-%%c') }}", "%Sun Nov 29 08:05:09 2026");
    row("{% set j = joiner(', ') %}{{ j() }}a{{ j() }}b", "a, b");
}

void TestJinja::evaluates()
{
    QFETCH(QString, source);
    QFETCH(QString, expected);
    const auto text = render(source.toStdString());
    QVERIFY2(text, text ? "" : text.error().detail.c_str());
    QCOMPARE(QString::fromStdString(*text), expected);
}

void TestJinja::errorsTellWhere_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* source, const char* where, const char* what) {
        QTest::newRow(QByteArray(source).replace('\n', "\\n").constData())
            << QString::fromUtf8(source) << QString(where) << QString(what);
    };
    row("{{ 1 + }}", "1:8", "expected an expression instead of '}}'");
    row("a\nbé{{ $ }}", "2:6", "unexpected character '$'");
    row("x\n  {% if a %}", "2:13", "expected 'endif' before the end of the template");
    row("{% fi %}", "1:4", "the statement 'fi' is not known");
    row("{{ 'abc }}", "1:4", "a string has no end");
    row("\n{{ a", "2:1", "a tag has no end");
    row("{# a", "1:1", "a comment has no end");
    row("{% raw %} x", "1:10", "'raw' has no 'endraw'");
    row("{{ (1 ] }}", "1:7", "unexpected ']'");
    row("{% for x in y %}{% endif %}", "1:20", "the statement 'endif' is not known");
    row("{% break %}", "1:10", "'break' outside of a loop");
    row("{% set 1 = 2 %}", "1:8", "this cannot be assigned to");
    row("{{ 99999999999999999999 }}", "1:4", "is too large");
    row("{% if true %}\n {{ nothing.x }}{% endif %}", "2:12", "'nothing' is undefined");
    row("{{ messages[0].nothing.x }}", "1:23", "'nothing' is undefined");
    row("{{ nothing + 1 }}", "1:12", "'nothing' is undefined");
    row("{{ 1 + 'a' }}", "1:6", "'+' does not take 'integer' and 'string'");
    row("{{ 'a' | nofilter }}", "1:10", "there is no filter 'nofilter'");
    row("{{ 'a' is notest }}", "1:11", "there is no test 'notest'");
    row("{{ nofunction(1) }}", "1:4", "'nofunction' is undefined");
    row("{{ 'a'.nomethod() }}", "1:7", "has no method 'nomethod'");
    row("{{ 1 // 0 }}", "1:6", "division by zero");
    row("{{ 9223372036854775807 + 1 }}", "1:24", "a number is too large");
    row("{{ [3, 'a'] | sort }}", "1:15", "cannot be ordered");
    row("{% for x in 5 %}{% endfor %}", "1:13", "cannot be walked");
    row("{% set messages.x = 1 %}", "1:16", "only members of a namespace can be set");
    row("{% set a, b = [1] %}", "1:8", "expected 2 values to assign, not 1");
    row("\n{{ raise_exception('No ' ~ 'tools!') }}", "2:4", "No tools!");
    row("{{ nothing | tojson }}", "1:14", "cannot be written as JSON");
    row("{{ strftime_now('%Q') }}", "1:4", "does not know %Q");
    row("{% include 'x' %}", "1:4", "the statement 'include' is not known");
}

void TestJinja::errorsTellWhere()
{
    QFETCH(QString, source);
    QFETCH(QString, where);
    QFETCH(QString, what);
    const auto text = render(source.toStdString());
    QVERIFY(!text);
    const Error& error = text.error();
    QCOMPARE(error.code, ErrorCode::BadTemplate);
    QVERIFY2(QString::fromStdString(error.detail).contains(what), error.detail.c_str());
    QVERIFY(
        QString::fromUtf8(error.parameter("what").data(), qsizetype(error.parameter("what").size())).contains(what));
    QCOMPARE(
        QString::fromStdString(std::string(error.parameter("line")) + ":" + std::string(error.parameter("column"))),
        where);
}

void TestJinja::endsAtALimit_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const std::string& source, const char* what) {
        QTest::newRow(name) << QString::fromStdString(source) << QString(what);
    };
    row("loops in loops", "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "steps");
    row("one large range", "{{ range(999999999999) }}", "steps");
    row("output", "{% for a in range(99999) %}{{ 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' }}{% endfor %}",
        "output");
    row("doubling string",
        "{% set n = namespace(s='xxxxxxxx') %}{% for a in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}", "memory");
    row("doubling list", "{% set n = namespace(s=[1]) %}{% for a in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}",
        "");
    row("repeated string", "{{ 'x' * 99999999999 }}", "");
    row("repeated list", "{{ [1] * 99999999999 }}", "");
    row("wide field", "{{ 'x'.center(99999999999) }}{{ '%999999999d' % 1 }}", "");
    row("wide indent", "{{ 'x\\ny' | indent(99999999999) }}", "memory");
    row("many strings",
        "{% set n = namespace(l=[]) %}{% for a in range(999999) %}{% set _ = n.l.append('x' ~ a) %}{% endfor %}", "");
    row("recursion", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "depth");
    row("mutual recursion", "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
        "depth");
    row("recursive loop",
        "{% set n = namespace() %}{% set n.l = [1] %}{% for x in n.l recursive %}{{ loop(n.l) }}{% endfor %}", "depth");
    row("nested value", "{% set n = namespace(l=[]) %}{% for a in range(99999) %}{% set n.l = [n.l] %}{% endfor %}",
        "depth");
    row("nested parentheses", "{{ " + nested("(", 5000, "1", ")") + " }}", "depth");
    row("nested lists", "{{ " + nested("[", 5000, "1", "]") + " }}", "depth");
    row("nested blocks", nested("{% if true %}", 5000, "1", "{% endif %}"), "depth");
    row("chain of sums", "{{ 1" + nested(" + 1", 5000, "", "") + " }}", "depth");
    row("chain of members", "{{ a" + nested(".a", 5000, "", "") + " }}", "depth");
    row("chain of filters", "{{ a" + nested(" | trim", 5000, "", "") + " }}", "depth");
    row("chain of signs", "{{ " + nested("-", 5000, "1", "") + " }}", "depth");
    row("chain of nots", "{{ " + nested("not ", 5000, "1", "") + " }}", "depth");
    row("chain of elses", "{{ " + nested("1 if 0 else ", 5000, "1", "") + " }}", "depth");
    row("shared lists",
        "{% set n = namespace(a=[1], b=[1]) %}{% for i in range(60) %}{% set n.a = [n.a, n.a] %}"
        "{% set n.b = [n.b, n.b] %}{% endfor %}{{ n.a == n.b }}",
        "steps");
    row("characters of a long text",
        "{% set t = 'é' * 500000 %}{% for i in range(100000) %}{% set x = t[i] %}{% endfor %}", "steps");
    row("replace", "{{ ('x' * 1000000) | replace('x', 'y' * 1000) }}", "");
    row("power", "{% set n = namespace(x=3) %}{% for i in range(9999999) %}{% set n.x = n.x ** 1 %}{% endfor %}",
        "steps");
}

void TestJinja::endsAtALimit()
{
    QFETCH(QString, source);
    QFETCH(QString, what);
    QElapsedTimer timer;
    timer.start();
    const auto text = render(source.toStdString());
    const qint64 elapsed = timer.elapsed();
    QVERIFY(!text);
    QCOMPARE(text.error().code, ErrorCode::TemplateLimit);
    if (!what.isEmpty()) {
        QCOMPARE(QString::fromStdString(std::string(text.error().parameter("what"))), what);
    }
    if (elapsed > 100) {
        qInfo("%lld ms", elapsed);
    }
    QVERIFY(elapsed < 5000); // about 100 ms, unless the machine is busy or a sanitizer is on
}

void TestJinja::cyclesAreHarmless_data()
{
    QTest::addColumn<QString>("source");
    QTest::newRow("namespace") << "{% set n = namespace() %}{% set n.n = n %}{{ n == n }}";
    QTest::newRow("printed namespace") << "{% set n = namespace() %}{% set n.n = n %}{{ n }}";
    QTest::newRow("json") << "{% set n = namespace() %}{% set n.n = n %}{{ n | tojson }}";
    QTest::newRow("list") << "{% set l = [] %}{% do l.append(l) %}{{ l }}";
    QTest::newRow("equal lists")
        << "{% set l = [] %}{% do l.append(l) %}{% set k = [] %}{% do k.append(k) %}{{ l == k }}";
    QTest::newRow("ordered lists")
        << "{% set l = [] %}{% do l.append(l) %}{% set k = [] %}{% do k.append(k) %}{{ l < k }}";
    QTest::newRow("loop") << "{% for x in [1] %}{% set _ = loop.changed(loop) %}{% endfor %}";
    QTest::newRow("macro")
        << "{% set n = namespace() %}{% macro m() %}{{ n.m is defined }}{% endmacro %}{% set n.m = m %}{{ n.m() }}";
    QTest::newRow("macro of a past loop")
        << "{% set n = namespace() %}{% for x in [1] %}{% macro m() %}{{ x }}{% endmacro %}"
           "{% set n.m = m %}{% endfor %}{{ n.m() }}";
    QTest::newRow("loop after its end")
        << "{% set n = namespace() %}{% for x in [1] recursive %}{% set n.l = loop %}{% endfor %}"
           "{{ n.l.index }}{{ n.l.nextitem }}{{ n.l(n.l) }}";
    QTest::newRow("chain of namespaces")
        << "{% set n = namespace(t=namespace()) %}{% for i in range(20000) %}{% set t = n.t %}"
           "{% set k = namespace() %}{% set t.next = k %}{% set n.t = k %}{% endfor %}";
    QTest::newRow("list changed in its own loop")
        << "{% set l = [1, 2] %}{% for x in l %}{% do l.append(x) %}{% endfor %}{{ l }}";
}

void TestJinja::cyclesAreHarmless()
{
    QFETCH(QString, source);
    const auto text = render(source.toStdString()); // what matters is that it ends, and leaks nothing
    QVERIFY(text || !text.error().detail.empty());
}

void TestJinja::everyPrefixIsHarmless()
{
    const std::string_view source =
        "{%- macro m(a, b='x') -%}{{ a[1:2] | default(b) ~ {'k': [1, 2.5]}['k'] }}{%- endmacro %}"
        "{% for k, v in messages[0].items() if k is string recursive %}{{ loop.index }}{% else %}"
        "{% endfor %}{% set ns = namespace(x=1) %}{% set ns.x = m('\\u00e9') if not false else 2 %}"
        "{# c #}{% raw %}{{{% endraw %}{% call m(1) %}{% endcall %}{% filter upper %}{% endfilter %}";
    QVERIFY(render(source));
    for (size_t length = 0; length < source.size(); ++length) {
        static_cast<void>(render(source.substr(0, length)));
        std::string without(source);
        without.erase(length, 1);
        static_cast<void>(render(without));
    }
}

void TestJinja::oneProgramServesManyThreads()
{
    const auto chat = ChatTemplate::compile("{% macro m(x) %}{{ x | upper }}{% endmacro %}{% for i in range(50) %}"
                                            "{{ m(messages[0].content ~ i) }}{% endfor %}");
    QVERIFY(chat);
    TemplateInput input;
    input.messages = Json::array({{{"role", "user"}, {"content", "a"}}});
    const auto expected = chat->render(input);
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                wrong += *chat->render(input) != *expected;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    QCOMPARE(wrong.load(), 0);
}

QTEST_GUILESS_MAIN(TestJinja)
#include "tst_jinja.moc"

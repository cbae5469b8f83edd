#include "chat/mathtext.h"

#include <QHash>

namespace kvasir {

namespace {

const QHash<QString, QString>& symbols()
{
    static const QHash<QString, QString> table = [] {
        QHash<QString, QString> t;
        // name symbol name symbol ...
        const QString list = QStringLiteral(
            "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ "
            "lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω "
            "Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω "
            "times × cdot · div ÷ pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗ odot ⊙ "
            "le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫ "
            "in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪ cap ∩ setminus ∖ emptyset ∅ "
            "varnothing ∅ forall ∀ exists ∃ neg ¬ lnot ¬ land ∧ wedge ∧ lor ∨ vee ∨ "
            "to → rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ implies ⇒ "
            "iff ⇔ mapsto ↦ uparrow ↑ downarrow ↓ longrightarrow ⟶ "
            "sum ∑ prod ∏ int ∫ iint ∬ oint ∮ partial ∂ nabla ∇ infty ∞ sqrt √ angle ∠ perp ⊥ parallel ∥ mid ∣ "
            "ldots … cdots ⋯ dots … vdots ⋮ ddots ⋱ prime ′ degree ° hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ dagger † "
            "langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lVert ‖ rVert ‖ Vert ‖ | ‖ vert | lvert | rvert | "
            "top ⊤ bot ⊥ vdash ⊢ models ⊨ therefore ∴ because ∵ square □ triangle △ checkmark ✓");
        const QStringList words = list.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (qsizetype i = 0; i + 1 < words.size(); i += 2)
            t.insert(words[i], words[i + 1]);
        return t;
    }();
    return table;
}

// Empty where some character has no raised or lowered form.
QString shifted(const QString& text, bool up)
{
    static const QString plainUp = QStringLiteral("0123456789+-=()nixyabcdefghjklmoprstuvwzTABDEGHIJKLMNOPRUVW");
    static const QString up_ = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣʸᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷᶻᵀᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵁⱽᵂ");
    static const QString plainDown = QStringLiteral("0123456789+-=()aehijklmnoprstuvx");
    static const QString down = QStringLiteral("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ");
    QString result;
    for (QChar c : text) {
        if (c == QLatin1Char(' '))
            continue;
        const qsizetype at = (up ? plainUp : plainDown).indexOf(c);
        if (at < 0)
            return {};
        result += (up ? up_ : down)[at];
    }
    return result;
}

class MathReader {
public:
    explicit MathReader(QStringView latex)
        : m_in(latex)
    {
    }

    // Until the end, or the brace that closes the group which `depth` > 0 is inside of.
    QString read(int depth)
    {
        QString out;
        while (m_at < m_in.size()) {
            const QChar c = m_in[m_at];
            if (c == QLatin1Char('}')) {
                if (depth > 0)
                    return out;
                ++m_at;
            } else if (c == QLatin1Char('^') || c == QLatin1Char('_')) {
                ++m_at;
                const QString body = argument(depth);
                const QString small = shifted(body, c == QLatin1Char('^'));
                out += !small.isEmpty() || body.isEmpty() ? small : c + grouped(body);
            } else if (c == QLatin1Char('~') || c.isSpace()) {
                ++m_at;
                space(out);
            } else if (c == QLatin1Char('&')) {
                ++m_at;
                space(out);
            } else if (c == QLatin1Char('{') || c == QLatin1Char('\\')) {
                out += argument(depth);
            } else {
                out += c;
                ++m_at;
            }
        }
        return out;
    }

private:
    static constexpr int kMaxDepth = 64; // hostile nesting ends as plain text

    static void space(QString& out)
    {
        if (!out.isEmpty() && !out.endsWith(QLatin1Char(' ')))
            out += QLatin1Char(' ');
    }

    static QString grouped(const QString& body) { return body.size() <= 1 ? body : QStringLiteral("(%1)").arg(body); }

    // One token or {group}.
    QString argument(int depth)
    {
        while (m_at < m_in.size() && m_in[m_at] == QLatin1Char(' '))
            ++m_at;
        if (m_at >= m_in.size())
            return {};
        if (m_in[m_at] == QLatin1Char('{') && depth < kMaxDepth) {
            ++m_at;
            const QString body = read(depth + 1);
            if (m_at < m_in.size())
                ++m_at; // the closing brace
            return body;
        }
        if (m_in[m_at] == QLatin1Char('\\') && depth < kMaxDepth)
            return command(depth + 1);
        if (m_in[m_at] == QLatin1Char('}'))
            return {};
        return QString(m_in[m_at++]);
    }

    QString command(int depth)
    {
        ++m_at; // the backslash
        if (m_at >= m_in.size())
            return QStringLiteral("\\");
        const qsizetype start = m_at;
        while (m_at < m_in.size() && m_in[m_at].isLetter() && m_in[m_at].unicode() < 128)
            ++m_at;
        if (m_at == start) {
            const QChar c = m_in[m_at++];
            if (c == QLatin1Char('\\'))
                return QStringLiteral("; ");
            if (QStringLiteral(",;:! ").contains(c))
                return c == QLatin1Char('!') ? QString() : QStringLiteral(" ");
            return c == QLatin1Char('|') ? QStringLiteral("‖") : QString(c);
        }
        const QString name = m_in.mid(start, m_at - start).toString();
        if (name == QLatin1String("frac") || name == QLatin1String("dfrac") || name == QLatin1String("tfrac")) {
            const QString above = argument(depth), below = argument(depth);
            return grouped(above) + QChar(0x2044) + grouped(below);
        }
        if (name == QLatin1String("sqrt"))
            return QChar(0x221a) + grouped(argument(depth));
        static const QStringList wrappers{"text", "mathrm", "mathbf", "mathit", "mathcal", "mathbb", "mathsf", "textbf",
            "textit", "boxed", "operatorname", "bm", "vec", "hat", "bar", "tilde", "overline", "boldsymbol", "textrm",
            "mathtt", "texttt", "underline"};
        if (wrappers.contains(name))
            return wrapped(name, argument(depth));
        if (name == QLatin1String("begin") || name == QLatin1String("end")) {
            argument(depth);
            return {};
        }
        static const QStringList silent{"left", "right", "big", "Big", "bigg", "Bigg", "limits", "quad", "qquad",
            "displaystyle", "textstyle", "nonumber"};
        if (silent.contains(name))
            return name.endsWith(QLatin1String("quad")) ? QStringLiteral("  ") : QString();
        const auto symbol = symbols().constFind(name);
        return symbol != symbols().constEnd() ? *symbol : name; // sin, log, max ... are read as they are
    }

    static QString wrapped(const QString& name, const QString& body)
    {
        static const QHash<QString, char16_t> accents{
            {"vec", u'\u20d7'}, {"hat", u'\u0302'}, {"bar", u'\u0304'}, {"overline", u'\u0304'}, {"tilde", u'\u0303'}};
        const auto accent = accents.constFind(name);
        if (accent != accents.constEnd() && body.size() == 1)
            return body + QChar(*accent);
        if (name == QLatin1String("mathbb") && body.size() == 1) {
            const qsizetype at = QStringLiteral("NZQRCPHE").indexOf(body[0]);
            if (at >= 0 && at < 7)
                return QStringLiteral("ℕℤℚℝℂℙℍ").mid(at, 1);
        }
        return body;
    }

    QStringView m_in;
    qsizetype m_at = 0;
};

} // namespace

QString mathToUnicode(QStringView latex)
{
    const QString result = MathReader(latex).read(0).trimmed();
    return result.isEmpty() ? latex.toString() : result;
}

} // namespace kvasir

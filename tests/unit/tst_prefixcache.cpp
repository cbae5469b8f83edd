#include "session/prefixcache.h"

#include <QtTest>

#include <numeric>

using namespace kvasir;

namespace {

KvShape shape()
{
    KvShape small;
    small.layers = 1;
    small.kvHeads = 1;
    small.head.headSize = 16;
    return small;
}

std::vector<TokenId> counting(int count, TokenId first = 0)
{
    std::vector<TokenId> tokens(static_cast<size_t>(count));
    std::iota(tokens.begin(), tokens.end(), first);
    return tokens;
}

} // namespace

class TestPrefixCache : public QObject {
    Q_OBJECT

    MemoryLedger m_ledger;
    std::unique_ptr<BlockPool> m_pool;

    BlockTable filled(int tokens)
    {
        BlockTable table(*m_pool);
        if (!table.reserve(tokens)) {
            qFatal("the pool is too small");
        }
        table.advance(tokens);
        return table;
    }

private slots:
    void init() { m_pool = std::make_unique<BlockPool>(shape(), 64, m_ledger); }

    void findsTheLongestPrefix()
    {
        PrefixCache cache(64);
        std::vector<TokenId> other = counting(60);
        other[30] = 999;
        cache.keep(counting(40), filled(40));
        cache.keep(other, filled(60));
        QCOMPARE(cache.sequences(), size_t{2});
        QCOMPARE(cache.match(counting(100), 99), 40);
        QCOMPARE(cache.match(other, 59), 59);
        QCOMPARE(cache.match(counting(100), 20), 20);
        QCOMPARE(cache.match(counting(100, 500), 99), 0);
        const BlockTable table = cache.fork(counting(100), 40);
        QCOMPARE(table.length(), 40);
    }

    void shortPrefixesAreNotWorthIt()
    {
        PrefixCache cache(64);
        cache.keep(counting(PrefixCache::kLeastTokens - 1), filled(PrefixCache::kLeastTokens - 1));
        QCOMPARE(cache.sequences(), size_t{0});
        QCOMPARE(m_pool->blocksInUse(), 0);
        cache.keep(counting(40), filled(40));
        std::vector<TokenId> prompt = counting(40);
        prompt[10] = 999;
        QCOMPARE(cache.match(prompt, 39), 0);
    }

    void aLongerSequenceReplacesItsPrefix()
    {
        PrefixCache cache(64);
        cache.keep(counting(40), filled(40));
        cache.keep(counting(90), filled(90));
        QCOMPARE(cache.sequences(), size_t{1});
        QCOMPARE(cache.blocks(), 6);
        cache.keep(counting(40), filled(40)); // nothing new
        QCOMPARE(cache.sequences(), size_t{1});
        QCOMPARE(m_pool->blocksInUse(), 6);
    }

    void keepsNoMoreBlocksThanAllowedAndDropsTheOldestUse()
    {
        PrefixCache cache(8);
        cache.keep(counting(48, 0), filled(48));
        cache.keep(counting(48, 1000), filled(48));
        (void)cache.fork(counting(48, 0), 48); // used again: the other one is older now
        cache.keep(counting(48, 2000), filled(48));
        QCOMPARE(cache.sequences(), size_t{2});
        QCOMPARE(cache.match(counting(60, 0), 59), 48);
        QCOMPARE(cache.match(counting(60, 1000), 59), 0);
        QVERIFY(cache.blocks() <= 8);
        QCOMPARE(m_pool->blocksInUse(), cache.blocks());
        cache.keep(counting(400, 5000), filled(400)); // larger than everything allowed
        QCOMPARE(cache.match(counting(400, 5000), 399), 0);
        while (cache.dropOldest()) { }
        QCOMPARE(m_pool->blocksInUse(), 0);
    }

    void countsWhatDroppingWouldFree()
    {
        PrefixCache cache(64);
        cache.keep(counting(48), filled(48));
        QCOMPARE(cache.exclusiveBlocks(), 3);
        const BlockTable user = cache.fork(counting(48), 32);
        QCOMPARE(cache.exclusiveBlocks(), 1);
    }

    void dropsWhatIsInUseWithoutHarm()
    {
        PrefixCache cache(64);
        cache.keep(counting(48), filled(48));
        BlockTable user = cache.fork(counting(48), 40);
        QVERIFY(cache.dropOldest());
        QVERIFY(!cache.dropOldest());
        QCOMPARE(m_pool->blocksInUse(), 3);
        user.clear();
        QCOMPARE(m_pool->blocksInUse(), 0);
    }
};

QTEST_GUILESS_MAIN(TestPrefixCache)
#include "tst_prefixcache.moc"

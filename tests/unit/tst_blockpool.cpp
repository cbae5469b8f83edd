#include "cache/blockpool.h"
#include "cache/blocktable.h"

#include <QTest>

#include <cstring>

using namespace kvasir;

class BlockPoolTest : public QObject {
    Q_OBJECT

private slots:
    void growsInSlabsAndGivesEmptyOnesBack();
    void refusesBlocksBeyondItsCapacity();
    void countsWrittenPositionsOnce();
    void sharesBlocksUntilOneSequenceWrites();
    void truncatesToAnyLength();
    void keepsATableAsItWasWhenBlocksRunOut();
    void reusesBlocksWithoutNewMemory();
    void countsWithoutMemoryOnADryLedger();
    void placesHeadsApart();
};

namespace {

constexpr size_t kSlab = size_t{2} << 20;

/// A block of 4096 x layers bytes.
KvShape smallShape(int layers = 1)
{
    return {layers, 1, {TensorType::F16, TensorType::F16, 64}};
}

} // namespace

void BlockPoolTest::growsInSlabsAndGivesEmptyOnesBack()
{
    MemoryLedger ledger;
    BlockPool pool(smallShape(100), 12, ledger); // 6 blocks a slab: 2 MiB are 5.12 blocks
    const size_t slab = 6 * pool.shape().blockBytes();
    QCOMPARE(ledger.use()[MemoryTag::KvReserved], size_t{0});
    BlockTable table(pool);
    QVERIFY(table.reserve(16));
    QCOMPARE(ledger.use()[MemoryTag::KvReserved], slab);
    QVERIFY(table.reserve(6 * 16));
    QCOMPARE(ledger.use()[MemoryTag::KvReserved], slab);
    QVERIFY(table.reserve(6 * 16 + 1));
    QCOMPARE(ledger.use()[MemoryTag::KvReserved], 2 * slab);
    QCOMPARE(pool.blocksInUse(), 7);
    table.truncate(0);
    QCOMPARE(pool.blocksInUse(), 0);
    QCOMPARE(ledger.use()[MemoryTag::KvReserved], size_t{0});
    QCOMPARE(ledger.peak(), 2 * slab);
}

void BlockPoolTest::refusesBlocksBeyondItsCapacity()
{
    MemoryLedger ledger;
    BlockPool pool(smallShape(), 3, ledger);
    BlockTable table(pool);
    QVERIFY(table.reserve(48));
    const auto result = table.reserve(49);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::OutOfMemory);
    QCOMPARE(pool.blocksLeft(), 0);
}

void BlockPoolTest::countsWrittenPositionsOnce()
{
    MemoryLedger ledger;
    BlockPool pool(smallShape(), 100, ledger);
    const size_t token = pool.shape().tokenBytes();
    QCOMPARE(token, size_t{64 * 2 * 2});
    BlockTable a(pool);
    QVERIFY(a.reserve(40));
    QCOMPARE(ledger.use()[MemoryTag::KvUsed], size_t{0});
    a.advance(20);
    QCOMPARE(ledger.use()[MemoryTag::KvUsed], 20 * token);
    {
        BlockTable b = a.fork();
        QCOMPARE(ledger.use()[MemoryTag::KvUsed], 20 * token);
        QVERIFY(b.reserve(21)); // copies the block with positions 16..19
        b.advance(1);
        QCOMPARE(ledger.use()[MemoryTag::KvUsed], (20 + 5) * token);
    }
    QCOMPARE(ledger.use()[MemoryTag::KvUsed], 20 * token);
    a.clear();
    QCOMPARE(ledger.use()[MemoryTag::KvUsed], size_t{0});
}

void BlockPoolTest::sharesBlocksUntilOneSequenceWrites()
{
    MemoryLedger ledger;
    BlockPool pool(smallShape(), 100, ledger);
    BlockTable a(pool);
    QVERIFY(a.reserve(24));
    a.advance(24);
    std::memset(a.data()[1], 7, pool.shape().blockBytes());
    BlockTable b = a.fork();
    QCOMPARE(pool.blocksInUse(), 2);
    QCOMPARE(pool.references(a.blocks()[0]), 2);
    QCOMPARE(b.blocksNeeded(25), 1);
    QVERIFY(b.reserve(25));
    QCOMPARE(pool.blocksInUse(), 3);
    QVERIFY(a.blocks()[0] == b.blocks()[0]);
    QVERIFY(a.blocks()[1] != b.blocks()[1]);
    QCOMPARE(std::memcmp(a.data()[1], b.data()[1], pool.shape().blockBytes()), 0);
    b.advance(1);
    // The first sequence is alone with its block again and needs no copy.
    QCOMPARE(a.blocksNeeded(25), 0);
    // A fork at a full block shares all and writes elsewhere.
    BlockTable full(pool);
    QVERIFY(full.reserve(16));
    full.advance(16);
    const BlockTable other = full.fork();
    QCOMPARE(other.blocksNeeded(17), 1);
    QCOMPARE(pool.references(full.blocks()[0]), 2);
}

void BlockPoolTest::truncatesToAnyLength()
{
    MemoryLedger ledger;
    BlockPool pool(smallShape(), 100, ledger);
    for (int length = 0; length <= 50; ++length) {
        BlockTable table(pool);
        QVERIFY(table.reserve(50));
        table.advance(50);
        table.truncate(length);
        QCOMPARE(table.length(), length);
        QCOMPARE(static_cast<int>(table.blocks().size()), (length + 15) / 16);
        QCOMPARE(ledger.use()[MemoryTag::KvUsed], static_cast<size_t>(length) * pool.shape().tokenBytes());
        QVERIFY(table.reserve(50));
        table.advance(50 - length);
        QCOMPARE(table.length(), 50);
    }
    QCOMPARE(pool.blocksInUse(), 0);
}

void BlockPoolTest::keepsATableAsItWasWhenBlocksRunOut()
{
    MemoryLedger ledger;
    BlockPool pool(smallShape(), 4, ledger);
    BlockTable a(pool);
    QVERIFY(a.reserve(24));
    a.advance(24);
    BlockTable b = a.fork();
    const BlockId shared = b.blocks()[1];
    QVERIFY(!b.reserve(80)); // a copy and three more, of which two are left
    QCOMPARE(pool.blocksInUse(), 2);
    QCOMPARE(b.length(), 24);
    QCOMPARE(b.blocks()[1], shared);
    QCOMPARE(pool.references(shared), 2);
    QVERIFY(b.reserve(48));
}

void BlockPoolTest::reusesBlocksWithoutNewMemory()
{
    MemoryLedger ledger;
    BlockPool pool(smallShape(), 10000, ledger);
    BlockTable keep(pool);
    QVERIFY(keep.reserve(16));
    const size_t reserved = ledger.use()[MemoryTag::KvReserved];
    QVERIFY(reserved >= kSlab);
    for (int i = 0; i < 100; ++i) {
        BlockTable table(pool);
        QVERIFY(table.reserve(16 * 100));
        table.advance(16 * 100);
    }
    QCOMPARE(ledger.use()[MemoryTag::KvReserved], reserved);
    QCOMPARE(ledger.peak(), reserved);
}

void BlockPoolTest::countsWithoutMemoryOnADryLedger()
{
    MemoryLedger dry(true);
    MemoryLedger wet;
    for (MemoryLedger* ledger : {&dry, &wet}) {
        BlockPool pool(smallShape(), 1000, *ledger);
        BlockTable table(pool);
        QVERIFY(table.reserve(16 * 600));
        table.advance(16 * 600);
        BlockTable other = table.fork();
        other.truncate(16 * 600 - 3);
        QVERIFY(other.reserve(16 * 600));
        QCOMPARE(table.data()[0] == nullptr, ledger->isDry());
    }
    QCOMPARE(dry.peak(), wet.peak());
    QCOMPARE(dry.use().total(), size_t{0});
}

void BlockPoolTest::placesHeadsApart()
{
    const KvShape shape{3, 2, {TensorType::F16, TensorType::F32, 24}};
    // Keys 16 x 24 halves, values 16 x 32 floats.
    QCOMPARE(shape.head.bytes(), size_t{16 * 24 * 2 + 16 * 32 * 4});
    QCOMPARE(shape.offset(0, 1), shape.head.bytes());
    QCOMPARE(shape.offset(2, 1), 5 * shape.head.bytes());
    QCOMPARE(shape.blockBytes(), 6 * shape.head.bytes());
}

QTEST_GUILESS_MAIN(BlockPoolTest)
#include "tst_blockpool.moc"

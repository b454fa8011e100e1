import DatastoreCore
import DatastoreTestSupport
import Testing

// Promise: two lists share chunks → only chunks that were edited are looked into.
/// What two lists of which one was made from the other share in memory, against plain arrays.
@Suite struct KeyChunksSharingTests {
  /// 20,000 keys, each once: runs, or keys that lie near or far apart.
  private static func keys(_ random: inout SeededRandom) -> [RowKey] {
    switch random.below(4) {
    case 0: return (0..<20_000).map { RowKey($0 - 400) }
    case 1: return (0..<20_000).map { RowKey($0 * 3) }.shuffled(using: &random)
    case 2: return (0..<20_000).map { RowKey($0 &* 0x7FFF_FFFF_1234) }
    default:
      var next: Int64 = 0
      return (0..<20_000).map { _ in
        next += random.below(1_000) == 0 ? 7 : 1
        return RowKey(next)
      }
    }
  }

  @Test func whatIsSharedIsTheSameAndOnlyWhatWasEditedIsNot() {
    var random = SeededRandom(seed: RandomCases.seed())
    for _ in RandomCases.rounds(of: 20) {
      let plain = Self.keys(&random)
      let old = KeyChunks(plain)
      var new = old
      var edited = plain
      let edits = random.below(8)
      for edit in 0..<edits {
        if random.below(2) == 0 {
          let index = random.below(edited.count)
          edited.remove(at: index)
          new.remove(at: index)
        } else {
          let index = random.below(edited.count + 1)
          let key = RowKey(Int64.max - Int64(edit))
          edited.insert(key, at: index)
          new.insert(key, at: index)
        }
      }
      let shared = old.rangesShared(with: new)
      var covered = 0
      for range in shared {
        #expect(
          plain[range.old..<range.old + range.count]
            .elementsEqual(edited[range.new..<range.new + range.count]), "seed \(random.seed)")
        covered += range.count
      }
      // A chunk has at most 4,096 keys.
      #expect(plain.count - covered <= edits * 4_096, "seed \(random.seed)")
      #expect(shared.map(\.old) == shared.map(\.old).sorted())
      #expect((old == new) == (plain == edited), "seed \(random.seed)")
    }
  }

  @Test func listsAreEqualHoweverTheyAreKept() {
    let list = KeyChunks((0..<10_000).map { RowKey($0) })
    #expect(list.rangesShared(with: list) == [.init(old: 0, new: 0, count: 10_000)])
    var other = list
    let key = other.remove(at: 5_000)
    #expect(other != list)
    other.insert(key, at: 5_000)
    // One is a run, the other is in pieces.
    #expect(other == list)
    var third = KeyChunks((0..<10_000).reversed().map { RowKey($0) })
    let fourth = third
    third[7_000] = -1
    #expect(third != fourth)
    third[7_000] = fourth[7_000]
    #expect(third == fourth)
    #expect(KeyChunks() == KeyChunks())
    #expect(KeyChunks().rangesShared(with: list).isEmpty)
  }

  @Test func aRangeIsUnpacked() {
    var random = SeededRandom(seed: RandomCases.seed(1))
    let plain = Self.keys(&random)
    let list = KeyChunks(plain)
    for _ in 0..<50 {
      let start = random.below(plain.count)
      let end = start + random.below(plain.count - start + 1)
      #expect(list.unpacked(start..<end).elementsEqual(plain[start..<end]), "seed \(random.seed)")
    }
  }
}

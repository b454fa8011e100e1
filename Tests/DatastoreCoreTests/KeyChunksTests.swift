import DatastoreCore
import DatastoreTestSupport
import Testing

/// The packed list of keys against a plain array.
@Suite struct KeyChunksTests {
  private static func keys(_ random: inout SeededRandom) -> [RowKey] {
    let count = Int.random(in: 0...9000, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return (0..<count).map { RowKey($0 - 4000) }
    case 1: return (0..<count).map { RowKey($0 * 3) }.shuffled(using: &random)
    case 2:
      return (0..<count).map { _ in
        RowKey(Int64.random(in: .min ... .max, using: &random))
      }
    case 3: return (0..<count).map { RowKey(Int64.max - Int64(count - 1 - $0)) }
    default:
      // Runs with gaps.
      var next: Int64 = 0
      return (0..<count).map { _ in
        next += Int.random(in: 0..<1000, using: &random) == 0 ? 7 : 1
        return RowKey(next)
      }
    }
  }

  @Test func aPackedListIsTheArrayThatItWasMadeOf() throws {
    var random = SeededRandom(seed: RandomCases.seed())
    for _ in 0..<60 {
      var plain = Self.keys(&random)
      var packed = KeyChunks(plain)
      for _ in 0..<40 {
        if !plain.isEmpty, Bool.random(using: &random) {
          let index = Int.random(in: plain.indices, using: &random)
          #expect(packed.remove(at: index) == plain.remove(at: index))
        } else {
          let index = Int.random(in: 0...plain.count, using: &random)
          let key = RowKey(Int64.random(in: -5000...20_000, using: &random))
          packed.insert(key, at: index)
          plain.insert(key, at: index)
        }
        if let index = plain.indices.randomElement(using: &random) {
          packed[index] = 77
          plain[index] = 77
        }
      }
      #expect(packed == plain, "seed \(random.seed)")
      #expect(packed.count == plain.count)
      for _ in 0..<20 {
        guard let index = plain.indices.randomElement(using: &random) else { break }
        #expect(packed[index] == plain[index])
        #expect(packed.firstIndex(of: plain[index]) == plain.firstIndex(of: plain[index]))
      }
      #expect(packed.firstIndex(of: RowKey(1 << 50)) == plain.firstIndex(of: RowKey(1 << 50)))
    }
  }

  @Test func aRangeIsAllItsKeysAndCanBeChanged() {
    var list = KeyChunks(1...1_000_000)
    #expect(list.count == 1_000_000)
    #expect(list[999_999] == 1_000_000)
    #expect(list.firstIndex(of: 500_000) == 499_999)
    #expect(list.firstIndex(of: 0) == nil)
    list.remove(at: 499_999)
    list.insert(-1, at: 0)
    list.insert(2_000_000, at: list.count)
    #expect(list.count == 1_000_001)
    #expect(list.firstIndex(of: 500_000) == nil)
    #expect(list.firstIndex(of: 500_001) == 500_000)
    #expect(list.first == -1)
    #expect(list.last == 2_000_000)
    let others = [RowKey](1...1_000_000).filter { $0 != 500_000 }
    #expect(list.dropFirst().dropLast().elementsEqual(others))
  }

  @Test func theGreatestKeysMakeARun() {
    let numbers = (Int64.max - 4999)...Int64.max
    let range = RowKey(numbers.lowerBound)...RowKey(numbers.upperBound)
    #expect(KeyChunks(range) == [RowKey](numbers))
    #expect(KeyChunks(range) == KeyChunks([RowKey](numbers)))
    let around = [Int64.max - 1, .max, .min, .min + 1].map { RowKey($0) }
    #expect(KeyChunks(around) == around)
  }
}

import DatastoreCore
import DatastoreTestSupport
import Testing

/// Lists of which only parts have been read, compared with an array of optional keys.
@Suite("Unread keys of a list")
struct UnreadKeysTests {
  private func expectSame(_ list: KeyChunks, _ model: [RowKey?], _ seed: UInt64) {
    #expect(list.count == model.count, "seed \(seed)")
    #expect(list.unreadCount == model.count { $0 == nil }, "seed \(seed)")
    #expect(list.isRead == model.allSatisfy { $0 != nil })
    let differs = model.indices.first { list.readKey(at: $0) != model[$0] }
    #expect(differs == nil, "seed \(seed)")
    #expect(
      list.readKeys.map(\.place) == model.indices.filter { model[$0] != nil }, "seed \(seed)")
    #expect(list.readKeys.map(\.key) == model.compactMap(\.self), "seed \(seed)")
  }

  @Test("Reading, forgetting and editing parts is what it is in an array")
  func againstAnArray() {
    for round in RandomCases.rounds(of: 100) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let count = random.below(15_000)
      var list = KeyChunks(unread: count)
      var model = [RowKey?](repeating: nil, count: count)
      for _ in 0..<40 {
        let low = random.below(model.count + 1)
        let range = low..<min(model.count, low + random.below(6_000))
        switch random.below(6) {
        case 0, 1, 2:
          let step = 1 + random.below(3)
          let keys = range.map { RowKey($0 * step) }
          list.replaceSubrange(range, with: KeyChunks(keys))
          model.replaceSubrange(range, with: keys)
        case 3:
          list.insert(-7, at: low)
          model.insert(-7, at: low)
        case 4:
          guard let place = model.indices.randomElement(using: &random), let key = model[place]
          else { continue }
          #expect(list.remove(at: place) == key)
          model.remove(at: place)
        default:
          // Released keys are unread; all others, and the range, are unchanged.
          var forgotten = list
          forgotten.forget(besides: range) { $0 == -7 }
          #expect(forgotten.count == list.count)
          var isKept = true
          for place in model.indices {
            let key = forgotten.readKey(at: place)
            let mustBeThere = range.contains(place) || model[place] == -7
            if mustBeThere || key != nil, key != model[place] { isKept = false }
            model[place] = key
          }
          #expect(isKept, "seed \(random.seed)")
          list = forgotten
        }
        let looked = range.clamped(to: 0..<model.count)
        let stretch = list.unreadStretch(in: looked)
        let first = looked.first { model[$0] == nil }
        #expect((stretch == nil) == (first == nil), "seed \(random.seed)")
        if let stretch, let first {
          #expect(stretch.contains(first))
          #expect(stretch.allSatisfy { model[$0] == nil })
          #expect(stretch.lowerBound == 0 || model[stretch.lowerBound - 1] != nil)
          #expect(stretch.upperBound == model.count || model[stretch.upperBound] != nil)
        }
      }
      expectSame(list, model, random.seed)
    }
  }

  @Test("What is forgotten takes no memory for each key, and leaves where to go on from")
  func forgetting() {
    var list = KeyChunks((0..<100_000).map { RowKey($0 * 3) })
    list.forget(besides: 50_000..<50_010) { _ in false }
    #expect(list.count - list.unreadCount < 2_048 + 100)
    #expect(list.readKey(at: 50_005) == 150_015)
    #expect(list.readKey(at: 0) == 0)
    let stretch = list.unreadStretch(in: 90_000..<90_001)
    #expect((stretch?.count).map { $0 < 2_048 } == true)
  }

  @Test("Lists of which different parts are known are different")
  func comparing() {
    var list = KeyChunks(unread: 10)
    #expect(list == KeyChunks(unread: 10))
    list.replaceSubrange(2..<4, with: [5, 6])
    #expect(list != KeyChunks(unread: 10))
    var same = KeyChunks(unread: 10)
    same.replaceSubrange(2..<4, with: [5, 6])
    #expect(list == same)
    #expect(list.hashValue == same.hashValue)
  }
}

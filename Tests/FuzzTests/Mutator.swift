import DatastoreTestSupport

/// Makes inputs that are nearly right: it changes seeds, crosses them, and strings words together.
struct Mutator {
  private var random: SeededRandom
  private let target: FuzzTarget

  init(_ target: FuzzTarget, seed: UInt64) {
    self.target = target
    random = SeededRandom(seed: seed)
  }

  /// The next input.
  mutating func next() -> [UInt8] {
    switch random.below(24) {
    case 0: return (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
    case 1...4: return (0..<1 + random.below(30)).flatMap { _ in Array(pick(target.words).utf8) }
    case 5: return repeated()
    default: break
    }
    var bytes = Array(pick(target.seeds).utf8)
    for _ in 0..<1 + random.below(6) { change(&bytes) }
    return Array(bytes.prefix(target.limit))
  }

  private mutating func pick(_ items: [String]) -> String { items[random.below(items.count)] }

  /// One word very often, which is how deep nesting is made.
  private mutating func repeated() -> [UInt8] {
    // The largest ones take longer than hundreds of others.
    let count = random.below(20) == 0 ? 20_000 : [3, 50, 150, 1_000][random.below(4)]
    let word = Array(pick(target.words).utf8)
    let middle = Array(pick(target.seeds).utf8.prefix(random.below(80)))
    let end = Array(pick(target.words).utf8)
    let repeated = repeatElement(word, count: count).joined()
    return Array(repeated) + middle + repeatElement(end, count: random.below(count)).joined()
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = random.below(bytes.count + 1)
    let end = min(bytes.count, place + 1 + random.below(12))
    switch random.below(8) {
    case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
    case 1: if place < bytes.count { bytes[place] = UInt8(random.below(256)) }
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
    case 4:
      let other = Array(pick(target.seeds).utf8)
      bytes = Array(bytes.prefix(place) + other.dropFirst(random.below(other.count + 1)))
    case 5: bytes.removeSubrange(place...)
    default: bytes.insert(contentsOf: Array(pick(target.words).utf8), at: place)
    }
  }
}

import DatastoreTestSupport

/// Damages database files like broken disks and malicious people: pages that are still pages, wrong numbers,
/// another schema.
struct FileMutator {
  private var random: SeededRandom
  private let files: [(name: String, bytes: [UInt8])]

  init(_ files: [(name: String, bytes: [UInt8])], seed: UInt64) {
    self.files = files
    random = SeededRandom(seed: seed)
  }

  /// The next file, and the name of its original.
  mutating func next() -> (name: String, bytes: [UInt8]) {
    let (name, whole) = files[random.below(files.count)]
    var bytes = whole
    for _ in 0..<1 + random.below(6) where !bytes.isEmpty { change(&bytes) }
    return (name, bytes)
  }

  private static let numbers: [UInt8] = [0, 1, 2, 5, 10, 13, 0x7F, 0x80, 0xFE, 0xFF]
  private static let words: [(String, String)] = [
    ("TABLE", "VIEW "), ("INTEGER", "TEXT   "), ("UNIQUE", "      "), ("NOT NULL", "        "),
    ("PRIMARY KEY", "CHECK (1=0)"), ("REFERENCES", "COLLATE xx"), ("SELECT", "VALUES"),
    ("name", "nope"), ("table", "index"), ("view", "tabl"), ("person", "team  "),
  ]

  private mutating func change(_ bytes: inout [UInt8]) {
    let size = pageSize(of: bytes)
    let pages = max(1, bytes.count / size)
    let page = random.below(pages) * size
    switch random.below(11) {
    case 0: flip(&bytes, random.below(bytes.count))
    // The bytes of a page that give its kind and the places of its cells.
    case 1...3: set(&bytes, page + random.below(min(64, size)))
    case 4: set(&bytes, random.below(min(100, bytes.count)))
    case 5: set(&bytes, page + random.below(size))
    case 6: replaceWord(&bytes)
    case 7:
      let other = random.below(pages) * size
      for index in 0..<size where page + index < bytes.count && other + index < bytes.count {
        bytes[page + index] = bytes[other + index]
      }
    case 8: bytes.removeLast(random.below(bytes.count))
    case 9: bytes += [UInt8](repeating: UInt8(random.below(256)), count: random.below(2 * size))
    default:
      for index in page..<min(page + size, bytes.count) where random.below(8) == 0 {
        bytes[index] = 0
      }
    }
  }

  private func pageSize(of bytes: [UInt8]) -> Int {
    guard bytes.count > 18 else { return 512 }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    return size >= 512 ? size : 65_536
  }

  private mutating func flip(_ bytes: inout [UInt8], _ place: Int) {
    bytes[place] ^= 1 << UInt8(random.below(8))
  }

  private mutating func set(_ bytes: inout [UInt8], _ place: Int) {
    guard place < bytes.count else { return }
    bytes[place] =
      random.below(3) == 0
      ? UInt8(random.below(256)) : Self.numbers[random.below(Self.numbers.count)]
  }

  /// A word of the schema's, or of a row's, becomes another one of the same length.
  private mutating func replaceWord(_ bytes: inout [UInt8]) {
    let (old, new) = Self.words[random.below(Self.words.count)]
    let pattern = Array(old.utf8)
    let places = bytes.indices.dropLast(pattern.count).filter { start in
      bytes[start] == pattern[0] && bytes[start..<start + pattern.count].elementsEqual(pattern)
    }
    guard !places.isEmpty else { return }
    let place = places[random.below(places.count)]
    bytes.replaceSubrange(
      place..<place + pattern.count, with: Array(new.utf8).prefix(pattern.count))
  }
}

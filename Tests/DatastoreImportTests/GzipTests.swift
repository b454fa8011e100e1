import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

// Promise: a compressed file is damaged or cut → a sentence, nothing loaded.
/// What the gzip program has compressed is read like what it was made of.
@Suite("Files that gzip has compressed")
struct GzipTests {
  /// Compresses by the program of the system.
  private func gzip(_ bytes: [UInt8], _ options: [String] = []) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    let file = directory.file("data")
    try Data(bytes).write(to: file)
    let compressed = directory.file("data.gz")
    let status = try spawn("/bin/gzip", options + ["-c", file.path], output: compressed)
    try #require(status == 0)
    return try [UInt8](Data(contentsOf: compressed))
  }

  private func decoded(
    _ bytes: [UInt8], pieces: Int = 1 << 16, outputSize: Int = 1 << 16
  ) throws -> [UInt8] {
    var rest = bytes[...]
    func next() -> [UInt8] {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      return piece
    }
    let decoder = GzipDecoder(next(), receive: next)
    var result: [UInt8] = []
    while true {
      let piece = try [UInt8](unsafeUninitializedCapacity: outputSize) { buffer, count in
        count = try decoder.decode(
          into: UnsafeMutableBufferPointer(rebasing: buffer[..<outputSize]))
      }
      if piece.isEmpty { return result }
      result += piece
    }
  }

  private static func bytes(_ random: inout SeededRandom) -> [UInt8] {
    let count = random.below(4) == 0 ? random.below(200_000) : random.below(2_000)
    switch random.below(4) {
    case 0: return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 1: return [UInt8](repeating: 7, count: count)
    case 2: return (0..<count / 8).flatMap { Array("row \($0 % 977),\n".utf8) }
    default:
      return (0..<count).map { _ in UInt8(ascii: "a") + UInt8(random.below(1 + random.below(26))) }
    }
  }

  @Test("Random data comes out as it went in, whatever the pieces and the kind of compression")
  func roundTrip() throws {
    for round in RandomCases.rounds(of: 50) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let bytes = Self.bytes(&random)
      let compressed = try gzip(bytes, ["-\(1 + random.below(9))"])
      let result = try decoded(
        compressed, pieces: 1 + random.below(300), outputSize: 1 + random.below(70_000))
      #expect(result == bytes, "round \(round): \(bytes.count) bytes")
    }
  }

  @Test("Files one behind the other are one, and what follows them is left out")
  func several() throws {
    let first = try gzip(Array("a,b\n".utf8))
    let second = try gzip(Array("1,2\n".utf8), ["-n"])
    #expect(try decoded(first + second) == Array("a,b\n1,2\n".utf8))
    #expect(try decoded(first + [0, 0, 0, 0]) == Array("a,b\n".utf8))
    #expect(try decoded(try gzip([])) == [])
  }

  @Test("Bytes that are not compressed: stored blocks")
  func stored() throws {
    // Made by hand: zlib's level 0 with two blocks.
    let block = { (last: UInt8, text: String) -> [UInt8] in
      let count = UInt16(text.utf8.count)
      return [last, UInt8(count & 0xFF), UInt8(count >> 8)]
        + [UInt8(~count & 0xFF), UInt8(~count >> 8)] + Array(text.utf8)
    }
    let whole = try gzip(Array("one two".utf8))
    let bytes = Array(whole[..<10]).enumerated().map { $0.offset == 3 ? 0 : $0.element }
    let trailer = whole.suffix(8)
    #expect(
      try decoded(bytes + block(0, "one ") + block(1, "two") + trailer) == Array("one two".utf8))
  }

  @Test("Damaged data is a fault, and never more")
  func damaged() throws {
    let text = (0..<300).flatMap { Array("row \($0),\($0 * 7 % 31)\n".utf8) }
    let compressed = try gzip(text)
    for end in stride(from: 4, to: compressed.count - 1, by: 7) {
      #expect(throws: GzipDecoder.Fault.self) { try decoded(Array(compressed[..<end])) }
    }
    for round in RandomCases.rounds(of: 4) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      var bytes = compressed
      let place = 10 + random.below(bytes.count - 10)
      bytes[place] ^= 1 << UInt8(random.below(8))
      do {
        // The bytes after the data may be anything.
        let result = try decoded(bytes)
        #expect(result == text, "round \(round)")
      } catch is GzipDecoder.Fault {
      }
    }
  }

  @Test("A compressed table is loaded like the table, under the name of the file in it")
  func load() async throws {
    let fixture = try LoadFixture()
    var text = "id,name\n"
    for row in 1...3_000 { text += "\(row),name \(row)\n" }
    let compressed = try gzip(Array(text.utf8))
    let file = fixture.directory.file("people.tsv.csv.GZ")
    try Data(compressed).write(to: file)
    #expect(try await fixture.load([file.path], batchSize: 500).report.inserted == 3_000)
    #expect(
      try SQLiteCommand.run("SELECT sum(id), max(name) FROM \"people.tsv\"", on: fixture.store)
        == "4501500|name 999")
  }

  @Test("A file that ends too early is told, and nothing of it is loaded")
  func truncated() async throws {
    let fixture = try LoadFixture()
    var text = "id,name\n"
    for row in 1...30_000 { text += "\(row),name \(row)\n" }
    let compressed = try gzip(Array(text.utf8))
    let file = fixture.directory.file("people.csv.gz")
    try Data(compressed.dropLast(1_000)).write(to: file)
    #expect(
      try await fixture.failure([file.path])
        == "people.csv.gz cannot be read: its compressed data ends too early.")
    #expect(!fixture.exists)
  }
}

import Basics
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreCore

/// Hexadecimal digits, UUIDs, quoted text and fingerprints, compared with the results of other libraries.
@Suite("Codecs of text")
struct TextCodecTests {
  private static let bytes = Array(UInt8.min...UInt8.max)

  @Test(
    "Bytes are the digits that Foundation and SQLite have for them, and digits of either case are the bytes"
  )
  func hexadecimal() throws {
    let upper = Hexadecimal.text(Self.bytes)
    #expect(upper == Self.bytes.map { String(format: "%02X", $0) }.joined())
    #expect(
      Hexadecimal.text(Self.bytes, Hexadecimal.lowercase)
        == Self.bytes.map { String(format: "%02x", $0) }.joined())
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "t.sqlite")
    #expect(try SQLiteFile.values("SELECT hex(x'\(upper.lowercased())')", in: file) == [upper])
    #expect(Hexadecimal.bytes(upper) == Self.bytes)
    #expect(Hexadecimal.bytes(upper.lowercased()[...]) == Self.bytes)
    #expect(Hexadecimal.bytes("") == [])
  }

  @Test(
    "What is not a pair of digits is not a byte",
    arguments: ["0", "000", "0g", "+1", "-1", " 1", "1 ", "０１", "0x1F", "é"])
  func noHexadecimal(text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
  }

  @Test("A UUID is its sixteen bytes, in the order of its text")
  func uuids() {
    var random = SeededRandom(seed: RandomCases.seed())
    for _ in 0..<100 {
      let data = Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
      let uuid = UUID(bytes: data)
      #expect(uuid?.bytes == data)
      #expect(uuid?.uuidString.filter { $0 != "-" } == Hexadecimal.text(data))
      #expect(uuid?.uuidString.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
      #expect(uuid.flatMap { UUID(uuidString: $0.uuidString) } == uuid)
    }
    #expect(UUID(bytes: Data(count: 15)) == nil && UUID(bytes: Data(count: 17)) == nil)
    // Not from the beginning of a buffer.
    #expect(UUID(bytes: Data(0...20).dropFirst(5)) == UUID(bytes: Data(5...20)))
  }

  @Test("Foundation reads every quoted character as itself")
  func quotedText() throws {
    // In pieces, since Foundation takes minutes for a long text with many escapes.
    for start in stride(from: UInt32(0), through: 0x10FFFF, by: 0x1000) {
      let scalars = (start..<start + 0x1000).compactMap { Unicode.Scalar($0) }
      let text = String(String.UnicodeScalarView(scalars))
      for quoted in [
        Quoting.json(text), Quoting.json(text) { $0.value < 0x20 || $0.value > 0x7E },
      ] {
        let read = try JSONSerialization.jsonObject(
          with: Data(quoted.utf8), options: .fragmentsAllowed)
        #expect((read as? String)?.unicodeScalars.elementsEqual(scalars) == true, "from \(start)")
      }
    }
    #expect(Quoting.json("a\"\\\n\r\t\u{1B}é😀") == "\"a\\\"\\\\\\n\\r\\t\\u001bé😀\"")
    #expect(Quoting.json("é😀") { !$0.isASCII } == "\"\\u00e9\\ud83d\\ude00\"")
  }

  @Test("Fingerprints are those that the makers of FNV-1a have published")
  func fingerprints() {
    // http://www.isthe.com/chongo/src/fnv/test_fnv.c
    for (text, digits) in [
      ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("b", "af63df4c8601f1a5"),
      ("foobar", "85944171f73967e8"), ("chongo was here!\n", "46810940eff5f915"),
    ] {
      #expect(Fingerprint(text).digits == digits, "\(text)")
      #expect(UInt64(Fingerprint(text).name, radix: 16) == UInt64(digits, radix: 16))
    }
  }
}

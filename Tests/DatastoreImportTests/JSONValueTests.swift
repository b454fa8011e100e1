import DatastoreImport
import DatastoreTestSupport
import Testing

@Suite("JSON: values")
struct JSONValueTests {
  private func value(_ text: String) throws -> ImportValue? {
    try readJSON("[{\"a\":\(text)}]").first?.values?.first
  }

  @Test(
    "Numbers keep all their digits",
    arguments: [
      ("0", .integer(0)), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      ("9007199254740993", .integer(9_007_199_254_740_993)),
      ("9223372036854775808", .text("9223372036854775808")), ("1.50", .real(1.5)),
      ("-2e3", .real(-2000)), ("1E+2", .real(100)), ("0.1", .real(0.1)),
      ("0.30000000000000004", .real(0.300_000_000_000_000_04)),
      ("3.14159265358979323846", .text("3.14159265358979323846")), ("1e999", .text("1e999")),
      ("0.000000000000000000001", .real(1e-21)),
    ] as [(String, ImportValue)])
  func numbers(text: String, expected: ImportValue) throws {
    #expect(try value(text) == expected)
  }

  @Test("Negative zero is a Double")
  func negativeZero() throws {
    guard case .real(let zero) = try value("-0") else {
      Issue.record("-0 is no real number")
      return
    }
    #expect(zero.sign == .minus && zero == 0)
  }

  @Test(
    "Strings decode their escapes",
    arguments: [
      ("\"\"", ""), ("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "a\"\\/\u{8}\u{C}\n\r\t"),
      ("\"\\u00e9\\u65e5\"", "é日"), ("\"\\uD83D\\uDE80!\"", "🚀!"), ("\"é\\u0301\"", "é\u{301}"),
      ("\"\\u0000\"", "\u{0}"), ("\"]},{\"", "]},{"),
    ])
  func strings(text: String, expected: String) throws {
    #expect(try value(text) == .text(expected))
  }

  @Test(
    "Literals and nesting",
    arguments: [
      ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null), ("[]", .list([])),
      ("[1,[\"x\"],null]", .list([.integer(1), .list([.text("x")]), .null])), ("{}", .record([])),
    ] as [(String, ImportValue)])
  func literals(text: String, expected: ImportValue) throws {
    #expect(try value(text) == expected)
  }

  @Test("Numbers inside of lists and objects stay as they are written")
  func nestedNumbers() throws {
    for text in [
      #"{"big":12345678901234567890123,"e":1e400,"d":3.14159265358979323846,"f":1.10}"#,
      #"[1.10,-0,2e3,7,"1.10",{"a":[1.0,1.50]}]"#,
    ] {
      #expect(try value(text)?.text == text)
    }
  }

  @Test("Every finite Double that Swift writes is read back, to the bit")
  func doubles() throws {
    var random = SeededRandom(seed: RandomCases.seed())
    var tested = 0
    while tested < RandomCases.count {
      let double = Double(bitPattern: random.next())
      guard double.isFinite else { continue }
      tested += 1
      let read = try value("\(double)")
      try #require(read == .real(double), "seed \(random.seed): \(double)")
    }
  }

  @Test("Random bytes are read to their end without a crash, whatever the chunks")
  func randomBytes() throws {
    let alphabet = Array("[]{}{}\"\"::,,\\\\ntrue0-9.eu \n\r".utf8) + [0xC3, 0xA9, 0xFF, 0x00]
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      let count = Int.random(in: 0...50, using: &random)
      var bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      if Bool.random(using: &random) { bytes.insert(UInt8(ascii: "["), at: 0) }
      try expectSame(bytes, seed, &random)
    }
  }

  @Test("A good file with some bytes changed is read to its end without a crash")
  func mutations() throws {
    let good = Array(
      "[{\"a\":1,\"b\":\"x\\u00e9é\",\"c\":[true,null]},\n{\"a\":-1.5e3,\"b\":{\"d\":\"\"}}]".utf8)
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = good.randomElement(using: &random) ?? 0
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
        default: bytes.remove(at: index)
        }
      }
      try expectSame(bytes, seed, &random)
    }
  }

  private func expectSame(
    _ bytes: [UInt8], _ seed: UInt64, _ random: inout SeededRandom
  ) throws {
    for layout in [JSONReader.Layout.document, .lines] {
      let whole = try readJSON(bytes, layout, chunkSize: 100)
      try #require(whole.count <= 2 * bytes.count + 1, "seed \(seed)")
      let chunkSize = Int.random(in: 1...9, using: &random)
      let chunked = try readJSON(bytes, layout, chunkSize: chunkSize)
      try #require(chunked == whole, "seed \(seed): \(bytes)")
    }
  }
}

import Testing

@testable import DatastoreCore

@Suite struct OperandTypingTests {
  @Test(
    arguments: [
      (.attribute(.string), "12", .text("12")), (.attribute(.integer64), " 12 ", .integer(12)),
      (.attribute(.double), "-1.5", .real(-1.5)), (.attribute(.integer64), "twelve", nil),
      (.attribute(.boolean), "yes", .integer(1)), (.attribute(.boolean), "maybe", nil),
      (.attribute(.date), "2001-01-02", .real(86_400)),
      (.attribute(.date), "86400", .integer(86_400)),
      (.attribute(.date), "tomorrow", nil), (.attribute(.data), "x'00FF'", .blob(.init([0, 255]))),
      (.attribute(.decimal), "19.99", .real(19.99)), (.attribute(.undefined), "12", .integer(12)),
      (.attribute(.undefined), "\"12\"", .text("12")),
      (.attribute(.undefined), "Ann", .text("Ann")),
      (.attribute(.float), "1.1", .real(Double(Float(1.1)))),
      (.attribute(.float), "7", .integer(7)),
      (.key, "3", .integer(3)), (.number, "x", nil),
    ] as [(OperandType, String, Value?)])
  func readsWhatIsTyped(type: OperandType, text: String, value: Value?) {
    #expect(type.value(typed: text) == value)
  }

  @Test func columnsOfForeignFilesTakeWhatTheyAreDeclaredFor() {
    let type = OperandType.attribute(.undefined)
    #expect(type.value(typed: "01234", hint: .string) == .text("01234"))
    #expect(type.value(typed: "true", hint: .boolean) == .integer(1))
    #expect(
      type.typed(.text("\"x"), hint: .string) == "\"\\\"x\""
        || type.typed(.text("\"x"), hint: .string) == "\"x")
  }

  @Test(
    "A column is compared with what files store in it",
    arguments: [
      (.storedText, 15, false), (.storedText, "15", true), (.storedText, .blob(.init([1])), true),
      (.storedNumber, 15, true), (.storedNumber, "15", false), (.storedNumber, "-1.5", false),
      (.storedNumber, "old", true), (.storedNumber, "2024-01-31", true), (.storedNumber, "", true),
      (.storedText, .null, true), (.storedNumber, .null, true),
    ] as [(OperandType, Value, Bool)])
  func storedValues(type: OperandType, value: Value, fits: Bool) {
    #expect((type.coerced(value) != nil) == fits)
  }

  @Test(arguments: [UInt64(3), UInt64.random(in: 0 ... .max)])
  func whatIsShownReadsBack(seed: UInt64) {
    var random = RandomPredicate(seed: seed)
    for _ in 0..<2_000 {
      let (type, value): (OperandType, Value) = random.pick([
        (.attribute(.string), .text(random.text())), (.attribute(.undefined), .text(random.text())),
        (.attribute(.undefined), random.number()), (.attribute(.double), random.number()),
        (.attribute(.float), .real(Double(Float(random.roll(1_000_000_000)) / 7))),
        (.attribute(.date), .real(Double(random.roll(1_000_000_000)) / 8)),
        (.attribute(.boolean), .integer(Int64(random.roll(2)))),
        (.attribute(.uuid), .blob(.init((0..<16).map { _ in UInt8(random.roll(256)) }))),
        (
          .attribute(.data), .blob(.init((0..<random.roll(4)).map { _ in UInt8(random.roll(256)) }))
        ),
      ])
      let shown = type.typed(value)
      #expect(type.value(typed: shown) == value, "seed \(seed): \(type) \(value) as \(shown)")
      guard case .text = value else { continue }
      let foreign = type.typed(value, hint: .string)
      #expect(type.value(typed: foreign, hint: .string) == value, "seed \(seed): \(foreign)")
    }
  }
}

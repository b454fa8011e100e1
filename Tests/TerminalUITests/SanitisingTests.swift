import Testing

@testable import TerminalUI

/// The text as the buffer shows it on an endless line.
private func shown(_ text: String) -> String {
  Glyphs(text).map(\.text).joined()
}

struct SanitisingTests {
  @Test(arguments: [
    ("\u{0}", "␀"), ("\t", "␉"), ("\n", "␊"), ("\r", "␍"), ("\r\n", "␍␊"), ("\u{7}", "␇"),
    ("\u{1B}[31m", "␛[31m"), ("\u{7F}", "␡"), ("\u{85}", "\u{FFFD}"), ("\u{9B}31m", "\u{FFFD}31m"),
  ])
  func controlsBecomePictures(_ text: String, _ expected: String) {
    #expect(shown(text) == expected)
  }

  @Test(arguments: [
    "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}",
    "\u{2068}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}", "\u{200B}", "\u{200C}",
    "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{180E}", "\u{2028}", "\u{2029}",
    "\u{E0041}", "\u{FFF9}", "\u{3164}", "\u{115F}", "\u{1160}", "\u{FFA0}",
  ])
  func invisibleCharactersBecomeDots(_ character: String) {
    #expect(shown("a\(character)b") == "a·b")
    #expect("a\(character)b".displayWidth() == 3)
  }

  @Test func invalidUTF8IsVisible() {
    let text = String(decoding: [0x61, 0xFF, 0x62, 0xC3] as [UInt8], as: UTF8.self)
    #expect(shown(text) == "a\u{FFFD}b\u{FFFD}")
  }

  @Test func noScalarReachesTheScreenAsAControl() {
    // All of the planes that have controls and marks, and some of the others.
    let others = stride(from: UInt32(0x20000), through: 0x10FFFF, by: 257)
    for value in Array(0...0x1FFFF) + Array(others) + Array(0xE0000...0xE0FFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for glyph in Glyphs(String(scalar)) {
        for drawn in glyph.text.unicodeScalars {
          let category = drawn.properties.generalCategory
          let isSafe =
            category != .control && category != .lineSeparator
            && category != .paragraphSeparator && category != .unassigned
            && !drawn.properties.isBidiControl
          if !isSafe { Issue.record("U+\(String(value, radix: 16)) is drawn as \(drawn)") }
        }
        if glyph.width != 1 && glyph.width != 2 {
          Issue.record("U+\(String(value, radix: 16)) is \(glyph.width) cells wide")
        }
      }
    }
  }

  @Test func stackedMarksTakeCellsInsteadOfWork() {
    let text = "e" + String(repeating: "\u{301}", count: 6)
    #expect(Glyphs(text).map(\.text) == ["e\u{301}\u{301}\u{301}\u{301}", "◌\u{301}\u{301}"])
    let hostile = "e" + String(repeating: "\u{301}", count: 5_000_000)
    #expect(hostile.displayWidth(upTo: 20) == 21)
  }

  /// Were each drawing to read the whole text, this would take an hour.
  @Test(.timeLimit(.minutes(10))) func hugeTextsCostOnlyWhatIsVisible() {
    let text = String(repeating: "0123456789", count: 1_000_000)
    var buffer = ScreenBuffer(size: Size(columns: 12, rows: 4))
    for _ in 0..<1000 {
      buffer.draw(text, at: .origin, width: 12)
      buffer.draw(text, at: Position(column: 0, row: 1), width: 12, truncation: .head)
      buffer.draw(text, at: Position(column: 0, row: 2), width: 12, truncation: .middle)
      buffer.draw(text, at: Position(column: 0, row: 3))
    }
    #expect(
      buffer.picture == ["01234567890…", "…90123456789", "012345…56789", "01234567890…"])
  }
}

import Testing

@testable import TerminalUI

struct WidthTests {
  @Test(arguments: [
    ("abc", 3), ("ä", 1), ("e\u{301}", 1), ("日本", 4), ("ﾊ", 1), ("Ａ", 2), ("🎉", 2),
    ("👍🏽", 2), ("👨‍👩‍👧", 2), ("❤️", 1), ("☎︎", 1), ("🇩🇪", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("نعم", 3), ("क्षि", 3), ("\u{301}", 1), ("…", 1), ("", 0), ("می‌خواهم", 7), ("☃", 1), ("⌚", 2),
    ("1\u{20E3}", 1), ("\u{E000}", 1),
  ])
  func displayWidth(_ text: String, _ width: Int) {
    #expect(text.displayWidth() == width)
  }

  @Test func familiesAreDrawnAsTheirFirstMember() {
    #expect(Glyphs("👨‍👩‍👧!").map(\.text) == ["👨", "!"])
    #expect(Glyphs("❤️‍🔥!").map(\.text) == ["❤", "!"])
  }

  @Test func variationSelectorsCannotHideData() {
    let text = "a\u{FE00}\u{FE01}\u{E0100}b"
    #expect(Glyphs(text).map(\.text) == ["a", "·", "·", "b"])
  }

  @Test func columnsStayStraightInThePicture() {
    var buffer = ScreenBuffer(size: Size(columns: 8, rows: 4))
    for (row, text) in ["日本語日本", "e\u{301}e\u{301}", "👨‍👩‍👧 x", "plain text"].enumerated() {
      buffer.draw(text, at: Position(column: 0, row: row), width: 6)
      buffer.draw("|", at: Position(column: 6, row: row))
    }
    #expect(buffer.picture == ["日本… |", "e\u{301}e\u{301}    |", "👨 x  |", "plain…|"])
    for row in 0..<4 { #expect(buffer[Position(column: 6, row: row)].text == "|") }
  }
}

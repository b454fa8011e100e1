import Testing

@testable import TerminalUI

/// Several lines of text.
@Suite struct TextAreaTests {
  private func pressed(_ text: String, _ keys: String...) -> TextArea {
    var area = TextArea(text: text)
    for key in keys { _ = area.handle(Key(stringLiteral: key)) }
    return area
  }

  @Test func theCursorGoesFromLineToLine() {
    #expect(pressed("abc\nd\nefg", "up").place == (1, 1))
    #expect(pressed("abc\nd\nefg", "up", "up").place == (0, 1))
    #expect(pressed("abc\nd\nefg", "up", "home", "down", "end").place == (2, 3))
    #expect(pressed("a\n", "home").place == (1, 0))
  }

  @Test func theEndsLeaveTheKeysToOthers() {
    var area = TextArea(text: "a\nb")
    let taken = (["down", "up", "up"] as [Key]).map { area.handle($0) }
    #expect(taken == [false, true, false])
  }

  @Test func pastedLinesEndWithOneKindOfNewline() {
    var area = TextArea()
    area.insert("a\r\nb\rc")
    #expect(area.lines == ["a", "b", "c"])
  }

  @Test func theViewFollowsTheCursor() {
    let area = TextArea(text: "1\n2\n3\n4")
    var buffer = ScreenBuffer(size: Size(columns: 4, rows: 2))
    let cursor = area.draw(into: &buffer, in: Rectangle(Size(columns: 4, rows: 2)))
    #expect(buffer.picture.map { $0.prefix(1) } == ["3", "4"])
    #expect(cursor == Position(column: 1, row: 1))
  }
}

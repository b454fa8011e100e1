import DatastoreTestSupport
import Testing

@testable import TerminalUI

struct ScreenBufferTests {
  @Test func alignsAndTruncates() {
    var buffer = ScreenBuffer(size: Size(columns: 10, rows: 7))
    func draw(_ text: String, row: Int, _ alignment: TextAlignment, _ truncation: Truncation) {
      buffer.draw(
        text, at: Position(column: 1, row: row), width: 8, alignment: alignment,
        truncation: truncation)
    }
    draw("left", row: 0, .leading, .tail)
    draw("mid", row: 1, .centre, .tail)
    draw("right", row: 2, .trailing, .tail)
    draw("abcdefghijkl", row: 3, .leading, .tail)
    draw("abcdefghijkl", row: 4, .leading, .head)
    draw("abcdefghijkl", row: 5, .leading, .middle)
    draw("abcdefghijkl", row: 6, .leading, .clip)
    #expect(
      buffer.picture == [
        " left", "   mid", "    right", " abcdefg…", " …fghijkl", " abcd…jkl", " abcdefgh",
      ])
  }

  @Test func wrappedTextsThatAreCutAreMarked() {
    var buffer = ScreenBuffer(size: Size(columns: 10, rows: 5))
    func draw(_ text: String, row: Int, rows: Int) {
      buffer.draw(
        wrapped: text, in: Rectangle(column: 1, row: row, columns: 8, rows: rows), role: .text)
    }
    draw("one two three", row: 0, rows: 2)
    draw("one two three four", row: 2, rows: 2)
    draw("one twos three", row: 4, rows: 1)
    #expect(buffer.picture == [" one two", " three", " one two", " three …", " one two…"])
  }

  @Test func overwritingHalfOfAWideCharacterBlanksTheOther() {
    var buffer = ScreenBuffer(size: Size(columns: 6, rows: 1))
    buffer.draw("日本語", at: .origin)
    buffer.draw("x", at: Position(column: 1, row: 0))
    #expect(buffer.picture == [" x本語"])
    buffer.draw("y", at: Position(column: 2, row: 0))
    #expect(buffer.picture == [" xy 語"])
    buffer.draw("本", at: Position(column: 3, row: 0))
    #expect(buffer.picture == [" xy本"])
    buffer.draw("日", at: Position(column: 5, row: 0), truncation: .clip)
    #expect(buffer.picture == [" xy本"])
  }

  @Test func drawingOutsideIsCutOff() {
    var buffer = ScreenBuffer(size: Size(columns: 4, rows: 2))
    buffer.draw("abcdef", at: Position(column: -2, row: 0))
    buffer.draw("zz", at: Position(column: 0, row: 9))
    buffer.draw("long text", at: Position(column: 2, row: 1))
    buffer.fill(Rectangle(column: -5, row: -5, columns: 7, rows: 6), with: "#")
    buffer.drawOutline(of: Rectangle(column: 3, row: -1, columns: 9, rows: 9))
    #expect(buffer.picture == ["##e│", "  l│"])
  }

  @Test func rolesAreReported() {
    var buffer = ScreenBuffer(size: Size(columns: 12, rows: 1))
    buffer.draw("Tilda", at: .origin, role: .string)
    buffer.draw("42", at: Position(column: 6, row: 0), role: .number)
    #expect(buffer.styleRuns(ofRow: 0).map(\.description) == ["\"Tilda\" string", "\"42\" number"])
    buffer.highlight(buffer.bounds, as: .selection)
    #expect(
      buffer.styleRuns(ofRow: 0).map(\.description) == [
        "\"Tilda\" string+selection", "\" \" text+selection", "\"42\" number+selection",
        "\"    \" text+selection",
      ])
    #expect(
      buffer.roles(ofRow: 0).prefix(7) == [
        .string, .string, .string, .string, .string, .text, .number,
      ])
    buffer.restyle(buffer.bounds, role: .dim)
    #expect(Set(buffer.roles(ofRow: 0)) == [.dim])
    #expect(buffer.picture == ["Tilda 42"])
  }

  @Test func linesJoinAndHaveAnASCIIForm() {
    func drawn(_ glyphs: GlyphSet) -> [String] {
      var buffer = ScreenBuffer(size: Size(columns: 7, rows: 5), glyphs: glyphs)
      buffer.drawOutline(of: buffer.bounds)
      buffer.drawOutline(of: Rectangle(column: 0, row: 0, columns: 7, rows: 3))
      buffer.drawVerticalLine(at: Position(column: 3, row: 0), length: 5)
      buffer.draw("é\u{2026}", at: Position(column: 1, row: 1))
      return buffer.picture
    }
    #expect(drawn(.unicode) == ["┌──┬──┐", "│é…│  │", "├──┼──┤", "│  │  │", "└──┴──┘"])
    #expect(drawn(.ascii) == ["+--+--+", "|??|  |", "+--+--+", "|  |  |", "+--+--+"])
  }

  @Test func asciiKeepsTheColumnsOfWideCharacters() {
    var buffer = ScreenBuffer(size: Size(columns: 8, rows: 2), glyphs: .ascii)
    buffer.draw("日本 x", at: .origin)
    buffer.draw("日本語日本", at: Position(column: 0, row: 1))
    #expect(buffer.picture == ["???? x", "???????~"])
    #expect(buffer.cells.allSatisfy { $0.width == 1 })
  }

  @Test func equalBuffersAreEqual() {
    var one = ScreenBuffer(size: Size(columns: 3, rows: 1))
    var two = one
    one.draw("a", at: .origin)
    #expect(one != two)
    two.draw("a", at: .origin)
    #expect(one == two)
  }

  @Test func textsOfCellsComeBackAsTheyWere() {
    for text in ["a", "~", "é", "日", "😀", "e\u{301}\u{302}\u{303}\u{304}", ""] {
      var cell = Cell(text: text, width: 1, role: .number, backdrop: .selection)
      #expect(cell.text == text)
      cell.text = "x"
      #expect(cell.text == "x")
      #expect(cell == Cell(text: "x", width: 1, role: .number, backdrop: .selection))
    }
    #expect(Cell(text: "e\u{301}", width: 1, role: .text) != Cell(text: "e", width: 1, role: .text))
    #expect(Cell(text: " ", width: 1, role: .text) == .blank)
  }

  /// ASCII is drawn in another way than the rest: both must draw alike.
  @Test func plainTextIsDrawnLikeAnyOther() {
    let texts = ["", "a", "plain", "just twelve.", "thirteen long", "much longer than that"]
    let alignments: [TextAlignment] = [.leading, .centre, .trailing]
    let truncations: [Truncation] = [.tail, .head, .middle, .clip]
    for text in texts {
      for column in [-1, 0, 3, 10] {
        for width in [nil, 0, 1, 12, 40] {
          for alignment in alignments {
            for truncation in truncations {
              var plain = ScreenBuffer(size: Size(columns: 20, rows: 1))
              plain.draw("日本語日本語日本語日", at: .origin)
              var other = plain
              let place = Position(column: column, row: 0)
              let used = plain.draw(
                text, at: place, width: width, role: .number, alignment: alignment,
                truncation: truncation)
              // A letter of another alphabet has the same width and runs in the other direction.
              let drawn = other.draw(
                text.replacing("l", with: "ł"), at: place, width: width, role: .number,
                alignment: alignment, truncation: truncation)
              let picture = other.picture.map { $0.replacing("ł", with: "l") }
              #expect(plain.picture == picture, "\(text) \(column) \(width ?? -1) \(truncation)")
              #expect(plain.roles(ofRow: 0) == other.roles(ofRow: 0))
              #expect(used == drawn)
            }
          }
        }
      }
      #expect(text.displayWidth() == text.replacing("l", with: "ł").displayWidth())
      #expect(text.displayWidth(upTo: 3) == text.replacing("l", with: "ł").displayWidth(upTo: 3))
    }
  }
}

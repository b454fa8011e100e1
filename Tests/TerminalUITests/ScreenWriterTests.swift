import DatastoreTestSupport
import Testing

@testable import TerminalUI

@Suite struct ScreenWriterTests {
  /// A terminal of the kind of xterm, as far as `ScreenWriter` uses it.
  private struct Emulator {
    struct Shown: Hashable {
      var text = " "
      var style = CellStyle(foreground: nil, background: nil, attributes: [])
    }

    var cells: [[Shown]]
    var column = 0
    var row = 0
    var pen = CellStyle(foreground: nil, background: nil, attributes: [])
    /// The lines that scroll.
    var region: ClosedRange<Int>

    init(_ size: Size) {
      region = 0...size.rows - 1
      cells = Array(repeating: Array(repeating: Shown(), count: size.columns), count: size.rows)
    }

    mutating func take(_ bytes: [UInt8]) {
      let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
      var index = 0
      while index < scalars.count {
        guard scalars[index] == "\u{1B}" else {
          switch scalars[index] {
          case "\n": if row == region.upperBound { scroll(up: true) } else { row += 1 }
          case "\r": column = 0
          case "\u{8}": column -= 1
          default: write(scalars[index])
          }
          index += 1
          continue
        }
        if scalars[index + 1] == "M" {
          scroll(up: false)
          index += 2
          continue
        }
        let end = scalars[(index + 2)...].firstIndex { $0.properties.isAlphabetic } ?? index
        let numbers = String(String.UnicodeScalarView(scalars[(index + 2)..<end]))
          .split(separator: ";").compactMap { Int($0) }
        control(scalars[end], numbers)
        index = end + 1
      }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
      if ScalarKind(scalar) == .combining {
        cells[row][column - 1].text.unicodeScalars.append(scalar)
        return
      }
      let width = String(scalar).displayWidth()
      cells[row][column] = Shown(text: String(scalar), style: pen)
      if width == 2 { cells[row][column + 1] = Shown(text: "", style: pen) }
      column += width
    }

    /// The effect of a line feed and its reverse at the ends of the lines that scroll.
    private mutating func scroll(up: Bool) {
      #expect(row == (up ? region.upperBound : region.lowerBound))
      var look = pen
      look.attributes = []
      let blank = Array(repeating: Shown(text: " ", style: look), count: cells[row].count)
      cells.remove(at: up ? region.lowerBound : region.upperBound)
      cells.insert(blank, at: up ? region.upperBound : region.lowerBound)
    }

    private mutating func control(_ final: Unicode.Scalar, _ numbers: [Int]) {
      switch final {
      case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
      case "C": column += numbers.first ?? 1
      case "D": column -= numbers.first ?? 1
      case "X":
        for place in column..<column + numbers[0] { blank(place) }
      case "K":
        for place in column..<cells[row].count { blank(place) }
      case "m": look(numbers[...])
      case "r":
        region = numbers[0] - 1...numbers[1] - 1
        (row, column) = (0, 0)
      default: Issue.record("unknown control \(final)")
      }
    }

    private mutating func look(_ numbers: ArraySlice<Int>) {
      var rest = numbers
      while let number = rest.popFirst() {
        switch number {
        case 0: pen = CellStyle(foreground: nil, background: nil, attributes: [])
        case 1: pen.attributes.insert(.bold)
        case 2: pen.attributes.insert(.dim)
        case 4: pen.attributes.insert(.underline)
        case 7: pen.attributes.insert(.reverse)
        case 24: pen.attributes.remove(.underline)
        case 38, 48:
          #expect(rest.popFirst() == 5)
          if number == 38 {
            pen.foreground = rest.popFirst()
          } else {
            pen.background = rest.popFirst()
          }
        case 39: pen.foreground = nil
        case 49: pen.background = nil
        default: Issue.record("unknown look \(numbers)")
        }
      }
    }

    private mutating func blank(_ place: Int) {
      var look = pen
      look.attributes = []
      cells[row][place] = Shown(text: " ", style: look)
    }
  }

  private static func strings(
    canErase: Bool, isUsual: Bool = false, canScroll: Bool = false
  ) -> TerminalStrings {
    var strings = TerminalStrings(move: { "\u{1B}[\($1 + 1);\($0 + 1)H" })
    if canScroll {
      strings.scrolling = TerminalStrings.Scrolling(
        region: { "\u{1B}[\($0 + 1);\($1 + 1)r" }, up: "\n", down: "\u{1B}M")
    }
    strings.hasANSIMove = isUsual
    strings.hasANSIForward = isUsual
    strings.hasLineFeed = isUsual
    strings.foreground = { "\u{1B}[38;5;\($0)m" }
    strings.background = { "\u{1B}[48;5;\($0)m" }
    strings.defaultColors = "\u{1B}[39;49m"
    strings.plain = "\u{1B}[0m"
    strings.bold = "\u{1B}[1m"
    strings.dim = "\u{1B}[2m"
    strings.underline = "\u{1B}[4m"
    strings.reverse = "\u{1B}[7m"
    strings.endUnderline = "\u{1B}[24m"
    guard canErase else { return strings }
    strings.eraseCells = { "\u{1B}[\($0)X" }
    strings.eraseToEnd = "\u{1B}[K"
    strings.erasesWithBackground = true
    return strings
  }

  private func look(_ cell: Cell) -> CellStyle {
    Theme.fallback.style(of: cell.role, backdrop: cell.backdrop, depth: .indexed256)
  }

  private func randomBuffer(_ size: Size, _ random: inout SeededRandom) -> ScreenBuffer {
    var buffer = ScreenBuffer(size: size)
    let texts = ["plain text", "日本語", "e\u{301}te\u{301}", "12345", "x", "   ", "a        b"]
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      let place = Position(
        column: Int.random(in: 0..<size.columns, using: &random),
        row: Int.random(in: 0..<size.rows, using: &random))
      buffer.draw(
        texts.randomElement(using: &random) ?? "", at: place,
        width: Bool.random(using: &random) ? nil : 12,
        role: StyleRole.allCases.randomElement(using: &random) ?? .text)
      if Bool.random(using: &random) {
        let area = Rectangle(column: place.column / 2, row: place.row, columns: 15, rows: 1)
        buffer.highlight(area, as: .selection)
      }
    }
    return buffer
  }

  // Promise: a terminal has no line feed, CUB or BS, or takes another width for a character → absolute
  // moves; such rows in the order in which they stand.
  // Also: (four kinds of terminals)
  @Test func theTerminalShowsWhatWasDrawnHoweverItCameThere() {
    var random = SeededRandom(seed: RandomCases.seed())
    let size = Size(columns: 40, rows: 6)
    for (canErase, isUsual) in [(true, true), (true, false), (false, true), (false, false)] {
      var writer = ScreenWriter(Self.strings(canErase: canErase, isUsual: isUsual))
      var emulator = Emulator(size)
      var shown: ScreenBuffer?
      for step in 0..<300 {
        let buffer = randomBuffer(size, &random)
        writer.write(
          buffer, over: shown, size: size, style: { look($0) }, text: { $0.text })
        emulator.take(writer.takeBytes())
        shown = buffer
        expect(emulator, shows: buffer, "seed \(random.seed), step \(step)")
      }
    }
  }

  private func expect(_ emulator: Emulator, shows buffer: ScreenBuffer, _ note: String) {
    for row in 0..<buffer.size.rows {
      for (column, cell) in buffer.row(row).enumerated() {
        let there = emulator.cells[row][column]
        let wanted = look(cell)
        #expect(there.text == cell.text, "\(note)")
        if cell.text == " " {
          #expect(there.style.background == wanted.background, "\(note)")
          let visible: TextAttributes = [.underline, .reverse]
          #expect(
            there.style.attributes.intersection(visible) == wanted.attributes.intersection(visible),
            "\(note)")
        } else if !cell.isContinuation {
          #expect(there.style == wanted, "\(note)")
        }
      }
    }
  }

  /// Lines of a table from one on, beside a panel that stays and one that shows the first line.
  private func panels(_ size: Size, from first: Int, height: Int) -> ScreenBuffer {
    var buffer = ScreenBuffer(size: size)
    let words = ["Amsterdam", "Bern", "Chicago", "Dakar", "Edinburgh", "Frankfurt", "Genoa"]
    for row in 1...height {
      buffer.draw("│entities│", at: Position(column: 0, row: row))
      buffer.draw(
        words[(first + row + 1000) % 7] + " 日本 \((first + row) * 7919 % 1000) "
          + words[(first + row + 1003) % 5],
        at: Position(column: 12, row: row))
      buffer.draw(row % 3 == 0 ? "value \(first)" : "│", at: Position(column: 50, row: row))
    }
    buffer.highlight(
      Rectangle(column: 12, row: 1 + first % height, columns: 30, rows: 1), as: .selection)
    return buffer
  }

  @Test func aTableScrollsBetweenPanelsThatStay() {
    var random = SeededRandom(seed: RandomCases.seed())
    let size = Size(columns: 70, rows: 24)
    var writer = ScreenWriter(Self.strings(canErase: true, isUsual: true, canScroll: true))
    var plain = ScreenWriter(Self.strings(canErase: true, isUsual: true))
    var emulator = Emulator(size)
    var (shown, first, height) = (ScreenBuffer?.none, 40, 20)
    for step in 0..<400 {
      // Mostly a few lines at a time, now and then a page, another height or something over it.
      let distance = Int.random(in: -4...4, using: &random)
      first += step % 40 == 39 ? 25 : distance
      if step % 60 == 59 { height = Int.random(in: 1...22, using: &random) }
      var buffer = panels(size, from: first, height: height)
      if step % 25 == 24 { buffer.fill(Rectangle(column: 20, row: 4, columns: 30, rows: 9)) }
      writer.write(buffer, over: shown, size: size, style: { look($0) }, text: { $0.text })
      let bytes = writer.takeBytes()
      emulator.take(bytes)
      expect(emulator, shows: buffer, "seed \(random.seed), step \(step)")
      #expect(emulator.region == 0...23)
      plain.write(buffer, over: shown, size: size, style: { look($0) }, text: { $0.text })
      let without = plain.takeBytes()
      #expect(bytes.count <= without.count * 5 / 4 + 40, "seed \(random.seed), step \(step)")
      if abs(distance) == 1, height == 20,
        ![25, 40, 60].contains(where: { [0, $0 - 1].contains(step % $0) })
      {
        #expect(bytes.count * 2 < without.count, "seed \(random.seed), step \(step)")
      }
      shown = buffer
    }
  }

  @Test func onlyWhatChangesIsSent() {
    var writer = ScreenWriter(Self.strings(canErase: true))
    var before = ScreenBuffer(size: Size(columns: 80, rows: 24))
    for row in 0..<24 { before.draw("some row of text", at: Position(column: 0, row: row)) }
    func bytes(_ buffer: ScreenBuffer, over shown: ScreenBuffer?) -> Int {
      writer.write(
        buffer, over: shown, size: buffer.size, style: { look($0) }, text: { $0.text })
      return writer.takeBytes().count
    }
    #expect(bytes(before, over: nil) > 24 * 16)
    #expect(bytes(before, over: before) == 0)
    var after = before
    after.draw("more", at: Position(column: 0, row: 3))
    // A place and three letters: the last is the same.
    #expect(bytes(after, over: before) <= 10)
  }

  @Test func shortWaysAreTaken() {
    var writer = ScreenWriter(Self.strings(canErase: true, isUsual: true))
    let size = Size(columns: 40, rows: 2)
    var before = ScreenBuffer(size: size)
    func bytes(_ buffer: ScreenBuffer, over shown: ScreenBuffer?) -> String {
      writer.write(
        buffer, over: shown, size: size, style: { look($0) }, text: { $0.text })
      return String(decoding: writer.takeBytes(), as: UTF8.self)
    }
    before.draw("abc             xyz", at: .origin)
    _ = bytes(before, over: nil)
    var after = before
    after.draw("ABC             XYZ", at: .origin)
    #expect(bytes(after, over: before) == "\u{1B}[1;1HABC\u{1B}[13CXYZ")
    // A few blanks are shorter than the sequence that erases them and the way after them.
    var shorter = after
    shorter.draw("A     ", at: .origin)
    shorter.draw("Z", at: Position(column: 8, row: 0))
    #expect(bytes(shorter, over: after) == "\r\u{1B}[C  \u{1B}[5CZ")
    var empty = after
    empty.fill(Rectangle(column: 0, row: 0, columns: 40, rows: 1))
    #expect(bytes(empty, over: after) == "\r\u{1B}[K")
  }

  @Test func whatHasOneStyleIsWrittenTogether() {
    var writer = ScreenWriter(Self.strings(canErase: true, isUsual: true))
    var buffer = ScreenBuffer(size: Size(columns: 40, rows: 20))
    for row in 0..<20 {
      buffer.draw("name", at: Position(column: 3, row: row))
      buffer.draw("12", at: Position(column: 20, row: row), role: .number)
    }
    writer.write(
      buffer, over: nil, size: buffer.size, style: { look($0) }, text: { $0.text })
    let text = String(decoding: writer.takeBytes(), as: UTF8.self)
    #expect(text.filter { $0 == "m" }.count == 2 + 20, "\(text.debugDescription)")
    // The next row of the column: a line feed and some cells to the left.
    #expect(text.contains("12\u{1B}[K\n\u{8}\u{8}12"), "\(text.debugDescription)")
  }

  @Test func partsOfALookAreOneSequence() {
    var writer = ScreenWriter(Self.strings(canErase: true, isUsual: true))
    var buffer = ScreenBuffer(size: Size(columns: 4, rows: 1))
    buffer.draw("a", at: .origin, role: .title)
    writer.write(
      buffer, over: nil, size: buffer.size, style: { look($0) }, text: { $0.text })
    let text = String(decoding: writer.takeBytes(), as: UTF8.self)
    #expect(text.prefix { $0 != "a" }.filter { $0 == "m" }.count == 1, "\(text.debugDescription)")
  }

  @Test func theLastCellIsLeftOutWhereItWouldScroll() {
    var strings = Self.strings(canErase: false)
    strings.scrollsAtEnd = true
    var writer = ScreenWriter(strings)
    var buffer = ScreenBuffer(size: Size(columns: 4, rows: 2))
    buffer.draw("abcd", at: Position(column: 0, row: 1))
    writer.write(
      buffer, over: nil, size: buffer.size, style: { look($0) }, text: { $0.text })
    let text = String(decoding: writer.takeBytes(), as: UTF8.self)
    #expect(text.contains("abc"))
    #expect(!text.contains("d"))
  }
}

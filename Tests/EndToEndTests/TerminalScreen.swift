import TerminalUI

/// The screen of a terminal: reads the output of a program and keeps the picture. It knows the sequences that
/// the browser uses on `xterm-256color`; it keeps others in `unknown`, so that a test can report them.
struct TerminalScreen {
  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var unknown: [String] = []
  /// How often the whole screen was cleared, and its content before the last two times.
  private(set) var clearCount = 0
  private(set) var cleared: [[String]] = []
  /// Whether a program uses the alternate screen.
  private(set) var isAlternate = false
  private var cells: [[String]]
  private var row = 0
  private var column = 0
  /// The rows that scroll.
  private var region: ClosedRange<Int>
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    region = 0...max(0, rows - 1)
  }

  /// The lines without blanks at their ends.
  var lines: [String] {
    cells.map { row in row[..<((row.lastIndex { $0 != " " } ?? -1) + 1)].joined() }
  }

  /// Changes the size; text outside of it is cut off.
  mutating func resize(columns: Int, rows: Int) {
    cells = (0..<rows).map { row in
      (0..<columns).map { column in
        row < self.rows && column < self.columns ? cells[row][column] : " "
      }
    }
    (self.columns, self.rows) = (columns, rows)
    region = 0...max(0, rows - 1)
    row = min(row, rows - 1)
    column = min(column, columns - 1)
  }

  mutating func feed(_ bytes: ArraySlice<UInt8>) {
    pending += bytes
    var place = 0
    while place < pending.count {
      let rest = pending[place...]
      let taken = pending[place] == 0x1B ? sequence(rest) : character(rest)
      guard taken > 0 else { break }
      place += taken
    }
    pending.removeFirst(place)
  }

  /// Takes one character or control and returns its bytes; 0 when it has not come whole.
  private mutating func character(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first else { return 0 }
    switch first {
    case 7, 14, 15: return 1
    case 8: column = max(0, column - 1)
    case 10: index()
    case 13: column = 0
    case 0x20...0x7E: put(String(UnicodeScalar(first)), width: 1)
    case 0..<0x20, 0x7F...0xBF: unknown.append("byte \(first)")
    default:
      let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
      guard bytes.count >= count else { return 0 }
      let text = String(decoding: bytes.prefix(count), as: UTF8.self)
      let width = text.displayWidth()
      // A mark that belongs to the character before it has a base of its own when it stands alone.
      let isMark = text.unicodeScalars.first.map { scalar in
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
      }
      if isMark == true, column > 0 {
        cells[row][column - 1] += text
      } else {
        put(text, width: width)
      }
      return count
    }
    return 1
  }

  /// One line down; at the end of the rows that scroll these go up.
  private mutating func index() {
    guard row == region.upperBound else {
      row = min(row + 1, rows - 1)
      return
    }
    cells.remove(at: region.lowerBound)
    cells.insert(Array(repeating: " ", count: columns), at: region.upperBound)
  }

  /// One line up; at the beginning of the rows that scroll these go down.
  private mutating func reverseIndex() {
    guard row == region.lowerBound else {
      row = max(0, row - 1)
      return
    }
    cells.remove(at: region.upperBound)
    cells.insert(Array(repeating: " ", count: columns), at: region.lowerBound)
  }

  private mutating func put(_ text: String, width: Int) {
    guard row < rows, column < columns else { return }
    cells[row][column] = text
    if width == 2, column + 1 < columns { cells[row][column + 1] = "" }
    column += width
  }

  /// Takes one escape sequence and returns its bytes; 0 when it has not come whole.
  private mutating func sequence(_ bytes: ArraySlice<UInt8>) -> Int {
    if bytes.starts(with: [0x1B, UInt8(ascii: "]")]) {
      // Copied text is in such a sequence, however long it is.
      return bytes.firstIndex(of: 7).map { $0 - bytes.startIndex + 1 } ?? 0
    }
    let bytes = Array(bytes.prefix(64))
    guard bytes.count > 1 else { return 0 }
    switch bytes[1] {
    case UInt8(ascii: "["): return control(bytes)
    case UInt8(ascii: "("), UInt8(ascii: ")"): return bytes.count > 2 ? 3 : 0
    case UInt8(ascii: "M"):
      reverseIndex()
      return 2
    case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "="), UInt8(ascii: ">"): return 2
    default:
      unknown.append("ESC \(bytes[1])")
      return 2
    }
  }

  private mutating func control(_ bytes: [UInt8]) -> Int {
    var end = 2
    while end < bytes.count, !(0x40...0x7E).contains(bytes[end]) { end += 1 }
    guard end < bytes.count else { return 0 }
    // Colours, which are most of the output.
    if bytes[end] == UInt8(ascii: "m") { return end + 1 }
    let text = String(decoding: bytes[2..<end], as: UTF8.self)
    let numbers = text.split(separator: ";").map { Int($0) ?? 0 }
    let number = numbers.first ?? 0
    switch (Character(UnicodeScalar(bytes[end])), text) {
    case ("H", _):
      row = min(max(number, 1), rows) - 1
      column = min(max(numbers.count > 1 ? numbers[1] : 1, 1), columns) - 1
    case ("J", "2"): clear()
    case ("J", ""):
      if row == 0, column == 0 { return clear(bytes: end + 1) }
      erase(row, from: column)
      for below in row + 1..<max(row + 1, rows) { erase(below, from: 0) }
    case ("K", ""), ("K", "0"): erase(row, from: column)
    case ("K", "1"): for place in 0...min(column, columns - 1) { cells[row][place] = " " }
    case ("X", _):
      for place in column..<min(column + max(1, number), columns) { cells[row][place] = " " }
    case ("d", _): row = min(max(number, 1), rows) - 1
    case ("G", _): column = min(max(number, 1), columns) - 1
    case ("A", _): row = max(0, row - max(1, number))
    case ("B", _): row = min(rows - 1, row + max(1, number))
    case ("C", _): column = min(columns - 1, column + max(1, number))
    case ("D", _): column = max(0, column - max(1, number))
    case ("h", "?1049"): isAlternate = true
    case ("l", "?1049"): isAlternate = false
    case ("r", _):
      let last = min(numbers.count > 1 ? numbers[1] : rows, rows) - 1
      region = min(max(number, 1) - 1, last)...last
      (row, column) = (0, 0)
    case ("h", _), ("l", _), ("t", _), ("q", _), ("u", _): break
    default: unknown.append("CSI \(text)\(Character(UnicodeScalar(bytes[end])))")
    }
    return end + 1
  }

  private mutating func clear(bytes: Int) -> Int {
    clear()
    return bytes
  }

  private mutating func clear() {
    clearCount += 1
    cleared = cleared.suffix(1) + [lines]
    for row in 0..<rows { erase(row, from: 0) }
  }

  private mutating func erase(_ row: Int, from column: Int) {
    guard row < rows else { return }
    for place in min(column, columns)..<columns { cells[row][place] = " " }
  }
}

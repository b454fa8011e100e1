/// Moving the cursor in as few bytes as the terminal allows.
extension ScreenWriter {
  /// The most rows to go down one by one; a cursor address is no longer than more line feeds.
  private static let mostLineFeeds = 3
  private static let mostBackspaces = 3

  /// Moves the cursor to a cell.
  mutating func reach(_ place: Position) {
    guard let position, let steps = steps(from: position, to: place),
      steps < absoluteLength(place)
    else {
      moveTo(place)
      return
    }
    for _ in position.row..<place.row { bytes.append(0x0A) }
    moveInRow(from: position.column, to: place.column)
    self.position = place
  }

  /// The number of bytes that move the cursor there by steps; nil if that is not possible.
  private func steps(from position: Position, to place: Position) -> Int? {
    let down = place.row - position.row
    guard down >= 0, down == 0 || strings.hasLineFeed && down <= Self.mostLineFeeds else {
      return nil
    }
    let right = place.column - position.column
    if right == 0 { return down }
    if right > 0 { return strings.hasANSIForward ? down + Self.length(right) : nil }
    guard strings.hasLineFeed else { return nil }
    return down + min(leftLength(-right), returnLength(place.column))
  }

  private mutating func moveInRow(from column: Int, to wanted: Int) {
    if wanted == column { return }
    if wanted > column { return control(wanted - column, UInt8(ascii: "C")) }
    let left = column - wanted
    guard returnLength(wanted) >= leftLength(left) else {
      bytes.append(0x0D)
      if wanted > 0 { control(wanted, UInt8(ascii: "C")) }
      return
    }
    guard left > Self.mostBackspaces else {
      for _ in 0..<left { bytes.append(0x08) }
      return
    }
    control(left, UInt8(ascii: "D"))
  }

  private func leftLength(_ count: Int) -> Int {
    count <= Self.mostBackspaces ? count : Self.length(count)
  }

  /// The number of bytes from the beginning of the row to a column.
  private func returnLength(_ column: Int) -> Int {
    if column == 0 { return 1 }
    return strings.hasANSIForward ? 1 + Self.length(column) : .max
  }

  /// The length of `ESC [ n letter`; the number 1 is left out.
  private static func length(_ number: Int) -> Int { 3 + (number == 1 ? 0 : digits(number)) }

  private static func digits(_ number: Int) -> Int {
    number < 10 ? 1 : 1 + digits(number / 10)
  }

  private func absoluteLength(_ place: Position) -> Int {
    4 + Self.digits(place.row + 1) + Self.digits(place.column + 1)
  }

  private mutating func control(_ number: Int, _ letter: UInt8) {
    bytes += [0x1B, 0x5B]
    if number > 1 { append(number: number) }
    bytes.append(letter)
  }

  /// Moves the cursor by the address of the cell.
  mutating func moveTo(_ place: Position) {
    position = place
    guard strings.hasANSIMove else {
      append(strings.move(place.column, place.row))
      return
    }
    bytes += [0x1B, 0x5B]
    append(number: place.row + 1)
    bytes.append(UInt8(ascii: ";"))
    append(number: place.column + 1)
    bytes.append(UInt8(ascii: "H"))
  }

  private mutating func append(number: Int) {
    if number >= 10 { append(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

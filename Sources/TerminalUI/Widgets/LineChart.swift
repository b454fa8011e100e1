/// Numbers in their order as a line: in Braille dots, two by four in a cell, or a star in each column where the
/// terminal has no such characters.
package enum LineChart {
  /// The rows of the chart, from the top.
  ///
  /// - Parameters:
  ///   - values: at least one; a gap where there is no number.
  ///   - columns: the width in cells.
  ///   - rows: the height in cells.
  package static func rows(
    _ values: [Double?], columns: Int, rows: Int, glyphs: GlyphSet
  ) -> [String] {
    let (across, down) = glyphs == .unicode ? (2, 4) : (1, 1)
    let dots = plot(values, columns: columns * across, rows: rows * down)
    return (0..<max(0, rows)).map { row in
      (0..<max(0, columns)).map { column in
        cell(dots, column: column * across, row: row * down, glyphs)
      }.joined()
    }
  }

  /// The least and the greatest of the numbers, where the lowest and the highest dots are; 0 is among them, so
  /// that a line does not look steeper than it is.
  package static func range(of values: [Double?]) -> ClosedRange<Double>? {
    let numbers = values.compactMap { $0 }.filter(\.isFinite)
    guard let least = numbers.min(), let greatest = numbers.max() else { return nil }
    return min(0, least)...max(0, greatest)
  }

  /// Which dots are set, by row and column.
  private static func plot(_ values: [Double?], columns: Int, rows: Int) -> [[Bool]] {
    var dots = [[Bool]](
      repeating: [Bool](repeating: false, count: max(0, columns)), count: max(0, rows))
    guard columns > 0, rows > 0, let range = range(of: values) else { return dots }
    let span = range.upperBound - range.lowerBound
    func row(_ value: Double) -> Int {
      let part = span > 0 ? (value - range.lowerBound) / span : 0
      return rows - 1 - min(rows - 1, max(0, Int((part * Double(rows - 1)).rounded())))
    }
    func column(_ index: Int) -> Int {
      values.count > 1 ? index * (columns - 1) / (values.count - 1) : (columns - 1) / 2
    }
    var last: (column: Int, row: Int)?
    for (index, value) in values.enumerated() {
      guard let value, value.isFinite else {
        last = nil
        continue
      }
      let next = (column: column(index), row: row(value))
      let from = last ?? next
      let steps = max(abs(next.column - from.column), abs(next.row - from.row), 1)
      for step in 0...steps {
        let part = Double(step) / Double(steps)
        let x = from.column + Int((Double(next.column - from.column) * part).rounded())
        let y = from.row + Int((Double(next.row - from.row) * part).rounded())
        dots[y][x] = true
      }
      last = next
    }
    return dots
  }

  /// The bits of a Braille character, by row and column.
  private static let bits: [[UInt32]] = [
    [0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80],
  ]

  private static func cell(
    _ dots: [[Bool]], column: Int, row: Int, _ glyphs: GlyphSet
  ) -> String {
    guard glyphs == .unicode else { return dots[row][column] ? "*" : " " }
    var pattern: UInt32 = 0
    for y in 0..<4 {
      for x in 0..<2 where dots[row + y][column + x] { pattern |= bits[y][x] }
    }
    guard pattern != 0, let scalar = Unicode.Scalar(0x2800 + pattern) else { return " " }
    return String(Character(scalar))
  }
}

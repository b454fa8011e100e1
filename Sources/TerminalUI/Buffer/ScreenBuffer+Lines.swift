extension ScreenBuffer {
  /// Draws a vertical line. Light lines that meet in a cell join: `┬`, `├`, `┼`.
  package mutating func drawVerticalLine(
    at position: Position, length: Int, role: StyleRole = .border, weight: LineWeight = .light
  ) {
    for step in 0..<max(0, min(length, size.rows - position.row)) {
      var sides: LineSides = []
      if step > 0 { sides.insert(.up) }
      if step < length - 1 { sides.insert(.down) }
      if sides.isEmpty { sides = [.up, .down] }
      putLine(
        sides, at: Position(column: position.column, row: position.row + step), role, weight)
    }
  }

  /// Draws the outline of a rectangle of at least 2 by 2 cells; smaller ones draw nothing.
  package mutating func drawOutline(
    of area: Rectangle, role: StyleRole = .border, weight: LineWeight = .light
  ) {
    guard area.columns >= 2, area.rows >= 2 else { return }
    let right = area.right - 1
    let bottom = area.bottom - 1
    for row in max(0, area.top)..<max(0, min(area.bottom, size.rows)) {
      let isEdge = row == area.top || row == bottom
      // Rows between the upper and the lower edge have only the two side cells.
      for column in stride(from: area.left, through: right, by: isEdge ? 1 : right - area.left) {
        var sides: LineSides = []
        if isEdge {
          if column > area.left { sides.insert(.left) }
          if column < right { sides.insert(.right) }
        }
        if column == area.left || column == right {
          if row > area.top { sides.insert(.up) }
          if row < bottom { sides.insert(.down) }
        }
        putLine(sides, at: Position(column: column, row: row), role, weight)
      }
    }
  }

  private mutating func putLine(
    _ sides: LineSides, at position: Position, _ role: StyleRole, _ weight: LineWeight
  ) {
    guard bounds.contains(position) else { return }
    let cell = self[position]
    var scalar = sides.wholeLine.scalar(weight, glyphs)
    if !cell.isBlank, cell.isSingleScalar, let present = cell.base {
      if let sidesPresent = LineSides(present, weight, glyphs) {
        scalar = sidesPresent.union(sides).scalar(weight, glyphs)
      } else if glyphs == .ascii, ["|", "-", "+"].contains(present), present != scalar {
        scalar = "+"
      }
    }
    put(scalar, at: position, role: role)
  }
}

extension LineSides {
  /// The sides of a straight line for a single side; corners and crossings are unchanged.
  fileprivate var wholeLine: LineSides {
    switch self {
    case .left, .right: [.left, .right]
    case .up, .down: [.up, .down]
    default: self
    }
  }
}

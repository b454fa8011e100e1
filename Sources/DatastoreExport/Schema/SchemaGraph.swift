import DatastoreCore
package import TerminalUI

/// The graph of entities as lines of text: a box for each entity with a row for each relationship, and to the
/// right of the boxes a line from each relationship to its inverse. In third-party files, the columns of keys
/// and foreign keys come above the relationships.
///
/// A relationship without an inverse leads to the title of its destination. Every line has a lane of its own
/// and crosses the lines that it does not join.
package struct SchemaGraph {
  package let lines: [String]
  /// The line of the title of each entity.
  package let titles: [Int]

  /// - Parameter glyphs: the glyphs for boxes and lines.
  package init(_ whole: SchemaOutline, glyphs: GlyphSet = .unicode) {
    let outline = whole.withoutInherited
    let rows = GraphRow.all(of: outline, glyphs)
    let width = rows.map { $0.text.displayWidth() }.max() ?? 0
    let lanes = GraphLanes(outline, rows)
    titles = rows.indices.filter {
      if case .title = rows[$0].place { true } else { false }
    }
    lines = rows.enumerated().map { number, row in
      let isUnicode = glyphs == .unicode
      let (bar, dash) = isUnicode ? ("│", "─") : ("|", "-")
      let box: String
      switch row.place {
      case .top:
        box =
          (isUnicode ? "┌" : "+") + String(repeating: dash, count: width + 2)
          + (isUnicode ? "┐" : "+")
      case .bottom:
        box =
          (isUnicode ? "└" : "+") + String(repeating: dash, count: width + 2)
          + (isUnicode ? "┘" : "+")
      case .gap: box = String(repeating: " ", count: width + 4)
      case .title, .column, .relationship:
        let right = lanes.isEnd(number) ? (isUnicode ? "├" : "+") : bar
        box = "\(bar) \(row.text.padded(to: width)) \(right)"
      }
      let line = box + lanes.text(inRow: number, glyphs)
      let end = line.lastIndex { $0 != " " }
      return end.map { String(line[...$0]) } ?? ""
    }
  }
}

/// One line of the boxes.
struct GraphRow {
  enum Place: Hashable {
    case top, bottom, gap
    case title(entity: String)
    case column
    case relationship(entity: String, name: String)
  }

  let place: Place
  let text: String

  /// - Parameter outline: an outline with each property only where it is declared.
  static func all(of outline: SchemaOutline, _ glyphs: GlyphSet) -> [GraphRow] {
    let (one, many) = glyphs == .unicode ? ("→", "⇉") : ("->", "=>")
    var rows: [GraphRow] = []
    for (index, entity) in outline.entities.enumerated() {
      if index > 0 { rows.append(GraphRow(place: .gap, text: "")) }
      rows.append(GraphRow(place: .top, text: ""))
      rows.append(
        GraphRow(
          place: .title(entity: entity.name), text: title(of: entity).withoutTerminalControls))
      rows += columns(of: entity)
      for relationship in entity.relationships {
        let arrow = relationship.kind == .toOne ? one : many
        let text = "  \(relationship.name) \(arrow) \(relationship.destination)"
        rows.append(
          GraphRow(
            place: .relationship(entity: entity.name, name: relationship.name),
            text: text.withoutTerminalControls))
      }
      rows.append(GraphRow(place: .bottom, text: ""))
    }
    return rows
  }

  /// The name, followed by any remarks.
  private static func title(of entity: EntityOutline) -> String {
    let remarks = entity.details == nil ? [] : entity.remarks.filter { $0 != "table" }
    return entity.title + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
  }

  /// The key columns and the foreign key columns.
  private static func columns(of entity: EntityOutline) -> [GraphRow] {
    guard let details = entity.details else { return [] }
    let columns = details.columns.filter { $0.keyPosition != nil || !$0.references.isEmpty }
    let cells = columns.map { column in
      [column.name, column.typeName, entity.remarks(of: column).joined(separator: ", ")]
        .map(\.withoutTerminalControls)
    }
    let widths = (0..<2).map { place in cells.map { $0[place].displayWidth() }.max() ?? 0 }
    return cells.map { cells in
      let text =
        "  \(cells[0].padded(to: widths[0]))  \(cells[1].padded(to: widths[1]))  \(cells[2])"
      return GraphRow(place: .column, text: text)
    }
  }
}

/// The lines between relationships, and the lane of each.
struct GraphLanes {
  private struct Edge {
    let from: Int
    let to: Int
    var lane = 0
  }

  private var edges: [Edge] = []
  private var ends: Set<Int> = []

  init(_ outline: SchemaOutline, _ rows: [GraphRow]) {
    var rowByPlace: [GraphRow.Place: Int] = [:]
    for (number, row) in rows.enumerated() { rowByPlace[row.place] = number }
    for entity in outline.entities {
      for relationship in entity.relationships {
        let destination = relationship.destination
        let target =
          relationship.inverse.map { .relationship(entity: destination, name: $0) }
          ?? GraphRow.Place.title(entity: destination)
        guard let from = rowByPlace[.relationship(entity: entity.name, name: relationship.name)],
          let to = rowByPlace[target], from != to
        else { continue }
        let edge = Edge(from: min(from, to), to: max(from, to))
        // The inverse has drawn the line already.
        if edges.contains(where: { $0.from == edge.from && $0.to == edge.to }) { continue }
        edges.append(edge)
      }
    }
    // Short lines run close to the boxes, so that they cross few others.
    edges.sort { ($0.to - $0.from, $0.from) < ($1.to - $1.from, $1.from) }
    for index in edges.indices {
      var lane = 0
      while edges[..<index].contains(where: {
        $0.lane == lane && $0.from <= edges[index].to && edges[index].from <= $0.to
      }) { lane += 1 }
      edges[index].lane = lane
    }
    ends = Set(edges.flatMap { [$0.from, $0.to] })
  }

  /// Whether a line leaves the box in this row.
  func isEnd(_ row: Int) -> Bool { ends.contains(row) }

  /// The text to the right of the boxes.
  func text(inRow row: Int, _ glyphs: GlyphSet) -> String {
    guard let last = edges.filter({ $0.from <= row && row <= $0.to }).map(\.lane).max() else {
      return ""
    }
    var sides = [UInt8](repeating: 0, count: 2 * (last + 1))
    for edge in edges where edge.from <= row && row <= edge.to {
      let column = 2 * edge.lane + 1
      if edge.from < row { sides[column] |= Self.up }
      if row < edge.to { sides[column] |= Self.down }
      if row == edge.from || row == edge.to {
        for passed in 0..<column { sides[passed] |= Self.left | Self.right }
        sides[column] |= Self.left
      }
    }
    let characters = glyphs == .unicode ? Self.unicode : Self.ascii
    return String(sides.map { characters[Int($0)] })
  }

  private static let up: UInt8 = 1
  private static let down: UInt8 = 2
  private static let left: UInt8 = 4
  private static let right: UInt8 = 8
  /// Indexed by the sides at which lines leave the cell.
  private static let unicode = Array(" ╵╷│╴┘┐┤╶└┌├─┴┬┼")
  private static let ascii = Array(" |||-+++-+++-+++")
}

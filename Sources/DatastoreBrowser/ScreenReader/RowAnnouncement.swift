import Basics
import DatastoreCore
import TerminalUI

/// The announcement of the line under the table's cursor.
struct RowAnnouncement: Hashable {
  private let key: RowKey?
  private let place: String
  private let column: Int
  /// The shown columns with the texts of the row.
  private let values: [(name: String, text: String)]
  private let current: Int?
  private let mark: String

  /// Nil while the row has not been read.
  init?(_ state: BrowserState) {
    guard let table = state.table, let line = table.currentLine else { return nil }
    column = table.column
    switch line {
    case .header(let section):
      let entry = table.list.sections[section]
      let name = table.sectionName(
        entry.value, state.tableSurroundings(table, Marks(.ascii)), Marks(.ascii))
      let fold = table.lines.isCollapsed(section) ? "folded" : "open"
      (key, values, current, mark) = (nil, [], nil, "")
      place = "section \(name), \(CountText.counted(entry.count, "row")), \(fold)"
    case .row(let index):
      guard let rowKey = table.list.keys.readKey(at: index), let row = table.rows[rowKey] else {
        return nil
      }
      key = rowKey
      let total = CountText.grouped(table.list.keys.count) + (table.isComplete ? "" : " or more")
      place = "row \(CountText.grouped(index + 1)) of \(total)"
      let shown = table.arrangement.shown
      values = shown.map { column in
        let described = table.columns[column]
        if described.isToMany, let slot = described.slot {
          let count = table.counts.count(slot: slot, key: rowKey)
          return (described.name, count.map(CountText.grouped) ?? "not counted yet")
        }
        return (
          described.name,
          Self.text(row.cells[column], destination: described.destination, in: state)
        )
      }
      current = table.arrangement.position(of: table.column)
      let marks = state.editing.rowMarks(rowKey, in: table.query)
      mark =
        Self.words(marks)
        + (table.changedByOthers[rowKey] == nil ? "" : ", changed by another process")
    }
  }

  /// A value in words that can be spoken.
  static func text(
    _ content: CellContent, destination: EntityIndex?, in state: BrowserState
  ) -> String {
    switch content.kind {
    case .null: "NULL"
    case .emptyText: "empty text"
    case .value: content.text
    case .reference(let key):
      destination.flatMap { state.names[$0, key] }?.shown.text ?? content.text
    }
  }

  private static func words(_ marks: RowMarks) -> String {
    var words: [String] = []
    switch marks.staged?.kind {
    case .inserted: words.append("new")
    case .updated: words.append("changed")
    case .deleted: words.append("to be deleted")
    case nil: break
    }
    if marks.isSelected { words.append("selected") }
    return words.isEmpty ? "" : ", " + words.joined(separator: ", ")
  }

  /// The lines to say after the former announcement: all of a new row; in the same row only the value under a
  /// moved cursor, or the values that have changed.
  func lines(after former: RowAnnouncement?) -> [String] {
    guard let former, former.key == key, former.place == place, key != nil else {
      if let former, former == self { return [] }
      return [place + mark + "."] + values.map { "\($0.name): \($0.text)" }
    }
    var lines: [String] = []
    if former.mark != mark { lines.append(place + (mark.isEmpty ? ", unchanged" : mark) + ".") }
    if former.column != column, let current { lines.append(line(current)) }
    for index in values.indices
    where former.values.count == values.count && former.values[index] != values[index]
      && !(former.column != column && index == current)
    {
      lines.append(line(index))
    }
    return lines
  }

  /// The lines to say on returning to the row: its place, and the value under the cursor.
  func brief(after former: RowAnnouncement?) -> [String] {
    guard former?.key == key, key != nil, let current else { return lines(after: nil) }
    var changed = lines(after: former).filter { $0 != line(current) && !$0.hasPrefix(place) }
    changed.insert(contentsOf: [place + mark + ".", line(current)], at: 0)
    return changed
  }

  private func line(_ index: Int) -> String { "\(values[index].name): \(values[index].text)" }

  static func == (one: RowAnnouncement, other: RowAnnouncement) -> Bool {
    one.key == other.key && one.place == other.place && one.column == other.column
      && one.mark == other.mark && one.values.elementsEqual(other.values, by: ==)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(place)
  }
}

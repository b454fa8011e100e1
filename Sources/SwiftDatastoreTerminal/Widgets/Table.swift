public import SwiftDatastore
import TerminalUI

/// The objects of a list, one in each row, under the titles of their sections if the list has sections.
///
/// ```swift
/// Table($contacts, title: "Contacts", columns: [
///   TableColumn("Name") { $0.$name },
///   TableColumn("Phone", width: 14) { $0.$phone ?? "" },
/// ])
/// ```
///
/// Arrow keys, `pgup`, `pgdn`, `home` and `end` (and `k`, `j`, `ctrl-b`, `ctrl-f`, `g` and `G`) move the
/// selection, as does the mouse; `tab` goes to the next table. Only the visible rows are read, all at once.
public struct Table<T: DatastoreObject>: Widget {
  private let adapter: ListAdapter<T>
  private let title: String?
  private let columns: [TableColumn<T>]
  private let placeholder: String
  private let sectionTitle: @MainActor (ListSnapshot<T>.Section) -> String

  /// Creates a table that shows a list.
  ///
  /// - Parameters:
  ///   - adapter: the list: `$contacts` of a ``ListState``.
  ///   - title: shown in the border; nil for no border.
  ///   - columns: the columns, from left to right.
  ///   - placeholder: the text of an empty list.
  ///   - sectionTitle: the text above a section; by default the value that its objects share.
  public init(
    _ adapter: ListAdapter<T>, title: String? = nil, columns: [TableColumn<T>],
    placeholder: String = "",
    sectionTitle: @escaping @MainActor (ListSnapshot<T>.Section) -> String = { $0.name }
  ) {
    self.adapter = adapter
    self.title = title
    self.columns = columns
    self.placeholder = placeholder
    self.sectionTitle = sectionTitle
  }

  public func draw(in canvas: Canvas) {
    adapter.follow(in: canvas.drawing)
    let list = adapter.snapshot
    let isFocused = canvas.drawing.add(adapter)
    var inside = canvas
    if let title {
      let more = adapter.publisher.isComplete ? "" : "…"
      let note = list.isEmpty ? "" : "\(adapter.index + 1) of \(list.count)\(more)"
      inside = canvas.bordered(title: title, note: note, isFocused: isFocused)
    }
    let places = places(columns: inside.columns)
    if inside.rows > 2, columns.contains(where: { !$0.title.isEmpty }) {
      let parts = inside.split(top: 1)
      drawTitles(in: parts.top, places)
      inside = parts.rest
    }
    if let fault = adapter.fault {
      let parts = inside.split(bottom: 1)
      parts.bottom.draw(String(describing: fault), role: .error)
      inside = parts.rest
    }
    canvas.drawing.placeRows(in: inside.area)
    if list.isEmpty {
      inside.draw(adapter.isReading ? "Reading…" : placeholder, role: .dim)
    } else {
      drawRows(of: list, in: inside, places, isFocused)
    }
  }

  /// The columns of cells of each table column. The last cell on the right belongs to the scrollbar.
  private func places(columns available: Int) -> [Range<Int>] {
    let tracks = columns.map { $0.width.map { Track.fixed($0) } ?? .share(minimum: 4) }
    var start = 0
    return Track.lengths(tracks, available: max(0, available - 1), spacing: 2).map { length in
      defer { start += length + 2 }
      return start..<start + length
    }
  }

  private func drawTitles(in canvas: Canvas, _ places: [Range<Int>]) {
    canvas.draw("", width: canvas.columns, style: .columnHeader)
    for (column, place) in zip(columns, places) {
      canvas.draw(
        column.title, column: place.lowerBound, width: place.count, style: .columnHeader,
        isTrailing: column.isTrailing)
    }
  }

  private func drawRows(
    of list: ListSnapshot<T>, in canvas: Canvas, _ places: [Range<Int>], _ isFocused: Bool
  ) {
    let lines = ListLines(list: list)
    let visible = adapter.settle(height: canvas.rows)
    let items = lines.items(in: visible)
    let publishers = adapter.show(items)
    for (row, line) in visible.enumerated() {
      switch lines[line] {
      case .section(let section):
        canvas.draw(sectionTitle(section), row: row, style: .sectionHeader)
      case .item(let index):
        if let object = publishers[index - items.lowerBound]?.snapshot {
          for (column, place) in zip(columns, places) {
            canvas.draw(
              column.text(object), column: place.lowerBound, row: row, width: place.count,
              role: column.role, isTrailing: column.isTrailing)
          }
        }
        guard index == adapter.index else { continue }
        canvas.drawing.buffer.highlight(
          Rectangle(
            column: canvas.area.left, row: canvas.area.top + row, columns: canvas.columns, rows: 1),
          as: isFocused ? .selection : .selectionInactive)
      }
    }
    Scrollbar(count: lines.count, visible: visible).draw(
      into: &canvas.drawing.buffer, in: canvas.area)
  }
}

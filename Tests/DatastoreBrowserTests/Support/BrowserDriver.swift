import DatastoreCore
import DatastoreSQLite
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// A browser over a real file on a terminal in memory: keys in, pictures out.
@MainActor
final class BrowserDriver {
  let terminal: MemoryTerminal
  let browser: Browser
  /// The current datastore of the browser: another one as soon as it has opened the file again.
  var datastore: SwiftDatastore { browser.datastore }
  private let file: any BrowsedDatabase

  /// - Parameter identifiersLast: whether columns of identifiers follow the others, as they do by default.
  ///   Most tests press keys that count columns from that of the file's key.
  init(
    _ file: any BrowsedDatabase, size: Size = Size(columns: 80, rows: 24),
    glyphs: GlyphSet = .unicode,
    annotations: SchemaAnnotations? = nil, identifiersLast: Bool = false,
    options: (Schema) throws -> BrowserOptions = { _ in BrowserOptions() }
  ) async throws {
    self.file = file
    terminal = MemoryTerminal(size: size, glyphs: glyphs)
    var opening = SwiftDatastore.Options()
    opening.annotations = annotations
    let datastore = try file.open(opening)
    var options = try options(datastore.schema)
    options.server = file.server
    options.configuration.keepsIdentifiersInPlace = !identifiersLast
    browser = Browser(datastore, terminal: terminal, options: options)
    try browser.start()
    await browser.idle()
  }

  /// - Parameter identifiersLast: as for any database.
  convenience init(
    _ file: TemporaryFile, size: Size = Size(columns: 80, rows: 24), glyphs: GlyphSet = .unicode,
    annotations: SchemaAnnotations? = nil, identifiersLast: Bool = false,
    options: (Schema) throws -> BrowserOptions = { _ in BrowserOptions() }
  ) async throws {
    try await self.init(
      file as any BrowsedDatabase, size: size, glyphs: glyphs, annotations: annotations,
      identifiersLast: identifiersLast, options: options)
  }

  /// Presses keys, each when everything before it is done and shown; `gg` is two of them.
  func press(_ keys: String...) async {
    for key in keys.flatMap({ KeySequence(stringLiteral: $0).keys }) {
      terminal.press(key)
      await browser.idle()
    }
  }

  /// Types a text without waiting between the characters.
  func type(_ text: String) async {
    terminal.type(text)
    await browser.idle()
  }

  func click(column: Int, row: Int, clicks: Int = 1) async {
    terminal.send(
      .mouse(MouseEvent(.press(.left, clicks: clicks), at: Position(column: column, row: row))))
    await browser.idle()
  }

  func wheel(_ action: MouseEvent.Action, column: Int, row: Int) async {
    terminal.send(.mouse(MouseEvent(action, at: Position(column: column, row: row))))
    await browser.idle()
  }

  func resize(_ columns: Int, _ rows: Int) async {
    terminal.resize(to: Size(columns: columns, rows: rows))
    await browser.idle()
  }

  /// The lines of the screen.
  var picture: [String] { terminal.picture }

  /// The status line.
  var status: String { picture[picture.count - 2] }

  /// Expects a text somewhere on the screen. Never put a browser itself into an expectation: a failed
  /// expectation copies its operands, and a browser cannot be copied.
  func expectShown(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let shown = picture
    let isShown = shown.contains { $0.contains(text) }
    #expect(
      isShown, "“\(text)” is not on the screen:\n\(shown.joined(separator: "\n"))",
      sourceLocation: sourceLocation)
  }

  /// Whether anything lies over the panels.
  var hasOverlay: Bool { !browser.state.overlays.isEmpty }

  /// The part of the picture inside a rectangle, without blanks at the ends of lines.
  func picture(of area: Rectangle) -> [String] {
    guard let buffer = terminal.lastBuffer else { return [] }
    return (area.top..<area.bottom).map { row in
      let cells = Array(buffer.row(row))[area.left..<area.right]
      var line = cells.map(\.text).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// The table without its border: column headers and lines, the selected one marked with `>`.
  var table: [String] {
    let layout = browser.state.layout
    let inside = layout.inside(layout.table)
    return zip(inside.top..., picture(of: inside)).map { row, line in
      let isSelected = isSelected(row: row, area: inside) && row > inside.top
      return ((isSelected ? "> " : "  ") + line).trimmedAtEnd
    }
  }

  /// The cells of the rows that were read, in the order of the columns on the screen; `NULL` for a missing
  /// value.
  var cells: [[String]] {
    guard let table = browser.state.table else { return [] }
    return table.list.keys.map { key in
      table.arrangement.shown.map { column in
        table.rows[key].map { $0.cells[column].shown(Marks(.ascii)).text } ?? "…"
      }
    }
  }

  /// The names of the columns of the table, in the order of the screen.
  var columnNames: [String] {
    guard let table = browser.state.table else { return [] }
    return table.arrangement.shown.map { table.columns[$0].name }
  }

  /// Goes to a column of the table.
  func go(to column: String) async {
    await press("0")
    for _ in columnNames where browser.state.table?.currentColumn?.name != column {
      await press("right")
    }
  }

  /// The detail pane without its border, the selected line marked with `>`.
  var detail: [String] {
    let inside = browser.state.layout.detailBody
    return zip(inside.top..., picture(of: inside)).map { row, line in
      ((isSelected(row: row, area: inside) ? "> " : "  ") + line).trimmedAtEnd
    }
  }

  /// The list of entities without its border.
  var entities: [String] {
    picture(of: browser.state.layout.entityBody).filter { !$0.isEmpty }
  }

  private func isSelected(row: Int, area: Rectangle) -> Bool {
    guard let buffer = terminal.lastBuffer else { return false }
    let backdrops = Array(buffer.row(row))[area.left..<area.right].map(\.backdrop)
    return backdrops.contains { $0 == .selection || $0 == .selectionInactive }
  }

  /// Compares lines, without empty ones at the end; a failure shows the actual lines, to be pasted.
  func expect(
    _ lines: [String], _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var shown = lines
    while shown.last?.trimmingPrefix(while: \.isWhitespace).isEmpty ?? false { shown.removeLast() }
    let actual = shown.joined(separator: "\n")
    #expect(actual == expected, "\n\(actual)\n", sourceLocation: sourceLocation)
  }
}

extension String {
  /// Without blanks at the end.
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}

/// Shows the screen in a failed expectation. The default would walk through properties that cannot be copied.
extension BrowserDriver: @MainActor CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["picture": picture.joined(separator: "\n")]) }
}

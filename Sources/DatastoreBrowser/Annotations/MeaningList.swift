import DatastoreCore
import TerminalUI

/// A list of all annotations of the file, to undo some of them.
struct MeaningList: LineListOverlay {
  static let scope = CommandScope(
    "meanings", title: "In the list of what the browser remembers about the file",
    traits: [.scrolls, .closes, .toggles], labels: ["toggle": "undo"], openedBy: "meanings")
  var scroll = ScrollState()
  /// The annotations when the list was opened; those that are undone stay in it, marked, until it is closed.
  let statements: [SchemaAnnotations.Statement]
  private var takenBack: Set<SchemaAnnotations.Statement> = []

  init(_ annotations: SchemaAnnotations?) {
    statements = annotations?.statements ?? []
  }

  /// Marks the annotation under the cursor as undone, or removes the mark.
  mutating func takeBack() {
    guard statements.indices.contains(scroll.cursor) else { return }
    let statement = statements[scroll.cursor]
    if takenBack.remove(statement) == nil { takenBack.insert(statement) }
  }

  /// The annotations without the undone ones; nil if nothing changes.
  func annotations(changing present: SchemaAnnotations?) -> SchemaAnnotations? {
    guard !takenBack.isEmpty, var annotations = present else { return nil }
    for statement in takenBack { annotations.takeBack(statement) }
    return annotations
  }

  func lineCount(in state: BrowserState) -> Int { statements.count }
  func box(in state: BrowserState) -> Rectangle? { area(in: state.size) }
  func body(in state: BrowserState) -> Rectangle {
    area(in: state.size).inset(horizontal: 2, vertical: 1)
  }

  private func area(in size: Size) -> Rectangle {
    size.box(columns: 90, rows: max(3, statements.count + 2))
  }

  mutating func pick(in state: inout BrowserState) {
    takeBack()
  }

  func dismiss(_ state: inout BrowserState) { state.closeMeanings() }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let note = takenBack.isEmpty ? "" : "\(takenBack.count) taken back"
    Box(title: "Annotations of this file", note: note).cover(&buffer, in: area(in: buffer.size))
    let body = body(in: state)
    if statements.isEmpty {
      buffer.draw(
        "Nothing yet: % in the table sets the meaning of a column.", in: body, role: .dim)
    }
    let marks = Marks(buffer.glyphs)
    drawLines(into: &buffer, in: state) { index, buffer, line in
      let statement = statements[index]
      let isThere = state.schema.entity(named: statement.entity) != nil
      buffer.draw(
        statement.sentence(marks.leadsTo) + (isThere ? "" : " (not in this file now)"), in: line,
        role: takenBack.contains(statement) ? .deleted : isThere ? .text : .dim)
    }
    return nil
  }
}

extension SchemaAnnotations.Statement {
  /// The entity or table of the annotation.
  fileprivate var entity: String {
    switch self {
    case .dates(let name, _, _), .relationship(let name, _, _, _), .label(let name, _),
      .unit(let name, _, _), .type(let name, _, _), .hidden(let name):
      name
    }
  }

  /// The annotation in one line.
  fileprivate func sentence(_ arrow: String) -> String {
    switch self {
    case .dates(let table, let column, .plain): "\(table).\(column) holds no dates"
    case .dates(let table, let column, .stored(let convention)):
      "\(table).\(column) holds dates: \(convention.title)"
    case .relationship(let table, let column, let reference, .accepted):
      "\(table).\(column) \(arrow) \(reference.table).\(reference.column)"
    case .relationship(let table, let column, let reference, .refused):
      "\(table).\(column) does not refer to \(reference.table).\(reference.column)"
    case .label(let entity, let names):
      "objects of \(entity) are named by \(names.joined(separator: ", "))"
    case .unit(let entity, let property, let unit): "\(entity).\(property) is measured in \(unit)"
    case .type(let table, let column, let type): "\(table).\(column) is \(type)"
    case .hidden(let entity): "\(entity) is hidden"
    }
  }
}

extension BrowserState {
  /// Closes the list and undoes the marked annotations.
  mutating func closeMeanings() {
    let changed = overlay(as: MeaningList.self)?.annotations(changing: annotations)
    closeOverlay()
    if let changed { use(changed) }
  }
}

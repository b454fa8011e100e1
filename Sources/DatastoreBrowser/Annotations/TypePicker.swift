import DatastoreCore
import TerminalUI

/// A list of the types for a column of a third-party file.
///
/// The chosen type stands for the declared one; SQLite's storage of the values stays the same. So the list
/// has only types that can read what the column may hold.
struct TypePicker: PickListOverlay {
  var scope: CommandScope { .types }
  /// The identifier is the declared type; empty for the type in the file.
  var list: PickList<String>
  private let table: String
  private let column: String

  /// Declared types, and what they make of values.
  static let types: [(name: String, note: String)] = [
    ("BOOLEAN", "0 and 1 are false and true"), ("INTEGER", "whole numbers"),
    ("REAL", "numbers"), ("DECIMAL", "exact numbers"), ("TEXT", "texts"),
    ("UUID", "identifiers"), ("BLOB", "bytes"),
  ]

  init(_ attribute: AttributeDescription, of entity: Entity, in state: BrowserState) {
    table = entity.name
    column = attribute.name
    let said = state.annotations?.type(of: column, in: table)
    list = PickList(
      [
        PickList.Item(
          "", text: "as the file declares it",
          note: said == nil ? attribute.declaredType ?? "" : "")
      ] + Self.types.map { PickList.Item($0.name, text: $0.name, note: $0.note) })
    list.select(said ?? "")
  }

  var width: Int { 60 }

  func picked(_ type: String, in state: inout BrowserState) {
    state.setType(type, of: column, in: table)
  }

  var title: String { "Type of \(column)" }
}

extension BrowserState {
  /// Asks for the type of the column under the cursor.
  mutating func openTypes() {
    guard let entity, let attribute = attributeUnderCursor else { return }
    open(TypePicker(attribute, of: entity, in: self))
  }

  /// Sets the type to use in place of a column's declared one; an empty text removes it.
  mutating func setType(_ type: String, of column: String, in table: String) {
    let known = TypePicker.types.map(\.name)
    guard type.isEmpty || known.contains(type.uppercased()) else {
      message = Message(
        text: "There is no type “\(type)”; there are \(known.joined(separator: ", ")).",
        severity: .warning)
      return
    }
    var said = annotations ?? SchemaAnnotations()
    said.setType(type.isEmpty ? nil : type.uppercased(), of: column, in: table)
    if said != annotations ?? SchemaAnnotations() { annotate(said) }
  }
}

extension CommandScope {
  static let types = CommandScope(
    "types", title: "In the list of types of a column", traits: .picks)
}

import DatastoreCore
import TerminalUI

/// A list of the columns that another column may refer to: those that identify rows.
struct ReferencePicker: PickListOverlay {
  var scope: CommandScope { .references }
  var list: PickList<SchemaAnnotations.Reference>
  private let table: String
  private let column: String

  init(_ attribute: AttributeDescription, of entity: Entity, in state: BrowserState) {
    table = entity.name
    column = attribute.name
    // A column that refers to itself leads nowhere.
    let itself = SchemaAnnotations.Reference(table: table, column: column)
    list = PickList(
      Self.references(in: state.schema).filter { $0 != itself }.map {
        PickList.Item($0, text: "\($0.table).\($0.column)")
      })
    list.notice = "No table of this file has a column whose values are unique."
    if let said = state.annotations?.relationship(of: column, in: table), said.decision == .accepted
    {
      list.select(said.reference)
    }
  }

  /// The columns whose values are unique.
  static func references(in schema: Schema) -> [SchemaAnnotations.Reference] {
    schema.entities.flatMap { entity in
      entity.properties.compactMap { property in
        guard let attribute = property.attribute, attribute.isUnique, attribute.declaredType != nil
        else { return nil }
        return SchemaAnnotations.Reference(table: entity.name, column: attribute.name)
      }
    }
  }

  var width: Int { 60 }

  func picked(_ reference: SchemaAnnotations.Reference, in state: inout BrowserState) {
    state.declare(reference, of: column, in: table)
  }

  var title: String { "\(table).\(column) refers to" }
}

extension BrowserState {
  /// Asks which column the column under the cursor refers to.
  mutating func openReferences() {
    guard let entity, let attribute = attributeUnderCursor else { return }
    open(ReferencePicker(attribute, of: entity, in: self))
  }

  /// Declares that the column under the cursor refers to another one: `customers.id`.
  mutating func declare(reference text: String) {
    guard let entity, let attribute = attributeUnderCursor else { return }
    let references = ReferencePicker.references(in: schema)
    let wanted = text.lowercased()
    let found = references.first {
      "\($0.table).\($0.column)".lowercased() == wanted || $0.table.lowercased() == wanted
    }
    guard let found else {
      message = Message(
        text: "There is no column “\(text)” whose values are unique; name it as TABLE.COLUMN.",
        severity: .warning)
      return
    }
    declare(found, of: attribute.name, in: entity.name)
  }

  fileprivate mutating func declare(
    _ reference: SchemaAnnotations.Reference, of column: String, in table: String
  ) {
    guard reference != SchemaAnnotations.Reference(table: table, column: column) else {
      message = Message(
        text: "\(table).\(column) cannot refer to itself.", severity: .warning)
      return
    }
    var said = annotations ?? SchemaAnnotations()
    said.setRelationship(.accepted, of: column, in: table, to: reference)
    message = Message(
      text:
        "\(table).\(column) is a relationship to \(reference.table) now. Press gm to undo it.",
      severity: .success)
    annotate(said)
  }
}

extension CommandScope {
  static let references = CommandScope(
    "references", title: "In the list of what a column refers to", traits: .picks)
}

import DatastoreCore
import DatastoreExport
import TerminalUI

/// The line that asks for a name, or for the definition of a property.
struct SchemaPrompt: LineOverlay {
  enum Purpose: Hashable, Sendable {
    case addEntity
    case addProperty(entity: String)
    case rename(entity: String, property: String?)
  }

  static let scope = CommandScope(
    "schema-prompt", title: "In the line for a name or a property of the schema", traits: .line,
    labels: ["accept": "stage"])
  let purpose: Purpose
  var field: TextField
  var fault: String?

  init(_ purpose: Purpose) {
    self.purpose = purpose
    field =
      if case .rename(let entity, let property) = purpose {
        TextField(text: property ?? entity, isAllSelected: true)
      } else {
        TextField()
      }
  }

  func question(in state: BrowserState) -> String {
    switch purpose {
    case .addEntity: "New entity: "
    case .addProperty(let entity): "New property of \(entity): "
    case .rename(let entity, let property):
      "Rename \(property.map { "\(entity).\($0)" } ?? entity) to: "
    }
  }

  func placeholder(in state: BrowserState) -> String {
    if case .addProperty = purpose {
      return "phone text · age integer required default 0 · company Company"
    }
    return "a name"
  }

  /// The typed text as an edit.
  func edit(entities: [String]) throws(SchemaEdit.Fault) -> SchemaEdit {
    let text = field.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if text.isEmpty, needsName { throw SchemaEdit.Fault("Type a name first.") }
    switch purpose {
    case .addEntity: return .addEntity(text)
    case .addProperty(let entity):
      return .addProperty(
        entity: entity, try PropertyDescription(definition: text, entities: entities))
    case .rename(let entity, nil): return .renameEntity(entity, to: text)
    case .rename(let entity, let property?):
      return .renameProperty(entity: entity, property, to: text)
    }
  }

  private var needsName: Bool {
    if case .addProperty = purpose { return false }
    return true
  }

  func accept(_ state: inout BrowserState) { state.acceptSchemaPrompt() }
}

extension BrowserState {
  /// Stages the typed edit; a fault leaves the line open.
  fileprivate mutating func acceptSchemaPrompt() {
    guard let prompt = overlay(as: SchemaPrompt.self) else { return }
    do {
      try stageSchema(prompt.edit(entities: editedEntities.map(\.name)))
      closeOverlay()
    } catch {
      changeOverlay(as: SchemaPrompt.self) { $0.fault = error.description }
    }
  }

  /// Asks for a new name of the entity or property under the cursor.
  mutating func renameInSchema() {
    guard let place = overlay(as: SchemaScreen.self)?.place else { return }
    open(SchemaPrompt(.rename(entity: place.entity, property: place.property)))
  }

  /// Asks for a new property of the entity under the cursor.
  mutating func addPropertyToSchema() {
    guard let place = overlay(as: SchemaScreen.self)?.place else { return }
    open(SchemaPrompt(.addProperty(entity: place.entity)))
  }
}

import DatastoreCore
import TerminalUI

/// The line that asks for an annotation: the label of objects, or the unit of numbers.
struct MeaningPrompt: LineOverlay {
  enum Subject: Hashable, Sendable {
    case label(entity: EntityIndex)
    case unit(entity: EntityIndex, property: String)
  }

  var scope: CommandScope { .meaning }
  let subject: Subject
  var field: TextField
  var fault: String?

  init(_ subject: Subject, text: String) {
    self.subject = subject
    field = TextField(text: text, isAllSelected: true)
  }

  func question(in state: BrowserState) -> String {
    switch subject {
    case .label(let entity): "\(state.schema.entities[entity].name) is called by: "
    case .unit(_, let property): "\(property) is measured in: "
    }
  }

  func placeholder(in state: BrowserState) -> String {
    switch subject {
    case .label: "name, surname; nothing: as found"
    case .unit: "kg; nothing: no unit"
    }
  }

  func accept(_ state: inout BrowserState) { state.acceptMeaning() }
}

extension BrowserState {
  /// Asks for the label of the table's objects.
  mutating func openLabel() {
    guard let entity else { return }
    let present = labels[entity.index].parts.map { entity.properties[$0.slot].name }
    open(MeaningPrompt(.label(entity: entity.index), text: present.joined(separator: ", ")))
  }

  /// Asks for the unit of the column under the cursor.
  mutating func openUnit() {
    guard let entity, let attribute = attributeUnderCursor else { return }
    open(
      MeaningPrompt(
        .unit(entity: entity.index, property: attribute.name),
        text: annotations?.unit(of: attribute.name, in: entity.name) ?? ""))
  }

  /// Applies the typed annotation.
  fileprivate mutating func acceptMeaning() {
    guard let prompt = overlay(as: MeaningPrompt.self) else { return }
    switch prompt.subject {
    case .label(let entity):
      if let reason = reasonNotToCall(schema.entities[entity], by: prompt.field.text) {
        changeOverlay(as: MeaningPrompt.self) { $0.fault = reason }
        return
      }
      closeOverlay()
      setLabel(prompt.field.text, of: schema.entities[entity])
    case .unit(let entity, let property):
      closeOverlay()
      setUnit(prompt.field.text, of: property, in: schema.entities[entity])
    }
  }

  /// The names in a text such as `name, surname`.
  private func properties(in text: String) -> [String] {
    text.split { $0 == "," || $0 == "+" }
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  /// Why the properties in a text cannot be a label, as a sentence; nil if they can.
  private func reasonNotToCall(_ entity: Entity, by text: String) -> String? {
    for name in properties(in: text) {
      guard let slot = entity.slot(named: name) else {
        let closest = Suggestion.closest(to: name, in: entity.properties.map(\.name))
        let hint = closest.map { " Did you mean “\($0)”?" } ?? ""
        return "\(entity.name) has no property “\(name)”.\(hint)"
      }
      if entity.links[slot]?.kind.isToMany ?? false {
        return "\(name) leads to many objects; only one can be part of a name."
      }
    }
    return nil
  }

  /// Sets the label of an entity's objects; an empty text removes it.
  mutating func setLabel(_ text: String, of entity: Entity) {
    if let reason = reasonNotToCall(entity, by: text) {
      message = Message(text: reason, severity: .warning)
      return
    }
    var said = annotations ?? SchemaAnnotations()
    let names = properties(in: text)
    said.setLabel(names, of: entity.name)
    message = Message(
      text: names.isEmpty
        ? "Objects of \(entity.name) are shown by a name that the browser finds."
        : "Objects of \(entity.name) are named by \(names.joined(separator: " and ")).",
      severity: .success)
    say(said)
  }

  /// Sets the unit of a property; an empty text removes it.
  mutating func setUnit(_ text: String, of property: String, in entity: Entity) {
    var said = annotations ?? SchemaAnnotations()
    let unit = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard unit.count <= 12 else {
      message = Message(
        text: "A unit is shown beside the name of its column; it has at most 12 characters.",
        severity: .warning)
      return
    }
    said.setUnit(unit, of: property, in: entity.name)
    say(said)
  }
}

extension CommandScope {
  static let meaning = CommandScope(
    "meaning", title: "In the line for names of objects and units", traits: .line,
    labels: ["accept": "set"])
}

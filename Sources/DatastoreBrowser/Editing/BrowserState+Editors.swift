import DatastoreCore
import Foundation
import TerminalUI

/// The editors for the kinds of values, and their results.
extension BrowserState {
  /// The longest text that is edited in a line; longer texts are edited in another editor.
  private static let longestLine = 20_000

  /// Opens the editor for a property, unless the user has started something else meanwhile.
  mutating func open(_ subject: EditSubject) {
    guard overlays.isEmpty, editTarget == subject.target else { return }
    if let relationship = subject.property.relationship {
      open(ObjectPicker(subject, relationship.kind.isToMany ? .member : .destination))
      return
    }
    guard let attribute = subject.property.attribute else { return }
    if let picker = ValuePicker(subject) {
      open(picker)
      return
    }
    let form = form(attribute, of: subject)
    guard form.isTypeable(subject.value) else {
      open(BlobEditor(subject))
      return
    }
    if case .text(let text) = subject.value, text.utf8.count > Self.longestLine {
      return request(.editExternally(subject, text))
    }
    open(CellEditor(subject, form))
  }

  /// The form of values in the rows of a file.
  private func form(_ attribute: AttributeDescription, of subject: EditSubject) -> ValueForm {
    ValueForm(
      attribute, decimalMark: decimalMark(of: schema.entities[subject.target.object.entity]))
  }

  /// Stages the value of an editor; for many objects, shows the effects first.
  mutating func accept(_ value: Value, for subject: EditSubject) {
    if let bulk = subject.bulk {
      awaitAnswer(.update(bulk))
      return request(.planUpdate(bulk, slot: subject.target.slot, value))
    }
    guard value != subject.value else { return }
    stage(.assign([subject.target.object], slot: subject.target.slot, value))
  }

  /// Sets the value of the open editor to NULL, or reports why it cannot be.
  mutating func setNull() {
    if overlay(as: CellEditor.self) != nil {
      return changeOverlay(as: CellEditor.self) { $0.setNull() }
    }
    if overlay(as: FilterState.self) != nil { return setFilterValueToNull() }
    let subject =
      overlay(as: ValuePicker.self)?.subject ?? overlay(as: BlobEditor.self)?.subject
      ?? overlay(as: ObjectPicker.self).flatMap { $0.purpose == .destination ? $0.subject : nil }
    guard let subject else { return }
    if let reason = subject.reasonNotNull { return tell(reason, .warning) }
    closeOverlay()
    accept(.null, for: subject)
  }

  mutating func editExternally() {
    if let editor = overlay(as: CellEditor.self) {
      return request(.editExternally(editor.subject, editor.field.text))
    }
    guard let editor = overlay(as: BlobEditor.self) else { return }
    request(.editExternally(editor.subject, editor.text ?? ""))
  }

  /// Applies the result of the user's own editor.
  mutating func apply(_ outcome: ExternalEditor.Outcome, for subject: EditSubject) {
    switch outcome {
    case .failed(let reason):
      tell(reason, .warning)
    case .unchanged:
      tell("The text was not changed.", .note)
    case .edited(let text):
      guard let attribute = subject.property.attribute else { return }
      if attribute.type == .coded, !Self.isJSON(text) {
        askToEditAgain(text, subject)
        return
      }
      accept(text, attribute, for: subject)
    }
  }

  private mutating func accept(
    _ text: String, _ attribute: AttributeDescription, for subject: EditSubject
  ) {
    if overlay(as: BlobEditor.self) != nil || isBytes(subject, attribute) {
      if overlay(as: BlobEditor.self) != nil { closeOverlay() }
      return accept(.blob(Data(text.utf8)), for: subject)
    }
    let form = form(attribute, of: subject)
    do {
      let value = try form.parse(text, replacing: subject.value)
      if overlay(as: CellEditor.self) != nil { closeOverlay() }
      accept(value, for: subject)
    } catch {
      // The text is not lost: it is in the line, with its fault.
      if overlay(as: CellEditor.self) == nil {
        open(CellEditor(subject, form))
      }
      changeOverlay(as: CellEditor.self) { $0.apply(text, fault: error.message) }
    }
  }

  private func isBytes(_ subject: EditSubject, _ attribute: AttributeDescription) -> Bool {
    if case .blob = subject.value { return attribute.type != .uuid }
    return subject.value.isNull && (attribute.type == .data || attribute.type == .coded)
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(
      with: Data(text.utf8), options: [.fragmentsAllowed])) != nil
  }

  private mutating func askToEditAgain(_ text: String, _ subject: EditSubject) {
    ask(
      title: subject.name, message: "The text is not JSON, which this value must be.",
      role: .warning, "edit it again", by: "e", else: "drop it", by: "esc"
    ) { $0.request(.editExternally(subject, text)) }
  }

  /// Removes the member under the cursor of the details from its relationship.
  mutating func removeMember() {
    guard let object = detail.object, case .member(let slot, let member) = detail.currentItem else {
      return
    }
    stage(.setMember(object, slot: slot, member: member.key, isMember: false))
  }
}

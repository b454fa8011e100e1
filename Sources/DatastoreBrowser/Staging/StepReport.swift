import Basics
import DatastoreCore

/// The effect of an undo or redo on the staged changes.
struct StepReport: BrowserEvent {
  private let isUndo: Bool
  /// The staged changes of the objects, before and after the step.
  private let changes: [ObjectReference: (before: StagedObject?, after: StagedObject?)]

  init(isUndo: Bool, from before: [StagedObject], to after: [StagedObject]) {
    self.isUndo = isUndo
    var changes: [ObjectReference: (before: StagedObject?, after: StagedObject?)] = [:]
    for object in before { changes[Self.reference(object), default: (nil, nil)].before = object }
    for object in after { changes[Self.reference(object), default: (nil, nil)].after = object }
    self.changes = changes.filter { $0.value.before != $0.value.after }
  }

  func apply(to state: inout BrowserState) {
    guard let (object, change) = changes.first else { return }
    let what =
      changes.count == 1
      ? self.what(change, state.titledName(of: object), state.schema.entities[object.entity])
      : "changes of \(CountText.counted(changes.count, "object"))"
    state.tell("\(isUndo ? "Undone" : "Redone"): \(what).", .information)
  }

  private func what(
    _ change: (before: StagedObject?, after: StagedObject?), _ name: String, _ entity: Entity
  ) -> String {
    // Undoing a saved change stages its opposite.
    let (from, to) = isUndo ? (change.after, change.before) : (change.before, change.after)
    if to?.kind == .inserted, from == nil || from?.kind == .deleted { return "creating \(name)" }
    if from?.kind == .deleted, to == nil { return "creating \(name)" }
    if to?.kind == .deleted || from?.kind == .inserted && to == nil { return "deleting \(name)" }
    let slots = Self.differing(change.before, change.after)
    let names = slots.map { entity.properties[$0].name }
    guard slots.count == 1, let attribute = entity.properties[slots[0]].attribute else {
      return "\(names.joined(separator: ", ")) of \(name)"
    }
    let value =
      Self.value(at: slots[0], of: change.after) { $0.new }
      ?? Self.value(at: slots[0], of: change.before) { $0.old } ?? .null
    let text = ValueFormat(attribute).cell(value).text
    return "\(names[0]) of \(name) is \(text)\(isUndo ? " again" : "")"
  }

  private static func value(
    at slot: Slot, of object: StagedObject?, _ read: (StagedObject.Change) -> Value
  ) -> Value? {
    object?.changes.first { $0.slot == slot }.map(read)
  }

  private static func reference(_ object: StagedObject) -> ObjectReference {
    ObjectReference(entity: object.entity, key: object.key)
  }

  /// The slots whose staged changes differ.
  private static func differing(_ before: StagedObject?, _ after: StagedObject?) -> [Slot] {
    let changes = Set(before?.changes ?? []).symmetricDifference(after?.changes ?? [])
    let members = Set(before?.members ?? []).symmetricDifference(after?.members ?? [])
    return Set(changes.map(\.slot) + members.map(\.slot)).sorted { $0.rawValue < $1.rawValue }
  }
}

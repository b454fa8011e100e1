import Basics
import Foundation

/// An object as a line of text, for logs and debuggers.
extension ManagedObject {
  /// The entity, the key, the state, and the known value of each property, with staged values as `old → new`.
  ///
  /// Never reads the store, and never traps: it leaves out values that were not read, and outside its context
  /// an object is shown as its entity and key.
  package final var line: String {
    let name = "\(entity.name)/\(key)"
    guard graph.executor?.isCurrent ?? true else { return "\(name) (of another queue)" }
    let parts = zip(entity.slots, entity.properties).compactMap { slot, property in
      known(slot, property).map { "\(property.name): \($0)" }
    }
    let states = [stateName] + (page == nil && state == .updated ? ["not read"] : [])
    return parts.isEmpty
      ? "\(name) (\(states.joined(separator: ", ")))"
      : "\(name) (\(states.joined(separator: ", "))) \(parts.joined(separator: ", "))"
  }

  private var stateName: String {
    switch state {
    case .fault: "not read"
    case .clean: "saved"
    case .updated: "changed"
    case .inserted: "new"
    case .deleted: "to be deleted"
    case .gone: "gone"
    }
  }

  /// The known value of a property; nil if it was not read and nothing is staged.
  private func known(_ slot: Slot, _ property: PropertyDescription) -> String? {
    if property.relationship?.kind.isToMany ?? false { return knownMembers(slot) }
    let staged = stagedValue(at: slot).map { Self.text($0, property) }
    let stored = page.map { Self.text($0.value(row: Int(row), slot: slot), property) }
    switch (stored, staged) {
    case (let stored?, let staged?): return "\(stored) → \(staged)"
    case (let stored, let staged): return staged ?? stored
    }
  }

  private func knownMembers(_ slot: Slot) -> String? {
    guard let members = toManyState(slot) else { return nil }
    if let count = members.members?.count { return CountText.counted(count, "object") }
    guard members.isChanged else { return nil }
    return "\(members.added.count) added, \(members.removed.count) removed"
  }

  private static func text(_ value: Value, _ property: PropertyDescription) -> String {
    switch (property.attribute?.type, value) {
    case (nil, .integer(let key)):
      return "\(property.relationship?.destination ?? "")/\(key)"
    case (.boolean, .integer(let number)) where 0...1 ~= number:
      return number == 1 ? "true" : "false"
    case (.date, .real(let seconds)): return "\(Date(timeIntervalSinceReferenceDate: seconds))"
    case (_, .null): return "nil"
    case (_, .text(let text)):
      // Control characters are escaped.
      let beginning = text.prefix(60)
      return String(beginning).debugDescription + (beginning.endIndex < text.endIndex ? "…" : "")
    case (_, .blob(let data)): return CountText.counted(data.count, "byte")
    case (_, .integer), (_, .real): return "\(value)"
    }
  }
}

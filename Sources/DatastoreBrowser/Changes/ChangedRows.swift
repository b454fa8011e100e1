import DatastoreCore
import TerminalUI

/// The rows of a derived table of changed objects: one for each changed property.
struct ChangedRows: Sendable {
  /// The object and property that a row leads to.
  struct Place: Hashable, Sendable {
    let object: ObjectReference
    let slot: Slot
    let title: String
    let isDeleted: Bool
  }

  static let columns: [DerivedRows.Column] =
    ["entity", "object", "change", "property"].map { .text($0) }
    + ["old", "new"].map { DerivedRows.Column(name: $0) }

  private(set) var rows: [[Value]] = []
  /// The places of the rows; nil for a row that leads nowhere.
  private(set) var places: [Place?] = []

  /// - Parameter others: the values of the columns before.
  mutating func add(_ object: ReviewedObject, _ others: [Value]) {
    let kind =
      switch object.mark.kind {
      case .inserted: "new"
      case .updated: "changed"
      case .deleted: "deleted"
      }
    if object.changes.isEmpty { add(kind, of: object.name, entity: object.entity, others) }
    for change in object.changes {
      rows.append(
        others + [.text(object.entity), .text(object.name), .text(kind), .text(change.property)]
          + [change.old, change.new].map(Self.value))
      places.append(
        Place(
          object: object.object, slot: change.slot, title: object.title,
          isDeleted: object.mark.kind == .deleted))
    }
  }

  /// Adds a sentence about an entity, in place of its objects.
  ///
  /// - Parameter object: the name of the object that it is about, if it is one.
  mutating func add(
    _ sentence: String, of object: String? = nil, entity: String, _ others: [Value]
  ) {
    rows.append(
      others + [
        .text(entity), object.map { .text($0) } ?? .null, .text(sentence), .null, .null, .null,
      ])
    places.append(nil)
  }

  private static func value(_ content: CellContent) -> Value {
    if content.kind == .null { return .null }
    // A number stays a number, so that it is never cut like a text.
    guard content.role == .number else { return .text(content.text) }
    return Int64(content.text).map { .integer($0) } ?? Double(content.text).map { .real($0) }
      ?? .text(content.text)
  }
}

extension BrowserState {
  /// Goes to a property of an object, unless the object is deleted.
  mutating func goTo(_ place: ChangedRows.Place) {
    guard !place.isDeleted else {
      return tell("\(place.title) is not there any more.", .information)
    }
    goTo(place.object, slot: place.slot)
  }
}

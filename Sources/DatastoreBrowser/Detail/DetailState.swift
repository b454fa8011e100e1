import DatastoreCore
import TerminalUI

/// An object with all its properties for the detail pane.
struct DetailSnapshot: Hashable, Sendable {
  /// One property.
  struct Field: Hashable, Sendable {
    let slot: Slot
    let name: String
    /// The attribute's type in words, or the entity of a relationship.
    let type: String
    /// The value of an attribute, or the key of a to-one destination; nil for to-many relationships.
    let content: CellContent?
    /// The stored value if it is shown as something else, such as the number of a date.
    var stored: String?
    /// The index of a relationship's destination entity.
    let destination: EntityIndex?
    /// Whether the object cannot be saved before the property has a value.
    var isMissing = false
  }

  let object: ObjectReference
  /// The entity of the object, which may be a descendant of the table's.
  let entityName: String
  let fields: [Field]

  /// The most characters of a text that are shown.
  static let limit = 4000
}

/// The members of a to-many relationship, as far as the detail pane shows them.
struct Members: Hashable, Sendable {
  var count: Int
  /// The first members in the order of the relationship, with their names.
  var first: [Member]

  struct Member: Hashable, Sendable {
    var key: RowKey
    var name: String
  }

  /// The number of members shown by name in the detail pane.
  static let shown = 5
}

/// The detail pane: the object under the table's cursor.
struct DetailState: Sendable {
  /// The members of a relationship and how far they have been read.
  enum MemberState: Hashable, Sendable {
    case reading(before: Members?)
    case read(Members)
    case failed(String)

    var members: Members? {
      switch self {
      case .reading(let before): before
      case .read(let members): members
      case .failed: nil
      }
    }
  }

  /// An item that the cursor can be on.
  enum Item: Hashable, Sendable {
    case field(slot: Slot)
    case member(slot: Slot, Members.Member)
  }

  private(set) var object: ObjectReference?
  private(set) var snapshot: DetailSnapshot?
  /// The notice in place of properties: the object is gone, or could not be read.
  private(set) var notice: String?
  private(set) var members: [Slot: MemberState] = [:]
  /// The units of the properties' numbers.
  var units: [Slot: String] = [:]
  /// The table's number formats, by the names of the properties.
  var numbers: [String: NumberFormat] = [:]
  private var staleMembers: Set<Slot> = []
  /// Whether the object has been read since the last request.
  private var isRead = false
  /// The index of the item under the cursor. It stays while the table's cursor moves, so that the user can
  /// compare one property from row to row.
  var cursor = 0
  var first = 0

  /// Switches to another object; the values of the former one stay until the new ones arrive.
  mutating func show(_ object: ObjectReference?) {
    if object?.entity != self.object?.entity {
      cursor = 0
      first = 0
      snapshot = nil
    }
    self.object = object
    notice = nil
    members = [:]
    staleMembers = []
    isRead = false
    if object == nil { snapshot = nil }
  }

  /// Starts to read the same object again when it is shown again; its values stay meanwhile.
  mutating func revive() {
    isRead = false
    staleMembers = Set(members.keys)
  }

  /// Applies an object that was read, or shows that it does not exist.
  mutating func apply(_ read: DetailSnapshot?, of object: ObjectReference) {
    guard object == self.object else { return }
    snapshot = read
    isRead = true
    notice = read == nil ? "This object is no longer in the store." : nil
  }

  mutating func fail(_ message: String, of object: ObjectReference) {
    guard object == self.object else { return }
    snapshot = nil
    notice = message
  }

  /// Returns the to-many relationships whose members have to be read, and marks them as requested.
  mutating func takeMissingMembers() -> [Slot] {
    guard isRead, let snapshot, snapshot.object == object else { return [] }
    let wanted = snapshot.fields.filter { field in
      field.content == nil && (members[field.slot] == nil || staleMembers.contains(field.slot))
    }.map(\.slot)
    for slot in wanted {
      members[slot] = .reading(before: members[slot]?.members)
      staleMembers.remove(slot)
    }
    return wanted
  }

  mutating func apply(
    _ result: Result<Members, EffectFailure>, slot: Slot, of object: ObjectReference
  ) {
    guard object == self.object else { return }
    switch result {
    case .success(let read): members[slot] = .read(read)
    case .failure(let failure): members[slot] = .failed(failure.message)
    }
  }

  /// Marks the members of a relationship to be read again.
  mutating func invalidateMembers(slot: Slot, of object: ObjectReference) {
    guard object == self.object, members[slot] != nil else { return }
    staleMembers.insert(slot)
  }

  /// Marks the members of relationships to be read again that name one of the changed objects.
  mutating func invalidateMembers(changed: [EntityIndex: Set<RowKey>]) {
    for field in snapshot?.fields ?? [] {
      guard let destination = field.destination, let keys = changed[destination],
        let shown = members[field.slot]?.members?.first,
        shown.contains(where: { keys.contains($0.key) })
      else { continue }
      staleMembers.insert(field.slot)
    }
  }

  /// Marks the members of all relationships to be read again.
  mutating func invalidateAllMembers() {
    staleMembers = Set(members.keys)
  }

  /// The items that the cursor can be on, from top to bottom.
  var items: [Item] {
    guard notice == nil else { return [] }
    return (snapshot?.fields ?? []).flatMap { field in
      [.field(slot: field.slot)]
        + (members[field.slot]?.members?.first ?? []).map { .member(slot: field.slot, $0) }
    }
  }

  /// The item under the cursor.
  var currentItem: Item? {
    let items = items
    return items.isEmpty ? nil : items[min(cursor, items.count - 1)]
  }

  /// The property of the item under the cursor.
  var currentField: DetailSnapshot.Field? {
    let slot: Slot
    switch currentItem {
    case .field(let field): slot = field
    case .member(let field, _): slot = field
    case nil: return nil
    }
    return snapshot?.fields.first { $0.slot == slot }
  }
}

import DatastoreCore

/// The staged changes of one object by names, which a file can hold and which stay the same from session to
/// session.
struct RecordedObject: Codable, Hashable, Sendable {
  struct Change: Codable, Hashable, Sendable {
    var old: RecordedValue
    var new: RecordedValue
  }

  struct Members: Codable, Hashable, Sendable {
    var added: [RecordedValue]
    var removed: [RecordedValue]
    var order: [RecordedValue]?
  }

  var entity: String
  /// The object: its key, or `new` with the number that others refer to it by.
  var object: RecordedValue
  /// `inserted`, `updated` or `deleted`.
  var kind: String
  /// The changes by property.
  var changes: [String: Change]
  var members: [String: Members]?
  /// The stored values by property, for rows that are gone when the changes are restored.
  var row: [String: RecordedValue]?
}

extension RecordedObject {
  /// Staged changes by names.
  ///
  /// - Parameter keyValues: returns the key values of a row whose key is not an integer in the file.
  static func record(
    _ staged: [StagedObject], schema: Schema,
    keyValues: (_ entity: EntityIndex, _ key: RowKey) -> [Value]?
  ) -> [RecordedObject] {
    // By the root entity of the family, as a reference may be to an ancestor of the object's entity.
    let inserted = Set(
      staged.filter { $0.kind == .inserted }
        .map { ObjectReference(entity: schema.entities[$0.entity].root, key: $0.key) })
    func reference(_ entity: EntityIndex, _ key: RowKey) -> RecordedValue {
      let object = ObjectReference(entity: schema.entities[entity].root, key: key)
      if inserted.contains(object) { return .new(key) }
      return keyValues(entity, key).map { .key($0) } ?? .value(.key(key))
    }
    return staged.map { object in
      let entity = schema.entities[object.entity]
      func recorded(_ slot: Slot, _ value: Value) -> RecordedValue {
        guard let link = entity.links[slot], let key = value.key else {
          return .value(value)
        }
        return reference(link.destination, key)
      }
      var changes: [String: Change] = [:]
      for change in object.changes {
        changes[entity.properties[change.slot].name] = Change(
          old: recorded(change.slot, change.old), new: recorded(change.slot, change.new))
      }
      var members: [String: Members] = [:]
      for change in object.members {
        guard let link = entity.links[change.slot] else { continue }
        func references(_ keys: [RowKey]) -> [RecordedValue] {
          keys.map { reference(link.destination, $0) }
        }
        members[entity.properties[change.slot].name] = Members(
          added: references(change.added), removed: references(change.removed),
          order: change.order.map { references($0) })
      }
      var row: [String: RecordedValue] = [:]
      for (slot, value) in object.row.placed where !value.isNull {
        row[entity.properties[slot].name] = recorded(slot, value)
      }
      return RecordedObject(
        entity: entity.name, object: reference(object.entity, object.key),
        kind: object.kind.rawValue, changes: changes, members: members.isEmpty ? nil : members,
        row: row.isEmpty ? nil : row)
    }
  }
}

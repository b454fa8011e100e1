import Basics
public import DatastoreCore

/// The values of an object at one time: a value that can be kept, compared and passed to any task.
///
/// ```swift
/// let snapshot = ObjectSnapshot(of: employee)
/// print(snapshot?.$name ?? "gone", snapshot?.$company == nil)
/// ```
///
/// It includes the changes that were staged when it was made, reads nothing after that, and does not follow
/// the object. Its properties are those of the class with a `$`: an attribute gives its value, a to-one
/// relationship the identifier of its destination. A to-many relationship gives the identifiers of its
/// members if it was named with `including:`, otherwise nil. Virtual attributes are not included.
///
/// Snapshots are equal when they are of the same object and have the same content, whatever happened in
/// between. Making one of an object whose values are in memory copies nothing. Like the object, it keeps the
/// page of rows in memory in which the object was read.
@dynamicMemberLookup
public struct ObjectSnapshot<T: DatastoreObject>: Sendable, Hashable, Identifiable {
  var row: SnapshotRow

  init(_ row: SnapshotRow) { self.row = row }

  /// The current values of an object; nil when it is no longer in the store, or never was.
  ///
  /// Belongs to the queue or actor of the object's context. Reads the row when its values are not in memory.
  ///
  /// - Parameter object: the object.
  public init?(of object: T) {
    guard let row = SnapshotRow(object, including: []) else { return nil }
    self.init(row)
  }

  /// The current values of an object, with the members of to-many relationships.
  ///
  /// ```swift
  /// let snapshot = ObjectSnapshot(of: employee, including: \.$tasks)
  /// print(snapshot?.$tasks?.count ?? 0)
  /// ```
  ///
  /// Reads their keys when they are not in memory. O(members).
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - relationship: relationships of its class.
  public init?<each P: ToManyProperty>(
    of object: T, including relationship: repeat KeyPath<T, each P>
  ) {
    let reflection = ClassReflection.of(T.self)
    var slots: [Slot] = []
    repeat slots.append(reflection.slot(of: each relationship))
    guard let row = SnapshotRow(object, including: slots) else { return nil }
    self.init(row)
  }

  /// The identifier of the object.
  public var objectID: DatastoreObjectID { row.objectID }

  /// The identifier of the object, for `Identifiable`.
  public var id: DatastoreObjectID { row.objectID }

  /// The value of a property: `snapshot.$name`.
  ///
  /// - Parameter property: the property, as `\.$name`.
  public subscript<P: SnapshotProperty>(dynamicMember property: KeyPath<T, P>) -> P.SnapshotValue {
    P.value(at: ClassReflection.of(T.self).slot(of: property), in: row)
  }

  /// The value of a property, which can be set in a copy of the snapshot; `assign(to:)` stages the set
  /// values.
  ///
  /// - Parameter property: the property, as `\.$name`.
  public subscript<P: WritableSnapshotProperty>(
    dynamicMember property: KeyPath<T, P>
  ) -> P.SnapshotValue {
    get { P.value(at: ClassReflection.of(T.self).slot(of: property), in: row) }
    set {
      let slot = ClassReflection.of(T.self).slot(of: property)
      row.set(P.storedValue(ofSnapshot: newValue, at: slot, in: row), at: slot)
    }
  }

  /// The value of an attribute or the key of a to-one destination, by the name of the property; nil for other
  /// names.
  ///
  /// - Parameter name: the name of the property in the model or the file.
  public subscript(name: String) -> Value? {
    guard let slot = row.entity.slot(named: name), row.entity.rowSlots.contains(slot) else {
      return nil
    }
    return row.value(at: slot)
  }

  /// All attributes and to-one keys by the names of their properties, in stored form. O(properties).
  public var values: [String: Value] {
    var values: [String: Value] = [:]
    for slot in row.entity.rowSlots {
      values[row.entity.properties[slot].name] = row.value(at: slot)
    }
    return values
  }

  /// All attributes as Swift values (raw values of enums, coded ones as data), and the identifiers of to-one
  /// destinations, by the names of their properties. Missing values have no key. O(properties).
  public var dictionary: [String: Any] {
    var values: [String: Any] = [:]
    for slot in row.entity.rowSlots {
      switch row.entity.properties[slot] {
      case .attribute(let attribute):
        values[attribute.name] = attribute.type.valueType.init(storedValue: row.value(at: slot))
      case .relationship(let relationship): values[relationship.name] = row.destination(at: slot)
      }
    }
    return values
  }

  /// The names of the properties whose content differs from that of another snapshot of the same object.
  /// Members of to-many relationships are compared if both snapshots have them. O(properties).
  ///
  /// - Parameter other: another snapshot of the object.
  public func changedKeys(since other: ObjectSnapshot<T>) -> Set<String> {
    Set(row.differingSlots(from: other.row).map { row.entity.properties[$0].name })
  }

  /// The object in a context.
  ///
  /// - Parameter context: the context of the returned object.
  /// - Throws: `ObjectNotFoundError` when the object was never saved or is deleted; `StoreError`.
  public func asObject(in context: some ObjectContext) throws -> T {
    try context.object(with: objectID)
  }

  /// Whether anything was set in this copy.
  public var hasEdits: Bool { !row.editedSlots.isEmpty }

  /// Stages the values that were set in this copy, and nothing else: other properties keep their changes
  /// since the snapshot was made.
  ///
  /// ```swift
  /// var draft = snapshot
  /// draft.$salary += 100
  /// draft.assign(to: employee)
  /// ```
  ///
  /// Belongs to the queue or actor of the object's context. Traps for an object other than the snapshot's,
  /// and like an assignment to the property.
  ///
  /// - Parameter object: the object, in any context.
  public func assign(to object: T) {
    object.requireAccess()
    require(
      object.objectID == objectID, "a snapshot of \(objectID) was assigned to \(object.objectID)")
    for slot in row.editedSlots {
      let value = row.value(at: slot)
      if let link = row.entity.links[slot] {
        object.setRelated(
          value.key.map { object.graph.object(entity: link.destination, key: $0) }, at: slot)
      } else {
        object.setValue(value, at: slot)
      }
    }
  }
}

extension ObjectSnapshot: CustomStringConvertible {
  /// The identifier and the values: `Employee/42 age: 30, name: "Ann"`.
  public var description: String {
    let values = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "\(objectID) \(values.joined(separator: ", "))"
  }
}

import Basics
public import DatastoreCore

/// Changing many rows directly in the store, without objects.
///
/// The changes are saved at once. Whatever is staged stays staged, and neither `revertChanges()` nor `undo()`
/// reverts a batch. Objects that were never saved are not touched. This context knows the new state when the
/// call returns; other contexts and their controllers are notified as of any save. If one of them has staged
/// another value of the same property, its save reports the conflict.
extension ObjectContext {
  /// Deletes the saved objects that meet a condition, and applies the delete rules of their relationships.
  ///
  /// - Returns: the number of deleted objects of the class, cascaded ones of the class included.
  /// - Throws: `ValidationError` when a rule or the count of a relationship denies it, `StoreError`; nothing
  ///   is deleted then.
  @discardableResult
  public func deleteMany<T: DatastoreObject>(
    _ type: T.Type = T.self, where condition: Where<T>
  ) throws -> Int {
    try deleteMany(From(where: condition))
  }

  /// Deletes by entity name; all objects without a condition.
  ///
  /// - Throws: like `deleteMany(_:where:)`.
  @discardableResult
  public func deleteMany(entityName: String, where predicate: Predicate?) throws -> Int {
    try core.deleteMany(core.entity(named: entityName), predicate)
  }

  /// Sets new values on the saved objects that meet a condition.
  ///
  /// The model's rules for values and for counts of relationships are checked. A one-to-one relationship
  /// can be cleared for many objects, and set for one.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - condition: which objects; all if nil.
  ///   - properties: the values; if empty, nothing is done.
  /// - Returns: how many objects met the condition.
  /// - Throws: `ValidationError` or `StoreError`; nothing is changed then.
  @discardableResult
  public func updateMany<T: DatastoreObject>(
    _ type: T.Type = T.self, where condition: Where<T>? = nil,
    propertiesToUpdate properties: [PropertyToUpdate<T>]
  ) throws -> Int {
    try updateMany(From(where: condition), propertiesToUpdate: properties)
  }

  /// Updates by names; to-one relationships take the key of an object.
  ///
  /// - Throws: like `updateMany(_:where:propertiesToUpdate:)`.
  @discardableResult
  public func updateMany(
    entityName: String, where predicate: Predicate?, values: [String: Value]
  ) throws -> Int {
    let entity = try core.entity(named: entityName)
    return try core.updateMany(
      entity, predicate,
      values.sorted { $0.key < $1.key }.map { (try core.slot(named: $0.key, of: entity), $0.value) }
    )
  }

  /// Saves new rows without making objects, in one transaction.
  ///
  /// ```swift
  /// try context.insertMany(Employee.self, from: lines) { line in
  ///   [.init(\.$name, line.name), .init(\.$age, line.age)]
  /// }
  /// ```
  ///
  /// Properties that a row does not name get their defaults and initial values; `objectDidCreate()` is not
  /// called. Items are read one at a time, so memory does not grow with their number; neither the sequence
  /// nor the closure may use a context of this datastore.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - items: the source of the objects, one item for each.
  ///   - row: the property values for an item's object.
  /// - Returns: how many rows were saved.
  /// - Throws: the errors of the closure and the store; nothing is saved then.
  @discardableResult
  public func insertMany<T: DatastoreObject, Item>(
    _ type: T.Type = T.self, from items: some Sequence<Item>,
    _ row: (Item) throws -> [PropertyToUpdate<T>]
  ) throws -> Int {
    let properties = row
    var iterator = items.makeIterator()
    return try core.insertMany(core.concreteEntity(of: T.self)) { page, row in
      guard let item = iterator.next() else { return nil }
      var given = SlotSet()
      for property in try properties(item) {
        page.setValue(property.value, row: row, slot: property.slot)
        given.insert(property.slot)
      }
      return given
    }
  }

  /// Inserts values in the order of named properties; to-one relationships take the key of an object.
  ///
  /// - Throws: like `insertMany(_:from:_:)`; `AbstractEntityError` for an abstract entity.
  @discardableResult
  public func insertMany(
    entityName: String, properties: [String], _ rows: some Sequence<[Value]>
  ) throws -> Int {
    let entity = try core.entity(named: entityName)
    let slots = try properties.map { try core.slot(named: $0, of: entity) }
    let given = SlotSet(slots)
    var iterator = rows.makeIterator()
    return try core.insertMany(entity) { page, row in
      guard let values = iterator.next() else { return nil }
      require(
        values.count == slots.count,
        "a row has \(values.count) values, but \(slots.count) properties were named")
      for (slot, value) in zip(slots, values) { page.setValue(value, row: row, slot: slot) }
      return given
    }
  }
}

extension ContextCore {
  /// - Throws: `StoreError.unknownProperty`, also for to-many relationships.
  func slot(named name: String, of entity: Entity) throws -> Slot {
    guard let slot = entity.slot(named: name), !(entity.links[slot]?.kind.isToMany ?? false) else {
      throw StoreError.unknownProperty(entity: entity.name, property: name)
    }
    return slot
  }

  /// Changes the store without a graph, and notifies every context of the datastore.
  func batch<Result>(_ body: (any StoreEngine) throws -> (MergedKeys, Result)) throws -> Result {
    hasWritten = true
    return try coordinator.batch(
      of: graph, from: receiverID, origin: origin,
      catchUp: { if inbox.isPinned { catchUp?() } }, body)
  }

  fileprivate func deleteMany(_ entity: Entity, _ predicate: Predicate?) throws -> Int {
    try batch { store in
      let changed = try store.delete(
        entity: entity.index, where: predicate, unless: isStopped)
      return (changed, entity.members.reduce(0) { $0 + (changed.deleted[$1]?.count ?? 0) })
    }
  }

  func updateMany(
    _ entity: Entity, _ predicate: Predicate?, _ values: [(slot: Slot, value: Value)]
  ) throws -> Int {
    if values.isEmpty { return 0 }
    return try batch { store in
      let (changed, count) = try store.update(
        entity: entity.index, where: predicate, assigning: values, unless: isStopped)
      return (changed, count)
    }
  }

  /// - Parameter fill: sets values of a row and returns their slots; nil at the end.
  package func insertMany(
    _ entity: Entity, _ fill: (RowPage, Int) throws -> SlotSet?
  ) throws -> Int {
    try writeRows(entity, key: nil) { rows, complete in
      try rows.insertAll { page, row in
        guard let given = try fill(page, row) else { return false }
        complete(page, row, given)
        return true
      }
    }
  }

  /// Writes rows in one transaction, without holding them all in memory.
  ///
  /// - Parameters:
  ///   - slot: the attribute that identifies rows: existing rows get new values; nil if every row is new.
  ///   - body: provides the rows. Receives a closure that completes a new row with defaults and initial
  ///     values, except for the slots already set. Must not use the store.
  /// - Returns: how many rows were inserted.
  package func writeRows(
    _ entity: Entity, key slot: Slot?,
    _ body: (any RowTransaction, @escaping @Sendable (RowPage, Int, SlotSet) -> Void) throws -> Void
  ) throws -> Int {
    if entity.isAbstract { throw AbstractEntityError(entity, in: graph.schema) }
    let complete = completion(of: entity)
    return try batch { store in
      try store.writeRows(entity: entity.index, key: slot) { try body($0, complete) }
    }
  }

  /// The defaults and initial values of new rows, for slots that are not set.
  private func completion(of entity: Entity) -> @Sendable (RowPage, Int, SlotSet) -> Void {
    let defaults = entity.initialValues.placed.filter { !$1.isNull }
    let initials = coordinator.types.initialValues[entity.index]
    return { page, row, given in
      for (slot, value) in defaults where !given.contains(slot) {
        page.setValue(value, row: row, slot: slot)
      }
      for (slot, initial) in initials where !given.contains(slot) {
        page.setValue(initial(), row: row, slot: slot)
      }
    }
  }
}

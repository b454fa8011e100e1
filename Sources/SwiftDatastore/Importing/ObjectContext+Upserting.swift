import Basics
public import DatastoreCore

/// Importing many records without objects.
extension ObjectContext {
  /// Updates the rows of records, and inserts rows for the other records. Makes no objects. Everything is
  /// saved at once, in one transaction, and whatever is staged stays staged.
  ///
  /// ```swift
  /// let result = try context.upsert(Employee.self, from: lines, key: \.$number) { line in
  ///   [
  ///     .init(\.$number, line.number), .init(\.$name, line.name),
  ///     .init(\.$company, keyedBy: \.$name, line.company),
  ///   ]
  /// }
  /// ```
  ///
  /// Rows are identified by the key, which each record has to name. Properties that a record does not name
  /// are unchanged; in a new row they get their defaults and initial values. `objectDidCreate()` and
  /// `validate()` are not called. A row that already has the values is not written.
  ///
  /// A relationship is given by an attribute of its destination. Rows of the same entity may refer to later
  /// records; a relationship whose destination does not exist at the end is reported, and stays empty.
  ///
  /// Items are read one at a time, so memory does not grow with their number; neither the sequence nor the
  /// closures may use a context of this datastore. This context knows the new rows when the call returns;
  /// other contexts and their controllers are notified as of any save.
  ///
  /// Traps for an abstract class, and for a one-to-one relationship.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - items: the records.
  ///   - key: the attribute that identifies rows. Declare it `unique: true` or `indexed: true`.
  ///   - faults: receives every record that is left out; the call continues with the others unless it throws.
  ///     A record is left out if it has no key, that of an earlier record or one of several rows, lacks a
  ///     required value, has a relationship to an unknown object, or `row` throws for it. If nil, the first
  ///     such record ends the call with an `ImportFault`.
  ///   - progress: called after every 1,000 records and at the end; may throw to end the call.
  ///   - row: the properties and values of an item.
  /// - Returns: the numbers of rows inserted, updated and left out.
  /// - Throws: `ImportFault`, `StoreError`, `ValidationError`, `CancellationError` if the task of a
  ///   transaction was cancelled; the errors of the closures. Nothing is saved then.
  @discardableResult
  @inlinable
  public func upsert<T: DatastoreObject, Item, P: FetchableProperty>(
    _ type: T.Type = T.self, from items: some Sequence<Item>, key: any KeyPath<T, P> & Sendable,
    faults: ((ImportFault, Item) throws -> Void)? = nil,
    progress: ((ImportProgress) throws -> Void)? = nil,
    _ row: (Item) throws -> [PropertyToUpsert<T>]
  ) throws -> UpsertResult {
    // Inlined, so that iteration knows the type of the sequence; otherwise each step takes a thousand
    // instructions.
    var iterator = items.makeIterator()
    return try upsert(
      type, count: items.underestimatedCount, key: key, faults: faults, progress: progress, row
    ) { iterator.next() }
  }

  @usableFromInline
  func upsert<T: DatastoreObject, Item, P: FetchableProperty>(
    _ type: T.Type, count: Int, key: any KeyPath<T, P> & Sendable,
    faults: ((ImportFault, Item) throws -> Void)?,
    progress: ((ImportProgress) throws -> Void)?,
    _ row: (Item) throws -> [PropertyToUpsert<T>], next: () -> Item?
  ) throws -> UpsertResult {
    var places = UpsertedPlaces(of: T.self)
    return try core.upsert(
      core.concreteEntity(of: T.self), key: ClassReflection.of(T.self).slot(of: key), count: count,
      faults, progress, row,
      { record, batch in
        PropertyToUpsert.withValues(of: record) { values in
          for (index, value) in values.enumerated() {
            batch.say(value.value, of: places.place(of: value, at: index))
          }
        }
      }, next: next)
  }

  /// Updates and inserts rows by names, for entities without a compiled class.
  ///
  /// ```swift
  /// try context.upsert(
  ///   entityName: "person", key: "email", properties: ["email", "age", "city.name"], from: lines
  /// ) { line in [.text(line.email), .integer(line.age), .text(line.city)] }
  /// ```
  ///
  /// - Parameters:
  ///   - entityName: the entity.
  ///   - key: the attribute that identifies rows.
  ///   - properties: the properties of the values in a record, in their order: names of attributes, of to-one
  ///     relationships (with keys of rows as values), or of both joined by a dot: the attribute that
  ///     identifies the destination.
  ///   - items: the records.
  ///   - faults: receives every record that is left out. If nil, the first such record ends the call.
  ///   - progress: called after every 1,000 records and at the end; may throw to end the call.
  ///   - row: the values of an item, one for each property; nil to leave a property unchanged.
  /// - Returns: the numbers of rows inserted, updated and left out.
  /// - Throws: like `upsert(_:from:key:faults:progress:_:)`; `UnknownEntityError`, `AbstractEntityError` and
  ///   `StoreError.unknownProperty` for names.
  @discardableResult
  @inlinable
  public func upsert<Item>(
    entityName: String, key: String, properties: [String], from items: some Sequence<Item>,
    faults: ((ImportFault, Item) throws -> Void)? = nil,
    progress: ((ImportProgress) throws -> Void)? = nil,
    _ row: (Item) throws -> [Value?]
  ) throws -> UpsertResult {
    var iterator = items.makeIterator()
    return try upsert(
      entityName: entityName, key: key, properties: properties, count: items.underestimatedCount,
      faults: faults, progress: progress, row
    ) { iterator.next() }
  }

  @usableFromInline
  func upsert<Item>(
    entityName: String, key: String, properties: [String], count: Int,
    faults: ((ImportFault, Item) throws -> Void)?,
    progress: ((ImportProgress) throws -> Void)?,
    _ row: (Item) throws -> [Value?], next: () -> Item?
  ) throws -> UpsertResult {
    let entity = try core.entity(named: entityName)
    let places = try properties.map { try core.place(named: $0, of: entity) }
    return try core.upsert(
      entity, key: core.slot(named: key, of: entity), count: count, faults, progress, row,
      { values, batch in
        require(
          values.count == places.count,
          "a record has \(values.count) values, but \(places.count) properties were named")
        for (place, value) in zip(places, values) {
          if let value { batch.say(value, of: place) }
        }
      }, next: next)
  }
}

extension ContextCore {
  /// Resolves `company.name` or `name` among the properties of a record.
  fileprivate func place(named name: String, of entity: Entity) throws -> UpsertedPlace {
    let names = name.words(at: ".", most: 2).map(String.init)
    // Names in files of other programs may contain dots.
    if names.count < 2 || entity.slot(named: name) != nil {
      return UpsertedPlace(slot: try slot(named: name, of: entity), keySlot: nil)
    }
    let slot = try slot(named: names[0], of: entity)
    guard let link = entity.links[slot],
      let keySlot = graph.schema.entities[link.destination].slot(named: names[1]),
      graph.schema.entities[link.destination].properties[keySlot].attribute != nil
    else { throw StoreError.unknownProperty(entity: entity.name, property: name) }
    return UpsertedPlace(slot: slot, keySlot: keySlot)
  }

  /// - Parameters:
  ///   - count: the number of items, if known, or a lower bound.
  ///   - say: adds the values of an item's record, after `begin` and before `endRecord`.
  ///   - next: the next item; nil at the end.
  fileprivate func upsert<Item, Record>(
    _ entity: Entity, key slot: Slot, count: Int, _ faults: ((ImportFault, Item) throws -> Void)?,
    _ progress: ((ImportProgress) throws -> Void)?,
    _ row: (Item) throws -> Record, _ say: (Record, inout UpsertBatch) -> Void, next: () -> Item?
  ) throws -> UpsertResult {
    var result = UpsertResult()
    let initialised = SlotSet(coordinator.types.initialValues[entity.index].map(\.0))
    _ = try writeRows(entity, key: slot) { rows, complete in
      var upsert = Upsert(
        entity, graph.schema, key: slot, into: rows, initialised: initialised,
        complete: complete, reporting: faults)
      var counter = ImportCounter(count: count, report: progress, isStopped: isStopped)
      while let item = next() {
        let record: Record?
        do {
          record = try row(item)
        } catch let error where !(error is CancellationError) {
          try upsert.refuse(item, counter.completed, .thrown(error))
          record = nil
        }
        if let record {
          upsert.begin(item, counter.completed)
          say(record, &upsert.records)
          try upsert.endRecord()
        }
        try counter.add()
      }
      try upsert.finish()
      try counter.end()
      result = upsert.result
    }
    return result
  }
}

package import DatastoreCore

/// The database for changes of many rows without objects: one connection, inside its transaction.
package protocol BatchDatabase: AnyObject, KeyReader {
  /// Whether references are checked before the transaction ends, so that deleted rows cannot keep all of
  /// theirs.
  var looksAtReferencesAtOnce: Bool { get }

  /// Makes a builder of SQL conditions. One instance makes one statement.
  func makeBuilder() -> QueryBuilder
  /// Runs a statement on the rows of an entity.
  func run(_ statement: SQLFragment, of entity: EntityIndex) throws
  /// Updates rows, and returns their keys by their entities.
  ///
  /// - Parameters:
  ///   - assignments: values of slots that are stored in the table.
  ///   - columns: further columns to set to NULL.
  ///   - clause: ` WHERE …` for the table under its alias; empty for all rows.
  func update(
    _ entity: EntityIndex, as alias: String, assigning assignments: [(slot: Slot, value: Value)],
    clearing columns: [String], _ clause: SQLFragment
  ) throws -> [EntityIndex: [RowKey]]
  /// Deletes rows of an entity whose key is a number, and returns their keys by their entities.
  ///
  /// - Parameter references: columns with keys of other rows; the result has the values of each, without
  ///   NULL.
  func delete(
    _ entity: EntityIndex, as alias: String, _ clause: SQLFragment, returning references: [String]
  ) throws -> (keys: [EntityIndex: [RowKey]], references: [[RowKey]])

  /// Creates an empty set of rows to delete.
  func makeDeletionSet() -> any DeletionSet
}

extension BatchDatabase {
  /// Checks the counts that relationships require, for rows whose members changed: one statement for each
  /// relationship with a minimum or maximum.
  ///
  /// - Throws: `ValidationError` naming each object and relationship.
  package func validateCounts(_ changed: MergedKeys) throws {
    var faults: [ValidationError.Fault] = []
    for (entity, rows) in changed.updated.sorted(by: { $0.key < $1.key }) {
      let family = schema.entities[schema.entities[entity].root].members
      let gone = Set(family.flatMap { changed.deleted[$0] ?? [] })
      for link in schema.entities[entity].links.compactMap(\.self)
      where link.kind.isToMany && link.description.limitsCount {
        let keys = rows.lazy.filter { $0.value.contains(link.slot) && !gone.contains($0.key) }
          .map(\.key).sorted()
        if keys.isEmpty { continue }
        let counts = try memberCounts(link, of: keys)
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
          guard let reason = link.description.fault(ofCount: count) else { continue }
          faults.append(
            ValidationError.Fault(
              entity: schema.entities[link.entity].name, key: key,
              property: link.description.name, reason: reason))
        }
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }
}

extension MergedKeys {
  /// Records that values of rows have changed in some slots.
  package mutating func record(_ slots: SlotSet, of keys: [RowKey], _ entity: EntityIndex) {
    // Members of relationships may already have been recorded for some of them.
    var recorded = updated[entity] ?? [:]
    updated[entity] = nil
    recorded.reserveCapacity(recorded.count + keys.count)
    for key in keys { recorded[key, default: SlotSet()].formUnion(slots) }
    updated[entity] = recorded
  }

  /// Records that an object's relationship has gained or lost members.
  package mutating func record(_ key: RowKey, _ link: RelationshipLink) {
    updated[link.entity, default: [:]][key, default: SlotSet()].insert(link.slot)
  }
}

package import DatastoreCore

/// What changes of many rows run on, without objects: one connection, inside of its transaction.
package protocol BatchDatabase: AnyObject, KeyReader {
  /// Whether references are looked at before the transaction ends, so that rows that go cannot keep all of
  /// theirs.
  var looksAtReferencesAtOnce: Bool { get }

  /// What makes SQL of conditions. One instance makes one statement.
  func makeBuilder() -> QueryBuilder
  /// Runs a statement about the rows of an entity.
  func run(_ statement: SQLFragment, of entity: EntityIndex) throws
  /// Updates rows, and answers with their keys by the entities that they are of.
  ///
  /// - Parameters:
  ///   - assignments: values of slots that are stored in the table.
  ///   - columns: further columns, which become NULL.
  ///   - clause: ` WHERE …` about the table under its alias; empty for all rows.
  func update(
    _ entity: EntityIndex, as alias: String, assigning assignments: [(slot: Slot, value: Value)],
    clearing columns: [String], _ clause: SQLFragment
  ) throws -> [EntityIndex: [RowKey]]
  /// Deletes rows of an entity whose key is a number, and answers with their keys by the entities that they
  /// are of.
  ///
  /// - Parameter references: columns with keys of other rows; the answer has what each held, without NULL.
  func delete(
    _ entity: EntityIndex, as alias: String, _ clause: SQLFragment, returning references: [String]
  ) throws -> (keys: [EntityIndex: [RowKey]], references: [[RowKey]])

  /// A set of rows that go, which is empty.
  func makeDeletionSet() -> any DeletionSet
}

extension BatchDatabase {
  /// Checks the counts that relationships demand, where members came or went: one statement for each
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
  /// Records that rows have other values in some slots.
  package mutating func record(_ slots: SlotSet, of keys: [RowKey], _ entity: EntityIndex) {
    // Members of relationships may have been recorded of some of them.
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

/// The custom part of a step from one version to the next, besides everything that follows from the two
/// schemas.
package struct CustomMigration: Sendable {
  /// One pass over the objects of an old entity, or none, that makes objects of a new one.
  package struct Transformation: Sendable {
    /// The old entity; nil if the new objects have no source.
    package let source: String?
    /// The new entity.
    package let destination: String
    /// nil if the objects are copied, property by property.
    package let run: (@Sendable (MigrationStage) throws -> Void)?

    package init(
      source: String?, destination: String,
      run: (@Sendable (MigrationStage) throws -> Void)? = nil
    ) {
      self.source = source
      self.destination = destination
      self.run = run
    }
  }

  /// The versions before and after it.
  package let source: String
  package let destination: String
  /// Pairs of an old entity and the new one that it becomes, if their names do not show it.
  package var pairs: [(old: String, new: String)] = []
  /// New entities whose objects come only from transformations.
  package var filled: Set<String> = []
  /// Old entities that mappings handle: their data that the new version lacks is dropped on purpose.
  package var handled: Set<String> = []
  /// In the order in which they run.
  package var transformations: [Transformation] = []
  /// SQL that runs on the old tables, before anything else.
  package var statementsBefore: [String] = []
  /// SQL that runs on the new tables, before unique values and references are checked.
  package var statementsAfter: [String] = []

  package init(from source: String, to destination: String) {
    self.source = source
    self.destination = destination
  }
}

extension CustomMigration {
  /// The transformations, except those that copy an entity which is inferred anyway, because it is the same.
  package func transformations(besides difference: SchemaDifference) -> [Transformation] {
    transformations.filter { transformation in
      guard transformation.run == nil, let source = transformation.source,
        let old = difference.old.entity(named: source)
      else { return true }
      return difference.later(old)?.name != transformation.destination
    }
  }
}

/// The state of a migration for a transformation: both versions of the store in one transaction.
package struct MigrationStage {
  /// The offset between the keys of one old entity and those of a new one.
  package struct KeyOffset: Sendable {
    /// The roots of both families.
    package let source: EntityIndex
    package let destination: EntityIndex
    package let offset: Int64

    package init(source: EntityIndex, destination: EntityIndex, offset: Int64) {
      self.source = source
      self.destination = destination
      self.offset = offset
    }
  }

  /// The old version, for reading.
  package let old: any StoreEngine
  /// The new version, which already has the objects of inferred entities.
  package let new: any StoreEngine
  /// The difference between both.
  package let difference: SchemaDifference
  /// The offset from the key of a source to the key of its destination.
  package let keyOffset: Int64
  /// The offsets for all other objects; the first that matches counts.
  package let offsets: [KeyOffset]
  /// Receives the number of source objects processed since the last call, and of those from which nothing was
  /// made.
  package let report: (_ seen: Int, _ dropped: Int) -> Void
  package let isCancelled: (@Sendable () -> Bool)?

  package init(
    old: any StoreEngine, new: any StoreEngine, difference: SchemaDifference, keyOffset: Int64,
    offsets: [KeyOffset], report: @escaping (_ seen: Int, _ dropped: Int) -> Void,
    isCancelled: (@Sendable () -> Bool)?
  ) {
    self.old = old
    self.new = new
    self.difference = difference
    self.keyOffset = keyOffset
    self.offsets = offsets
    self.report = report
    self.isCancelled = isCancelled
  }

  /// The offset from the key of an old object to the key of the new one that it has become.
  package func offset(from old: EntityIndex, to new: EntityIndex) -> Int64 {
    let (source, destination) = (
      difference.old.entities[old].root, difference.new.entities[new].root
    )
    return offsets.first { $0.source == source && $0.destination == destination }?.offset ?? 0
  }
}

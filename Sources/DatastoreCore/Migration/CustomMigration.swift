/// What a step from one version to the next does besides what follows from the two schemas.
package struct CustomMigration: Sendable {
  /// One pass over the objects of an old entity, or none, that makes objects of a new one.
  package struct Transformation: Sendable {
    /// The old entity; nil where the new objects come from nowhere.
    package let source: String?
    /// The new entity.
    package let destination: String
    /// nil where the objects are copied, property by property.
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

  /// The versions that it is between.
  package let source: String
  package let destination: String
  /// Which new entity an old one becomes, where their names do not say so.
  package var pairs: [(old: String, new: String)] = []
  /// New entities whose objects come from transformations alone.
  package var filled: Set<String> = []
  /// Old entities whose objects are dealt with: what the new version lacks of them was meant to go.
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
  /// Transformations without those that copy what is inferred anyway, since it is the same entity.
  package func transformations(besides difference: SchemaDifference) -> [Transformation] {
    transformations.filter { transformation in
      guard transformation.run == nil, let source = transformation.source,
        let old = difference.old.entity(named: source)
      else { return true }
      return difference.later(old)?.name != transformation.destination
    }
  }
}

/// The inside of a migration, as a transformation sees it: both versions of the store in one transaction.
package struct MigrationStage {
  /// Where the objects of one old entity are in a new one.
  package struct KeyOffset: Sendable {
    /// Roots of both families.
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
  /// The new one, in which entities that are inferred have their objects already.
  package let new: any StoreEngine
  /// What differs between both.
  package let difference: SchemaDifference
  /// What is added to the key of a source to have that of its destination.
  package let keyOffset: Int64
  /// The same for all other objects, the first of two that agree counts.
  package let offsets: [KeyOffset]
  /// Told how many objects of the source have been looked at since the last time, and of how many of them
  /// nothing was made.
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

  /// What is added to the key of an old object to have that of the new one which it has become.
  package func offset(from old: EntityIndex, to new: EntityIndex) -> Int64 {
    let (source, destination) = (
      difference.old.entities[old].root, difference.new.entities[new].root
    )
    return offsets.first { $0.source == source && $0.destination == destination }?.offset ?? 0
  }
}

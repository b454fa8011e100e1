/// By index of an entity: slots with a closure that makes the value of each object.
package typealias InitialValues = ByEntity<[(Slot, @Sendable () -> Value)]>

/// The request to an engine to migrate a file to a schema.
package struct MigrationRequest: Sendable {
  package var policy: MigrationPolicy
  /// Versions between that of the file and the model, oldest first: names are followed through them. Without
  /// a `route`.
  package var versions: [Schema] = []
  /// The versions that the program knows, and what it does between them; nil where everything is inferred
  /// from the schema in the file.
  package var route: MigrationRoute?
  /// Whether a file may be brought back to a version that it was of before.
  package var mayGoBack = false
  /// The entities that the file must have; nil where it is recognised by itself. An editor of a schema has
  /// looked at it before.
  package var base: [EntityDescription]?
  /// By index of the new entity: slots with a closure that makes the value of each object.
  package var initialValues: InitialValues = []
  /// Where the old file is copied to before something in it is lost; nil for no copy.
  package var backupPath: String?
  /// Called now and then, on the thread that migrates.
  package var progress: (@Sendable (MigrationProgress) -> Void)?
  package var isCancelled: (@Sendable () -> Bool)?
  /// Called with what the file remembers of the migration, before it is committed.
  package var recorded: (@Sendable (MigrationRecord) -> Void)?
  /// What is free in a folder; asked of the file system without it. To have a full disk without one.
  package var diskSpace: (@Sendable (_ folder: String) -> (device: UInt64, freeBytes: Int)?)?
  /// How many pages the file may have: to have it full without a full disk.
  package var pageLimit: Int?

  package init(policy: MigrationPolicy) { self.policy = policy }

  /// The legs of the way from the schema of a file to a model.
  ///
  /// - Throws: an obstacle that is in the history.
  package func legs(from file: Schema, to model: Schema) throws(MigrationObstacle) -> [MigrationLeg]
  {
    try route?.legs(from: file) ?? [MigrationLeg(to: model, through: versions)]
  }

  /// The versions that a file leaves behind on its way, without its own and that of the model.
  package func versionsPassed(from file: Schema) -> [Schema] {
    route?.passed(from: file) ?? versions
  }

  /// Whether a file that remembers such migrations is of a version that comes after the model.
  ///
  /// Of a version that is known the route says it. One that is not known is newer when it was made of one
  /// that is, unless it has the name of one: then only its entities were changed.
  package func isNewer(_ file: Schema, than model: Schema, after records: [MigrationRecord]) -> Bool
  {
    let known = route?.history.versions.map(\.schema) ?? versions
    let isKnown =
      route?.history.version(of: file) != nil || file.version == nil
      || known.contains { $0.version == file.version }
    let older = isKnown ? [model] : known + [model]
    return records.contains { record in older.contains(where: record.comesFrom) }
  }

  package func hasInitial(entity: EntityIndex, slot: Slot) -> Bool {
    initialValues.indices.contains(entity) && initialValues[entity].contains { $0.0 == slot }
  }
}

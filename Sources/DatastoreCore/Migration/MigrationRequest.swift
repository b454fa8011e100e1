/// By index of an entity: slots with a closure that makes the value of each object.
package typealias InitialValues = ByEntity<[(Slot, @Sendable () -> Value)]>

/// The request to an engine to migrate a file to a schema.
package struct MigrationRequest: Sendable {
  package var policy: MigrationPolicy
  /// Versions between that of the file and the model, oldest first: names are followed through them. Used
  /// without a `route`.
  package var versions: [Schema] = []
  /// The versions that the program knows, with its custom mappings; nil if everything is inferred from the
  /// schema in the file.
  package var route: MigrationRoute?
  /// Whether a file may be brought back to an earlier version of it.
  package var mayGoBack = false
  /// The entities that the file must have, as a schema editor has read them before; nil to recognise the file
  /// by itself.
  package var base: [EntityDescription]?
  /// By index of the new entity: slots with a closure that makes the value of each object.
  package var initialValues: InitialValues = []
  /// Where to copy the old file before anything in it is lost; nil for no copy.
  package var backupPath: String?
  /// Called now and then, on the thread that migrates.
  package var progress: (@Sendable (MigrationProgress) -> Void)?
  package var isCancelled: (@Sendable () -> Bool)?
  /// Called with the file's record of the migration, before it is committed.
  package var recorded: (@Sendable (MigrationRecord) -> Void)?
  /// The free space in a folder, for simulating a full disk; by default that of the file system.
  package var diskSpace: (@Sendable (_ folder: String) -> (device: UInt64, freeBytes: Int)?)?
  /// The greatest number of pages of the file, for simulating a full one.
  package var pageLimit: Int?

  package init(policy: MigrationPolicy) { self.policy = policy }

  /// The legs of the path from the schema of a file to a model.
  ///
  /// - Throws: an obstacle in the history.
  package func legs(from file: Schema, to model: Schema) throws(MigrationObstacle) -> [MigrationLeg]
  {
    try route?.legs(from: file) ?? [MigrationLeg(to: model, through: versions)]
  }

  /// The versions that a file passes on its way, without its own and that of the model.
  package func versionsPassed(from file: Schema) -> [Schema] {
    route?.passed(from: file) ?? versions
  }

  /// Whether a file with the given migration records is of a later version than the model.
  ///
  /// For a known version, the route decides. An unknown one is newer if it was made from a known one, unless
  /// it has the name of one: then only its entities were edited.
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

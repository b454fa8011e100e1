/// What an engine is told about bringing a file to a schema.
package struct MigrationRequest: Sendable {
  package var policy: MigrationPolicy
  /// Versions between that of the file and the model, oldest first: names are followed through them.
  package var versions: [Schema] = []
  /// By index of the new entity: slots with a closure that makes the value of each object.
  package var initialValues: ByEntity<[(Slot, @Sendable () -> Value)]> = []
  /// Where the old file is copied to before something in it is lost; nil for no copy.
  package var backupPath: String?
  /// Called now and then, on the thread that migrates.
  package var progress: (@Sendable (MigrationProgress) -> Void)?
  package var isCancelled: (@Sendable () -> Bool)?

  package init(policy: MigrationPolicy) { self.policy = policy }

  package func hasInitial(entity: EntityIndex, slot: Slot) -> Bool {
    initialValues.indices.contains(entity) && initialValues[entity].contains { $0.0 == slot }
  }
}

/// The effect of a migration on a file, found without writing it.
public struct MigrationForecast: Sendable, Hashable {
  /// The effect on one entity.
  public struct EntityForecast: Sendable, Hashable {
    /// The name in the model, or in the file if the model does not have it.
    public let entity: String
    /// The most expensive kind of its changes, after checking the file.
    public let kind: MigrationKind
    /// Its changes, a sentence each.
    public let changes: [SchemaChange]
    /// The number of its objects in the file.
    public let rows: Int
    /// The number of rows to write.
    public let rowsToWrite: Int

    package init(
      entity: String, kind: MigrationKind, changes: [SchemaChange], rows: Int, rowsToWrite: Int
    ) {
      self.entity = entity
      self.kind = kind
      self.changes = changes
      self.rows = rows
      self.rowsToWrite = rowsToWrite
    }
  }

  /// The most expensive kind of all changes; `.none` if file and model agree, or there is no file.
  public let kind: MigrationKind
  /// The entities that change.
  public let entities: [EntityForecast]
  /// Data that would be dropped.
  public let losses: [MigrationLoss]
  /// Obstacles that make the migration impossible, whatever is allowed.
  public package(set) var obstacles: [MigrationObstacle]
  /// The number of steps: consecutive versions without custom mappings between them count as one.
  public let stepCount: Int
  /// The process identifiers of other processes that have the file open, as far as this user may see them:
  /// those with the old model cannot use it afterwards.
  public package(set) var otherProcesses: [Int32] = []

  /// The disk space it needs; nil if no rows are written and no copy is kept, and in memory.
  public package(set) var space: MigrationSpace?

  /// The forecast of a migration that is refused before any row is checked.
  package init(refusedWith error: MigrationError) {
    self.init(kind: .loss, entities: [], losses: [], obstacles: error.obstacles)
  }

  package init(
    kind: MigrationKind, entities: [EntityForecast], losses: [MigrationLoss],
    obstacles: [MigrationObstacle], stepCount: Int = 1
  ) {
    self.kind = kind
    self.entities = entities
    self.losses = losses
    self.stepCount = stepCount
    self.obstacles = obstacles
  }

  package static let nothing = MigrationForecast(
    kind: .none, entities: [], losses: [], obstacles: [])

  /// The number of rows to write in all.
  public var rowsToWrite: Int { entities.reduce(0) { $0 + $1.rowsToWrite } }
  /// Whether a migration is needed.
  public var hasMigration: Bool { kind != .none }
}

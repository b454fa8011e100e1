/// What a migration would do to a file, found without writing it.
public struct MigrationForecast: Sendable, Hashable {
  /// What becomes of one entity.
  public struct EntityForecast: Sendable, Hashable {
    /// The name in the model, or in the file where the model does not have it.
    public let entity: String
    /// The greatest kind of its changes, after looking into the file.
    public let kind: MigrationKind
    /// What changes, a sentence each.
    public let changes: [SchemaChange]
    /// How many objects the file has of it.
    public let rows: Int
    /// How many rows would be written.
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

  /// The greatest of what has to be done; `.none` where file and model agree, or there is no file.
  public let kind: MigrationKind
  /// The entities that change.
  public let entities: [EntityForecast]
  /// What holds values and would be dropped.
  public let losses: [MigrationLoss]
  /// What makes the migration impossible, whatever is allowed.
  public package(set) var obstacles: [MigrationObstacle]
  /// How many steps it takes: versions between which nothing of the program's own is done are one.
  public let stepCount: Int
  /// The numbers of other processes that have the file open, as far as this user may see them: those with the
  /// old model can do nothing more with it afterwards.
  public package(set) var otherProcesses: [Int32] = []

  /// What it needs of the disk; nil where no rows are written and no copy is kept, and in memory.
  public package(set) var space: MigrationSpace?

  /// What a migration would be that is refused before any row is looked at.
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

  /// Nothing to do.
  package static let nothing = MigrationForecast(
    kind: .none, entities: [], losses: [], obstacles: [])

  /// How many rows would be written in all.
  public var rowsToWrite: Int { entities.reduce(0) { $0 + $1.rowsToWrite } }
  /// Whether anything is to be done.
  public var hasMigration: Bool { kind != .none }
}

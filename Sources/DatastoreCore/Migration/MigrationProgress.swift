/// How far a migration has come.
public struct MigrationProgress: Sendable, Hashable {
  /// What is being done.
  public enum Phase: String, Sendable, Hashable {
    /// Values are looked at.
    case checking
    /// A copy of the file is made.
    case backup
    /// Rows are written.
    case copying
    /// Indexes are made.
    case indexing
    /// References are checked, and all of it is committed.
    case finishing
  }

  public let phase: Phase
  /// The entity whose rows are written; nil in other phases.
  public let entity: String?
  /// Rows that are written.
  public let rowsDone: Int
  /// Rows to be written in all.
  public let rowsTotal: Int

  package init(phase: Phase, entity: String?, rowsDone: Int, rowsTotal: Int) {
    self.phase = phase
    self.entity = entity
    self.rowsDone = rowsDone
    self.rowsTotal = rowsTotal
  }

  /// From 0 to 1, by rows. 1 where no rows are to be written.
  public var fractionCompleted: Double {
    rowsTotal == 0 ? 1 : Double(rowsDone) / Double(rowsTotal)
  }
}

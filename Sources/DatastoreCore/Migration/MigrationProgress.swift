/// How far a migration has come.
public struct MigrationProgress: Sendable, Hashable {
  /// What is being done.
  public enum Phase: String, Sendable, Hashable {
    /// Another process migrates the file, and is waited for.
    case waiting
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
  /// The number of the step, from 1: versions between which nothing of the program's own is done are one.
  public let step: Int
  /// How many steps there are.
  public let stepCount: Int
  /// The entity whose rows are written; nil in other phases.
  public let entity: String?
  /// Rows of the step that are written.
  public let rowsDone: Int
  /// Rows that the step writes in all.
  public let rowsTotal: Int

  package init(
    phase: Phase, step: Int = 1, stepCount: Int = 1, entity: String?, rowsDone: Int, rowsTotal: Int
  ) {
    self.phase = phase
    self.step = step
    self.stepCount = stepCount
    self.entity = entity
    self.rowsDone = rowsDone
    self.rowsTotal = rowsTotal
  }

  /// From 0 to 1: by steps, and by rows in each. A step that writes no rows is done as soon as it begins.
  public var fractionCompleted: Double {
    let fraction = rowsTotal == 0 ? 1 : Double(rowsDone) / Double(rowsTotal)
    return (Double(step - 1) + fraction) / Double(stepCount)
  }
}

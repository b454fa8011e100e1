/// How far a migration has come.
public struct MigrationProgress: Sendable, Hashable {
  /// The current step.
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

  /// From 0 to 1: by steps, and in each by rows, with the last tenth for indexes and for what is checked
  /// then. Never gets less.
  public var fractionCompleted: Double {
    let rows = rowsTotal == 0 ? 1 : Double(rowsDone) / Double(rowsTotal)
    let fraction =
      switch phase {
      case .waiting, .checking, .backup: 0.0
      case .copying: rows * 0.9
      case .indexing: 0.9
      case .finishing: 0.95
      }
    return (Double(step - 1) + fraction) / Double(stepCount)
  }
}

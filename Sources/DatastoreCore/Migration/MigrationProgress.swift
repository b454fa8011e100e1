/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
  /// The current step.
  @nonexhaustive
  public enum Phase: String, Sendable, Hashable {
    /// Waiting for another process that migrates the file.
    case waiting
    /// Checking values.
    case checking
    /// Copying the file.
    case backup
    /// Writing rows.
    case copying
    /// Creating indexes.
    case indexing
    /// Checking references, and committing.
    case finishing
  }

  public let phase: Phase
  /// The number of the step, from 1: consecutive versions without custom mappings between them count as one.
  public let step: Int
  /// The number of steps.
  public let stepCount: Int
  /// The entity whose rows are written; nil in other phases.
  public let entity: String?
  /// The number of rows of the step written so far.
  public let rowsDone: Int
  /// The number of rows to write in the step.
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

  /// From 0 to 1: by steps, and in each by rows, with the last tenth for indexes and the final checks. Never
  /// decreases.
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

/// How a load behaves.
package struct LoadOptions: Sendable {
  /// What a record at fault does.
  package enum FaultHandling: String, CaseIterable, Sendable {
    /// It ends the load, and nothing of the load stays in the store.
    case stop
    /// It is reported and left out. A reference that leads to no object is reported and left empty.
    case skip
  }

  /// When rows are written.
  package enum Saving: Sendable {
    /// All rows in one transaction at the end: a load that stops, or is killed, leaves nothing.
    /// Memory grows with the rows, but for new objects without relationships.
    case once
    /// Every batch in its own transaction: memory does not grow with the rows, except for their
    /// keys, but a load that stops leaves the batches before. For files that nobody sees yet.
    case eachBatch
  }

  package var faults = FaultHandling.stop
  /// Whether everything is done but writing the store.
  package var isTrial = false
  package var saving = Saving.once
  /// Rows that are looked up, and with `eachBatch` saved, together.
  package var batchSize = 2_000

  package init() {}
}

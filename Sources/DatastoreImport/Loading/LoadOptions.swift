package import DatastoreCore

/// How a load behaves.
package struct LoadOptions: Sendable {
  /// The effect of an invalid record.
  package enum FaultHandling: String, CaseIterable, Sendable {
    /// It ends the load, and nothing of the load stays in the store.
    case stop
    /// It is reported and left out. A reference that leads to no object is reported and left empty.
    case skip
  }

  /// When rows are written.
  package enum Saving: Sendable {
    /// All rows in one transaction at the end: a load that stops, or is killed, leaves nothing. Memory grows
    /// with the rows only if records fill relationships, or several files are loaded together.
    case once
    /// Every batch in its own transaction, so that memory does not grow with the rows. A load that stops
    /// leaves the batches before. For stores that are not visible yet, which also keep the keys of their rows
    /// in memory, and for those that are shown while rows arrive. In the latter the last of several records
    /// with one key counts, and a row that the store refuses is a fault like others.
    case eachBatch
  }

  package var faults = FaultHandling.stop
  /// Whether everything is done except writing the store.
  package var isTrial = false
  package var saving = Saving.once
  /// The number of rows that are looked up, and with `eachBatch` saved, together.
  package var batchSize = 2_000
  /// About how many bytes of a file are read to infer its types at first, when it becomes a new table of a
  /// new store; loading the file shows whether they hold for all of it.
  package var sampleSize = ByteInput.typeSampleSize
  /// Custom descriptions of the store, if another program has created it; nil if only its declarations count.
  package var annotations: SchemaAnnotations?

  package init() {}
}

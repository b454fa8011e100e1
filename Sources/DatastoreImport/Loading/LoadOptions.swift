package import DatastoreCore

/// How a load behaves.
package struct LoadOptions: Sendable {
  /// What an invalid record does.
  package enum FaultHandling: String, CaseIterable, Sendable {
    /// It ends the load, and nothing of the load stays in the store.
    case stop
    /// It is reported and left out. A reference that leads to no object is reported and left empty.
    case skip
  }

  /// When rows are written.
  package enum Saving: Sendable {
    /// All rows in one transaction at the end: a load that stops, or is killed, leaves nothing.
    /// Memory grows with the rows only where records fill relationships, or several files are loaded
    /// together.
    case once
    /// Every batch in its own transaction, so that memory does not grow with the rows. A load that
    /// stops leaves the batches before: for stores that are not visible yet, which also keep the keys of
    /// their rows in memory, and for those that people look at while the rows come. There the last of
    /// several records with one key counts, and a row that the store refuses is a fault like others.
    case eachBatch
  }

  package var faults = FaultHandling.stop
  /// Whether everything is done but writing the store.
  package var isTrial = false
  package var saving = Saving.once
  /// Rows that are looked up, and with `eachBatch` saved, together.
  package var batchSize = 2_000
  /// About how many bytes of a file its types are taken from at first, when it becomes a new table of a new
  /// store; while it is loaded, it turns out whether they hold for all of it.
  package var sampleSize = ByteInput.typeSampleSize
  /// What was said of the store, where another program has made it; nil where nothing beside its
  /// declarations counts.
  package var annotations: SchemaAnnotations?

  package init() {}
}

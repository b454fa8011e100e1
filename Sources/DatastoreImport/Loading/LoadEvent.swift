/// What a load reports while it runs, from the queue of its context.
package enum LoadEvent: Sendable {
  case progress(LoadProgress)
  /// A record or reference that is left out.
  case fault(LoadFault)
  /// Nothing comes from a pipe or standard input, by its name, and the load waits for it.
  case waiting(String)
}

/// How far a load has come.
package struct LoadProgress: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    /// Reading the files once to find the types of their columns.
    case inferring
    /// Reading records into objects.
    case loading
    /// Setting the references that point forwards, and writing to the store.
    case finishing
  }

  package var stage: Stage
  /// The file that is being read, as the user named it.
  package var file: String
  /// Its number, from 1, and the number of all files.
  package var fileNumber: Int
  package var fileCount: Int
  /// Records read so far in all files, invalid ones included.
  package var rows: Int
  /// New and changed objects that are in the store for good; counted by loads that write each batch.
  package var written = 0
  /// Bytes read of this file.
  package var bytesRead: Int
  /// The size of this file; nil when it is not known, as for a pipe.
  package var totalBytes: Int?
}

/// What a load has done.
package struct LoadReport: Hashable, Sendable {
  /// Records read, invalid ones included.
  package var rows = 0
  /// New objects.
  package var inserted = 0
  /// Objects that were in the store and were given the values of a record.
  package var updated = 0
  /// Pairs linked.
  package var linked = 0
  /// Records left out because they are invalid.
  package var skippedRows = 0
  /// Records that are not as they should be, and were read as well as they can be.
  package var irregular = IrregularRecords()
  /// References left empty because they lead to no object.
  package var skippedReferences = 0
  /// How the last file is written, as it was said or found out.
  package var findings: [ReadingFinding] = []
  /// What was found out about files, as sentences.
  package var notes: [String] = []

  package init() {}

  /// Records whose rows are in the store now.
  package var rowsTaken: Int { rows - skippedRows }
}

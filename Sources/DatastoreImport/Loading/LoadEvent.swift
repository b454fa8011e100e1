/// A report of a running load, from the queue of its context.
package enum LoadEvent: Sendable {
  case progress(LoadProgress)
  /// A record or reference that is left out.
  case fault(LoadFault)
  /// No data arrives from a pipe or standard input, given by its name, and the load waits for it.
  case waiting(String)
}

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
  /// New and changed objects that are committed; counted by loads that write each batch.
  package var written = 0
  package var bytesRead: Int
  /// The size of this file; nil when it is not known, as for a pipe.
  package var totalBytes: Int?
}

package struct LoadReport: Hashable, Sendable {
  /// Records read, invalid ones included.
  package var rows = 0
  /// New objects.
  package var inserted = 0
  /// Existing objects that were given the values of a record.
  package var updated = 0
  /// Pairs linked.
  package var linked = 0
  /// Records left out because they are invalid.
  package var skippedRows = 0
  /// Irregular records, which were read as well as possible.
  package var irregular = IrregularRecords()
  /// References left empty because they lead to no object.
  package var skippedReferences = 0
  /// The properties of the last file, as given or detected.
  package var findings: [ReadingFinding] = []
  /// The numbers of related objects that have left lists, because the records say other ones.
  var left: [GivenList: Int] = [:]
  /// Observations about files, as sentences.
  package var notes: [String] = []

  package init() {}

  /// The number of records whose rows are in the store now.
  package var rowsTaken: Int { rows - skippedRows }
}

/// A to-many relationship that the records of a file fill with lists.
struct GivenList: Hashable {
  /// The number of the file, from 0.
  let file: Int
  let property: String
}

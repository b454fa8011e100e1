import SQLiteFiles

extension FileExamination {
  /// - Parameter isInUse: whether another process has the file open, which may own them.
  mutating func report(_ beside: FileSurroundings, isInUse: Bool) {
    let isInWALMode = FileHeader.isInWALMode(path)
    for neighbor in beside.neighbors {
      let text = "\(neighbor.path), \(neighbor.size) bytes"
      let isLeft = !isInUse && neighbor.size > 0
      switch neighbor.kind {
      case .log where !isInWALMode && neighbor.size > 0:
        report(
          "beside it", text, .attention,
          advice: """
            \(neighbor.path) is the log of a file in WAL mode, which this one is not: one of the two has been replaced or \
            restored without the other. Keep a copy of both before anything opens the file for writing.
            """)
      case .log where isLeft:
        report(
          "beside it", text, .attention,
          advice: """
            A program has ended without closing the file. What it saved last may be in \(neighbor.path) only: keep the two \
            together. The next program that writes the file moves it in.
            """)
      case .journal where isLeft && HotJournal.isThere(path):
        report(
          "beside it", text, .attention,
          advice: """
            A program has ended in the middle of a save. Open the file with a program that may write it, as with “datastore”: \
            what was not complete is taken back. Do not remove \(neighbor.path), without which the file is damaged.
            """)
      case .migration where MigrationNotice.holder(of: path) != nil:
        report("beside it", "\(text): a migration is running")
      case .recovery where isLeft:
        report(
          "beside it", text, .attention,
          advice: """
            Changes that were staged in a browser which has ended are in \(neighbor.path). Open the file with “datastore”: it \
            offers them.
            """)
      case .migration where !isInUse, .partialCopy where !isInUse:
        report(
          "beside it", text, .attention,
          advice: "\(neighbor.path) was left by a program that was killed; it can be removed.")
      default: report("beside it", text)
      }
    }
    if beside.neighbors.isEmpty { report("beside it", "nothing") }
  }
}

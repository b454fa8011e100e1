import DatastoreExport
import Foundation

/// Where a command writes: standard output, or a file that is replaced when all of it is there.
struct OutputPlace {
  /// nil for standard output.
  let path: String?

  /// Lets `body` write, and completes the file. Ends quietly when the reader of a pipe has gone, since
  /// it has what it wanted.
  ///
  /// - Throws: `ExportError`, and what `body` throws; a file that was there before stays then.
  func write(_ body: (ExportOutput) throws -> Void) throws {
    // A pipe without a reader is an error to handle, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    do {
      guard let path else {
        let stream = ExportOutput(descriptor: STDOUT_FILENO, name: "standard output")
        try body(stream)
        return try stream.flush()
      }
      let file = try ExportFile(path: path)
      if let note = file.note { Message.write(note) }
      let partial = file.partial
      let interruption = Interruption {
        if let partial { unlink(partial) }
        Message.write("interrupted; \(path) was not written.")
        Foundation.exit(ExitStatus.interrupted.rawValue)
      }
      defer { interruption.end() }
      try body(file.output)
      try file.finish()
    } catch ExportError.closedPipe {
    }
  }
}

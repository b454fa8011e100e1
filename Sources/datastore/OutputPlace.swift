import DatastoreExport
import Foundation

/// The destination of a command's output: standard output, or a file that is replaced when the output is
/// complete.
struct OutputPlace {
  /// nil for standard output.
  let path: String?

  /// - Parameter path: nil or `-` for standard output.
  init(path: String?) { self.path = path == "-" ? nil : path }

  /// Lets `body` write, and completes the file. Ends quietly if the reader of a pipe has closed it.
  ///
  /// - Throws: `ExportError`, and errors of `body`; an existing file then stays.
  func write(_ body: (ExportOutput) throws -> Void) throws {
    // Writing to a closed pipe then returns an error instead of ending the process.
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
        Foundation.exit(Interruption.status.rawValue)
      }
      defer { interruption.end() }
      try body(file.output)
      try file.finish()
    } catch ExportError.closedPipe {
    }
  }
}

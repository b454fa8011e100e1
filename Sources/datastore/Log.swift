import Foundation
import Gates
import Logging
import Synchronization

/// Log messages for finding faults, in a file because the screen is in use.
enum Log {
  /// Sends everything that is logged to `$XDG_STATE_HOME/datastore/datastore.log`, if
  /// `DATASTORE_LOG` names a level; nowhere otherwise. Called once, before anything logs.
  static func start() {
    let environment = ProcessInfo.processInfo.environment
    guard let text = environment["DATASTORE_LOG"], !text.isEmpty else {
      LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
      return
    }
    let directory = UserDirectory.state
    let url = directory.appendingPathComponent("datastore.log")
    let level = Logger.Level(rawValue: text.lowercased())
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let file = try LogFile(at: url)
      LoggingSystem.bootstrap { label in
        FileLogHandler(label: label, file: file, logLevel: level ?? .info)
      }
    } catch {
      LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
      Message.write("\(url.path) could not be opened, so nothing is logged: \(Self.reason(error)).")
    }
    if level == nil {
      let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      Message.write("DATASTORE_LOG is “\(text)”, but the levels are \(known); using info.")
    }
  }
}

extension Log {
  private static func reason(_ error: any Error) -> String {
    (error as? FileFault)?.reason ?? error.localizedDescription
  }
}

/// An open file that any thread can append lines to.
private final class LogFile: Sendable {
  private let handle: Mutex<FileHandle>

  init(at url: URL) throws {
    let descriptor = open(
      url.path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFault(url.path, String(cString: strerror(errno))) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FileFault(url.path, "it is not a regular file")
    }
    handle = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }

  func write(_ line: String) {
    // A log that cannot be written must not end the program.
    handle.withLock { try? $0.write(contentsOf: Data(line.utf8)) }
  }
}

private struct FileLogHandler: LogHandler {
  let label: String
  let file: LogFile
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(label: String, file: LogFile, logLevel: Logger.Level) {
    self.label = label
    self.file = file
    self.logLevel = logLevel
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let pairs = metadata.merging(event.metadata ?? [:]) { $1 }
    let extra = pairs.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let date = Date().formatted(.iso8601)
    // One line for each event, without characters that could act on the reader's terminal.
    let text = "\(event.message)\(extra)".markingHarmful()
    file.write("\(date) \(event.level) \(label): \(text)\n")
  }
}

import Foundation

/// Receives the events of a datastore: reads and saves with their durations, merges, conflicts, migrations
/// and failures.
///
/// ```swift
/// struct PrintingLogger: DatastoreLogger {
///   func log(_ event: DatastoreEvent) { print("\(event.level): \(event)") }
/// }
/// var options = SwiftDatastore.Options()
/// options.logger = PrintingLogger()
/// ```
///
/// Without a logger no time is measured and no event is made. A logger is called on the thread that did the
/// work, on several threads at once, and never under a lock; it must not use the datastore.
public protocol DatastoreLogger: Sendable {
  /// The lowest level of the events to receive; events below are not made. `notice` by default. Read when the
  /// datastore is opened.
  var level: DatastoreEvent.Level { get }
  /// Receives an event.
  func log(_ event: DatastoreEvent)
}

extension DatastoreLogger {
  /// All events except reads and merges.
  public var level: DatastoreEvent.Level { .notice }
}

/// The logger of a datastore, if it has one.
struct EventLog: Sendable {
  private let logger: (any DatastoreLogger)?
  private let level: DatastoreEvent.Level
  private let path: String?

  init(_ logger: (any DatastoreLogger)?, path: String?) {
    self.logger = logger
    self.path = path
    level = logger?.level ?? .error
  }

  /// Whether the logger receives events of a level.
  func isLogging(_ level: DatastoreEvent.Level) -> Bool { logger != nil && level >= self.level }

  /// Logs an event if the logger receives its level.
  func callAsFunction(
    _ level: DatastoreEvent.Level, _ kind: @autoclosure () -> DatastoreEvent.Kind,
    since start: ContinuousClock.Instant? = nil
  ) {
    guard let logger, level >= self.level else { return }
    logger.log(
      DatastoreEvent(
        level: level, kind: kind(), path: path, duration: start.map { ContinuousClock.now - $0 }))
  }

  /// The current time if the logger receives events of a level.
  func now(_ level: DatastoreEvent.Level) -> ContinuousClock.Instant? {
    isLogging(level) ? .now : nil
  }

  /// Reads objects or rows, and logs their number and the duration.
  func fetching<Result>(
    _ query: @autoclosure () -> String, _ count: (Result) -> Int, _ read: () throws -> Result
  ) rethrows -> Result {
    guard isLogging(.trace) else { return try read() }
    let start = ContinuousClock.now
    let result = try read()
    self(.trace, .fetched(query: query(), rows: count(result)), since: start)
    return result
  }
}

/// A logger that writes each event to standard error, a line each: its level, its file, and its description.
///
/// ```swift
/// options.logger = StandardErrorLogger(level: .warning)
/// ```
public struct StandardErrorLogger: DatastoreLogger {
  public let level: DatastoreEvent.Level

  /// Creates a logger, by default of file changes and of warnings and errors.
  ///
  /// - Parameter level: the lowest level to write.
  public init(level: DatastoreEvent.Level = .notice) { self.level = level }

  public func log(_ event: DatastoreEvent) {
    let place = event.path.map { " \($0):" } ?? ""
    FileHandle.standardError.write(Data("\(event.level):\(place) \(event)\n".utf8))
  }
}

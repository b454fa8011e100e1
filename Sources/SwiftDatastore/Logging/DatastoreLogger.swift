import Foundation

/// Receives what a datastore does: what was read and saved and how long it took, merges, conflicts,
/// migrations and failures.
///
/// ```swift
/// struct PrintingLogger: DatastoreLogger {
///   func log(_ event: DatastoreEvent) { print("\(event.level): \(event)") }
/// }
/// var options = SwiftDatastore.Options()
/// options.logger = PrintingLogger()
/// ```
///
/// Without a logger nothing is measured and nothing is made. A logger is called on the thread that did the
/// work, on several threads at once, while nothing is locked; it must not use the datastore.
public protocol DatastoreLogger: Sendable {
  /// The lowest level of the events that it receives; events below are not made. `notice` unless you say
  /// otherwise. Asked when the datastore is opened.
  var level: DatastoreEvent.Level { get }
  /// Something has happened.
  func log(_ event: DatastoreEvent)
}

extension DatastoreLogger {
  /// Everything but reads and merges.
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

  /// Whether events of that level are asked for.
  func isLogging(_ level: DatastoreEvent.Level) -> Bool { logger != nil && level >= self.level }

  /// Tells what has happened, where it is asked for.
  func callAsFunction(
    _ level: DatastoreEvent.Level, _ kind: @autoclosure () -> DatastoreEvent.Kind,
    since start: ContinuousClock.Instant? = nil
  ) {
    guard let logger, level >= self.level else { return }
    logger.log(
      DatastoreEvent(
        level: level, kind: kind(), path: path, duration: start.map { ContinuousClock.now - $0 }))
  }

  /// The time, where events of that level are asked for.
  func now(_ level: DatastoreEvent.Level) -> ContinuousClock.Instant? {
    isLogging(level) ? .now : nil
  }

  /// Reads objects or rows, and logs how many there were and how long it took.
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

/// A logger that writes each event on standard error, a line each: its level, its file, and what happened.
///
/// ```swift
/// options.logger = StandardErrorLogger(level: .warning)
/// ```
public struct StandardErrorLogger: DatastoreLogger {
  public let level: DatastoreEvent.Level

  /// A logger of what changes files, and of what goes wrong, unless you say otherwise.
  ///
  /// - Parameter level: the lowest level that is written.
  public init(level: DatastoreEvent.Level = .notice) { self.level = level }

  public func log(_ event: DatastoreEvent) {
    let place = event.path.map { " \($0):" } ?? ""
    FileHandle.standardError.write(Data("\(event.level):\(place) \(event)\n".utf8))
  }
}

import Basics
public import SwiftDatastore

/// The importance of a message.
public enum LogLevel: Sendable, Hashable {
  case trace, notice, warning, fatal

  fileprivate init(_ level: DatastoreEvent.Level) {
    self =
      switch level {
      case .trace: .trace
      case .notice: .notice
      case .warning: .warning
      case .error: .fatal
      }
  }
}

/// A `DatastoreLogger` with the functions of CoreStore. Called on several threads at once.
public protocol CoreStoreLogger: DatastoreLogger {
  /// Logs an event. File, line and function are those of this module, which forwards it.
  func log(
    level: LogLevel, message: String, fileName: StaticString, lineNumber: Int,
    functionName: StaticString)
  /// Logs a failure.
  func log(
    error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int,
    functionName: StaticString)
  /// Not called: faults are thrown or trap.
  func assert(
    _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String,
    fileName: StaticString, lineNumber: Int, functionName: StaticString)
  /// Called before a programming error with stacks and schemas traps. Does nothing by default.
  func abort(
    _ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString)
}

extension CoreStoreLogger {
  public var level: DatastoreEvent.Level { .trace }

  public func log(_ event: DatastoreEvent) {
    if case .failed(_, let error) = event.kind {
      log(
        error: .internalError(error: error), message: event.description, fileName: #fileID,
        lineNumber: #line, functionName: #function)
    } else {
      log(
        level: LogLevel(event.level), message: event.description, fileName: #fileID,
        lineNumber: #line, functionName: #function)
    }
  }

  public func abort(
    _ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
  ) {}
}

/// Writes the actions of a stack to standard error: `CoreStoreDefaults.logger = DefaultLogger()`. By default
/// nothing is logged.
public typealias DefaultLogger = StandardErrorLogger

extension CoreStoreDefaults {
  static func abort(_ message: String, function: StaticString = #function) -> Never {
    (logger as? any CoreStoreLogger)?.abort(
      message, fileName: #fileID, lineNumber: #line, functionName: function)
    trap(message)
  }
}

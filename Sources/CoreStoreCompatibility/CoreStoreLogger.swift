import Basics
public import SwiftDatastore

/// How important a message is.
public typealias LogLevel = DatastoreEvent.Level

/// A `DatastoreLogger` with the functions of CoreStore. Called on several threads at once.
public protocol CoreStoreLogger: DatastoreLogger {
  /// Something has happened. File, line and function are those of this module, which forwards it.
  func log(
    level: LogLevel, message: String, fileName: StaticString, lineNumber: Int,
    functionName: StaticString)
  /// Something could not be done.
  func log(
    error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int,
    functionName: StaticString)
  /// Not called: what is wrong is thrown or traps.
  func assert(
    _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String,
    fileName: StaticString, lineNumber: Int, functionName: StaticString)
  /// The last word before a mistake of the program with stacks and schemas traps.
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
        level: event.level, message: event.description, fileName: #fileID, lineNumber: #line,
        functionName: #function)
    }
  }
}

extension CoreStoreDefaults {
  static func abort(_ message: String, function: StaticString = #function) -> Never {
    (logger as? any CoreStoreLogger)?.abort(
      message, fileName: #fileID, lineNumber: #line, functionName: function)
    trap(message)
  }
}

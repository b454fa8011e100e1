import Foundation

/// A logger that writes each event on standard error, a line each: its level, its file, and what happened.
///
/// ```swift
/// options.logger = StandardErrorLogger(level: .warning)
/// ```
public struct StandardErrorLogger: DatastoreLogger {
  public let level: DatastoreEvent.Level

  /// A logger of what changes files, and of what goes wrong, unless you say otherwise.
  ///
  /// - Parameter level: the least level of what is written.
  public init(level: DatastoreEvent.Level = .notice) { self.level = level }

  public func log(_ event: DatastoreEvent) {
    let place = event.path.map { " \($0):" } ?? ""
    FileHandle.standardError.write(Data("\(event.level):\(place) \(event)\n".utf8))
  }
}

import GRDB
import GRDBSQLite

/// A progress handler of SQLite, which checks now and then whether a statement is cancelled. Unlike an
/// interrupt, which is lost when it comes before the first step, a cancellation is never missed.
final class ProgressHandler {
  /// Instructions of SQLite's virtual machine between two checks: some microseconds.
  private static let interval: Int32 = 1_000

  private let isCancelled: @Sendable () -> Bool

  private init(_ isCancelled: @escaping @Sendable () -> Bool) {
    self.isCancelled = isCancelled
  }

  /// - Throws: `CancellationError` when it is cancelled, even after `body` has ended.
  static func watch<Result>(
    _ connection: SQLiteConnection?, _ isCancelled: (@Sendable () -> Bool)?,
    _ body: () throws -> Result
  ) throws -> Result {
    guard let isCancelled else { return try body() }
    let sign = ProgressHandler(isCancelled)
    // The flag outlives the handler, which is removed before it is released.
    sqlite3_progress_handler(
      connection, interval,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<ProgressHandler>.fromOpaque(pointer).takeUnretainedValue().isCancelled()
          ? 1 : 0
      }, Unmanaged.passUnretained(sign).toOpaque())
    defer {
      withExtendedLifetime(sign) { sqlite3_progress_handler(connection, 0, nil, nil) }
    }
    let result: Result
    do {
      result = try body()
    } catch {
      if isCancelled() { throw CancellationError() }
      throw error
    }
    if isCancelled() { throw CancellationError() }
    return result
  }
}

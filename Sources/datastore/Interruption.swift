import DatastoreCore
import Dispatch
import Foundation

/// Runs a closure instead of ending the program on Ctrl-C, SIGTERM, or when the terminal is closed.
final class Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private static let received = Lock<Int32>(SIGINT)
  private let sources: [any DispatchSourceSignal]

  /// The exit status of a program that ends because of the signal that came last.
  static var status: ExitStatus {
    ExitStatus(rawValue: 128 + received.withLock { $0 }) ?? .interrupted
  }

  /// - Parameter handler: called on a background queue.
  init(_ handler: @escaping @Sendable () -> Void) {
    sources = Self.signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        Interruption.received.withLock { $0 = number }
        handler()
      }
      source.resume()
      return source
    }
  }

  /// Restores the default: signals end the program again.
  func end() {
    for source in sources { source.cancel() }
    for number in Self.signals { signal(number, SIG_DFL) }
  }
}

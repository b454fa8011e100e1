import Dispatch
import Foundation

/// Runs a closure instead of ending the program on Ctrl-C, SIGTERM, or when the terminal is closed.
final class Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private let sources: [any DispatchSourceSignal]

  /// - Parameter handler: called on a background queue.
  init(_ handler: @escaping @Sendable () -> Void) {
    sources = Self.signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: handler)
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

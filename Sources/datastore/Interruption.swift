import Dispatch
import Foundation

/// Runs something when the program is asked to end: Ctrl-C, a polite end, a terminal that is gone.
final class Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private let sources: [any DispatchSourceSignal]

  /// - Parameter handler: called on a background queue, instead of the program's end.
  init(_ handler: @escaping @Sendable () -> Void) {
    sources = Self.signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: handler)
      source.resume()
      return source
    }
  }

  /// From now on, the program just ends.
  func end() {
    for source in sources { source.cancel() }
    for number in Self.signals { signal(number, SIG_DFL) }
  }
}

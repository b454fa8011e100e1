import DatastoreCore
import Foundation

/// Passes on the bytes of a line in both directions, and cuts or spoils them where a test says so.
package final class Relay: Sendable {
  /// The sender.
  package enum Side: Sendable, CaseIterable { case here, there }

  private struct State {
    /// The files between both ends; none when both directions have ended.
    var files: [Int32] = []
    var runningCount = 2
    var counts: [Side: Int] = [:]
    var cut: (side: Side, bytes: Int)?
    /// Makes other bytes of those of a side.
    /// Whether nothing is handed on, and the line goes on.
    var isHeld = false
    var spoiling: (side: Side, spoil: @Sendable (inout [UInt8]) -> Void)?
  }

  private let state = Lock(State())
  private let holding = NSCondition()
  /// The end for the program here, and that for the one there.
  package let here: Int32
  package let there: Int32

  /// - Throws: `POSIXError`.
  package init() throws {
    let (first, second) = (try Self.pair(), try Self.pair())
    (here, there) = (first[0], second[0])
    state.withLock { $0.files = [first[1], second[1]] }
    for (side, from, to) in [(Side.here, first[1], second[1]), (.there, second[1], first[1])] {
      let (state, holding) = (state, holding)
      Thread.detachNewThread { Self.forward(side, from, to, state, holding) }
    }
  }

  private static func pair() throws -> [Int32] {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return ends
  }

  /// Cuts the line before a byte of a side, counted from now.
  package func cut(_ side: Side, after bytes: Int) {
    state.withLock {
      $0.counts = [:]
      $0.cut = (side, bytes)
    }
  }

  /// Passes on nothing, or the bytes that came meanwhile and all further ones.
  package func hold(_ isHeld: Bool) {
    state.withLock { $0.isHeld = isHeld }
    holding.lock()
    holding.broadcast()
    holding.unlock()
  }

  /// Bytes of a side since they are counted.
  package func count(_ side: Side) -> Int { state.withLock { $0.counts[side] ?? 0 } }

  /// Counts from zero.
  package func count() { state.withLock { $0.counts = [:] } }

  /// Ends the line.
  package func end() {
    state.withLock { state in
      for file in state.files { shutdown(file, Int32(SHUT_RDWR)) }
    }
  }

  /// Changes the bytes that a side sends from now on, as they come.
  package func spoil(_ side: Side, _ spoil: @escaping @Sendable (inout [UInt8]) -> Void) {
    state.withLock { $0.spoiling = (side, spoil) }
  }

  private static func forward(
    _ side: Side, _ from: Int32, _ to: Int32, _ state: Lock<State>, _ holding: NSCondition
  ) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    defer {
      state.withLock { state in
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
        state.runningCount -= 1
        if state.runningCount == 0 {
          // Numbers of files that are closed are given to others.
          for file in state.files { close(file) }
          state.files = []
        }
      }
    }
    while true {
      let count = read(from, &buffer, buffer.count)
      if count <= 0 { return }
      var bytes = Array(buffer[..<count])
      holding.lock()
      while state.withLock({ $0.isHeld }) { holding.wait() }
      holding.unlock()
      let isCut = state.withLock { state in
        let before = state.counts[side] ?? 0
        state.counts[side] = before + count
        if let spoiling = state.spoiling, spoiling.side == side { spoiling.spoil(&bytes) }
        guard let cut = state.cut, cut.side == side, before + count > cut.bytes else {
          return false
        }
        bytes.removeLast(max(0, count - max(0, cut.bytes - before)))
        return true
      }
      var sent = 0
      while sent < bytes.count {
        let written = bytes[sent...].withUnsafeBytes {
          send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if written <= 0 { return }
        sent += written
      }
      if isCut { return }
    }
  }
}

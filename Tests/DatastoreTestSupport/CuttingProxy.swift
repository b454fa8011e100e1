import DatastoreCore
import Foundation

/// A socket between a program and a PostgreSQL server that passes on all bytes, and cuts a connection at the
/// place that a test gives.
package final class CuttingProxy: Sendable {
  /// The sender of the counted bytes.
  package enum Side: Sendable, CaseIterable { case program, server }

  private struct State {
    /// Bytes of each side since they are counted.
    var counts: [Side: Int] = [:]
    /// The place of the cut: after that many bytes of a side.
    var cut: (side: Side, bytes: Int, isLate: Bool)?
    var cutCount = 0
    /// Most bytes that are handed on at a time.
    var piece = Int.max
    /// Sessions of the server that still get the bytes of their programs, once another connection is made.
    var late: [DispatchSemaphore] = []
  }

  private let state = Lock(State())
  private let directory: TemporaryDirectory
  private let listener: Int32
  private let server: String

  /// - Parameter directory: where the server's socket is.
  /// - Throws: `POSIXError`.
  package init(to directory: String) throws {
    server = "\(directory)/.s.PGSQL.5432"
    self.directory = try TemporaryDirectory()
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = Self.address(of: self.directory.path(".s.PGSQL.5432"))
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard isBound == 0, listen(listener, 16) == 0 else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        self.connect(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The directory to give as the host.
  package var path: String { directory.url.path }

  /// Counts from zero, and cuts the connection at the byte of that number.
  ///
  /// - Parameter isLate: whether the server still gets the rest of the program's bytes after the program has
  ///   reconnected: networks keep bytes that are on their way.
  package func arm(_ side: Side, after bytes: Int, isLate: Bool = false) {
    state.withLock {
      $0.counts = [:]
      $0.cut = (side, bytes, isLate)
    }
  }

  /// Hands on so many bytes at a time from now on.
  package func split(into bytes: Int) { state.withLock { $0.piece = bytes } }

  /// Bytes of a side since it was armed.
  package func count(_ side: Side) -> Int { state.withLock { $0.counts[side] ?? 0 } }

  /// How many connections were cut.
  package var cutCount: Int { state.withLock { $0.cutCount } }

  private static func address(of path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  private func connect(_ client: Int32) {
    let late = state.withLock { state in
      defer { state.late = [] }
      return state.late
    }
    for session in late { session.signal() }
    let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(of: server)
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(upstream, $0, size)
      }
    }
    guard isConnected == 0 else {
      close(client)
      close(upstream)
      return
    }
    let ends = Lock(2)
    let isLate = Lock(false)
    for (side, from, to) in [(Side.program, client, upstream), (.server, upstream, client)] {
      Thread.detachNewThread { [self] in
        if let rest = forward(side, from, to, isLate) {
          // The program sees the end now; the server, when it has got the rest.
          let turn = DispatchSemaphore(value: 0)
          state.withLock { $0.late.append(turn) }
          shutdown(from, Int32(SHUT_RDWR))
          turn.wait()
          _ = rest.withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          shutdown(to, Int32(SHUT_WR))
        } else if side == .server || !isLate.withLock({ $0 }) {
          // Both directions end together; the descriptors are given back by the last.
          shutdown(from, Int32(SHUT_RDWR))
          shutdown(to, Int32(SHUT_RDWR))
        }
        let isLast = ends.withLock {
          $0 -= 1
          return $0 == 0
        }
        if isLast {
          close(from)
          close(to)
        }
      }
    }
  }

  /// - Parameter isLate: whether the program's side is cut, and the server still answers it.
  /// - Returns: the bytes of the program after the cut, if the server gets them later.
  private func forward(
    _ side: Side, _ from: Int32, _ to: Int32, _ isLate: Lock<Bool>
  ) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(from, &buffer, buffer.count)
      if count <= 0 { return nil }
      let (allowed, isCut, isLateCut, piece) = state.withLock {
        state -> (Int, Bool, Bool, Int) in
        let before = state.counts[side] ?? 0
        state.counts[side] = before + count
        guard let cut = state.cut, cut.side == side, before + count > cut.bytes else {
          return (count, false, false, state.piece)
        }
        state.cut = nil
        state.cutCount += 1
        return (max(cut.bytes - before, 0), true, cut.isLate && side == .program, state.piece)
      }
      if isLateCut { isLate.withLock { $0 = true } }
      var sent = 0
      while sent < allowed {
        let end = min(allowed, piece < Int.max ? sent + piece : allowed)
        let written = buffer[sent..<end].withUnsafeBytes {
          send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if written <= 0 {
          // Answers to a program that is gone are still read.
          if side == .server, isLate.withLock({ $0 }) { break }
          return nil
        }
        sent += written
      }
      if isCut { return isLateCut ? Array(buffer[allowed..<count]) : nil }
    }
  }
}

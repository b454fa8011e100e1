import Foundation
import Gates

/// The destination of an export's bytes: a file descriptor, written in large pieces, or memory.
///
/// The first row is passed on at once, and later rows after at most a moment, so that the reader of a pipe
/// sees them while the rest is still being read. For one thread.
package final class ExportOutput {
  private enum Sink {
    case descriptor(Int32, name: String)
    case memory
  }

  /// The number of bytes that are passed on together.
  private static let pieceSize = 64 * 1024
  /// The number of bytes that wait in memory for `confirm`.
  private static let heldSize = 4 << 20
  /// The number of bytes that wait in a temporary file for `confirm`.
  private static let heldInFile = 256 << 20
  /// The longest time in nanoseconds after which the next row passes on the waiting ones.
  private static let patience: UInt64 = 100_000_000

  /// Exempt from run-time exclusivity checks, which cost as much as the access itself for every field: one
  /// thread writes, and no access lasts longer than a call.
  @exclusivity(unchecked) var buffer: [UInt8] = []
  /// The number of texts that were not UTF-8, so that � replaces some of their bytes.
  package internal(set) var replacedTexts = 0
  package private(set) var writtenBytes = 0
  /// Confirms that the output so far is right. Called once, when more output is held back than memory and the
  /// temporary file keep; an error that it throws ends the writing. While it is set, nothing else is passed
  /// on before `flush()`.
  package var confirm: (() throws -> Void)?
  private var held: (file: UnnamedFile, count: Int)?
  private let sink: Sink
  private var isStarted = false
  private var lastFlush: UInt64 = 0

  /// Writes to a descriptor, which stays open.
  ///
  /// - Parameter name: the name of the destination in messages.
  package init(descriptor: Int32, name: String) {
    sink = .descriptor(descriptor, name: name)
    buffer.reserveCapacity(Self.pieceSize + 4096)
  }

  /// Collects all bytes in memory.
  package init() {
    sink = .memory
  }

  /// All bytes of an output in memory; for a descriptor, the bytes that have not been passed on.
  package var contents: [UInt8] { buffer }

  /// Marks the end of a row.
  ///
  /// - Throws: `ExportError`.
  func endRow() throws {
    guard case .descriptor = sink, try !isHeld() else { return }
    if isStarted, buffer.count < Self.pieceSize {
      let now = Self.now
      if now &- lastFlush < Self.patience { return }
    }
    isStarted = true
    try flush()
  }

  /// Writes text unchanged.
  package func write(_ text: String) {
    append(text)
  }

  /// Writes bytes unchanged.
  ///
  /// - Throws: `ExportError`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.pieceSize, try !isHeld() { try flush() }
  }

  private func isHeld() throws -> Bool {
    guard let confirm else { return false }
    if buffer.count < Self.heldSize { return true }
    if putAside() { return true }
    try confirm()
    self.confirm = nil
    return false
  }

  /// Moves the held bytes from memory into a temporary file; false if they are too many or the file fails.
  private func putAside() -> Bool {
    guard held?.count ?? 0 < Self.heldInFile,
      var kept = try? held ?? (UnnamedFile(), 0),
      (try? buffer.withUnsafeBytes({ try kept.file.write($0, at: kept.count) })) != nil
    else { return false }
    kept.count += buffer.count
    held = kept
    buffer.removeAll(keepingCapacity: true)
    return true
  }

  /// Passes on all bytes.
  ///
  /// - Throws: `ExportError`; `closedPipe` when the reader of a pipe has gone.
  package func flush() throws {
    guard case .descriptor(let descriptor, let name) = sink else { return }
    lastFlush = Self.now
    if let (file, count) = held {
      held = nil
      var piece = [UInt8](repeating: 0, count: Self.pieceSize)
      var offset = 0
      while offset < count {
        let read: Int
        do {
          read = try piece.withUnsafeMutableBufferPointer { try file.read(at: offset, into: $0) }
        } catch {
          throw ExportError.cannotWrite(name: name, reason: "\(error)")
        }
        guard read > 0 else { break }
        try piece.withUnsafeBytes {
          try hand(on: UnsafeRawBufferPointer(rebasing: $0[..<read]), to: descriptor, name)
        }
        offset += read
      }
    }
    try buffer.withUnsafeBytes { try hand(on: $0, to: descriptor, name) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func hand(
    on bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ name: String
  ) throws {
    var offset = 0
    while offset < bytes.count {
      let count = Foundation.write(
        descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if count >= 0 {
        offset += count
        writtenBytes += count
      } else if errno == EPIPE {
        throw ExportError.closedPipe
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw ExportError.cannotWrite(name: name, reason: String(cString: strerror(errno)))
      }
    }
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension ExportOutput {
  @inline(__always)
  func append(_ byte: UInt8) {
    buffer.append(byte)
  }

  @inline(__always)
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    buffer.append(contentsOf: bytes)
  }

  func append(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
  }

  func append(_ text: String) {
    buffer.append(contentsOf: text.utf8)
  }
}

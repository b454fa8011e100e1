import DatastoreCore
import Foundation
import Synchronization

/// What comes from a pipe or standard input, kept in a temporary file so that it can be read several times. The file
/// has no name, so it is gone with this object, or with the process. Bytes are taken from the pipe when they are asked
/// for. Any thread.
package final class SpooledInput: Sendable {
  private struct State {
    let input: ByteInput
    /// The bytes that have come so far.
    var size = 0
    var isAtEnd = false
  }

  private static let unknownSize = -1

  /// The file, for who reads all of it after `readAll()`.
  let descriptor: Int32
  private let state: Lock<State>
  /// Asked for while someone waits for bytes.
  private let total = Atomic(SpooledInput.unknownSize)

  /// - Throws: `ImportError.inaccessible`.
  init(_ input: sending ByteInput) throws {
    let name = FileManager.default.temporaryDirectory
      .appendingPathComponent("datastore-\(UUID().uuidString)").path
    descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ImportError.inaccessible(file: name, reason: String(cString: strerror(errno)))
    }
    unlink(name)
    state = Lock(State(input: input))
  }

  deinit { close(descriptor) }

  /// How many bytes there are; nil before all of them have come.
  var size: Int? {
    let size = total.load(ordering: .acquiring)
    return size == Self.unknownSize ? nil : size
  }

  /// Waits until something comes, or the end.
  ///
  /// - Parameter notify: called once when nothing has come for a second.
  func wait(_ notify: () -> Void) {
    state.withLock { $0.input.wait(notify) }
  }

  /// Takes everything that comes.
  ///
  /// - Throws: `ImportError.inaccessible`.
  func readAll() throws {
    try state.withLock { state in
      while !state.isAtEnd { try receive(&state) }
    }
  }

  /// Reads bytes from a place; waits for them where they have not come yet.
  ///
  /// - Returns: how many; 0 at the end.
  /// - Throws: `ImportError.inaccessible`.
  func read(at offset: Int, into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    try state.withLock { state in
      while state.size <= offset, !state.isAtEnd { try receive(&state) }
      let count = pread(
        descriptor, buffer.baseAddress, min(buffer.count, state.size - offset), off_t(offset))
      guard count >= 0 else {
        throw ImportError.inaccessible(
          file: state.input.name, reason: String(cString: strerror(errno)))
      }
      return count
    }
  }

  private func receive(_ state: inout State) throws {
    state.isAtEnd = try !state.input.fill()
    var written = 0
    while written < state.input.window.count {
      let rest = UnsafeRawBufferPointer(state.input.window)[written...]
      let count = pwrite(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
        off_t(state.size + written))
      guard count >= 0 || errno == EINTR else {
        throw ImportError.inaccessible(
          file: state.input.name, reason: String(cString: strerror(errno)))
      }
      written += max(0, count)
    }
    state.input.consume(written)
    state.size += written
    if state.isAtEnd { total.store(state.size, ordering: .releasing) }
  }
}

extension SpooledInput: Hashable {
  package static func == (left: SpooledInput, right: SpooledInput) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

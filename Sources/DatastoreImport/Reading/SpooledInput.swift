import DatastoreCore
import Foundation
import Gates
import Synchronization

/// The data of a pipe or standard input, kept in a temporary file so that it can be read several times. The
/// file has no name, so it disappears with this object, or with the process. Bytes are taken from the pipe on
/// demand. Usable from any thread.
package final class SpooledInput: Sendable {
  private struct State {
    let input: ByteInput
    /// The number of bytes that have arrived so far.
    var size = 0
    var isAtEnd = false
  }

  private static let unknownSize = -1

  /// Notes for the user about where the data comes from: parts of sentences.
  let notes: [String]
  private let file: UnnamedFile
  private let state: Lock<State>
  /// Read without the lock, which a thread that waits for bytes may hold.
  private let total = Atomic(SpooledInput.unknownSize)

  /// - Throws: `ImportError.inaccessible`.
  init(_ input: sending ByteInput) throws {
    do {
      file = try UnnamedFile()
    } catch {
      throw ImportError.inaccessible(file: error.path, reason: error.reason)
    }
    state = Lock(State(input: input))
    notes = []
  }

  /// The content of an existing file.
  init(_ file: UnnamedFile, size: Int, notes: [String]) {
    self.file = file
    self.notes = notes
    state = Lock(State(input: ByteInput([], name: ""), size: size, isAtEnd: true))
    total.store(size, ordering: .releasing)
  }

  /// The file, for callers that read all of it after `readAll()`.
  var descriptor: Int32 { file.descriptor }

  /// The number of bytes; nil before all of them have arrived.
  var size: Int? {
    let size = total.load(ordering: .acquiring)
    return size == Self.unknownSize ? nil : size
  }

  /// Waits until data arrives, or the end.
  ///
  /// - Parameter notify: called once when no data has arrived for a second.
  func wait(_ notify: () -> Void) {
    state.withLock { $0.input.wait(notify) }
  }

  /// Reads all data that arrives.
  ///
  /// - Throws: `ImportError.inaccessible`.
  func readAll() throws {
    try state.withLock { state in
      while !state.isAtEnd { try receive(&state) }
    }
  }

  /// Reads bytes from a place; waits for them if they have not arrived yet.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  /// - Throws: `ImportError.inaccessible`.
  func read(at offset: Int, into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    try state.withLock { state in
      while state.size <= offset, !state.isAtEnd { try receive(&state) }
      do throws(UnnamedFile.Fault) {
        return try file.read(at: offset, into: buffer, most: state.size - offset)
      } catch {
        throw ImportError.inaccessible(file: state.input.name, reason: error.reason)
      }
    }
  }

  private func receive(_ state: inout State) throws {
    state.isAtEnd = try !state.input.fill()
    let window = UnsafeRawBufferPointer(state.input.window)
    do {
      try file.write(window, at: state.size)
    } catch {
      throw ImportError.inaccessible(file: state.input.name, reason: error.reason)
    }
    state.size += window.count
    state.input.consume(window.count)
    if state.isAtEnd { total.store(state.size, ordering: .releasing) }
  }
}

extension SpooledInput: Hashable {
  package static func == (left: SpooledInput, right: SpooledInput) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

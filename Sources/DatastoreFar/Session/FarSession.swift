package import DatastoreCore
import Foundation

/// The state at the far end for the program at the other end of a line: a store, and its unfinished calls.
package final class FarSession: Sendable {
  /// Opens the store with the options of the first call.
  package typealias Opening = @Sendable (FarOptions) throws -> any StoreEngine

  private let opening: Opening
  private let opened = Lock<(any StoreEngine)?>(nil)
  private let output: Lock<FarOutput>
  private let snapshots = Lock<[UInt32: any StoreSnapshot]>([:])
  private let baselines = Lock<[UInt32: any StoreBaseline]>([:])
  private let works = Lock<[UInt32: FarWork]>([:])
  /// Changes by others that the far end has read, and the other end has not yet asked for.
  private let changes = Lock<[ExternalChange]>([])
  private let watch = Lock<Repetition?>(nil)
  /// The path for a file that arrives over the line; nil if none is accepted.
  private let newFile: String?
  private let received = Lock<FarReceivedFile?>(nil)

  init(_ output: FarOutput, newFile: String?, _ opening: @escaping Opening) {
    self.output = Lock(output)
    self.newFile = newFile
    self.opening = opening
  }

  func send(_ frame: FarFrame) throws {
    try output.withLock { try $0.write(frame) }
  }

  /// Sends bytes that are not a message.
  func sendBytes(_ data: Data) throws {
    try output.withLock { try $0.write(data) }
  }

  // The store.

  ///
  /// - Throws: errors of opening; `FarLineFault` the second time.
  package func open(_ options: FarOptions) throws -> any StoreEngine {
    output.withLock { $0.isCompressing = options.isCompressed }
    return try opened.withLock { store in
      if store != nil { throw FarLineFault("the store is open already") }
      let new = try opening(options)
      store = new
      return new
    }
  }

  /// Receives a part of a new file, instead of opening one.
  ///
  /// - Throws: `StoreError`; `FarLineFault` if none is accepted.
  func receive(_ part: FarFilePart) throws {
    guard let newFile else { throw FarLineFault("this end makes no files") }
    try received.withLock { received in
      let file = try received ?? FarReceivedFile(at: newFile)
      // Releasing a file that failed removes its incomplete copy.
      received = nil
      if try !file.add(part) { received = file }
    }
  }

  /// - Throws: `FarLineFault` before the store is open.
  package var store: any StoreEngine {
    get throws {
      guard let store = opened.withLock({ $0 }) else {
        throw FarLineFault("the store is not open")
      }
      return store
    }
  }

  /// - Throws: `FarLineFault` if the snapshot does not exist, or is closed.
  func reader(_ snapshot: UInt32?) throws -> any ReadableStore {
    guard let snapshot else { return try store }
    guard let reader = snapshots.withLock({ $0[snapshot] }) else {
      throw FarLineFault("a state of the store is closed")
    }
    return reader
  }

  package func keep(_ snapshot: any StoreSnapshot, as number: UInt32) {
    snapshots.withLock { $0[number] = snapshot }
  }

  package func keep(_ baseline: any StoreBaseline, as number: UInt32) {
    baselines.withLock { $0[number] = baseline }
  }

  /// - Throws: `FarLineFault` if it does not exist.
  package func baseline(_ number: UInt32) throws -> any StoreBaseline {
    guard let baseline = baselines.withLock({ $0[number] }) else {
      throw FarLineFault("an earlier state of the store is not kept")
    }
    return baseline
  }

  /// Ends the snapshot or baseline with a number.
  func end(_ number: UInt32) {
    snapshots.withLock { $0.removeValue(forKey: number) }?.closeSnapshot()
    _ = baselines.withLock { $0.removeValue(forKey: number) }
  }

  // Calls.

  func begin(_ work: FarWork) { works.withLock { $0[work.id] = work } }

  func end(_ work: FarWork) { _ = works.withLock { $0.removeValue(forKey: work.id) } }

  func work(_ id: UInt32) -> FarWork? { works.withLock { $0[id] } }

  // Changes by others.

  /// Starts to watch for changes by others, and to report them to the other end.
  package func watchOthers() {
    watch.withLock { watch in
      if watch != nil { return }
      watch = Repetition(every: 0.2) { [weak self] in
        guard let self else { return }
        // The same error is thrown when the other end asks for the changes.
        guard (try? self.lookForChanges()) ?? true else { return }
        try? self.send(FarFrame(.changed, 0))
      }
    }
  }

  private func lookForChanges() throws -> Bool {
    let store = try store
    return try changes.withLock { changes in
      let found = try store.externalChanges()
      changes += found
      return !found.isEmpty
    }
  }

  /// Returns the changes by others since the last call.
  ///
  /// - Throws: errors of the store.
  package func takeChanges() throws -> [ExternalChange] {
    let store = try store
    return try changes.withLock { changes in
      let all = changes + (try store.externalChanges())
      changes = []
      return all
    }
  }

  /// Ends everything, and closes the output.
  func close() {
    watch.withLock { $0 = nil }
    for work in works.withLock({ Array($0.values) }) { work.cancel() }
    for snapshot in snapshots.withLock({ Array($0.values) }) { snapshot.closeSnapshot() }
    try? opened.withLock { $0 }?.close()
    received.withLock { $0 = nil }
    output.withLock { $0.close() }
  }
}

/// The writing end of a line.
struct FarOutput {
  /// Negative once it is closed.
  private var file: Int32
  var isCompressing = false
  /// The number of bytes that the line has accepted so far; it grows while a long message is being sent.
  let written: Lock<Int> = Lock(0)

  init(_ file: Int32) {
    self.file = file
  }

  /// - Throws: `FarLineFault` if the other end has closed the line.
  func write(_ frame: FarFrame) throws {
    guard frame.body.count <= FarFrame.mostBytes else {
      throw FarLineFault("a message would be longer than \(FarFrame.mostBytes >> 20) MB")
    }
    try write(frame.bytes(isCompressing: isCompressing))
  }

  /// Closes the file. Later writes fail, and reach no other file with the same descriptor.
  mutating func close() {
    if file < 0 { return }
    // This ends a socket although a thread of this program still reads from it.
    shutdown(file, Int32(SHUT_RDWR))
    Foundation.close(file)
    file = -1
  }

  func write(_ data: Data) throws {
    if file < 0 { throw FarLineFault("it is closed") }
    try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      guard let first = bytes.baseAddress else { return }
      var done = 0
      while done < bytes.count {
        // In pieces, so that a long message on a slow line is seen to move.
        let (start, left) = (first + done, min(bytes.count - done, 1 << 14))
        // Sending to a closed socket returns an error; writing to a closed pipe raises a signal.
        var count = Foundation.send(file, start, left, Int32(MSG_NOSIGNAL))
        if count < 0, errno == ENOTSOCK { count = Foundation.write(file, start, left) }
        if count > 0 {
          done += count
          written.withLock { $0 += count }
        } else if errno != EINTR {
          throw FarLineFault(String(cString: strerror(errno)))
        }
      }
    }
  }
}

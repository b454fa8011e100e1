import Basics
import Foundation
import Gates
import SQLiteFiles

/// The bytes of a file as a window that moves over it: a reader examines `window`, requests more with
/// `fill()`, and returns with `consume(_:)` the bytes that it no longer needs.
///
/// The window is one contiguous block however the bytes arrived, so readers never encounter the boundaries of
/// chunks. It grows only as long as nothing is consumed.
///
/// Not for use from several threads at once.
package final class ByteInput {
  /// How many bytes are requested from the system at a time, unless a caller says otherwise.
  package static let defaultChunkSize = 64 * 1024

  /// The name for messages.
  package let name: String
  /// The size of the file; nil when it is not known, as for a pipe.
  package let totalBytes: Int?
  /// Whether the last byte of the file is in the window.
  package private(set) var isAtEnd = false
  /// Notes for the user about the file: parts of sentences.
  package private(set) var notes: [String] = []
  /// The encoding of the text, once it is known.
  package private(set) var encodingFinding: ReadingFinding?

  private enum Source {
    case descriptor(Int32, isOwned: Bool)
    case memory([UInt8])
    case spooled(SpooledInput)
  }

  private let source: Source
  private let chunkSize: Int
  /// The greatest size of the next chunk in bytes.
  private var nextSize: Int
  private var received = 0
  private var takenFromMemory = 0
  private var takenFromSpool = 0
  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var lowerBound = 0
  private var upperBound = 0
  /// Converts the input to UTF-8; nil if it is UTF-8.
  private var transcoder: Transcoder?
  /// Decompresses the input; nil if it is not compressed.
  private var decompressor: Decompressor?
  private var isStarted = false

  private init(name: String, source: Source, totalBytes: Int?, chunkSize: Int) {
    require(chunkSize > 0, "A chunk has at least one byte.")
    self.name = name
    self.source = source
    self.totalBytes = totalBytes
    self.chunkSize = chunkSize
    nextSize = chunkSize
    capacity = chunkSize
    storage = .allocate(capacity: chunkSize)
  }

  /// Opens a file for reading.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory or absolute.
  ///   - name: The name for messages; the path if nil.
  ///   - chunkSize: How many bytes are requested from the system at a time.
  /// - Throws: `ImportError.inaccessible`.
  package convenience init(
    path: String, name: String? = nil, chunkSize: Int = ByteInput.defaultChunkSize
  ) throws {
    // If this process opened and closed a database, it would lose the locks that SQLite holds on it.
    if FileHeader.isPartOfDatabase(path) {
      throw ImportError.inaccessible(
        file: name ?? path,
        reason: "it is a SQLite database, or part of one, and has no rows of text")
    }
    if let unreadableReason = ReadableFile.unreadableReason(path) {
      throw ImportError.inaccessible(file: name ?? path, reason: unreadableReason)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ImportError.inaccessible(file: name ?? path, reason: String(cString: strerror(errno)))
    }
    self.init(
      name: name ?? path, source: .descriptor(descriptor, isOwned: true),
      totalBytes: Self.size(of: descriptor), chunkSize: chunkSize)
  }

  /// Opens a pipe, which may have no writer yet: `wait(_:)`.
  ///
  /// - Throws: `ImportError.inaccessible`.
  package convenience init(pipe path: String, name: String? = nil) throws {
    guard ReadableFile.isPipe(path) else {
      throw ImportError.inaccessible(file: name ?? path, reason: "it is no longer a pipe")
    }
    // With the flag, opening does not wait; reading does.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw ImportError.inaccessible(file: name ?? path, reason: String(cString: strerror(errno)))
    }
    _ = fcntl(descriptor, F_SETFL, O_RDONLY)
    self.init(
      name: name ?? path, source: .descriptor(descriptor, isOwned: true), totalBytes: nil,
      chunkSize: Self.defaultChunkSize)
  }

  /// Waits until data arrives, or the end. A named pipe has no end before some program has written to it.
  ///
  /// - Parameter notify: called once when no data has arrived for a second.
  package func wait(_ notify: () -> Void) {
    guard case .descriptor(let descriptor, _) = source else { return }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var timeout: Int32 = 1_000
    while true {
      let count = poll(&state, 1, timeout)
      // Reading reports errors of the descriptor.
      if count > 0 || count < 0 && errno != EINTR { return }
      if count == 0 {
        notify()
        timeout = -1
      }
    }
  }

  /// Reads bytes that are in memory.
  package convenience init(
    _ bytes: [UInt8], name: String, chunkSize: Int = ByteInput.defaultChunkSize
  ) {
    self.init(name: name, source: .memory(bytes), totalBytes: bytes.count, chunkSize: chunkSize)
  }

  /// Reads the data that has arrived from a pipe, and then the data that still arrives.
  package convenience init(_ spooled: SpooledInput, name: String) {
    self.init(
      name: name, source: .spooled(spooled), totalBytes: spooled.size,
      chunkSize: ByteInput.defaultChunkSize)
    notes = spooled.notes
  }

  /// Reads the standard input of the process, which stays open afterwards.
  package static func standardInput() -> ByteInput {
    ByteInput(
      name: "standard input", source: .descriptor(STDIN_FILENO, isOwned: false),
      totalBytes: size(of: STDIN_FILENO), chunkSize: defaultChunkSize)
  }

  deinit {
    storage.deallocate()
    if case .descriptor(let descriptor, isOwned: true) = source { close(descriptor) }
  }

  /// How many bytes have been received and consumed; for compressed files, approximately.
  package var bytesRead: Int {
    decompressor?.place ?? max(0, received - (upperBound - lowerBound))
  }

  /// The beginning of the window, in bytes from the start of the file; for text that is converted, from the
  /// start of that text.
  var offset: Int { received - (upperBound - lowerBound) }

  /// Whether the window has the bytes of the file unchanged.
  var isVerbatim: Bool { transcoder == nil && !isCompressed }

  /// Whether the file is compressed; false before its first bytes are requested.
  var isCompressed: Bool { decompressor != nil }

  /// The bytes received and not yet consumed. Valid until the next `fill()` or `consume(_:)`.
  package var window: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: storage + lowerBound, count: upperBound - lowerBound)
  }

  /// Consumes the first `count` bytes of the window. Traps if it has fewer.
  package func consume(_ count: Int) {
    require(count <= upperBound - lowerBound, "Only bytes of the window can be consumed.")
    lowerBound += count
  }

  /// Lengthens the window by one chunk.
  ///
  /// - Returns: Whether bytes were added; false at the end of the file.
  /// - Throws: `ImportError.inaccessible` when the system cannot read the file.
  package func fill() throws -> Bool {
    if isAtEnd { return false }
    makeRoom()
    let count = try receive()
    received += count
    isAtEnd = count == 0
    if transcoder == nil {
      upperBound += count
    } else {
      replace(rawCount: count)
    }
    return count > 0
  }

  /// Continues at a place in the file, whose bytes are read unchanged. Only little is read at first, since
  /// one record may be all that is wanted.
  ///
  /// - Throws: `ImportError.inaccessible` when the system has no such place.
  func seek(to offset: Int) throws {
    require(isVerbatim, "There are no places in what is decoded while it is read.")
    if offset >= self.offset, offset <= received {
      return consume(offset - self.offset)
    }
    switch source {
    case .memory: takenFromMemory = offset
    case .spooled: takenFromSpool = offset
    case .descriptor(let descriptor, _):
      guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
        throw ImportError.inaccessible(file: name, reason: String(cString: strerror(errno)))
      }
    }
    (lowerBound, upperBound, received) = (0, 0, offset)
    (isAtEnd, isStarted) = (false, true)
    nextSize = min(chunkSize, Self.firstSize)
  }

  /// How many bytes are read first at another place.
  private static let firstSize = 4 * 1024

  /// Interprets the window and everything after it as text in another encoding: from now on the window
  /// contains its UTF-8, and counts of bytes read are approximate.
  ///
  /// - Parameter reason: the reason for that encoding; nil if the user has given it.
  func transcode(from encoding: TextEncoding, because reason: String?) {
    encodingFinding = ReadingFinding(
      .encoding, encoding.title, because: reason.map { "it \($0)" })
    guard encoding != .utf8, let transcoder = Transcoder(encoding) else { return }
    if !encoding.isWide, reason != nil {
      notes.append("it is not UTF-8, and was read as \(encoding.title)")
    }
    let count = upperBound - lowerBound
    upperBound = lowerBound
    self.transcoder = transcoder
    replace(rawCount: count)
  }

  /// Replaces `count` bytes after the window by their UTF-8.
  private func replace(rawCount count: Int) {
    let raw = UnsafeBufferPointer(start: storage + upperBound, count: count)
    let text = transcoder?.bytes(of: raw, isAtEnd: isAtEnd) ?? []
    if capacity - upperBound < text.count { grow(toHold: upperBound - lowerBound + text.count) }
    text.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      (storage + upperBound).update(from: base, count: bytes.count)
    }
    upperBound += text.count
  }

  /// Lengthens the window until it has `count` bytes or the file ends.
  ///
  /// - Throws: `ImportError.inaccessible` when the system cannot read the file.
  package func fill(atLeast count: Int) throws {
    while upperBound - lowerBound < count, try fill() {}
  }

  /// Ends the reading: the rest of the file is never requested.
  func abandon() {
    lowerBound = upperBound
    isAtEnd = true
  }

  private func makeRoom() {
    guard capacity - upperBound < chunkSize else { return }
    let count = upperBound - lowerBound
    if capacity - count >= max(chunkSize, capacity / 2) {
      storage.update(from: storage + lowerBound, count: count)
    } else {
      return grow(toHold: count + chunkSize)
    }
    lowerBound = 0
    upperBound = count
  }

  private func grow(toHold wanted: Int) {
    let count = upperBound - lowerBound
    // Doubling keeps the copying linear in the size of the largest record.
    capacity = max(capacity * 2, wanted)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.initialize(from: storage + lowerBound, count: count)
    storage.deallocate()
    storage = larger
    lowerBound = 0
    upperBound = count
  }

  /// Receives bytes after the window, at most a chunk.
  private func receive() throws -> Int {
    let room = UnsafeMutableBufferPointer(start: storage + upperBound, count: nextSize)
    nextSize = min(chunkSize, nextSize * 2)
    if !isStarted {
      isStarted = true
      var first = 0
      // A pipe may deliver its first bytes one by one.
      while first < min(Compression.markSize, nextSize) {
        let count = try receive(UnsafeMutableBufferPointer(rebasing: room[first...]))
        if count == 0 { break }
        first += count
      }
      guard let compression = Compression(of: room[..<first]) else { return first }
      var file: Int32?
      if case .descriptor(let descriptor, _) = source { file = descriptor }
      let chunkSize = chunkSize
      try decoding {
        decompressor = try Decompressor(
          compression, Array(room[..<first]), file: file, size: totalBytes
        ) { [unowned self] in
          try [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
            count = try self.receive(UnsafeMutableBufferPointer(rebasing: buffer[..<chunkSize]))
          }
        }
      }
    }
    guard let decompressor else { return try receive(room) }
    return try decoding { try decompressor.decode(into: room) }
  }

  private func decoding<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let fault as Decompressor.Fault {
      abandon()
      throw ImportError.inaccessible(file: name, reason: fault.reason)
    }
  }

  /// Reads bytes of the file unchanged.
  private func receive(_ buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    switch source {
    case .memory(let bytes):
      let slice = bytes[takenFromMemory..<min(takenFromMemory + buffer.count, bytes.count)]
      takenFromMemory += slice.count
      return buffer.update(fromContentsOf: slice)
    case .spooled(let spooled):
      let count = try spooled.read(at: takenFromSpool, into: buffer)
      takenFromSpool += count
      return count
    case .descriptor(let descriptor, _):
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        if errno == EINTR { continue }
        let reason = String(cString: strerror(errno))
        abandon()
        throw ImportError.inaccessible(file: name, reason: reason)
      }
    }
  }

  private static func size(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}

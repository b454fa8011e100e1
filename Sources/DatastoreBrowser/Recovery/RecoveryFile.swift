import Foundation
import Glibc

/// The file beside a store that keeps staged changes over a crash.
///
/// It is written whole and put in its place by a rename, so that it is never half. A lock on it tells
/// that its browser is alive: whoever finds one that nobody locks has found what a crash has left. An
/// actor, since writing waits for the disk.
actor RecoveryFile {
  /// Files of one store that are tried: as many browsers may stage changes in it at a time.
  private static let most = 20

  /// Where the first file stands, the best place first; the others have a number behind it.
  private nonisolated let places: [URL]
  private var own: (url: URL, descriptor: Int32)?

  /// - Parameters:
  ///   - stateDirectory: where the file stands when the store's directory cannot be written, or no
  ///     longer: its disk may be full.
  ///   - isWritable: whether a directory can be written.
  init(
    store: URL, stateDirectory: URL?,
    isWritable: @Sendable (_ path: String) -> Bool = { access($0, W_OK) == 0 }
  ) {
    let real = store.resolvingSymlinksInPath()
    let folder = real.deletingLastPathComponent()
    let beside = folder.appendingPathComponent(".\(real.lastPathComponent).datastore-recovery")
    let elsewhere = stateDirectory?.appendingPathComponent(
      "\(real.lastPathComponent)-\(Self.hash(real.path)).datastore-recovery")
    if let elsewhere {
      places = isWritable(folder.path) ? [beside, elsewhere] : [elsewhere, beside]
    } else {
      places = [beside]
    }
  }

  /// The best place.
  nonisolated var first: URL { places[0] }

  deinit {
    if let own { close(own.descriptor) }
  }

  /// Tells stores of one name in different directories apart: FNV-1a.
  private static func hash(_ text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }

  /// The names that are tried at a place.
  private static func names(at place: URL) -> [URL] {
    [place] + (2...most).map { URL(fileURLWithPath: "\(place.path)-\($0)") }
  }

  /// The files that crashes have left, the oldest names first.
  func leftovers() -> [URL] {
    places.flatMap(Self.names).filter { url in
      url != own?.url && Self.isAbandoned(url)
    }
  }

  private static func isAbandoned(_ url: URL) -> Bool {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return false }
    return flock(descriptor, LOCK_SH | LOCK_NB) == 0
  }

  /// Makes an abandoned file this browser's own: what is written next replaces it. False when it has
  /// one already.
  func takeOver(_ url: URL) -> Bool {
    guard own == nil else { return false }
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return false
    }
    own = (url, descriptor)
    return true
  }

  /// Leaves this browser's file as one that was abandoned.
  func release() {
    guard let own else { return }
    close(own.descriptor)
    self.own = nil
  }

  /// Removes an abandoned file for good.
  func discard(_ url: URL) {
    unlink(url.path)
  }

  /// Writes the file; on return its bytes are on the disk.
  ///
  /// - Throws: `RecoveryError`.
  func write(_ data: Data) throws {
    var fault: (any Error)?
    if let own {
      do {
        if try write(data, to: own.url) { return }
      } catch {
        fault = error
      }
    }
    for place in places {
      do {
        try write(data, at: place)
        return
      } catch {
        fault = fault ?? error
      }
    }
    if let fault { throw fault }
  }

  /// Writes the first file at a place whose name is nobody's; the one before is removed.
  private func write(_ data: Data, at place: URL) throws {
    let folder = place.deletingLastPathComponent()
    if !FileManager.default.fileExists(atPath: folder.path) {
      try? FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let former = own?.url
    for url in Self.names(at: place) where url != former {
      guard try write(data, to: url) else { continue }
      // Where names can no longer be removed, an empty file stands for none.
      if let former, unlink(former.path) != 0 { truncate(former.path, 0) }
      return
    }
    throw RecoveryError(path: place.path, reason: "there are too many such files already")
  }

  /// False when the name is somebody else's.
  private func write(_ data: Data, to url: URL) throws -> Bool {
    let new = url.path + ".new"
    let descriptor = open(new, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw RecoveryError(path: url.path) }
    var isKept = false
    defer { if !isKept { close(descriptor) } }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    if own?.url != url, access(url.path, F_OK) == 0 {
      unlink(new)
      return false
    }
    guard ftruncate(descriptor, 0) == 0, Self.write(data, to: descriptor), fsync(descriptor) == 0,
      rename(new, url.path) == 0
    else {
      let error = RecoveryError(path: url.path)
      unlink(new)
      throw error
    }
    Self.synchronize(url.deletingLastPathComponent())
    if let own { close(own.descriptor) }
    own = (url, descriptor)
    isKept = true
    return true
  }

  private static func write(_ data: Data, to descriptor: Int32) -> Bool {
    data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return false
        }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Has the new name itself on the disk.
  private static func synchronize(_ folder: URL) {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Removes this browser's file, when nothing is staged any more.
  func remove() {
    guard let own else { return }
    unlink(own.url.path)
    close(own.descriptor)
    self.own = nil
  }
}

/// Staged changes could not be kept over a crash.
struct RecoveryError: Error, Hashable, Sendable, CustomStringConvertible {
  let path: String
  let reason: String

  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// With what the system has just said.
  init(path: String) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }

  var description: String {
    "The unsaved changes would not survive a crash: \(path) cannot be written (\(reason))."
  }
}

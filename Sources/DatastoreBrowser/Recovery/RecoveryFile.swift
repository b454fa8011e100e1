import DatastoreCore
import Foundation
import Gates
import Glibc

/// The file beside a store that keeps staged changes over a crash.
///
/// It is written whole and put in its place by a rename, so that it is never half; what is there is
/// neither followed nor read unless it is a file of this user's own. A lock on it shows that its browser
/// is alive: a file without a lock was left by a crash. An
/// actor, since writing waits for the disk.
actor RecoveryFile {
  /// Files of one store that are tried: as many browsers may stage changes in it at a time.
  private static let most = 20

  /// The path of the first file, the best place first; the others have a number after it.
  private nonisolated let places: [URL]
  private var own: (url: URL, descriptor: Int32)?

  /// - Parameters:
  ///   - stateDirectory: where the file is when the store's directory cannot be written, or no
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
      "\(real.lastPathComponent)-\(Fingerprint(real.path).name).datastore-recovery")
    if let elsewhere {
      places = isWritable(folder.path) ? [beside, elsewhere] : [elsewhere, beside]
    } else {
      places = [beside]
    }
  }

  /// For a database in a server, which has no directory.
  init(server: KeptServer, in stateDirectory: URL) {
    places = [
      stateDirectory.appendingPathComponent(
        "server-\(Fingerprint(server.identity).name).datastore-recovery")
    ]
  }

  /// The best place.
  nonisolated var first: URL { places[0] }

  deinit {
    if let own { close(own.descriptor) }
  }

  /// The names that are tried at a place.
  private static func names(at place: URL) -> [URL] {
    [place] + (2...most).map { URL(fileURLWithPath: "\(place.path)-\($0)") }
  }

  /// The files that crashes have left, the oldest names first. Those that were not complete are removed.
  func leftovers() -> [URL] {
    for place in places { Self.removeUnfinished(of: place) }
    return candidates().filter { url in
      guard let descriptor = try? PrivateFile.open(url.path) else { return false }
      defer { close(descriptor) }
      guard PrivateFile.size(of: descriptor) > 0 else {
        Self.removeClaim(url)
        return false
      }
      return flock(descriptor, LOCK_SH | LOCK_NB) == 0
    }
  }

  /// Removes the empty file by which a browser had taken a name, when it was killed before its file got that.
  private static func removeClaim(_ url: URL) {
    guard let claim = PrivateFile.claim(url.path) else { return }
    unlink(url.path)
    close(claim)
  }

  /// Removes files that grew when their browser was killed: `NewFile` has given them their names, and
  /// they are not locked.
  private static func removeUnfinished(of place: URL) {
    let folder = place.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(".\(place.lastPathComponent)") {
      let path = folder.appendingPathComponent(name).path
      guard let descriptor = try? PrivateFile.open(path) else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
      close(descriptor)
    }
  }

  /// What is in the place of such a file and is none of this user's: sentences.
  func notPrivateFiles() -> [String] {
    candidates().compactMap { url -> String? in
      do throws(PrivateFile.NotPrivateError) {
        if let descriptor = try PrivateFile.open(url.path) { close(descriptor) }
        return nil
      } catch {
        return error.description
      }
    }
  }

  private func candidates() -> [URL] {
    places.flatMap(Self.names).filter { $0 != own?.url }
  }

  /// The bytes of a file of this user.
  ///
  /// - Throws: `PrivateFile.NotPrivateError`, `UnreadableRecovery`.
  nonisolated static func contents(of url: URL) throws -> Data {
    guard let descriptor = try PrivateFile.open(url.path) else {
      throw UnreadableRecovery(reason: "it is gone")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return try file.readToEnd() ?? Data()
  }

  /// Makes an abandoned file this browser's own: what is written next replaces it. False when it has
  /// one already.
  func takeOver(_ url: URL) -> Bool {
    guard own == nil, let descriptor = try? PrivateFile.open(url.path) else { return false }
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
        return try write(data, to: own.url)
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

  /// Writes the first file under an unused name; the one before is removed.
  private func write(_ data: Data, at place: URL) throws {
    let folder = place.deletingLastPathComponent()
    if !FileManager.default.fileExists(atPath: folder.path) {
      try? FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let former = own?.url
    for url in Self.names(at: place) where url != former {
      guard let claim = PrivateFile.claim(url.path) else { continue }
      defer { close(claim) }
      do {
        try write(data, to: url)
      } catch {
        unlink(url.path)
        throw error
      }
      // Where names can no longer be removed, an empty file counts as none.
      if let former, unlink(former.path) != 0 { truncate(former.path, 0) }
      return
    }
    throw RecoveryError(path: place.path, reason: "there are too many such files already")
  }

  /// Puts a new file in the place of one that this browser holds the lock of.
  private func write(_ data: Data, to url: URL) throws(RecoveryError) {
    do throws(FileFault) {
      var file = try NewFile(for: url.path)
      // Before it has its name, so that no process finds it without a lock.
      flock(file.descriptor, LOCK_EX | LOCK_NB)
      do throws(FileFault) {
        try file.write(data)
        try file.move(to: url.path)
      } catch {
        file.discard()
        close(file.descriptor)
        throw error
      }
      if let own { close(own.descriptor) }
      own = (url, file.descriptor)
    } catch {
      throw RecoveryError(path: url.path, reason: error.reason)
    }
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

  var description: String {
    "The unsaved changes would not survive a crash: \(path) cannot be written (\(reason))."
  }
}

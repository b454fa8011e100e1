import DatastoreCore
import Foundation
import Gates
import Glibc

/// The file beside a store that keeps staged changes through a crash.
///
/// The file is written whole and renamed to its path, so it is never incomplete. An existing file is neither
/// followed nor read unless it belongs to this user. A lock shows that its browser is alive: a file without a
/// lock was left by a crash. An actor, since writing waits for the disk.
actor RecoveryFile {
  /// The most files of one store: as many browsers may stage changes in it at a time.
  private static let most = 20

  /// The path of the first file in each place, the best place first; further files have a number after it.
  private nonisolated let places: [URL]
  private var own: (url: URL, descriptor: Int32)?

  /// - Parameters:
  ///   - stateDirectory: the directory of the file if the store's directory cannot be written, or no longer
  ///     can: its disk may be full.
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

  /// Creates a file for a database in a server, which has no directory.
  init(server: KeptServer, in stateDirectory: URL) {
    places = [
      stateDirectory.appendingPathComponent(
        "server-\(Fingerprint(server.identity).name).datastore-recovery")
    ]
  }

  /// The path of the first file in the best place.
  nonisolated var first: URL { places[0] }

  deinit {
    if let own { close(own.descriptor) }
  }

  /// The names to try in a place.
  private static func names(at place: URL) -> [URL] {
    [place] + (2...most).map { URL(fileURLWithPath: "\(place.path)-\($0)") }
  }

  /// The files that crashes have left, the oldest names first. Incomplete files are removed.
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

  /// Removes an empty file that claims a name, left by a browser that was killed before it wrote the file.
  private static func removeClaim(_ url: URL) {
    guard let claim = PrivateFile.claim(url.path) else { return }
    unlink(url.path)
    close(claim)
  }

  /// Removes unfinished files of browsers that were killed: they have the temporary names of `NewFile`, and
  /// are not locked.
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

  /// Sentences about files in these places that belong to someone else.
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

  /// Reads a file of this user.
  ///
  /// - Throws: `PrivateFile.NotPrivateError`, `UnreadableRecovery`.
  nonisolated static func contents(of url: URL) throws -> Data {
    guard let descriptor = try PrivateFile.open(url.path) else {
      throw UnreadableRecovery(reason: "it is gone")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return try file.readToEnd() ?? Data()
  }

  /// Makes an abandoned file this browser's own: the next write replaces it. False if the browser has a file
  /// already.
  func takeOver(_ url: URL) -> Bool {
    guard own == nil, let descriptor = try? PrivateFile.open(url.path) else { return false }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return false
    }
    own = (url, descriptor)
    return true
  }

  /// Leaves this browser's file as an abandoned one.
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

  /// Writes the file under the first unused name and removes the former one.
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
      // If the directory no longer allows removal, an empty file counts as none.
      if let former, unlink(former.path) != 0 { truncate(former.path, 0) }
      return
    }
    throw RecoveryError(path: place.path, reason: "there are too many such files already")
  }

  /// Replaces a file that this browser has locked.
  private func write(_ data: Data, to url: URL) throws(RecoveryError) {
    do throws(FileFault) {
      var file = try NewFile(for: url.path)
      // Locked before the rename, so that no process finds the file without a lock.
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

  /// Removes this browser's file when no changes are staged any more.
  func remove() {
    guard let own else { return }
    unlink(own.url.path)
    close(own.descriptor)
    self.own = nil
  }
}

/// Staged changes could not be written to a recovery file.
struct RecoveryError: Error, Hashable, Sendable, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String {
    "The unsaved changes would not survive a crash: \(path) cannot be written (\(reason))."
  }
}

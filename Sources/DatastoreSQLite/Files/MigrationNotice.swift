import Basics
import Foundation

/// A file beside a store that says that it is being migrated, by whom, and how far that is:
/// `.NAME.migrating`.
///
/// A migration keeps everyone from writing for as long as it takes, and who waits should know what for. The
/// file is locked by the process that migrates, so that one which a crash has left says nothing.
final class MigrationNotice: Sendable {
  /// Who is migrating, and how far that is.
  struct Holder: Equatable {
    let process: Int32
    let percent: Int
  }

  private let path: String
  private let descriptor: Int32

  static func path(of store: String) -> String {
    let url = URL(fileURLWithPath: store)
    return url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.lastPathComponent).migrating"
    ).path
  }

  /// nil where it cannot be written, or another process migrates the store. A migration goes on without it.
  init?(of store: String) {
    path = Self.path(of: store)
    descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    write(0)
  }

  /// Removed before it is unlocked, so that no process takes it for a valid one.
  deinit {
    unlink(path)
    close(descriptor)
  }

  func write(_ percent: Int) {
    // One write, shorter than any block: who reads it sees the old or the new line.
    let line = Array(
      "\(getpid()) \(percent)".padding(toLength: 24, withPad: " ", startingAt: 0).utf8)
    // Where it cannot be written, who waits reads what was written before.
    _ = pwrite(descriptor, line, line.count, 0)
  }

  /// Who migrates a store; nil when no one does.
  static func holder(of store: String) -> Holder? {
    let descriptor = open(path(of: store), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Shared, so that several may ask.
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).words()
    guard words.count == 2, let process = Int32(words[0]), let percent = Int(words[1]) else {
      return nil
    }
    return Holder(process: process, percent: percent)
  }
}

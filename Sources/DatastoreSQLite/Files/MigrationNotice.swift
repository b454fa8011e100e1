import Basics
import Foundation

/// A file beside a store that tells that it is being migrated, by whom, and the progress: `.NAME.migrating`.
///
/// A migration blocks all writers, who should know what they wait for. The migrating process locks the
/// notice, so that one left by a crash has no effect.
final class MigrationNotice: Sendable {
  /// The migrating process, and its progress.
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

  /// nil if it cannot be written, or another process migrates the store. A migration continues without it.
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

  /// Removed before it is unlocked, so that no process considers it valid.
  deinit {
    unlink(path)
    close(descriptor)
  }

  func write(_ percent: Int) {
    // One write, shorter than any block: a reader sees either the old or the new line.
    let line = Array(
      "\(getpid()) \(percent)".padding(toLength: 24, withPad: " ", startingAt: 0).utf8)
    // If it cannot be written, waiting processes see the earlier progress.
    _ = pwrite(descriptor, line, line.count, 0)
  }

  /// The process that migrates a store; nil when there is none.
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

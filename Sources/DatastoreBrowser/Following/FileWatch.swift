import Basics
import DatastoreCore
internal import Dispatch
internal import Foundation
internal import Glibc

/// Reports when someone may have written a SQLite file: the file itself, or its log or journal.
///
/// The kernel reports writes (inotify), so nothing runs while nothing happens. For files of other machines,
/// whose writes the kernel does not report, a timer suggests a check every second.
@MainActor
final class FileWatch {
  private var source: (any DispatchSourceProtocol)?
  private var repetition: Repetition?

  /// Starts to watch the file.
  ///
  /// - Parameter touched: called on the main actor; often several times for one write.
  init(_ path: String, touched: @escaping @MainActor () -> Void) {
    guard !Self.isRemote(path), let events = FileEvents(path) else {
      repetition = Repetition(every: 1, leeway: .milliseconds(200), on: .main) {
        MainActor.assumeIsolated { touched() }
      }
      return
    }
    let reader = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: .main)
    reader.setEventHandler {
      MainActor.assumeIsolated { if events.read() { touched() } }
    }
    reader.setCancelHandler { MainActor.assumeIsolated { events.close() } }
    reader.activate()
    source = reader
  }

  /// Ends the watch. Has no effect the second time.
  func cancel() {
    source?.cancel()
    source = nil
    repetition = nil
  }

  /// Whether a file is on a file system for which the kernel does not report writes by other machines.
  private static func isRemote(_ path: String) -> Bool {
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    var type = ""
    var longest = 0
    for line in mounts.words(at: "\n") {
      let fields = line.words()
      guard fields.count > 2, fields[1].count >= longest else { continue }
      guard fields[1] == "/" || path.hasPrefix(fields[1] + "/") else { continue }
      longest = fields[1].count
      type = String(fields[2])
    }
    let remote = [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "vboxsf", "virtiofs",
    ]
    return remote.contains(type) || type.hasPrefix("fuse")
  }
}

/// The inotify events of a file and those beside it.
@MainActor
private final class FileEvents {
  let descriptor: Int32
  private let path: String
  private let name: String
  /// The watch of the directory, where the log and the journal come and go.
  private var directory: Int32 = -1

  /// Nil if the kernel has no watch left.
  init?(_ path: String) {
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    self.path = path
    name = URL(fileURLWithPath: path).lastPathComponent
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    directory = inotify_add_watch(
      descriptor, URL(fileURLWithPath: path).deletingLastPathComponent().path,
      UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE))
    guard watchWrites(path), directory >= 0 else {
      close()
      return nil
    }
    _ = watchWrites(path + "-wal")
  }

  private func watchWrites(_ path: String) -> Bool {
    inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_ATTRIB)) >= 0
  }

  /// Reads the waiting events; false if none of them concerns the file.
  func read() -> Bool {
    var isTouched = false
    withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let bytes = buffer[start..<min(count, start + Int(event.len))].prefix { $0 != 0 }
          if isChange(event, name: String(decoding: bytes, as: UTF8.self)) { isTouched = true }
          offset = start + Int(event.len)
        }
      }
    }
    return isTouched
  }

  private func isChange(_ event: inotify_event, name: String) -> Bool {
    guard event.wd == directory else { return true }
    guard name.hasPrefix(self.name) else { return false }
    if name == self.name + "-wal" {
      // A new log is another file and needs its own watch.
      _ = watchWrites(path + "-wal")
    } else if name == self.name {
      _ = watchWrites(path)
    }
    return [self.name, self.name + "-wal", self.name + "-journal"].contains(name)
  }

  func close() {
    _ = Glibc.close(descriptor)
  }
}

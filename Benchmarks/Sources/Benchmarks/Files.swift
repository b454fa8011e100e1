import Foundation

/// The files of one run of the program, in a directory that is removed at the end.
struct Files {
  private let directory: URL
  /// Tables, and what others refer to.
  let empty: URL
  /// With all rows.
  let full: URL
  private let copy: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent(
        "SwiftDatastoreBenchmarks-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    empty = directory.appendingPathComponent("empty.sqlite")
    full = directory.appendingPathComponent("full.sqlite")
    copy = directory.appendingPathComponent("copy.sqlite")
  }

  func remove() throws { try FileManager.default.removeItem(at: directory) }

  /// A fresh copy for one measurement that writes.
  func freshCopy(of file: URL) throws -> URL {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: copy.path + suffix)
    }
    try FileManager.default.copyItem(at: file, to: copy)
    // Otherwise the first commit would wait for the writes of the copying.
    sync()
    return copy
  }

  /// The file to do some work on.
  func file(for work: Work) throws -> URL {
    switch work {
    case _ where work.fills: try freshCopy(of: empty)
    case _ where work.writes: try freshCopy(of: full)
    default: full
    }
  }
}

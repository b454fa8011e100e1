import Basics
import DatastoreCore
import DatastoreFar
import Foundation
import Gates
import SwiftDatastore
import SwiftDatastoreFar

/// Copies from and to files elsewhere by way of a temporary local file.
extension Copy {
  /// Runs `body` with a private directory, and removes it afterwards.
  func withDirectory(_ body: (URL) async throws -> Void) async throws {
    let directory = try UserDirectory.temporary(FarCopy.prefix)
    defer { directory.remove() }
    try await body(directory.url)
  }

  /// Copies a file from elsewhere in its state at one moment.
  func brought(_ file: FarFile, into directory: URL) async throws -> MigrationTarget {
    let url = directory.appendingPathComponent("copy.sqlite")
    try await transferring("copying the file") { progress in
      defer { file.leave() }
      try file.open(isWriting: false) { address in
        let store = try address.open(FarOptions())
        defer { try? store.close() }
        try store.backUp(to: url, progress)
      } here: {
        try FileManager.default.copyItem(at: $0, to: url)
      }
    }
    return .file(url)
  }

  /// Creates a file elsewhere from a local one.
  func send(_ url: URL, to file: FarFile) async throws {
    try await transferring("copying the file there") { progress in
      try file.open(isWriting: true) {
        try $0.make(of: url, progress)
      } here: { _ in
        trap("A copy is never written.")
      }
    }
  }

  /// Runs `body` and shows the progress of its transfer. Ctrl-C, SIGTERM and SIGHUP cancel it.
  private func transferring(
    _ text: String,
    _ body: @escaping @Sendable (_ progress: (Int, Int) throws -> Void) throws -> Void
  ) async throws {
    let display = quiet ? nil : TransferDisplay(text)
    let isStopped = Lock(false)
    let interruption = Interruption { isStopped.withLock { $0 = true } }
    defer {
      interruption.end()
      display?.finish()
    }
    try await BlockingWork.run {
      try body { done, total in
        if isStopped.withLock({ $0 }) { throw CancellationError() }
        display?.show(done, total)
      }
    }
  }
}

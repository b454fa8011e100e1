import CPausingVFS
import Foundation
import Testing

/// The files of the system, with connections that wait at certain moments while something else happens.
///
/// To be kept until all of its connections are closed.
final class PausedFiles {
  private let name = "paused-\(UUID().uuidString)"
  /// Called on the thread of the connection that waits.
  var meanwhile: (pausing_vfs_moment) -> Void = { _ in }

  init() throws {
    let code = pausing_vfs_register(
      name,
      { context, moment in
        guard let context else { return }
        Unmanaged<PausedFiles>.fromOpaque(context).takeUnretainedValue().meanwhile(moment)
      }, Unmanaged.passUnretained(self).toOpaque())
    try #require(code == 0)
  }

  deinit { pausing_vfs_unregister(name) }

  /// The path that opens a waiting connection.
  func path(of file: URL) -> String { "file:\(file.path)?vfs=\(name)" }
}

import Foundation

/// Standard input, kept in a temporary file so that it can be read twice. The file has no name, so
/// it is gone with this object, or with the process.
package final class SpooledInput {
  /// A path by which this process can open the file any number of times.
  package var path: String { "/proc/self/fd/\(descriptor)" }
  private let descriptor: Int32

  /// Reads standard input to its end.
  ///
  /// - Throws: `ImportError.inaccessible`.
  package init() throws {
    let name = FileManager.default.temporaryDirectory
      .appendingPathComponent("datastore-\(UUID().uuidString)").path
    descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ImportError.inaccessible(file: name, reason: String(cString: strerror(errno)))
    }
    unlink(name)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    let input = ByteInput.standardInput()
    while try input.fill() {
      do {
        try file.write(contentsOf: Data(input.window))
      } catch {
        throw ImportError.inaccessible(file: name, reason: error.localizedDescription)
      }
      input.consume(input.window.count)
    }
  }

  deinit { close(descriptor) }
}

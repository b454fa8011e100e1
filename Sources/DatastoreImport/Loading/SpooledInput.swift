import Foundation

/// What comes from a pipe or standard input, kept in a temporary file so that it can be read twice. The file
/// has no name, so it is gone with this object, or with the process.
package final class SpooledInput {
  /// A path by which this process can open the file any number of times.
  package var path: String { "/proc/self/fd/\(descriptor)" }
  private let descriptor: Int32

  /// Reads an input to its end.
  ///
  /// - Parameter notify: called with the name of the input when nothing has come from it for a second.
  /// - Throws: `ImportError.inaccessible`.
  package init(_ input: ByteInput, whenWaiting notify: (String) -> Void) throws {
    let name = FileManager.default.temporaryDirectory
      .appendingPathComponent("datastore-\(UUID().uuidString)").path
    descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ImportError.inaccessible(file: name, reason: String(cString: strerror(errno)))
    }
    unlink(name)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    input.wait { notify(input.name) }
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

extension LoadPlan {
  /// Keeps what can be read only once in files.
  ///
  /// - Parameter notify: called with the name of an input from which nothing comes.
  /// - Returns: the files, which live as long as these are kept.
  /// - Throws: `ImportError.inaccessible`.
  package mutating func spoolPipes(
    whenWaiting notify: (String) -> Void
  ) throws -> [SpooledInput] {
    var spooled: [SpooledInput] = []
    for index in sources.indices where sources[index].input.isReadOnce {
      let file = try SpooledInput(sources[index].open(), whenWaiting: notify)
      sources[index].input = .file(path: file.path)
      spooled.append(file)
    }
    return spooled
  }
}

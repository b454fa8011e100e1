package import Foundation

/// Python's own readers, as an independent judge of a file's content.
package enum Python {
  package static let isPresent =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    || FileManager.default.isExecutableFile(atPath: "/usr/local/bin/python3")

  /// Runs a script, to which `input` is the text of a file by the name `sys.argv[1]`, and returns its output.
  ///
  /// - Throws: `POSIXError` when it cannot be started or fails.
  package static func run(_ script: String, input: Data, in directory: TemporaryDirectory) throws
    -> Data
  {
    let (file, output) = (directory.file("python.in"), directory.file("python.out"))
    let errors = directory.file("python.err")
    try input.write(to: file)
    let status = try spawn(
      "/usr/bin/env", ["python3", "-c", script, file.path], output: output, errors: errors)
    guard status == 0 else {
      FileHandle.standardError.write((try? Data(contentsOf: errors)) ?? Data())
      throw POSIXError(.EINVAL)
    }
    return try Data(contentsOf: output)
  }
}

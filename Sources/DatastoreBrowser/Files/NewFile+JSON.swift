import Foundation
import Gates

extension NewFile {
  /// Replaces a file by a value in JSON over several lines, and makes its folder if there is none. Waits for
  /// the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` if the file cannot be written.
  static func write(
    json value: some Encodable, to url: URL,
    _ formatting: JSONEncoder.OutputFormatting = .sortedKeys
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union(.prettyPrinted)
    let data = try encoder.encode(value)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try write(data, to: url.path)
  }
}

import Basics
import Foundation
import Gates

/// The kind and size of some bytes: `PNG image, 12.3 kB`.
struct BlobText: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ data: Data) {
    description = (Self.kind(of: data).map { $0 + ", " } ?? "") + CountText.bytes(data.count)
  }

  /// The number of bytes that are examined to tell text from other data.
  private static let sample = 512

  /// Whether the bytes look like UTF-8 text.
  static func isText(_ data: Data) -> Bool { ["JSON", "text"].contains(kind(of: data)) }

  private static func kind(of data: Data) -> String? {
    if let name = FileKind.name(of: data) { return name }
    guard !data.isEmpty else { return nil }
    // The end of the sample may cut a character.
    let head = data.prefix(sample)
    for cut in 0...min(3, head.count - 1) {
      guard let text = String(validating: head.dropLast(cut), as: UTF8.self) else { continue }
      if text.unicodeScalars.contains(where: { $0.value < 9 }) { return nil }
      let first = text.first { !$0.isWhitespace }
      return first == "{" || first == "[" ? "JSON" : "text"
    }
    return nil
  }
}

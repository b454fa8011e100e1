import Basics
import Foundation

/// The kind and size of some bytes: `PNG image, 12.3 kB`.
struct BlobText: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ data: Data) {
    description = (Self.kind(of: data).map { $0 + ", " } ?? "") + CountText.bytes(data.count)
  }

  /// The first bytes of well-known formats.
  private static let signatures: [(bytes: [UInt8], kind: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "PNG image"), ([0xFF, 0xD8, 0xFF], "JPEG image"),
    (Array("GIF8".utf8), "GIF image"), (Array("%PDF".utf8), "PDF"),
    ([0x50, 0x4B, 0x03, 0x04], "zip archive"), ([0x1F, 0x8B], "gzip data"),
    (Array("SQLite format 3".utf8), "SQLite file"),
    (Array("bplist".utf8), "property list"), (Array("BM".utf8), "BMP image"),
    ([0x49, 0x49, 0x2A, 0x00], "TIFF image"), ([0x4D, 0x4D, 0x00, 0x2A], "TIFF image"),
    (Array("ID3".utf8), "MP3 audio"), (Array("OggS".utf8), "Ogg media"),
    (Array("fLaC".utf8), "FLAC audio"), ([0x1A, 0x45, 0xDF, 0xA3], "Matroska video"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd data"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data"),
    (Array("BZh".utf8), "bzip2 data"), ([0x37, 0x7A, 0xBC, 0xAF], "7z archive"),
    ([0x7F, 0x45, 0x4C, 0x46], "ELF program"), (Array("wOF2".utf8), "web font"),
  ]

  /// The number of bytes that are examined to tell text from other data.
  private static let sample = 512

  /// Whether the bytes look like UTF-8 text.
  static func isText(_ data: Data) -> Bool { ["JSON", "text"].contains(kind(of: data)) }

  private static func kind(of data: Data) -> String? {
    // Microsoft's containers and those of ISO media name their content after a length.
    let name = data.dropFirst(8).prefix(4)
    if data.starts(with: Array("RIFF".utf8)) {
      return name.elementsEqual(Array("WEBP".utf8)) ? "WebP image" : "RIFF media"
    }
    if data.dropFirst(4).starts(with: Array("ftyp".utf8)) {
      return name.elementsEqual(Array("avif".utf8)) ? "AVIF image" : "MP4 media"
    }
    for signature in signatures where data.starts(with: signature.bytes) { return signature.kind }
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

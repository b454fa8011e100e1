import Basics

/// A compression format: its first bytes, the extension of names, and its decoder.
enum Compression: CaseIterable {
  case gzip, xz, zstd, bzip2

  /// The format of data that begins like this; nil if it is not compressed.
  init?(of head: some Collection<UInt8>) {
    guard
      let found = Self.allCases.first(where: { $0.marks.contains { head.starts(with: $0) } })
    else { return nil }
    self = found
  }

  /// The greatest number of bytes that identify a format.
  static let markSize = 10

  private var marks: [[UInt8]] {
    switch self {
    case .gzip: [[0x1F, 0x8B, 0x08]]
    case .xz: [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]]
    case .zstd: [[0x28, 0xB5, 0x2F, 0xFD]]
    case .bzip2: Self.bzip2Marks
    }
  }

  /// "BZh", a digit for the size of blocks, and the beginning of a block or the end of an empty file; a text
  /// may begin with less.
  private static let bzip2Marks: [[UInt8]] = (1...9).flatMap { size in
    [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]].map { block in
      Array("BZh\(size)".utf8) + block
    }
  }

  private var nameExtension: String {
    switch self {
    case .gzip: "gz"
    case .xz: "xz"
    case .zstd: "zst"
    case .bzip2: "bz2"
    }
  }

  /// The program that decodes it; nil if a library does.
  var program: String? {
    switch self {
    case .gzip: nil
    case .xz: "xz"
    case .zstd: "zstd"
    case .bzip2: "bzip2"
    }
  }

  /// A name without the extension of a compressed file; nil if it has none.
  static func inner(_ name: Substring) -> String? {
    guard let point = name.lastPlace(of: ".") else { return nil }
    let end = name.text(after: point).lowercased()
    return allCases.contains { $0.nameExtension == end } ? String(name[..<point]) : nil
  }
}

import Basics
import Foundation

/// Text as a file holds it. SQLite stores any bytes as TEXT, and a Swift string cannot hold bytes that are
/// not UTF-8. So each such byte becomes a scalar of its own, from U+10FE80 for 0x80 to U+10FEFF for 0xFF (in
/// a private-use plane, otherwise unused), and the same byte again when the text is written. Text that is
/// read, kept, changed around them, undone and saved is never repaired.
///
/// A stored text that contains these scalars itself is read as their bytes, four scalars for each, so that it
/// is also written unchanged.
extension String {
  /// The text of stored bytes. O(length).
  @usableFromInline
  package init(stored bytes: UnsafeBufferPointer<UInt8>) {
    // Most texts are ASCII, and the standard library converts those in half the time that it takes to
    // validate others: 30 instead of 60 nanoseconds for a name.
    if bytes.isASCII {
      self = String(decoding: bytes, as: UTF8.self)
    } else if !bytes.mayHoldMarks, let text = String(validating: bytes, as: UTF8.self) {
      self = text
    } else {
      self = Self.marked(bytes)
    }
  }

  /// Calls `body` with the bytes from which a text was read, or as which it is stored. O(length).
  package mutating func withStoredUTF8<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    guard utf8.withContiguousStorageIfAvailable({ $0.mayHoldMarks }) ?? true else {
      return try withUTF8(body)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if let byte = scalar.foreignByte {
        bytes.append(byte)
      } else {
        bytes.append(contentsOf: Self(scalar).utf8)
      }
    }
    return try bytes.withUnsafeBufferPointer(body)
  }

  /// The text for people, with U+FFFD for bytes that are not UTF-8. O(length).
  package var repaired: String {
    guard unicodeScalars.contains(where: { $0.foreignByte != nil }) else { return self }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: unicodeScalars.map { $0.foreignByte == nil ? $0 : "\u{FFFD}" })
    return String(text)
  }

  private static func marked(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    func mark(_ count: Int) {
      text.append(
        contentsOf: bytes[offset..<offset + count].map { Unicode.Scalar(foreignByte: $0) })
      offset += count
    }
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.foreignByte == nil {
          text.append(scalar)
          offset += encoded.count
        } else {
          mark(encoded.count)
        }
      case .error(let length): mark(length)
      case .emptyInput: return String(text)
      }
    }
  }
}

extension Unicode.Scalar {
  /// The byte, not part of UTF-8, that this scalar represents.
  package var foreignByte: UInt8? {
    value >= 0x10FE80 && value <= 0x10FEFF ? UInt8(value - 0x10FE00) : nil
  }

  /// - Parameter foreignByte: at least 0x80.
  fileprivate init(foreignByte: UInt8) {
    guard let scalar = Unicode.Scalar(0x10FE00 + UInt32(foreignByte)) else {
      trap("every number of the plane is that of a scalar")
    }
    self = scalar
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var isASCII: Bool {
    var bits: UInt8 = 0
    for byte in self { bits |= byte }
    return bits < 0x80
  }

  /// Whether the text may contain scalars that represent bytes: in UTF-8 they begin with 0xF4.
  fileprivate var mayHoldMarks: Bool {
    guard let baseAddress, count >= 4 else { return false }
    return memchr(baseAddress, 0xF4, count) != nil
  }
}

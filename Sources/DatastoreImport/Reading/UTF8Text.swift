import DatastoreCore

/// Text from the bytes of a file, which are UTF-8 or a fault.
enum UTF8Text {
  /// The text of `bytes`; nil if they are not UTF-8. Linear.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    String(validating: bytes, as: UTF8.self)
  }

  /// The offset of the first byte that begins no well-formed sequence; nil if all are well formed.
  static func firstFault(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    UTF8Sequences.firstFault(in: bytes)
  }

  /// A sentence about the byte at a fault found by `firstFault(in:)`.
  static func faultDescription(_ byte: UInt8) -> String {
    "the text is not UTF-8 (byte 0x\(Hexadecimal.text(CollectionOfOne(byte)))); "
      + "name it with --encoding (\(TextEncoding.examples) or another name that iconv knows), "
      + "or save the file as UTF-8"
  }
}

extension ByteInput {
  /// Skips a byte order mark at the beginning of the file.
  ///
  /// - Throws: `ImportError.unreadable` if the mark is that of UTF-16; `ImportError.inaccessible`.
  func skipByteOrderMark() throws {
    try fill(atLeast: 3)
    let start = window.prefix(3)
    if start.elementsEqual([0xEF, 0xBB, 0xBF]) {
      consume(3)
    } else if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) {
      abandon()
      throw ImportError.unreadable(
        SourcePosition(file: name, line: 1, column: 1),
        reason: "the file is UTF-16; save it as UTF-8 and load it again")
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes of a range, without a copy.
  func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: self[range])
  }
}

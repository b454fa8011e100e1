import Glibc

/// Turns bytes of one encoding into another, piece by piece, by the system's iconv.
final class Transcoder {
  private let converter: iconv_t
  /// How many bytes are skipped if they are no character.
  private let unitSize: Int
  /// The first bytes of a character whose other bytes have not arrived yet.
  private var rest: [UInt8] = []
  /// Bytes that were no character.
  private(set) var faultCount = 0
  /// The first letter of UTF-8 that the other encoding lacks.
  private(set) var lackedLetter: Unicode.Scalar?
  private let isFromUTF8: Bool

  /// Nil if iconv does not know one of the encodings, which are given by its names.
  init?(from source: String, to destination: String) {
    guard let converter = iconv_open(destination, source),
      converter != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    self.converter = converter
    let name = source.uppercased()
    isFromUTF8 = name == "UTF-8"
    unitSize = name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
  }

  /// A transcoder to UTF-8.
  convenience init?(_ encoding: TextEncoding) {
    self.init(from: encoding.systemName, to: "UTF-8")
  }

  deinit { iconv_close(converter) }

  /// The next bytes of the file in the other encoding. Bytes that are no character become a byte that is
  /// invalid in UTF-8, too, so that readers report its place: the byte itself if possible.
  func bytes(of bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> [UInt8] {
    var input = rest + bytes
    rest = []
    var result: [UInt8] = []
    result.reserveCapacity(input.count * 2)
    input.withUnsafeMutableBytes { input in
      var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = input.count
      while left > 0 {
        let fault = convert(&next, &left, into: &result)
        if fault == 0 || fault == E2BIG { continue }
        if fault == EINVAL, !isAtEnd {
          rest = Array(input.suffix(left))
          return
        }
        skip(&next, &left, into: &result)
      }
      // Encodings with states may add bytes at the end.
      if isAtEnd { _ = convert(&next, &left, into: &result) }
    }
    return result
  }

  /// Converts as much as there is room for, and returns the number of the error.
  private func convert(
    _ next: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, into result: inout [UInt8]
  ) -> Int32 {
    var fault: Int32 = 0
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
      var end = buffer.baseAddress
      var room = buffer.count
      if left == 0 {
        _ = iconv(converter, nil, nil, &end, &room)
      } else if iconv(converter, &next, &left, &end, &room) == Int(bitPattern: UInt.max) {
        fault = errno
      }
      result.append(
        contentsOf: UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(buffer)[..<(buffer.count - room)]))
    }
    return fault
  }

  private func skip(
    _ next: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, into result: inout [UInt8]
  ) {
    faultCount += 1
    if isFromUTF8, let bytes = next {
      let text = UnsafeRawBufferPointer(start: bytes, count: min(left, 4))
      var decoder = UTF8()
      var iterator = text.makeIterator()
      if case .scalarValue(let letter) = decoder.decode(&iterator) {
        lackedLetter = lackedLetter ?? letter
      }
    }
    let byte = next.map { UInt8(bitPattern: $0.pointee) } ?? Self.noCharacter
    // Only a byte that begins no character of UTF-8 can stand alone.
    let isAlone = unitSize == 1 && (0x80..<0xC2).contains(byte) || byte > 0xF4
    result.append(isAlone ? byte : Self.noCharacter)
    let count = min(unitSize, left)
    next = next.map { $0 + count }
    left -= count
  }

  /// Never valid in UTF-8.
  private static let noCharacter: UInt8 = 0xFF
}

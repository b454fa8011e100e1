/// Detects whether quotes enclose fields in a file of tab-separated values. Many programs write such files
/// without any quoting, since fields contain no tabs; quotes in them are ordinary characters.
enum CSVQuoting {
  /// The reason why quotes are ordinary characters; nil if they enclose fields, or there are none.
  ///
  /// RFC 4180 takes precedence: quotes may be ordinary characters only if the records violate it. They are if
  /// each line has as many fields as the first one, and more fields have quotes inside than are enclosed in
  /// them. Linear.
  ///
  /// - Parameter isWhole: whether the sample is all of the file, so that its last line is not cut.
  static func plainReason(
    in sample: UnsafeBufferPointer<UInt8>, comment: UInt8?, isWhole: Bool
  ) -> String? {
    guard sample.contains(Byte.quote) else { return nil }
    let enclosing = CSVScanner(delimiter: Byte.tab, comment: comment)
    if !records(in: sample, enclosing, isWhole: isWhole, { $1.fault == nil }) { return nil }
    var columns = 0
    var (enclosed, others) = (0, 0)
    let plain = CSVScanner(delimiter: Byte.tab, hasQuotes: false, comment: comment)
    let isUneven = records(in: sample, plain, isWhole: isWhole) { record, scanner in
      if columns == 0 { columns = scanner.fields.count }
      for field in scanner.fields {
        let bytes = record.slice(field.content)
        guard bytes.contains(Byte.quote) else { continue }
        if isEnclosed(bytes) { enclosed += 1 } else { others += 1 }
      }
      return scanner.fields.count == columns
    }
    guard !isUneven, columns > 1, others > enclosed else { return nil }
    return
      "each line has \(columns) fields, and \(others == 1 ? "1 has" : "\(others) have") quotes "
      + "that enclose nothing"
  }

  /// Whether some record does not pass; empty lines and comments are no records.
  private static func records(
    in sample: UnsafeBufferPointer<UInt8>, _ scanner: CSVScanner, isWhole: Bool,
    _ passes: (UnsafeBufferPointer<UInt8>, CSVScanner) -> Bool
  ) -> Bool {
    var scanner = scanner
    var offset = 0
    while offset < sample.count {
      scanner.reset()
      let rest = sample.slice(offset..<sample.count)
      // A quote that is never closed is a fault; if the sample is cut, it proves nothing.
      guard case .complete(let next) = scanner.scan(rest, isAtEnd: isWhole) else { return isWhole }
      if scanner.contentEnd > 0, !passes(rest, scanner) { return true }
      offset += next
    }
    return false
  }

  /// Whether a field begins and ends with a quote, and each quote between them is doubled.
  private static func isEnclosed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count > 1, bytes.first == Byte.quote, bytes.last == Byte.quote else { return false }
    var index = 1
    while index < bytes.count - 1 {
      if bytes[index] == Byte.quote {
        guard index + 1 < bytes.count - 1, bytes[index + 1] == Byte.quote else { return false }
        index += 1
      }
      index += 1
    }
    return true
  }
}

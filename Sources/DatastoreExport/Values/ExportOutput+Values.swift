import DatastoreCore
import Foundation

/// Values other than text, as all formats for programs write them.
extension ExportOutput {
  /// Appends a number; as a date, between quotes, if its column holds dates.
  func append(number: Value, of column: ExportColumn, quote: String = "") {
    if column.type == .date, let seconds = number.number {
      let start = buffer.count
      append(quote)
      if append(date: seconds) { return append(quote) }
      buffer.removeLast(buffer.count - start)
    }
    if let moment = column.dates?.moment(of: number) {
      return append("\(quote)\(moment.iso)\(quote)")
    }
    switch number {
    case .integer(let integer): append(integer: integer, as: column.type)
    case .real(let real): append(real: real, as: column.type)
    case .null, .text, .blob: break
    }
  }

  func append(integer: Int64, as type: AttributeType) {
    switch type {
    case .boolean where integer == 0: append("false")
    case .boolean where integer == 1: append("true")
    default: append(decimal: integer)
    }
  }

  /// Appends the shortest digits that read back as the same number.
  func append(real: Double, as type: AttributeType) {
    guard real.isFinite else {
      // The JSON and SQL spelling of infinity: readers that support infinity read it as such.
      append(real < 0 ? "-1e999" : "1e999")
      return
    }
    if type == .decimal, let digits = DecimalText(real) {
      append(digits.description)
    } else {
      append(type.digits(of: real))
    }
  }

  /// Appends digits without an intermediate string.
  private func append(decimal integer: Int64) {
    var magnitude = integer.magnitude
    if magnitude < 10 {
      if integer < 0 { append(UInt8(ascii: "-")) }
      append(UInt8(ascii: "0") + UInt8(magnitude))
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      while magnitude > 0 {
        let (rest, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(digit)
        magnitude = rest
      }
      if integer < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      append(UnsafeBufferPointer(rebasing: digits[start..<20]))
    }
  }

  /// Appends the moment of a date attribute as `2024-05-01T09:30:00.25Z`, with as many digits as read back as
  /// the same number of seconds. Writes nothing for dates outside the years 1 to 9999.
  ///
  /// - Returns: whether anything was written.
  func append(date seconds: Double) -> Bool {
    if let moment = DateConvention.own.moment(of: .real(seconds)) {
      append(moment)
    } else {
      // Near the year 2001, two numbers can differ in more than nine digits.
      let whole = seconds.rounded(.down)
      let rest = seconds - whole
      // The number is so close below a whole second that no digits express the difference.
      let shown = rest < 1 ? whole : whole + 1
      guard let moment = DateConvention.own.moment(of: .real(shown)) else { return false }
      append(moment)
      if rest < 1, let digits = DecimalText(rest)?.description, digits.hasPrefix("0.") {
        append(String(digits.dropFirst()))
      }
    }
    append(UInt8(ascii: "Z"))
    return true
  }

  private func append(_ moment: Moment) {
    let (year, month, day, second) = moment.parts
    append(padded: year, 4)
    append(UInt8(ascii: "-"))
    append(padded: month, 2)
    append(UInt8(ascii: "-"))
    append(padded: day, 2)
    append(UInt8(ascii: "T"))
    append(padded: second / 3600, 2)
    append(UInt8(ascii: ":"))
    append(padded: second / 60 % 60, 2)
    append(UInt8(ascii: ":"))
    append(padded: second % 60, 2)
    var digits = (number: Int(moment.nanoseconds), count: 9)
    guard digits.number > 0 else { return }
    while digits.number % 1000 == 0 { digits = (digits.number / 1000, digits.count - 3) }
    append(UInt8(ascii: "."))
    append(padded: digits.number, digits.count)
  }

  private func append(padded number: Int, _ width: Int) {
    var scale = 1
    for _ in 1..<width { scale *= 10 }
    var rest = number
    for _ in 0..<width {
      append(UInt8(ascii: "0") + UInt8(rest / scale))
      rest %= scale
      scale /= 10
    }
  }

  /// Appends sixteen bytes in the groups of RFC 9562.
  func append(uuid bytes: UnsafeBufferPointer<UInt8>) {
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { append(UInt8(ascii: "-")) }
      append(hex: byte)
    }
  }

  func append(hex bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { append(hex: byte) }
  }

  private func append(hex byte: UInt8) {
    append(Hexadecimal.uppercase[Int(byte >> 4)])
    append(Hexadecimal.uppercase[Int(byte & 15)])
  }

  /// Appends Base64 of RFC 4648, section 4, with padding.
  func append(base64 bytes: UnsafeBufferPointer<UInt8>) {
    buffer.append(contentsOf: Data(buffer: bytes).base64EncodedData())
  }
}

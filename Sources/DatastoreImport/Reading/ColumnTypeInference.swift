import Foundation

/// Finds the narrowest attribute type that holds all values of a column without loss.
///
/// It receives values one by one, and keeps only their number by kind. Null and empty text say nothing about
/// the type, and neither do marks of a missing value, unless the column turns out to be text. Text counts as
/// the value it reads as: `12` is an integer, but `007` and `+12`, whose digits a number would not keep, are
/// strings. Only `true` and `false` are booleans: `NO` may be Norway.
package struct ColumnTypeInference: Sendable {
  package enum Kind: Int, CaseIterable, Sendable {
    /// A decimal is a number of which neither an integer nor a double keeps all digits.
    case boolean, integer, double, decimal, day, moment, uuid, url, string, list, record
  }

  private let reading: ValueReading
  /// The length of the longest mark that could be a value, in bytes.
  private let longestMark: Int
  /// Whether numbers are written as Swift reads them.
  private let readsNumbers: Bool
  /// The kind of the last value that determined one.
  private var last: Kind?
  private var counts = [Int](repeating: 0, count: Kind.allCases.count)
  private var markCount = 0
  /// Whether a text such as `TRUE` was seen, which a boolean would restore as `true`.
  private var hasOtherBooleans = false
  /// Whether a Double holds each integer seen.
  private var integersAreExactDoubles = true
  /// Whether a number was infinite, or is otherwise out of the range of decimals.
  private var exceedsDecimals = false
  /// The orders in which all days so far are valid; nil if none needed one.
  private var orders: [DateOrder]?
  /// The first text, shown as an example beside other kinds.
  private(set) var firstText: String?
  /// The first date in which either number may be the month.
  private(set) var firstOpenDate: String?

  package init(_ reading: ValueReading = ValueReading()) {
    self.reading = reading
    longestMark = reading.marks.longestLikeValues
    readsNumbers = reading.decimalMark == .point
  }

  /// The type of all values of a column; nil if they do not determine one.
  package static func type(
    of values: some Sequence<ImportValue>, _ reading: ValueReading = ValueReading()
  ) -> ColumnType? {
    var inference = ColumnTypeInference(reading)
    for value in values { inference.observe(value) }
    return inference.type
  }

  /// The type of the values seen so far; nil if they do not determine one.
  package var type: ColumnType? { type(dates: reading.dates ?? dateOrder) }

  /// The type for a known order of days and months.
  func type(dates: DateOrder?) -> ColumnType? {
    let kinds = Kind.allCases.filter { self[$0] > 0 }
    switch kinds {
    case []: return markCount > 0 ? .string : nil
    case [.boolean]: return reading.keepsText && hasOtherBooleans ? .string : .boolean
    case [.integer]: return .integer
    case [.double]: return .double
    // A decimal keeps whole numbers unchanged.
    case [.integer, .double] where reading.keepsText && !exceedsDecimals: return .decimal
    case [.integer, .double] where integersAreExactDoubles: return .double
    case [.integer, .double], [.decimal], [.integer, .decimal], [.double, .decimal],
      [.integer, .double, .decimal]:
      return reading.takesEveryNumber && !exceedsDecimals ? .decimal : .string
    // A day would get a time.
    case [.day, .moment] where reading.keepsText: return .string
    case [.day], [.moment], [.day, .moment]:
      if let orders, dates.map({ !orders.contains($0) }) ?? true { return .string }
      return kinds == [.day] ? .day : .date
    case [.uuid]: return .uuid
    case [.url]: return .url
    default: return .string
    }
  }

  /// The order in which all days are written; nil if no value determines it, or none fits.
  var dateOrder: DateOrder? { orders?.count == 1 ? orders?.first : nil }

  /// Whether all values are days, and it cannot be determined which number is the month.
  var isAmbiguous: Bool { orders?.count == 2 && (type(dates: .dayFirst) ?? .string) != .string }

  package subscript(kind: Kind) -> Int { counts[kind.rawValue] }

  /// The number of values that determine a kind.
  var valueCount: Int { counts.reduce(0, +) }

  /// Counts one more value of the column.
  package mutating func observe(_ value: ImportValue) {
    switch value {
    case .null: break
    case .boolean: count(.boolean)
    case .integer(let integer): observe(integer)
    case .real: count(.double)
    case .text(let text): if !text.isEmpty { observe(text) }
    case .number(_, let value): observe(value)
    case .list: count(.list)
    case .record: count(.record)
    }
  }

  /// Counts one more value of the column by its bytes, which are UTF-8, if they determine it.
  ///
  /// - Returns: the value; nil, and nothing is counted, if its text has to be parsed.
  mutating func observe(plain bytes: UnsafeBufferPointer<UInt8>) -> PlainField? {
    if isText {
      if !bytes.isEmpty { count(.string) }
      return .text
    }
    guard let last, bytes.count > longestMark, readsNumbers || last != .integer && last != .double,
      let field = PlainField(bytes, like: last)
    else { return nil }
    observe(field)
    return field
  }

  /// Counts one more value of the column whose kind is known.
  mutating func observe(_ field: PlainField) {
    switch field {
    case .integer(let integer): observe(integer)
    case .real: count(.double)
    case .boolean: count(.boolean)
    case .date(_, let isDay): count(isDay ? .day : .moment)
    case .text: count(.string)
    }
  }

  /// Whether no further value makes the column anything but text.
  private var isText: Bool { self[.string] > Self.textLimit }

  private mutating func count(_ kind: Kind) {
    counts[kind.rawValue] += 1
    last = kind
  }

  private mutating func observe(_ integer: Int64) {
    count(.integer)
    if integer.magnitude > 1 << 53 { integersAreExactDoubles = false }
  }

  /// The number of texts that are compared with all kinds before a column counts as text for good.
  private static let textLimit = 1_000

  private mutating func observe(_ text: String) {
    if isText { return count(.string) }
    if reading.marks.contains(text) {
      markCount += 1
      return
    }
    let number = reading.decimalMark.plain(text) ?? ""
    if let integer = Self.integer(number) {
      observe(integer)
    } else if let real = Self.real(number) ?? reading.infinity(text) {
      if real != 0, !(1e-100...1e100).contains(abs(real)) { exceedsDecimals = true }
      count(.double)
    } else if reading.takesEveryNumber, Self.isDecimal(number) {
      count(.decimal)
    } else if ValueReading.boolean(text) != nil {
      if text != "true", text != "false" { hasOtherBooleans = true }
      count(.boolean)
    } else if let kind = dateKind(text) {
      count(kind)
    } else if ValueReading.uuid(text) != nil {
      count(.uuid)
    } else if Self.isURL(text) {
      count(.url)
    } else {
      if firstText == nil { firstText = text }
      count(.string)
    }
  }

  /// Days and moments, in any possible order.
  private mutating func dateKind(_ text: String) -> Kind? {
    guard let first = text.utf8.first, Byte.isDigit(first) else { return nil }
    if let possible = TableDate.orders(text) {
      guard let order = possible.first, let iso = TableDate.iso(text, order) else { return nil }
      if firstOpenDate == nil, possible.count > 1 { firstOpenDate = text }
      orders = (orders ?? DateOrder.allCases).filter(possible.contains)
      return TableDate.isDay(iso) ? .day : .moment
    }
    return reading.isoDate(text).map { TableDate.isDay($0) ? .day : .moment }
  }

  private static func integer(_ text: String) -> Int64? {
    guard let integer = Int64(text), String(integer) == text else { return nil }
    return integer
  }

  /// The value of a number in the grammar of JSON that a Double holds with all its digits.
  private static func real(_ text: String) -> Double? {
    if case .real(let real) = number(text) { real } else { nil }
  }

  /// Whether text is a number without an exponent that only a decimal holds with all its digits.
  private static func isDecimal(_ text: String) -> Bool {
    guard case .text = number(text), ValueReading.fitsDecimal(text) else { return false }
    return !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
  }

  /// The value of a number in the grammar of JSON: a text if it has too many digits.
  private static func number(_ text: String) -> ImportValue? {
    var text = text
    return text.withUTF8 { bytes in
      guard let first = bytes.first, let last = bytes.last,
        first == Byte.minus || Byte.isDigit(first), Byte.isDigit(last)
      else {
        return nil
      }
      var decoder = JSONValueDecoder(bytes, start: SourceCursor())
      let value = try? decoder.decode()
      return decoder.offset == bytes.count ? value : nil
    }
  }

  /// Whether text is an absolute URL with a host, or of a file.
  private static func isURL(_ text: String) -> Bool {
    guard text.contains("://"), let url = ValueReading.url(text), let scheme = url.scheme,
      !scheme.isEmpty
    else { return false }
    return url.host()?.isEmpty == false || scheme.lowercased() == "file"
  }
}

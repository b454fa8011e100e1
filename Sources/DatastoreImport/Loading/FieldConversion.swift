import DatastoreCore

/// How the fields of one file become values of attributes.
struct FieldConversion {
  let reading: ValueReading
  /// Texts that were read as missing values, with their numbers, by column.
  var seenMarks: [String: [String: Int]] = [:]
  /// The number of moments with a zone other than UTC, in which they are stored, by column.
  var lostZones: [String: Int] = [:]
  /// The number of numbers with more digits than their column keeps, by column.
  var lostDigits: [String: Int] = [:]
  /// The order of days and months by column; nil until a date needs it.
  private(set) var dateOrders: [String: DateOrder]?
  /// Called repeatedly while the file is read.
  let checkCancellation: () throws -> Void
  /// Determines the date orders.
  private let findDateOrders: () throws -> [String: DateOrder]

  /// - Parameters:
  ///   - dateOrders: the order of days and months by column, if it is known.
  ///   - checkCancellation: called repeatedly while the file is read.
  init(
    _ reading: ValueReading, of source: LoadSource, dateOrders: [String: DateOrder]? = nil,
    batchSize: Int = 2_000, checkCancellation: @escaping () throws -> Void = {}
  ) {
    self.reading = reading
    self.dateOrders = dateOrders
    self.checkCancellation = checkCancellation
    findDateOrders = {
      // A pipe cannot be read twice.
      guard !source.input.isReadOnce else { return [:] }
      return try source.observedColumns(batchSize: batchSize) { _, _ in
        try checkCancellation()
      }.dateOrders
    }
  }

  /// The value of a field as an attribute stores it.
  ///
  /// - Throws: `ConversionFault`, and the errors of reading the file for the order of days.
  mutating func value(
    of value: ImportValue, in column: String, for attribute: AttributeDescription
  ) throws -> Value {
    if attribute.losesDigits(of: value, reading) { lostDigits[column, default: 0] += 1 }
    guard case .text(let text) = value else {
      return try value.converted(to: attribute.type, reading)
    }
    var reading = reading
    if reading.dates == nil,
      attribute.type.isDate || attribute.isDeclaredDate || attribute.dateConvention != nil,
      TableDate.orders(text) != nil
    {
      reading.dates = try dateOrder(of: column)
    }
    if let convention = attribute.dateConvention,
      let date = try value.date(in: convention, reading)
    {
      return date
    }
    let converted = try value.converted(to: attribute.typeReading(value, reading), reading)
    if attribute.type == .date, !converted.isNull { recordZone(of: text.utf8, in: column) }
    if converted.isNull, !text.isEmpty { seenMarks[column, default: [:]][text, default: 0] += 1 }
    return converted
  }

  /// Counts a moment that loses its zone.
  mutating func recordZone(of text: some BidirectionalCollection<UInt8>, in column: String) {
    guard let sign = text.lastIndex(where: { $0 == Byte.plus || $0 == Byte.minus }),
      text.distance(from: text.startIndex, to: sign) > 10,
      text[sign...].contains(where: { Byte.isDigit($0) && $0 != Byte.zero })
    else { return }
    lostZones[column, default: 0] += 1
  }

  /// The order of days and months in a column, which follows from all of its values: the file is read once
  /// for it.
  private mutating func dateOrder(of column: String) throws -> DateOrder? {
    let orders = try dateOrders ?? findDateOrders()
    dateOrders = orders
    return orders[column]
  }
}

extension AttributeDescription {
  /// Whether the attribute keeps a number as a Double that has fewer digits.
  fileprivate func losesDigits(of value: ImportValue, _ reading: ValueReading) -> Bool {
    switch value {
    case .integer(let integer): return type == .double && !integer.isExactDouble
    case .text(let text) where text.utf8.count > 15 && (type == .double || isNumeric):
      guard let number = reading.decimalMark.plain(text), Double(number) != nil else {
        return false
      }
      if let integer = Int64(number) { return type == .double && !integer.isExactDouble }
      let digits = number.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter(Byte.isDigit)
      // Programs write 17 digits to identify a Double.
      let significant = digits.drop { $0 == Byte.zero }.reversed().drop { $0 == Byte.zero }
      return significant.count > 17
    default: return false
    }
  }

  /// Whether SQLite turns texts in the column into numbers.
  private var isNumeric: Bool {
    guard type == .undefined, let declared = declaredType?.uppercased() else { return false }
    return declared.hasPrefix("DECIMAL") || declared.hasPrefix("NUMERIC")
  }
}

extension Int64 {
  fileprivate var isExactDouble: Bool { Int64(exactly: Double(self)) == self }
}

extension LoadSource {
  /// Sentences about the texts that were read as missing values, with their numbers, by column.
  func notes(ofMarks seenMarks: [String: [String: Int]]) -> [String] {
    seenMarks.sorted { $0.key < $1.key }.map { column, texts in
      let marks = texts.sorted { $0.key < $1.key }.map { "\($0.shownInMessage) (\($1))" }
      return
        "\(name): in “\(column.shownInMessage)” \(marks.joined(separator: ", ")) means no value."
    }
  }
}

/// The columns of one file with what their values are.
struct ObservedColumns: Sendable {
  struct Column: Sendable {
    let name: String
    fileprivate(set) var types: ColumnTypeInference
  }

  private let reading: ValueReading
  /// Whether the file itself says what its values are, as JSON does.
  private let isTyped: Bool
  private(set) var columns: [Column] = []
  private var places: [String: Int] = [:]
  private(set) var recordCount = 0
  private var first: ImportRecord?
  /// The column that says of records that they have more or fewer fields than the others.
  private let irregularColumn: String?

  init(_ reader: any RecordReader) {
    reading = reader.valueReading
    let csv = reader as? CSVReader
    isTyped = csv == nil
    irregularColumn = csv?.irregularColumn
    for column in csv?.columns ?? [] { observe(.null, of: column) }
  }

  mutating func observe(_ record: ImportRecord) {
    for field in record.fields { observe(field.value, of: field.name) }
    if recordCount == 0, isTyped { first = record }
    recordCount += 1
  }

  /// Counts an invalid record, which the load itself reports.
  mutating func skipRecord() { recordCount += 1 }

  private mutating func observe(_ value: ImportValue, of column: String) {
    if let place = places[column] {
      columns[place].types.observe(value)
    } else {
      places[column] = columns.count
      columns.append(Column(name: column, types: ColumnTypeInference(reading)))
      columns[columns.count - 1].types.observe(value)
    }
  }

  /// The order of days and months in a column: as it is said, as its own values tell it, or as those of
  /// all other columns of the file do.
  func dateOrder(of column: Column) -> DateOrder? {
    if let said = reading.dates ?? column.types.dateOrder { return said }
    let orders = Set(columns.compactMap(\.types.dateOrder))
    return orders.count == 1 ? orders.first : nil
  }

  func type(of column: Column) -> ColumnType? {
    column.types.type(dates: dateOrder(of: column))
  }

  /// The type of a column that is said to have dates: whether they have times tell its values.
  func dateType(of column: Column) -> ColumnType {
    column.types[.moment] > 0 || column.types[.day] == 0 ? .date : .day
  }

  /// What people should know about the type of a column.
  func sentence(of column: Column) -> String? {
    column.types.isAmbiguous && dateOrder(of: column) == nil
      ? column.types.ambiguitySentence(of: column.name)
      : column.types.mixtureSentence(of: column.name, isTyped: isTyped)
  }

  /// What people should know about records with more or fewer fields than the others.
  var irregularSentence: String? {
    guard let name = irregularColumn, let column = columns.first(where: { $0.name == name }) else {
      return nil
    }
    let count = column.types.valueCount
    return "\(count == 1 ? "1 record has" : "\(count) records have") more or fewer fields than the "
      + "others; the column \(name) says which"
  }

  /// What people should know about a file with just one object.
  var listSentence: String? { recordCount == 1 ? first?.listSentence : nil }
}

extension LoadSource {
  /// Reads the file once to see what its columns are.
  ///
  /// - Parameter progress: called after every batch of records, with their number.
  func observedColumns(
    batchSize: Int, progress: (any RecordReader, Int) throws -> Void
  ) throws -> ObservedColumns {
    var reader = try makeReader()
    var columns = ObservedColumns(reader)
    while true {
      do {
        guard let record = try reader.next() else { break }
        columns.observe(record)
      } catch ImportError.malformed {
        columns.skipRecord()
      }
      if columns.recordCount.isMultiple(of: batchSize) {
        try progress(reader, columns.recordCount)
      }
    }
    try progress(reader, columns.recordCount)
    return columns
  }
}

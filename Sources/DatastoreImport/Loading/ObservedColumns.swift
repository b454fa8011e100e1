/// The columns of one file with the types of their values.
struct ObservedColumns: Sendable {
  struct Column: Sendable {
    let name: String
    fileprivate(set) var types: ColumnTypeInference
  }

  private let reading: ValueReading
  /// Whether the file itself states the types of its values, as JSON does.
  private let isTyped: Bool
  /// The members of a JSON document that lead to its records.
  private let path: [String]
  private(set) var columns: [Column] = []
  private var places: [String: Int] = [:]
  private(set) var recordCount = 0
  private var first: ImportRecord?
  private var irregular = IrregularRecords()
  /// The index of each column of the file that is known from the beginning.
  private var filePlaces: [Int] = []
  /// Whether the file was read to its end.
  var isWhole = false
  /// The mapping of members to columns of a JSON file.
  var members: JSONMembers?

  /// - Parameter known: the columns of a file if they are known; nil for those of its header row.
  init(_ reader: any RecordReader, columns known: [String]? = nil) {
    reading = reader.valueReading
    let csv = reader as? CSVReader
    isTyped = csv == nil
    path = (reader as? JSONReader)?.options.path ?? []
    if let header = csv?.irregularHeader { irregular.record(header) }
    let known = known ?? csv?.columns ?? []
    for column in known { observe(.null, of: column) }
    filePlaces = known.compactMap { places[$0] }
  }

  mutating func observe(_ record: ImportRecord) {
    for field in record.fields { observe(field.value, of: field.name) }
    if let mark = record.irregularity { irregular.record(mark) }
    if recordCount == 0, isTyped { first = record }
    recordCount += 1
  }

  /// Counts a text by its bytes, if they determine its type.
  ///
  /// - Parameter index: the number of the column in the file.
  /// - Returns: its value; nil if its text has to be parsed.
  mutating func observe(plain bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> PlainField? {
    columns[filePlaces[index]].types.observe(plain: bytes)
  }

  /// Counts a number or boolean of JSON.
  mutating func observe(_ field: PlainField, at index: Int) {
    columns[filePlaces[index]].types.observe(field)
  }

  /// Counts a field.
  mutating func observe(_ value: ImportValue, at index: Int) {
    columns[filePlaces[index]].types.observe(value)
  }

  /// Counts a record whose fields were counted one by one, or an invalid one, which the load itself reports.
  mutating func countRecord() { recordCount += 1 }

  /// Replaces the observations of some columns by earlier ones.
  mutating func take(_ names: Set<String>, from other: ObservedColumns) {
    for column in other.columns where names.contains(column.name) {
      guard let place = places[column.name] else { continue }
      columns[place].types = column.types
    }
  }

  private mutating func observe(_ value: ImportValue, of column: String) {
    if let place = places[column] {
      columns[place].types.observe(value)
    } else {
      places[column] = columns.count
      columns.append(Column(name: column, types: ColumnTypeInference(reading)))
      columns[columns.count - 1].types.observe(value)
    }
  }

  /// The order of days and months in a column: the given one, otherwise the one that its own values
  /// determine, otherwise that of all other columns of the file.
  func dateOrder(of column: Column) -> DateOrder? {
    if let said = reading.dates ?? column.types.dateOrder { return said }
    let orders = Set(columns.compactMap(\.types.dateOrder))
    return orders.count == 1 ? orders.first : nil
  }

  /// The orders of days and months by the names of the columns.
  var dateOrders: [String: DateOrder] {
    var orders: [String: DateOrder] = [:]
    for column in columns { orders[column.name] = dateOrder(of: column) }
    return orders
  }

  func type(of column: Column) -> ColumnType? {
    column.types.type(dates: dateOrder(of: column))
  }

  /// The type of a column that is declared to have dates: its values determine whether they have times.
  func dateType(of column: Column) -> ColumnType {
    column.types[.moment] > 0 || column.types[.day] == 0 ? .date : .day
  }

  /// A note for the user about the type of a column.
  func sentence(of column: Column) -> String? {
    column.types.isAmbiguous && dateOrder(of: column) == nil
      ? column.types.ambiguitySentence(of: column.name)
      : column.types.mixtureSentence(of: column.name, isTyped: isTyped)
  }

  /// A note for the user about irregular records.
  var irregularSentence: String? { irregular.sentence }

  /// Notes for the user about the names of columns: parts of sentences.
  var nameSentences: [String] { members?.sentences ?? [] }

  /// A note for the user about a file with just one object.
  var listSentence: String? { recordCount == 1 ? first?.listSentence(at: path) : nil }

  /// The paths of the lists in a file with just one object.
  var arrays: [String] { recordCount == 1 ? first?.arrays(at: path) ?? [] : [] }
}

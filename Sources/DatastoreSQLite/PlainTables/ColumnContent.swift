import Basics
import DatastoreCore
import DatastoreSQL
import GRDBSQLite

/// The actual content of a column of a file, whatever its declaration: SQLite's columns accept values of any
/// kind.
struct ColumnContent {
  /// How it stores dates, according to some of its rows.
  let dates: DateConvention?
  private(set) var nulls = 0
  private var integers = 0
  /// Integers that no floating-point number equals.
  private var longIntegers = 0
  private var notBoolean = 0
  private var reals = 0
  private var texts = 0
  /// Texts that stand for NaN, because SQLite has no value for it.
  private var notANumber = 0
  private var blobs = 0
  private var notDates = 0
  private var notDays = 0

  init(dates: DateConvention?) { self.dates = dates }

  /// The reasons why a server cannot hold a text of the file.
  enum Fault: String {
    case nul = "has a NUL character"
    case encoding = "is not valid UTF-8"
  }

  /// Examines the cell of the current row.
  ///
  /// - Returns: the fault of a text.
  mutating func observe(_ statement: RawStatement, _ column: Int32) -> Fault? {
    let pointer = statement.pointer
    switch sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER:
      let integer = sqlite3_column_int64(pointer, column)
      integers += 1
      if integer != 0, integer != 1 { notBoolean += 1 }
      if Int64(exactly: Double(integer)) != integer { longIntegers += 1 }
    case SQLITE_FLOAT: reals += 1
    case SQLITE_TEXT:
      texts += 1
      let bytes = statement.bytes(at: column)
      if bytes.contains(0) { return .nul }
      if UTF8Sequences.firstFault(in: bytes) != nil { return .encoding }
      if bytes.elementsEqual(Self.nan) { notANumber += 1 }
    case SQLITE_BLOB: blobs += 1
    default:
      nulls += 1
      return nil
    }
    if let dates {
      let moment = Self.moment(of: statement.value(at: column), dates)
      if moment == nil { notDates += 1 }
      if moment == nil || !dates.isText || sqlite3_column_bytes(pointer, column) != 10 {
        notDays += 1
      }
    }
    return nil
  }

  /// `NaN`, as servers write it.
  static let nan = Array("NaN".utf8)

  /// The moment of a value, if servers can hold it, which count microseconds; nil for others.
  static func moment(of value: Value, _ dates: DateConvention) -> Moment? {
    guard let moment = dates.moment(of: value), moment.nanoseconds % 1000 == 0,
      let real = DateConvention.own.value(of: moment),
      DateConvention.own.moment(of: real) == moment
    else { return nil }
    return moment
  }

  /// Whether no row has a value there.
  var isEmpty: Bool { count == 0 }
  private var count: Int { integers + reals + texts + blobs }

  /// The type that all values fit, preferably the wanted one; and the number that do not fit that one. Where
  /// none is wanted, the number that are stored as another kind.
  ///
  /// - Returns: nil if bytes are mixed with other values, which no type can hold.
  func type(
    wanted: AttributeType
  ) -> (type: AttributeType, misfits: Int, wanted: AttributeType)? {
    let wantsDates = dates != nil
    if wantsDates, notDates == 0 {
      return (notDays == 0 ? .calendarDate : .date, 0, .date)
    }
    let wanted = count == 0 && wanted == .undefined ? .string : wanted
    let misfits = misfits(of: wanted)
    if misfits == 0 { return (wanted, wantsDates ? notDates : 0, wantsDates ? .date : wanted) }
    guard blobs == 0 || blobs == count else { return nil }
    let stored =
      [.data, .integer64, .double].first { self.misfits(of: $0) == 0 } ?? AttributeType.string
    if wantsDates { return (stored, notDates, .date) }
    let expected = wanted == .undefined ? stored : wanted
    return (stored, self.misfits(of: expected), expected)
  }

  private func misfits(of type: AttributeType) -> Int {
    switch type {
    case .boolean: count - integers + notBoolean
    case .double, .float: count - integers - reals - notANumber + longIntegers
    case .string, .url: count - texts
    case .data: count - blobs
    case .undefined: count
    default: type.isInteger ? count - integers : count
    }
  }
}

extension RawStatement {
  /// The bytes of a text or a blob of the current row; valid until the next step.
  func bytes(at column: Int32) -> UnsafeBufferPointer<UInt8> {
    // A file may have its texts in UTF-16.
    let start =
      sqlite3_column_type(pointer, column) == SQLITE_TEXT
      ? sqlite3_column_text(pointer, column)
      : sqlite3_column_blob(pointer, column)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
  }
}

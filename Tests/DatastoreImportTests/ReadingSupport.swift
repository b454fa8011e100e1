@testable import DatastoreImport

/// The result of one call of `next()`.
enum Outcome: Equatable {
  case record(ImportRecord)
  case malformed(line: Int, column: Int, String)
  case unreadable(line: Int, column: Int, String)

  init(_ error: ImportError) throws {
    switch error {
    case .malformed(let position, let reason):
      self = .malformed(line: position.line, column: position.column, reason)
    case .unreadable(let position, let reason):
      self = .unreadable(line: position.line, column: position.column, reason)
    default: throw error
    }
  }

  /// The values of the record; nil for a fault.
  var values: [ImportValue]? {
    guard case .record(let record) = self else { return nil }
    return record.fields.map(\.value)
  }

  var fault: String? {
    switch self {
    case .record: nil
    case .malformed(let line, let column, let reason): "malformed \(line):\(column) \(reason)"
    case .unreadable(let line, let column, let reason): "unreadable \(line):\(column) \(reason)"
    }
  }
}

/// Calls `next()` until it answers nil.
func outcomes(
  _ makeReader: () throws -> any RecordReader
) throws -> [Outcome] {
  var result: [Outcome] = []
  do {
    var reader = try makeReader()
    while true {
      do {
        guard let record = try reader.next() else { return result }
        result.append(.record(record))
      } catch let error as ImportError {
        result.append(try Outcome(error))
      }
    }
  } catch let error as ImportError {
    result.append(try Outcome(error))
  }
  return result
}

func readCSV(
  _ text: String, chunkSize: Int = 7, _ configure: (inout CSVReader.Options) -> Void = { _ in }
) throws -> [Outcome] {
  try readCSV(Array(text.utf8), chunkSize: chunkSize, configure)
}

func readCSV(
  _ bytes: [UInt8], chunkSize: Int = 7, _ configure: (inout CSVReader.Options) -> Void = { _ in }
) throws -> [Outcome] {
  var options = CSVReader.Options()
  configure(&options)
  return try outcomes {
    try CSVReader(ByteInput(bytes, name: "t.csv", chunkSize: chunkSize), options: options)
  }
}

func readJSON(
  _ text: String, _ layout: JSONReader.Layout = .document, chunkSize: Int = 7,
  maximumRecordSize: Int = 1 << 20
) throws -> [Outcome] {
  try readJSON(
    Array(text.utf8), layout, chunkSize: chunkSize, maximumRecordSize: maximumRecordSize)
}

func readJSON(
  _ bytes: [UInt8], _ layout: JSONReader.Layout = .document, chunkSize: Int = 7,
  maximumRecordSize: Int = 1 << 20
) throws -> [Outcome] {
  var options = JSONReader.Options()
  options.maximumRecordSize = maximumRecordSize
  return try outcomes {
    try JSONReader(
      ByteInput(bytes, name: "t.json", chunkSize: chunkSize), layout: layout, options: options)
  }
}

extension TextEncoding {
  /// A text in this encoding; nil if the encoding lacks one of its letters. O(length).
  func bytes(of text: String) -> [UInt8]? {
    guard let transcoder = Transcoder(from: "UTF-8", to: systemName) else { return nil }
    var text = text
    let bytes = text.withUTF8 { transcoder.bytes(of: $0, isAtEnd: true) }
    return transcoder.faultCount == 0 ? bytes : nil
  }
}

#if PostgreSQL
import CLibpq
import Foundation

/// A connection through libpq's functions and nothing else.
final class ServerConnection {
  private let pointer: OpaquePointer
  /// The names under which the server keeps plans, by the text of the statement.
  private var plans: [String: String] = [:]

  /// Passes by the triggers that note for programs with this library what others write.
  ///
  /// - Parameter database: a database of the server that the environment names.
  init(_ database: String) throws {
    pointer = PQconnectdb(
      "dbname=\(database) options='-c search_path=datastore,public -c client_min_messages=warning "
        + "-c datastore.session=raw'")
    guard PQstatus(pointer) == CONNECTION_OK else { throw failure }
  }

  deinit { PQfinish(pointer) }

  private var failure: ServerFailure {
    ServerFailure(description: String(cString: PQerrorMessage(pointer)))
  }

  /// The number of the process that serves this connection.
  var process: Int32 { PQbackendPID(pointer) }

  @discardableResult
  func run(_ statement: String, _ parameters: [ServerArray] = []) throws -> ServerAnswer {
    try answer(
      parameters.withPointers { values, lengths in
        PQexecParams(
          pointer, statement, Int32(parameters.count), parameters.map(\.type), values, lengths,
          parameters.map { _ in 1 }, 1)
      })
  }

  private func answer(_ result: OpaquePointer?) throws -> ServerAnswer {
    guard let result else { throw failure }
    let answer = ServerAnswer(result)
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_PIPELINE_SYNC:
      return answer
    default: throw failure
    }
  }

  /// Has the server keep the plan of a statement for `pipeline`.
  func keep(_ text: String, _ parameters: [ServerArray] = []) throws {
    let name = "kept_\(plans.count)"
    _ = try answer(
      PQprepare(pointer, name, text, Int32(parameters.count), parameters.map(\.type)))
    plans[text] = name
  }

  /// Sends statements as one transaction in one message, and waits once.
  func pipeline(_ statements: [(text: String, parameters: [ServerArray])]) throws {
    PQenterPipelineMode(pointer)
    defer { PQexitPipelineMode(pointer) }
    for (text, parameters) in statements {
      let isSent = parameters.withPointers { values, lengths in
        let formats = parameters.map { _ in 1 as Int32 }
        return plans[text].map {
          PQsendQueryPrepared(
            pointer, $0, Int32(parameters.count), values, lengths, formats, 1)
        }
          ?? PQsendQueryParams(
            pointer, text, Int32(parameters.count), parameters.map(\.type), values, lengths,
            formats, 1)
      }
      guard isSent == 1 else { throw failure }
    }
    PQpipelineSync(pointer)
    for _ in statements {
      while let result = PQgetResult(pointer) { _ = try answer(result) }
    }
    _ = try answer(PQgetResult(pointer))
  }

  /// Hands on each row of `COPY (…) TO STDOUT (FORMAT BINARY)`, as its number of fields and those; the last
  /// piece has none.
  func copyOut(_ statement: String, _ take: (UnsafeRawPointer) -> Void) throws {
    _ = try answer(PQexec(pointer, "COPY (\(statement)) TO STDOUT (FORMAT BINARY)"))
    var piece: UnsafeMutablePointer<CChar>?
    // The header travels with the first row.
    var header = 19
    while case let count = PQgetCopyData(pointer, &piece, 0), count > 0 {
      if let piece, Int(count) > header { take(UnsafeRawPointer(piece) + header) }
      header = 0
      PQfreemem(piece)
    }
    while let result = PQgetResult(pointer) { _ = try answer(result) }
  }

  /// Writes what `next` gives, in the form of `COPY … FROM STDIN (FORMAT BINARY)`, until it gives none.
  func copyIn(_ statement: String, _ next: () -> [UInt8]?) throws {
    _ = try answer(PQexec(pointer, "COPY \(statement) FROM STDIN (FORMAT BINARY)"))
    while let bytes = next() {
      let isPut = bytes.withUnsafeBytes {
        PQputCopyData(
          pointer, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
      }
      guard isPut == 1 else { throw failure }
    }
    guard PQputCopyEnd(pointer, nil) == 1 else { throw failure }
    while let result = PQgetResult(pointer) { _ = try answer(result) }
  }
}

struct ServerFailure: Error, CustomStringConvertible {
  let description: String
}

/// The answer to one statement, in binary form.
final class ServerAnswer {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { PQclear(pointer) }

  var count: Int { Int(PQntuples(pointer)) }

  @inline(__always)
  func field(_ row: Int, _ column: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(PQgetvalue(pointer, Int32(row), Int32(column)))
  }

  @inline(__always)
  func length(_ row: Int, _ column: Int) -> Int {
    Int(PQgetlength(pointer, Int32(row), Int32(column)))
  }
}

/// An array of the server's in binary form, while it is filled; or a text.
struct ServerArray {
  private(set) var bytes: [UInt8]
  let type: Oid

  static let bigint = (array: Oid(1016), element: Oid(20))
  static let double = (array: Oid(1022), element: Oid(701))
  static let text = (array: Oid(1009), element: Oid(25))
  static let instant = (array: Oid(1185), element: Oid(1184))

  /// - Parameter count: how many elements will be appended, at least one.
  init(_ types: (array: Oid, element: Oid), count: Int) {
    type = types.array
    bytes = []
    bytes.reserveCapacity(20 + count * 12)
    // One dimension, no NULLs, the type, the count, the number of the first element.
    for word in [1, 0, Int32(types.element), Int32(count), 1] { bytes.append(network: word) }
  }

  /// A text by itself.
  init(scalar text: String) {
    type = Self.text.element
    bytes = Array(text.utf8)
  }

  init(bigints: some Collection<Int64>) {
    self.init(Self.bigint, count: bigints.count)
    for value in bigints { append(value) }
  }

  init(doubles: some Collection<Double>) {
    self.init(Self.double, count: doubles.count)
    for value in doubles { append(value) }
  }

  mutating func append(_ value: Int64) { bytes.append(field: value) }

  mutating func append(_ value: Double) { bytes.append(field: value.bitPattern) }

  mutating func append(_ value: String) { bytes.append(field: value) }
}

extension [ServerArray] {
  fileprivate func withPointers<Result>(
    _ body: ([UnsafePointer<CChar>?], [Int32]) -> Result
  ) -> Result {
    func next(_ rest: ArraySlice<ServerArray>, _ pointers: [UnsafePointer<CChar>?]) -> Result {
      guard let first = rest.first else { return body(pointers, map { Int32($0.bytes.count) }) }
      return first.bytes.withUnsafeBytes {
        next(
          rest.dropFirst(), pointers + [$0.baseAddress?.assumingMemoryBound(to: CChar.self)])
      }
    }
    return next(self[...], [])
  }
}

extension [UInt8] {
  /// Its bytes from the most significant one.
  @inline(__always)
  mutating func append(network value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// A field as COPY and arrays have it: the length, then the bytes.
  @inline(__always)
  mutating func append(field value: some FixedWidthInteger) {
    append(network: Int32(value.bitWidth / 8))
    append(network: value)
  }

  @inline(__always)
  mutating func append(field text: String) {
    append(network: Int32(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}
#endif

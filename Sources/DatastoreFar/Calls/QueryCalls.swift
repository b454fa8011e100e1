import DatastoreCore

// Queries whose rows arrive in parts.

/// A part of the rows of a query: the columns first, then pages.
enum FarQueryPart: Codable, Sendable {
  case columns([AnswerColumn])
  case rows(FarPage)
}

extension FarWork {
  fileprivate func send(columns: [AnswerColumn]) throws { try send(FarQueryPart.columns(columns)) }

  /// Sends a page when its first row is reached.
  fileprivate func send(page: RowPage, row: Int) throws {
    if row == 0 { try send(FarQueryPart.rows(FarPage(page))) }
  }
}

struct ValueQueryCall: FarReadingCall {
  typealias Answer = FarNothing

  let query: ValueQuery
  let includesGenerated: Bool

  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> FarNothing {
    try transaction.answer(
      query, includingGenerated: includesGenerated,
      begin: work.send(columns:), row: work.send(page:row:))
    return FarNothing()
  }
}

/// A statement of SQL, for a program that reads its rows.
struct SQLRowsCall: FarReadingCall {
  typealias Answer = FarNothing

  let sql: String

  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> FarNothing {
    try transaction.answer(
      sql: sql, begin: work.send(columns:), row: work.send(page:row:))
    return FarNothing()
  }
}

/// A statement of SQL that a user has typed.
struct SQLPagesCall: FarReadingCall {
  typealias Answer = FarNothing

  let sql: String

  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> FarNothing {
    let failure = Lock<(any Error)?>(nil)
    try transaction.answer(
      SQLPagesQuestion(
        sql,
        begin: { columns in
          do {
            try work.send(columns: columns)
          } catch {
            failure.withLock { $0 = error }
          }
        },
        receive: { page in
          do {
            try work.send(page: page, row: 0)
            return failure.withLock { $0 } == nil
          } catch {
            failure.withLock { $0 = error }
            return false
          }
        }))
    if let failure = failure.withLock({ $0 }) { throw failure }
    return FarNothing()
  }
}

struct QueryTextCall: FarReadingCall {
  typealias Answer = String

  let query: ValueQuery

  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> String {
    try transaction.sql(of: query)
  }
}

struct MovedRowsCall: FarReadingCall {
  typealias Answer = [Int: RowKey]

  let entity: EntityIndex
  let rows: [FarRow]

  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> [Int: RowKey] {
    let entity = try work.reader.schema.entity(at: entity)
    return try transaction.answer(
      MovedRowsQuestion(
        entity: entity.index, equalTo: rows.map { try $0.reference(of: entity) }))
  }
}

/// Keeps the present rows as a baseline, under the number of this call.
struct BaselineCall: FarReadingCall {
  typealias Answer = FarNothing

  let number: UInt32

  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> FarNothing {
    work.session.keep(try transaction.answer(BaselineQuestion()), as: number)
    return FarNothing()
  }
}

struct DifferencesCall: FarReadingCall {
  typealias Answer = Differences

  struct Differences: Codable, Sendable {
    let parts: [StoreDifferences.Part]
    let leftOut: [[String]]
  }

  let baseline: UInt32
  let limit: Int

  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> Differences {
    let found = try transaction.answer(
      DifferencesQuestion(since: work.session.baseline(baseline), limit: limit))
    return Differences(
      parts: found.parts, leftOut: found.leftOut.map { [$0.table, $0.reason] })
  }
}

extension DifferencesCall.Differences {
  /// - Throws: `FarLineFault` for anything that is not in the schema.
  func differences(of schema: Schema) throws -> StoreDifferences {
    for part in parts {
      for object in part.objects { try object.require(in: schema) }
      _ = try schema.entity(at: part.entity)
    }
    var differences = StoreDifferences()
    differences.parts = parts
    differences.leftOut = leftOut.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
    return differences
  }
}

extension StagedObject {
  /// - Throws: `FarLineFault` for anything that is not in the schema.
  fileprivate func require(in schema: Schema) throws {
    let entity = try schema.entity(at: entity)
    for slot in changes.map(\.slot) + members.map(\.slot) {
      _ = try schema.property(at: slot, of: entity.index)
    }
    guard row.isEmpty || row.count == entity.slots.count else {
      throw FarLineFault("a row has fewer columns than its table")
    }
  }
}

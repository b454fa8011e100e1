import DatastoreCore
import Foundation

/// A transaction at the far end. It begins with the first question, and `end()` does not wait for the far
/// end.
final class FarReadTransaction: ReadTransaction {
  private let reader: any FarReader
  /// The line on which the transaction began; other lines do not know it.
  private let line: FarLine
  private let number: UInt32
  private let cancellation: FarCancellation
  private let progress: ReadProgress?
  private var hasBegun = false

  init(_ reader: any FarReader, _ cancellation: FarCancellation, _ progress: ReadProgress?) {
    self.reader = reader
    self.cancellation = cancellation
    self.progress = progress
    line = reader.line
    number = line.makeNumber()
  }

  func end() {
    if hasBegun { line.end(number) }
  }

  private func call<Call: FarCall>(
    _ call: Call, part: (Data) throws -> Void = { _ in }
  ) throws -> Call.Answer {
    if cancellation.isCancelled() { throw CancellationError() }
    hasBegun = true
    return try line.call(
      call,
      FarLine.Manner(
        reader: reader.number, transaction: number, isCancelled: cancellation.isCancelled,
        progress: progress), part: part)
  }

  /// Answers questions that are composed of others here, unless the far end can answer them as a whole.
  func answer<Question: StoreQuestion>(_ question: Question) throws -> Question.Answer {
    if !(question is any FarQuestion),
      let composed = question as? any ComposedQuestion<Question.Answer>
    {
      return try composed.answer(in: self)
    }
    return try answer(basic: question)
  }

  func answer<Question: StoreQuestion>(basic question: Question) throws -> Question.Answer {
    let found: any Sendable =
      switch question {
      case let question as any FarQuestion: try ask(question)
      case let question as MovedRowsQuestion:
        try call(MovedRowsCall(entity: question.entity, rows: question.rows.map(FarRow.init)))
      case let question as SQLPagesQuestion: try ask(question)
      case is BaselineQuestion: try makeBaseline()
      case let question as DifferencesQuestion: try ask(question)
      default: throw StoreError.unsupportedPredicate("\(question.task) is not asked over a line.")
      }
    guard let answer = found as? Question.Answer else {
      throw FarLineFault("an answer is of another kind than its question")
    }
    return answer
  }

  private func ask<Question: FarQuestion>(_ question: Question) throws -> any Sendable {
    let answer = try call(QuestionCall(question: question))
    return try received { try Question.received(answer) }
  }

  private func received<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let fault as FarLineFault {
      throw StoreError.connectionLost(server: line.name, detail: fault.description)
    }
  }

  private func ask(_ question: SQLPagesQuestion) throws {
    struct Enough: Error {}
    do {
      _ = try call(SQLPagesCall(sql: question.sql)) { part in
        switch try line.decode(FarQueryPart.self, part) {
        case .columns(let columns): question.begin(columns)
        case .rows(let page): if !question.receive(page.page) { throw Enough() }
        }
      }
    } catch is Enough {
      // The receiver needs no further pages.
    }
  }

  private func makeBaseline() throws -> any StoreBaseline {
    let baseline = FarBaseline(line)
    _ = try call(BaselineCall(number: baseline.number))
    return baseline
  }

  private func ask(_ question: DifferencesQuestion) throws -> StoreDifferences {
    guard let baseline = question.baseline as? FarBaseline, baseline.line === line else {
      throw StoreError.unsupportedPredicate(
        "The earlier state was kept by another connection, so that nothing can be compared with it."
      )
    }
    let found = try call(DifferencesCall(baseline: baseline.number, limit: question.limit))
    return try received { try found.differences(of: reader.schema) }
  }

  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws {
    try take(
      ValueQueryCall(query: query, includesGenerated: includingGenerated), begin: begin, row: row)
  }

  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws {
    try take(SQLRowsCall(sql: sql), begin: begin, row: row)
  }

  private func take(
    _ query: some FarReadingCall, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws {
    var columnCount: Int?
    _ = try call(query) { part in
      switch try line.decode(FarQueryPart.self, part) {
      case .columns(let columns):
        columnCount = columns.count
        try begin(columns)
      case .rows(let page):
        guard let columnCount, page.page.columnCount >= columnCount else {
          throw StoreError.connectionLost(
            server: line.name, detail: "rows came with other columns")
        }
        for place in 0..<page.page.rowCount { try row(page.page, place) }
      }
    }
  }

  func sql(of query: ValueQuery) throws -> String { try call(QueryTextCall(query: query)) }
}

/// A baseline at the far end, kept until this is released.
private final class FarBaseline: StoreBaseline {
  let date = Date()
  let line: FarLine
  let number: UInt32

  init(_ line: FarLine) {
    self.line = line
    number = line.makeNumber()
  }

  deinit { line.end(number) }
}

import Basics

/// One state of each of the stores that hold an entity. Its answers are those of one store with all the rows.
struct SharedTransaction: ReadTransaction {
  let reader: SharedReader
  /// In the order of the parts of the reader.
  let transactions: [any ReadTransaction]

  init(_ reader: SharedReader, _ transactions: [any ReadTransaction]) {
    self.reader = reader
    self.transactions = transactions
  }

  var schema: Schema { reader.schema }

  /// One of the stores, with its request.
  struct Asked {
    /// Its index among the parts of the reader.
    let number: Int
    let shift: KeyShift
    let transaction: any ReadTransaction
    let request: FetchRequest

    /// - Throws: the errors of the store, with shared keys.
    func answer<Answer>(_ body: (any ReadTransaction) throws -> Answer) throws -> Answer {
      try shift.telling { try body(transaction) }
    }
  }

  func asked(_ request: FetchRequest) throws -> [Asked] {
    try reader.asked(request).map { part, request in
      let number = number(of: part)
      return Asked(
        number: number, shift: part.shift, transaction: transactions[number], request: request)
    }
  }

  private func number(of part: SharedReader.Part) -> Int {
    guard let number = reader.parts.firstIndex(where: { $0.place == part.place }) else {
      trap("the stores that are asked are those of the reader")
    }
    return number
  }

  func transaction(of part: SharedReader.Part) -> any ReadTransaction {
    transactions[number(of: part)]
  }

  func answer<Question: StoreQuestion>(basic question: Question) throws -> Question.Answer {
    guard let shared = question as? any SharedQuestion<Question.Answer> else {
      throw StoreError.notOneStore(question.task)
    }
    return try shared.answer(in: self)
  }

  func sql(of query: ValueQuery) throws -> String {
    throw StoreError.notOneStore("A statement in SQL")
  }

  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws { throw StoreError.notOneStore("A statement in SQL") }
}

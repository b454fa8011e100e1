import DatastoreCore

// A transaction that writes rows without objects. It begins with `BeginRowsCall` and ends with
// `CommitRowsCall`, or with an `end` message, which rolls it back.

struct BeginRowsCall: FarRowsBeginning {
  let entity: EntityIndex
  let key: Slot?

  func answer(in work: FarWork) throws -> FarNothing {
    let schema = try work.session.store.schema
    _ = try schema.entity(at: entity)
    if let key { _ = try schema.property(at: key, of: entity) }
    return FarNothing()
  }
}

/// The written keys and the number of new rows of a committed transaction.
struct WrittenRowsAnswer: Codable, Sendable {
  let keys: FarMergedKeys
  let count: Int
}

/// Commits the transaction, which answers the call itself; outside a transaction, the call throws.
struct CommitRowsCall: FarCall {
  func answer(in work: FarWork) throws -> WrittenRowsAnswer {
    throw FarLineFault("no rows are being written")
  }
}

/// Adds rows whose keys the store assigns.
struct AppendRowsCall: FarRowsCall {
  typealias Answer = FarNothing

  let pages: [FarPage]

  func answer(to rows: any RowTransaction, of work: FarWork) throws -> FarNothing {
    for page in pages.map(\.page) {
      var next = 0
      try rows.insertAll { own, place in
        guard next < page.rowCount else { return false }
        for column in 0..<min(own.columnCount, page.columnCount) {
          own.copyCell(from: page, row: next, to: place, column: column)
        }
        next += 1
        return true
      }
    }
    return FarNothing()
  }
}

/// Reserves consecutive keys; nil if the store cannot reserve any.
struct ReserveRowKeysCall: FarRowsCall {
  typealias Answer = RowKey?

  let count: Int

  func answer(to rows: any RowTransaction, of work: FarWork) throws -> RowKey? {
    guard count > 0 else { throw FarLineFault("keys of no rows are reserved") }
    return try rows.reserveKeys?(count)
  }
}

/// Adds rows with reserved keys.
struct InsertRowsCall: FarRowsCall {
  typealias Answer = FarNothing

  let pages: [FarPage]

  func answer(to rows: any RowTransaction, of work: FarWork) throws -> FarNothing {
    try rows.insert(pages.map(\.page))
    return FarNothing()
  }
}

/// Writes the rows that the far end has collected.
struct FlushRowsCall: FarRowsCall {
  typealias Answer = FarNothing

  func answer(to rows: any RowTransaction, of work: FarWork) throws -> FarNothing {
    try rows.flush()
    return FarNothing()
  }
}

struct RowKeysCall: FarRowsCall {
  typealias Answer = [Value: HeldKey]

  let entity: EntityIndex
  let values: [Value]
  let slot: Slot

  func answer(to rows: any RowTransaction, of work: FarWork) throws -> [Value: HeldKey] {
    let schema = try work.session.store.schema
    _ = try schema.property(at: slot, of: entity)
    return try rows.keys(of: schema.entities[entity], holding: values, at: slot)
  }
}

/// Writes rows of which the near end has decided which are updates and which are new.
struct WriteRowsCall: FarRowsCall {
  typealias Answer = FarNothing

  /// The decision about a row of the batch.
  enum Decision: Codable, Sendable {
    case update
    /// The row is new, and is this one among the new rows.
    case insert(Int)
    case leaveOut
  }

  let batch: FarRowBatch
  let decisions: [Decision]
  let new: FarPage
  /// Whether rows that do not exist are ignored.
  let isUpdate: Bool

  func answer(to rows: any RowTransaction, of work: FarWork) throws -> FarNothing {
    let batch = try batch.batch
    guard decisions.count == batch.count else { throw FarLineFault("a batch is cut") }
    var rules = DecidedRows(decisions: decisions, new: new.page)
    if isUpdate {
      try rows.update(batch, by: &rules)
    } else {
      try rows.write(batch, by: &rules)
    }
    return FarNothing()
  }
}

private struct DecidedRows: RowRules {
  let decisions: [WriteRowsCall.Decision]
  let new: RowPage

  func updates(_ row: Int) -> Bool {
    if case .update = decisions[row] { true } else { false }
  }

  func fill(_ page: RowPage, _ place: Int, with row: Int) throws -> Bool {
    guard case .insert(let number) = decisions[row] else { return false }
    guard number >= 0, number < new.rowCount else { throw FarLineFault("a new row is missing") }
    for column in 0..<min(page.columnCount, new.columnCount) {
      page.copyCell(from: new, row: number, to: place, column: column)
    }
    return true
  }

  // The near end has already reported them.
  func refuseRepeated(_ row: Int) {}
  func refuseAmbiguous(_ row: Int, count: Int) {}
}

struct FarRowBatch: Codable, Sendable {
  private let page: FarPage
  private let given: [SlotSet]

  init(_ batch: RowBatch) {
    page = FarPage(batch.page)
    given = batch.given
  }

  var batch: RowBatch {
    get throws {
      guard
        let batch = RowBatch(page.page, given: given)
      else { throw FarLineFault("a batch of rows is damaged") }
      return batch
    }
  }
}

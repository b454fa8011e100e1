import Basics
import DatastoreCore
import Foundation

/// Writes rows into a table at the far end. The rules of the program decide here about each row that exists
/// already; for every batch, the far end reports which ones do.
final class FarRowTransaction: RowTransaction {
  private let store: FarStore
  private let entity: Entity
  private let keySlot: Slot?
  private let line: FarLine
  private let number: UInt32
  /// The keys of the rows written so far, and the identifying values of the new ones.
  private var written: Set<RowKey> = []
  private var inserted: Set<Value> = []

  init(_ store: FarStore, _ entity: EntityIndex, key slot: Slot?) {
    self.store = store
    self.entity = store.schema.entities[entity]
    keySlot = slot
    line = store.line
    number = line.makeNumber()
  }

  private func call<Call: FarCall>(_ call: Call, isWriting: Bool = false) throws -> Call.Answer {
    try line.call(call, FarLine.Manner(transaction: number, isWriting: isWriting))
  }

  func begin() throws { _ = try call(BeginRowsCall(entity: entity.index, key: keySlot)) }

  func commit() throws -> WrittenRowsAnswer { try call(CommitRowsCall(), isWriting: true) }

  /// Ends the transaction, and rolls it back unless it is committed.
  func end() { line.end(number) }

  func insertAll(_ fill: (RowPage, Int) throws -> Bool) throws {
    var isDone = false
    while !isDone {
      let page = RowPage(columnCount: entity.slotCount, rowCapacity: RowPage.fullCount)
      while !isDone, !page.isFull {
        let row = page.appendRow(key: 0)
        if try !fill(page, row) {
          page.removeLastRow()
          isDone = true
        }
      }
      page.seal()
      if page.rowCount > 0 { _ = try call(AppendRowsCall(pages: [FarPage(page)])) }
    }
  }

  var reserveKeys: (@Sendable (Int) throws -> RowKey)? {
    guard keySlot == nil, store.description.tables[entity.index].information.hasRowids else {
      return nil
    }
    return { [line, number] count in
      guard
        let key = try line.call(
          ReserveRowKeysCall(count: count), FarLine.Manner(transaction: number))
      else { throw StoreError.connectionLost(server: line.name, detail: "no keys were made") }
      return key
    }
  }

  func insert(_ pages: [RowPage]) throws {
    _ = try call(InsertRowsCall(pages: pages.map(FarPage.init)))
  }

  func flush() throws { _ = try call(FlushRowsCall()) }

  func keys(of entity: Entity, holding values: [Value], at slot: Slot) throws -> [Value: HeldKey] {
    try call(RowKeysCall(entity: entity.index, values: values, slot: slot))
  }

  private var slotOfKeys: Slot {
    guard let keySlot else { trap("Rows without a key are inserted.") }
    return keySlot
  }

  /// The identifying values of a batch, and the stored rows that have them.
  private func stored(_ rows: RowBatch) throws -> (values: [Value], keys: [HeldKey?]) {
    let values = (0..<rows.count).map { rows.page.value(row: $0, slot: slotOfKeys) }
    let keys = try keys(of: entity, holding: values, at: slotOfKeys)
    return (values.map(\.asSQLiteKey), values.map { keys[$0] })
  }

  func write(_ rows: RowBatch, by rules: inout some RowRules) throws {
    let new = RowPage(columnCount: entity.slotCount, rowCapacity: max(rows.count, 1))
    var decisions = [WriteRowsCall.Decision](repeating: .leaveOut, count: rows.count)
    let (values, keys) = try stored(rows)
    try rules.decide(
      zip(values, keys).map { value, held in held.map { (value: value, held: $0) } },
      key: { values[$0] }, count: { $0.held.count },
      isWritten: { written.contains($0.held.key) || inserted.contains($0.value) },
      update: { row, stored in
        written.insert(stored.held.key)
        decisions[row] = .update
      },
      insert: { row, fill in
        let number = new.appendRow(key: 0)
        guard try fill(new, number) else {
          new.removeLastRow()
          return false
        }
        inserted.insert(values[row])
        decisions[row] = .insert(number)
        return true
      })
    new.seal()
    try send(rows, decisions, new, isUpdate: false)
  }

  func update(_ rows: RowBatch, by rules: inout some RowRules) throws {
    let decisions = try stored(rows).keys.enumerated().map { row, key -> WriteRowsCall.Decision in
      try key != nil && rules.updates(row) ? .update : .leaveOut
    }
    let none = RowPage(columnCount: entity.slotCount, rowCapacity: 1)
    none.seal()
    try send(rows, decisions, none, isUpdate: true)
  }

  private func send(
    _ rows: RowBatch, _ decisions: [WriteRowsCall.Decision], _ new: RowPage, isUpdate: Bool
  ) throws {
    _ = try call(
      WriteRowsCall(
        batch: FarRowBatch(rows), decisions: decisions, new: FarPage(new), isUpdate: isUpdate))
  }
}

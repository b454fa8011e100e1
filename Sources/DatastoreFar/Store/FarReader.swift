package import DatastoreCore
import Foundation

/// A store at the other end of a line, or a snapshot of it, which answers everything there.
package protocol FarReader: ReadableStore {
  var line: FarLine { get }
  var description: FarDescription { get }
  /// The number of the snapshot; nil for the store.
  var number: UInt32? { get }
}

extension FarReader {
  func ask<Call: FarCall>(_ call: Call) throws -> Call.Answer {
    try line.call(call, FarLine.Manner(reader: number))
  }

  package func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    if keys.isEmpty { return [] }
    return try line.checked(
      ask(RowsCall(entity: entity, keys: FarKeys(keys))), of: schema.entities[entity])
  }

  package func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey] {
    try ask(RelatedKeysCall(entity: entity, slot: slot, key: key)).keys
  }

  package func relatedRows(
    entity: EntityIndex, slot: Slot, keys: [RowKey]
  ) throws -> RelatedRowPages {
    guard let link = schema.entities[entity].links[slot], !keys.isEmpty else {
      return RelatedRowPages()
    }
    let rows = try ask(RelatedRowsCall(entity: entity, slot: slot, keys: FarKeys(keys)))
    return RelatedRowPages(
      pages: try line.checked(rows.pages, of: schema.entities[link.destination]),
      members: rows.members)
  }

  package func fetch(_ request: FetchRequest, _ receive: ([RowPage]) -> Void) throws {
    try fetch(request, FarCancellation(), receive)
  }

  package func fetch(_ request: FetchRequest) async throws -> [RowPage] {
    try await cancelling { cancellation in
      var pages: [RowPage] = []
      try self.fetch(request, cancellation) { pages += $0 }
      return pages
    }
  }

  private func fetch(
    _ request: FetchRequest, _ cancellation: FarCancellation, _ receive: ([RowPage]) -> Void
  ) throws {
    let entity = try schema.requiredEntity(named: request.entity)
    let line = line
    _ = try line.call(
      FetchCall(request: request),
      FarLine.Manner(reader: number, isCancelled: cancellation.isCancelled),
      part: { receive(try line.checked(line.decode([FarPage].self, $0), of: entity)) })
  }

  package func findRows(
    entity: EntityIndex, equalTo rows: [RowReference]
  ) throws -> [Int: RowKey] {
    try ask(FindRowsCall(entity: entity, rows: rows.map(FarRow.init)))
  }

  /// Compares the rows here, and asks the far end only if they differ.
  package func isSameRow(
    entity: EntityIndex, _ stored: RowReference, as original: RowReference, besides edited: SlotSet
  ) -> Bool {
    let slots = schema.entities[entity].slots
    if slots.allSatisfy({ stored.isSame(as: original, slot: $0) }) { return true }
    // If the line is gone, the save reports that.
    return
      (try? ask(
        SameRowCall(
          entity: entity, stored: FarRow(stored), original: FarRow(original), edited: edited)))
      ?? true
  }

  package func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool {
    description.tables[entity].properties[slot].isKeyPart
  }

  package func mayMoveRows(entity: EntityIndex) -> Bool { description.tables[entity].mayMoveRows }

  package func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool {
    description.tables[entity].properties[slot].countsQuickly
  }

  package var placement: Int64? { line.placement }

  package func readTransaction<Result>(
    _ body: (any ReadTransaction) throws -> Result
  ) throws -> Result {
    let transaction = FarReadTransaction(self, FarCancellation(), nil)
    defer { transaction.end() }
    return try body(transaction)
  }

  package func readTransaction<Result: Sendable>(
    reporting progress: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result {
    try await cancelling { cancellation in
      let transaction = FarReadTransaction(self, cancellation, progress)
      defer { transaction.end() }
      return try body(transaction)
    }
  }

  /// Runs `body` on its own thread. Cancelling the task cancels the calls in it.
  private func cancelling<Result: Sendable>(
    _ body: @escaping @Sendable (FarCancellation) throws -> Result
  ) async throws -> Result {
    let cancellation = FarCancellation()
    return try await withTaskCancellationHandler {
      try await BlockingWork.run { try body(cancellation) }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Whether the result of a call is no longer needed.
final class FarCancellation: Sendable {
  private let flag = Lock(false)

  func cancel() { flag.withLock { $0 = true } }

  var isCancelled: @Sendable () -> Bool { { self.flag.withLock { $0 } } }
}

extension FarLine {
  /// Checks that pages have a column for each property of an entity.
  ///
  /// - Throws: `StoreError.connectionLost` if they do not.
  func checked(_ pages: [FarPage], of entity: Entity) throws -> [RowPage] {
    try pages.map { page in
      guard page.page.columnCount == entity.pageColumnCount else {
        throw StoreError.connectionLost(
          server: name, detail: "rows of \(entity.name) came with other columns")
      }
      return page.page
    }
  }
}

/// Stores, or states of them, that are read as one: a question about an entity goes to the store that holds
/// it.
protocol RoutingStore: ReadableStore {
  /// The store that holds an entity.
  ///
  /// - Throws: `StoreError.noStore`.
  func reader(of entity: EntityIndex) throws -> any ReadableStore

  /// The only store, for questions about no entity.
  ///
  /// - Throws: `StoreError.notOneStore`.
  func onlyReader() throws -> any ReadableStore
}

extension RoutingStore {
  private func reader(of request: FetchRequest) throws -> any ReadableStore {
    try reader(of: schema.requiredEntity(named: request.entity).index)
  }

  package func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    try reader(of: entity).rows(entity: entity, keys: keys)
  }

  package func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey] {
    try reader(of: entity).relatedKeys(entity: entity, slot: slot, key: key)
  }

  package func relatedRows(
    entity: EntityIndex, slot: Slot, keys: [RowKey]
  ) throws -> RelatedRowPages {
    try reader(of: entity).relatedRows(entity: entity, slot: slot, keys: keys)
  }

  package func fetch(_ request: FetchRequest) throws -> [RowPage] {
    try reader(of: request).fetch(request)
  }

  package func fetch(_ request: FetchRequest, _ receive: ([RowPage]) -> Void) throws {
    try reader(of: request).fetch(request, receive)
  }

  package func fetch(_ request: FetchRequest) async throws -> [RowPage] {
    try await reader(of: request).fetch(request)
  }

  package func fetchKeys(_ request: FetchRequest) throws -> [RowKey] {
    try reader(of: request).fetchKeys(request)
  }

  package func count(_ request: FetchRequest) throws -> Int {
    try reader(of: request).count(request)
  }

  // An entity that no store holds has no rows, so no special rules apply to them.

  package func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool {
    (try? reader(of: entity))?.isKeyPart(entity: entity, slot: slot) ?? false
  }

  package func isSameRow(
    entity: EntityIndex, _ stored: RowReference, as original: RowReference, besides edited: SlotSet
  ) -> Bool {
    (try? reader(of: entity))?
      .isSameRow(entity: entity, stored, as: original, besides: edited) ?? true
  }

  package func mayMoveRows(entity: EntityIndex) -> Bool {
    (try? reader(of: entity))?.mayMoveRows(entity: entity) ?? false
  }

  package func findRows(
    entity: EntityIndex, equalTo rows: [RowReference]
  ) throws -> [Int: RowKey] {
    try reader(of: entity).findRows(entity: entity, equalTo: rows)
  }

  package func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool {
    (try? reader(of: entity))?.countsQuickly(entity: entity, slot: slot) ?? false
  }

  package func part(answering question: some StoreQuestion) throws -> any ReadableStore {
    guard let entity = question.entity(in: schema) else { return try onlyReader() }
    return try reader(of: entity).part(answering: question)
  }

  package func readTransaction<Result>(
    _ body: (any ReadTransaction) throws -> Result
  ) throws -> Result {
    try onlyReader().readTransaction(body)
  }

  package func readTransaction<Result: Sendable>(
    reporting progress: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result {
    try await onlyReader().readTransaction(reporting: progress, body)
  }
}

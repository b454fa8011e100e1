#if PostgreSQL
package import DatastoreCore
import DatastoreSQL

/// Keys for new objects in tables of our own, which come a thousand at a time.
///
/// The sequence of a family of entities counts blocks: its increment is their size, so that one look at it gives a
/// program numbers that no other one has. Those that are not used are lost, which does no harm.
final class KeyBlocks: Sendable {
  /// How many keys a block has: the increment of the sequences.
  static let size: Int64 = 1_000

  private let state: Lock<[EntityIndex: Range<Int64>]>
  private let mapping: SchemaMapping

  init(_ mapping: SchemaMapping) {
    self.mapping = mapping
    state = Lock([:])
  }

  /// The next key of a family; nil where its block has none left.
  func takeNext(root: EntityIndex) -> RowKey? {
    state.withLock { blocks in
      guard let block = blocks[root], !block.isEmpty else { return nil }
      blocks[root] = block.lowerBound + 1..<block.upperBound
      return RowKey(block.lowerBound)
    }
  }

  /// Adds a block, unless there is one with keys left, and takes a key.
  func takeNext(root: EntityIndex, adding first: Int64) -> RowKey {
    state.withLock { blocks in
      var block = blocks[root] ?? 0..<0
      if block.isEmpty { block = first..<first + Self.size }
      blocks[root] = block.lowerBound + 1..<block.upperBound
      return RowKey(block.lowerBound)
    }
  }

  /// The name of the sequence that counts the blocks of a family.
  static func sequence(of root: Entity) -> String { "_keys_\(root.name)" }
}

extension PostgreSQLStore {
  package func makeKey(entity: EntityIndex) throws -> RowKey {
    guard case .rowid = mapping.entities[entity].key else {
      return mapping.keyTables[entity].makeNumber()
    }
    guard mapping.isNative else { throw Self.unwritable }
    let root = schema.entities[schema.entities[entity].root]
    if let key = keyBlocks.takeNext(root: root.index) { return key }
    let result = try read { connection in
      try connection.run(
        PostgreSQLStatement(
          "SELECT nextval($1::text::regclass), pg_current_xact_id_if_assigned()::text",
          [.text("\"\(KeyBlocks.sequence(of: root).replacing("\"", with: "\"\""))\"")],
          isKept: true))
    }
    if let own = result.text(0, 1).flatMap({ UInt64($0) }) {
      foreignTransactions.withLock { $0.note(own: own) }
    }
    return keyBlocks.takeNext(root: root.index, adding: result.integer(0, 0) ?? 1)
  }
}
#endif

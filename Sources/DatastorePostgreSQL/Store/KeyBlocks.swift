#if PostgreSQL
import Basics
package import DatastoreCore
import DatastoreSQL

/// Keys for new objects in native tables, a thousand at a time.
///
/// The sequence of a family of entities counts blocks: its increment is their size, so that one call gives a
/// program numbers that no other program has. Unused ones are lost, which does no harm. A program that uses
/// up one block gets two with the next call, then four: a save of many new objects hardly waits for its keys.
final class KeyBlocks: Sendable {
  /// The number of keys in a block: the increment of the sequences.
  static let size: Int64 = 1_000
  /// The most blocks that are fetched at once.
  private static let mostBlocks = 64

  private struct Family {
    var blocks: [Range<Int64>] = []
    /// The number of blocks that the next call fetches.
    var nextCount = 1
    /// The last number of an object that is never saved.
    var lastProvisional = Int64(1) << 62
  }

  private let families: Lock<[EntityIndex: Family]>

  init() { families = Lock([:]) }

  /// The first of `count` consecutive keys of a family; nil if no block has as many left.
  func take(_ count: Int, of root: EntityIndex) -> RowKey? {
    families.withLock { families in
      guard let place = families[root]?.blocks.firstIndex(where: { $0.count >= count }) else {
        return nil
      }
      return take(count, at: place, in: &families[root, default: Family()])
    }
  }

  private func take(_ count: Int, at place: Int, in family: inout Family) -> RowKey {
    let block = family.blocks[place]
    let rest = block.lowerBound + Int64(count)..<block.upperBound
    if rest.isEmpty {
      family.blocks.remove(at: place)
    } else {
      family.blocks[place] = rest
    }
    return RowKey(block.lowerBound)
  }

  /// A number that no row has, for an object that cannot be saved.
  func takeProvisional(of root: EntityIndex) -> RowKey {
    families.withLock { families in
      families[root, default: Family()].lastProvisional += 1
      return RowKey(families[root, default: Family()].lastProvisional)
    }
  }

  /// The number of blocks to be fetched now.
  func countOfNext(of root: EntityIndex) -> Int {
    families.withLock { families in
      let count = families[root]?.nextCount ?? 1
      families[root, default: Family()].nextCount = min(count * 2, Self.mostBlocks)
      return count
    }
  }

  /// Adds blocks that begin with the given numbers, and takes keys of one of them.
  func take(_ count: Int, of root: EntityIndex, adding firsts: [Int64]) -> RowKey {
    families.withLock { families in
      let new = firsts.map { $0..<$0 + Self.size }
      var family = families[root, default: Family()]
      let place = family.blocks.count
      family.blocks += new
      defer { families[root] = family }
      return take(count, at: place, in: &family)
    }
  }

  /// Returns keys that were not used.
  func giveBack(_ keys: Range<Int64>, of root: EntityIndex) {
    if keys.isEmpty { return }
    families.withLock { families in
      var family = families[root, default: Family()]
      // Keys directly before a block are put in front of it again.
      if let next = family.blocks.firstIndex(where: { $0.lowerBound == keys.upperBound }) {
        family.blocks[next] = keys.lowerBound..<family.blocks[next].upperBound
      } else {
        family.blocks.insert(keys, at: 0)
      }
      families[root] = family
    }
  }

  /// The statement that creates the sequence of a family.
  static func declaration(of root: Entity) -> SQLFragment {
    """
    CREATE SEQUENCE IF NOT EXISTS \(name: sequence(of: root)) AS bigint \
    INCREMENT BY \(number: Int(size)) MINVALUE 1 START WITH 1
    """
  }

  /// The name of the sequence that counts the blocks of a family.
  static func sequence(of root: Entity) -> String {
    // The server cuts off long names, which may make two equal.
    var names = NameRegistry(mostBytes: PostgreSQLDialect().mostBytesOfNames)
    return names.claim("_keys_\(root.name)")
  }
}

extension PostgreSQLStore {
  package func makeKey(entity: EntityIndex) throws -> RowKey {
    try makeKey(entity: entity, after: nil)
  }

  /// - Parameter last: the key that was made before it for the same transaction.
  func makeKey(entity: EntityIndex, after last: RowKey?) throws -> RowKey {
    guard case .rowid = mapping.entities[entity].key else {
      return mapping.keyTables[entity].makeNumber()
    }
    if isReadOnly { return keyBlocks.takeProvisional(of: schema.entities[entity].root) }
    guard mapping.isNative else { return try makeSequenceKey(entity, after: last) }
    return try makeKeys(1, of: entity)
  }

  /// The first of `count` consecutive new keys; at most as many as a block has.
  func makeKeys(_ count: Int, of entity: EntityIndex) throws -> RowKey {
    require(count <= Int(KeyBlocks.size), "a block has fewer keys")
    let root = schema.entities[schema.entities[entity].root]
    if let key = keyBlocks.take(count, of: root.index) { return key }
    let name = Quoting.sqlName(KeyBlocks.sequence(of: root))
    let blocks = keyBlocks.countOfNext(of: root.index)
    let result = try read { connection in
      try connection.run(
        PostgreSQLStatement(
          """
          SELECT nextval($1::text::regclass) \
          FROM generate_series(1, $2::int8)
          """, [.text(name), .int8(Int64(blocks))], isKept: true))
    }
    pruneLog()
    return keyBlocks.take(
      count, of: root.index, adding: (0..<result.rowCount).compactMap { result.integer($0, 0) })
  }
}
#endif

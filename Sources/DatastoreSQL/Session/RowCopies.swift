import Basics
package import DatastoreCore

package import struct Foundation.Date

/// The rows of a database at one moment, packed, in memory.
///
/// They include their own keys, so the database may be closed and opened again meanwhile, when keys that are
/// texts or have several columns get other numbers. Tables and columns are matched by name, because some may
/// be added or removed.
package final class RowCopies: StoreBaseline {
  /// The kept content of a table.
  enum Content<Rows: Sendable>: Sendable {
    case kept(Rows)
    /// Nothing, with the reason: the end of a sentence.
    case nothing(String)
  }

  /// A pair of a join table.
  struct Pair: Hashable, Sendable {
    let owner: RowKey
    let member: RowKey
  }

  /// The greatest number of bytes kept of all tables together.
  private static let mostBytes = 32 << 20
  /// The greatest number of rows of a kept table.
  private static let mostRows = 250_000

  package let date = Date()
  let mapping: SchemaMapping
  /// By the name of the table.
  let tables: [String: Content<[RowPage]>]
  let pairs: [String: Content<[Pair]>]

  private struct NoRoom: Error {}

  /// Copies the tables of objects and of their pairs.
  ///
  /// - Throws: `StoreError`, also when it is interrupted.
  init(_ session: some SQLSession) throws {
    let mapping = session.mapping
    var tables: [String: Content<[RowPage]>] = [:]
    var pairs: [String: Content<[Pair]>] = [:]
    var room = Self.mostBytes
    for entity in mapping.comparedEntities {
      tables[mapping.entities[entity.index].comparedName] = try Self.copy(
        mapping.entities[entity.index].qualifiedTable, in: session, room: &room
      ) { take in
        var pages: [RowPage] = []
        guard mapping.entities[entity.index].key != .wholeRow else {
          return .nothing(DifferencesQuestion.noKey)
        }
        try session.forEachPage(of: entity) {
          try take($0.byteCount)
          pages.append($0)
        }
        return .kept(pages)
      }
      for (join, link) in mapping.joins(of: entity) where pairs[join.comparedName] == nil {
        pairs[join.comparedName] = try Self.copy(join.qualifiedTable, in: session, room: &room) {
          take in
          let found = try session.pairs(of: link)
          try take(found.count * 16)
          return .kept(found)
        }
      }
    }
    self.mapping = mapping
    self.tables = tables
    self.pairs = pairs
  }

  /// Copies the content of a table, if there is room for it.
  private static func copy<Rows>(
    _ table: SQLFragment, in session: some SQLSession, room: inout Int,
    _ read: (_ take: (_ bytes: Int) throws -> Void) throws -> Content<Rows>
  ) throws -> Content<Rows> {
    let counted = try session.rows(
      "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT \(number: mostRows + 1)) AS counted")
    guard counted.first?.first?.wholeNumber ?? 0 <= mostRows else {
      return .nothing("it had more than \(mostRows) rows")
    }
    let before = room
    do {
      return try read {
        room -= $0
        if room <= 0 { throw NoRoom() }
      }
    } catch is NoRoom {
      // The rest is reserved for small tables, so that large ones are not read in vain again and again.
      room = min(before, mostBytes / 8)
      return .nothing("there was no room to keep its rows")
    }
  }
}

extension BaselineQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> any StoreBaseline {
    try RowCopies(session)
  }
}

extension SQLSession {
  /// The keys of both sides of each pair of a join table, seen from the first side.
  ///
  /// - Throws: `StoreError`; `TooManyRows` if there is no room for more keys.
  func pairs(of link: RelationshipLink) throws -> [RowCopies.Pair] {
    let (owners, members) = QueryBuilder(mapping).pairedKeys(link)
    return zip(
      try keys(owners, of: link.entity), try keys(members, of: link.destination)
    ).map { RowCopies.Pair(owner: $0, member: $1) }
  }
}

extension QueryBuilder {
  /// Two queries in one order: the keys of the owner and of the member of each pair of a join table.
  fileprivate func pairedKeys(
    _ link: RelationshipLink
  ) -> (owners: SQLFragment, members: SQLFragment) {
    guard case .toManyJoin(let join) = mapping.entities[link.entity].slots[link.slot] else {
      trap("only a relationship with a join table has pairs")
    }
    let (owner, member) = (makeScope(link.entity), makeScope(link.destination))
    let joinAlias = makeAlias()
    let isPair = isRelated(
      link, owner: .row(alias: owner.alias), destination: member.alias, joinAlias: joinAlias)
    let keys = (key(link.entity, owner.alias), key(link.destination, member.alias))
    let tail: SQLFragment = """
       FROM \(pairs(join, joinAlias))\(dialect.plainJoin)\(table(link.entity, beside: owner.alias))\
      \(dialect.plainJoin)\(table(link.destination, beside: member.alias)) \
      WHERE \(isPair)\(andIsMember(owner))\(andIsMember(member)) ORDER BY \(keys.0), \(keys.1)
      """
    return ("SELECT \(keys.0)\(tail)", "SELECT \(keys.1)\(tail)")
  }
}

extension SchemaMapping {
  /// The entities whose tables are compared: those without a parent whose table can be read.
  var comparedEntities: [Entity] {
    schema.entities.filter {
      let mapped = entities[$0.index]
      return $0.parent == nil && mapped.kind == .table && mapped.unreadableReason == nil
    }
  }

  /// The join tables of an entity and its descendants.
  func joins(of entity: Entity) -> [(join: JoinTable, link: RelationshipLink)] {
    entity.members.flatMap { index in
      schema.entities[index].slots.compactMap { slot in
        guard case .toManyJoin(let join) = entities[index].slots[slot],
          let link = schema.entities[index].links[slot]
        else { return nil }
        return (join, link)
      }
    }
  }
}

extension EntityMapping {
  /// The name by which its table is found again.
  var comparedName: String { "\(namespace ?? "").\(table)".caselessKey }
}

extension JoinTable {
  /// The name by which it is found again.
  var comparedName: String { "\(namespace ?? "").\(table)".caselessKey }
}

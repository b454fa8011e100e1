#if PostgreSQL
import Basics

/// The capabilities of a server that the engine uses if they are present.
///
/// Engines that speak PostgreSQL's protocol lack some of them, each version fewer than the one before.
/// Nothing is concluded from a name or a version number: each capability is tried
/// (`ServerCapabilities.found(on:)`).
package struct ServerCapabilities: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Integers as bytes, packed into one value: how lists of keys travel. Without it each key is a row.
  package static let packedKeys = ServerCapabilities(rawValue: 1 << 0)
  /// The numbers of the transactions that a statement sees. Without it, writes by other programs cannot be
  /// detected, and shown data is read again.
  package static let snapshots = ServerCapabilities(rawValue: 1 << 1)
  /// `LISTEN`, with notifications that reach the listeners. Without it, other programs poll from time to
  /// time.
  package static let notifications = ServerCapabilities(rawValue: 1 << 2)
  /// Advisory locks. Without them, if two programs create a store at the same time, one fails and then finds
  /// the store of the other.
  package static let advisoryLocks = ServerCapabilities(rawValue: 1 << 3)
  /// A dedicated session that keeps its settings and plans. A pooler lends one for a transaction at a time:
  /// settings are then sent with each transaction, and no plan is kept.
  package static let ownSession = ServerCapabilities(rawValue: 1 << 4)
  /// Uniqueness that is checked when a transaction ends. Without it, a save first clears values that rows
  /// exchange.
  package static let deferrableUnique = ServerCapabilities(rawValue: 1 << 5)
  /// References that are checked when a transaction ends. Without it, a save writes rows after those that
  /// they refer to.
  package static let deferrableReferences = ServerCapabilities(rawValue: 1 << 6)
  /// Statement triggers. Without them, writes by other programs to the tables of a store go unnoticed.
  package static let triggers = ServerCapabilities(rawValue: 1 << 7)

  /// A function `create_distributed_table`, as in Citus. Only tried if tables are to be distributed.
  package static let distributedTables = ServerCapabilities(rawValue: 1 << 8)

  package static let all: ServerCapabilities = [
    .packedKeys, .snapshots, .notifications, .advisoryLocks, .ownSession, .deferrableUnique,
    .deferrableReferences, .triggers,
  ]

  /// The capabilities that decide how the tables of a store are declared, permanently.
  static let ofTables: ServerCapabilities = [
    .snapshots, .deferrableUnique, .deferrableReferences, .triggers, .distributedTables,
  ]

  /// Whether all constraints that a save may break on its way are checked at its end only.
  var defersConstraints: Bool { isSuperset(of: [.deferrableUnique, .deferrableReferences]) }
}

extension ServerCapabilities {
  /// The names under which a store records the capabilities of its tables.
  private static let names: [(String, ServerCapabilities)] = [
    ("snapshots", .snapshots), ("deferrableUnique", .deferrableUnique),
    ("deferrableReferences", .deferrableReferences), ("triggers", .triggers),
    ("distributedTables", .distributedTables),
  ]

  /// As a store records them: names separated by blanks.
  var text: String {
    Self.names.filter { contains($0.1) }.map(\.0).joined(separator: " ")
  }

  /// - Parameter text: a result of `text`; unknown names are left out.
  init(text: String) {
    let words = text.words()
    self = Self.names.filter { name, _ in words.contains { $0 == name } }
      .reduce(into: []) { $0.formUnion($1.1) }
  }
}
#endif

#if PostgreSQL
import Basics

/// What a server can do, of what the engine uses where it is there.
///
/// Engines that speak PostgreSQL's protocol lack some of it, each version less than the one before. So
/// nothing is concluded from a name or a number: it is tried (`ServerCapabilities.found(on:)`).
package struct ServerCapabilities: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Integers as bytes, put together in one value: how lists of keys travel. Without it each is a row.
  package static let packedKeys = ServerCapabilities(rawValue: 1 << 0)
  /// Which transactions a statement sees, as numbers. Without it, whether somebody else has written is not
  /// known, and what is shown is read again.
  package static let snapshots = ServerCapabilities(rawValue: 1 << 1)
  /// `LISTEN`, and its notifications reaching who listens. Without it, others look from time to time.
  package static let notifications = ServerCapabilities(rawValue: 1 << 2)
  /// Locks on numbers. Without them, of two programs that make a store at the same time one fails, and finds
  /// it made.
  package static let advisoryLocks = ServerCapabilities(rawValue: 1 << 3)
  /// A session of one's own, with settings and plans that stay. A pooler lends one for a transaction at a
  /// time: then settings are sent with each, and no plan is kept.
  package static let ownSession = ServerCapabilities(rawValue: 1 << 4)
  /// Uniqueness that is looked at when a transaction ends. Without it, a save takes values that rows exchange
  /// out of the way first.
  package static let deferrableUnique = ServerCapabilities(rawValue: 1 << 5)
  /// References that are looked at when a transaction ends. Without it, a save writes rows behind those that
  /// they refer to.
  package static let deferrableReferences = ServerCapabilities(rawValue: 1 << 6)
  /// Triggers of statements. Without them, nobody notices what other programs write to the tables of a store.
  package static let triggers = ServerCapabilities(rawValue: 1 << 7)

  /// A function `create_distributed_table`, as Citus has it. Only looked for where tables are to be
  /// distributed.
  package static let distributedTables = ServerCapabilities(rawValue: 1 << 8)

  package static let all: ServerCapabilities = [
    .packedKeys, .snapshots, .notifications, .advisoryLocks, .ownSession, .deferrableUnique,
    .deferrableReferences, .triggers,
  ]

  /// Those that decide how the tables of a store are declared, once and for all.
  static let ofTables: ServerCapabilities = [
    .snapshots, .deferrableUnique, .deferrableReferences, .triggers, .distributedTables,
  ]

  /// Whether all that a save breaks on its way to its end is looked at there only.
  var defersConstraints: Bool { isSuperset(of: [.deferrableUnique, .deferrableReferences]) }
}

extension ServerCapabilities {
  /// The names under which a store remembers those of its tables.
  private static let names: [(String, ServerCapabilities)] = [
    ("snapshots", .snapshots), ("deferrableUnique", .deferrableUnique),
    ("deferrableReferences", .deferrableReferences), ("triggers", .triggers),
    ("distributedTables", .distributedTables),
  ]

  /// As a store remembers them: names with blanks between them.
  var text: String {
    Self.names.filter { contains($0.1) }.map(\.0).joined(separator: " ")
  }

  /// - Parameter text: what `text` has given; names that are not known are left out.
  init(text: String) {
    let words = text.words()
    self = Self.names.filter { name, _ in words.contains { $0 == name } }
      .reduce(into: []) { $0.formUnion($1.1) }
  }
}
#endif

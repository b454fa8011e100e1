import Basics
package import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB

/// Comparing the statements of two files.
extension SQLiteStore {
  /// The differences between the statements of two files, also in what a schema does not describe, such as
  /// checks, collations and the bodies of views and triggers. Blanks, comments, quotes around names and the
  /// case of words are none.
  ///
  /// Empty if a file is a store of the library or of Core Data, whose schema says everything.
  ///
  /// - Throws: `StoreError`.
  package static func definitionDifferences(
    from old: URL, to new: URL
  ) throws -> [DefinitionDifference] {
    guard let olds = try definitions(in: old), let news = try definitions(in: new) else {
      return []
    }
    var removed = Dictionary(olds.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var differences: [DefinitionDifference] = []
    for definition in news {
      let former = removed.removeValue(forKey: definition.key)
      if let former, SQLTokens(former.sql).sayTheSame(as: SQLTokens(definition.sql)) { continue }
      differences.append(definition.difference(old: former?.sql, new: definition.sql))
    }
    for definition in olds where removed[definition.key] != nil {
      differences.append(definition.difference(old: definition.sql, new: nil))
    }
    return differences
  }

  /// The definitions in their order in the file; nil for a store of the library or of Core Data.
  private static func definitions(in file: URL) throws -> [Definition]? {
    let store = try SQLiteStore(existing: file, isReadOnly: true)
    defer { try? store.close() }
    guard !store.isNative, !store.isCoreData else { return nil }
    return try store.read { database in
      let list = try RawStatement(
        """
        SELECT type, name, tbl_name, sql FROM sqlite_master \
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
        """, in: database)
      var found: [Definition] = []
      while try list.step() {
        found.append(
          Definition(
            kind: list.value(at: 0).plainText, name: list.value(at: 1).plainText,
            table: list.value(at: 2).plainText, sql: list.value(at: 3).plainText))
      }
      return found
    }
  }
}

private struct Definition {
  let kind: String
  let name: String
  let table: String
  let sql: String

  var key: String { kind + " " + name.exactKey }

  func difference(old: String?, new: String?) -> DefinitionDifference {
    DefinitionDifference(kind: kind, name: name, table: table, old: old, new: new)
  }
}

extension SQLTokens {
  fileprivate func sayTheSame(as other: SQLTokens) -> Bool {
    tokens.elementsEqual(other.tokens) { own, other in
      switch (own, other) {
      case (.word(let own), .word(let other)), (.word(let own), .quoted(let other)),
        (.quoted(let own), .word(let other)):
        own.caselessKey == other.caselessKey
      // What is in double quotes may be a text.
      case (.quoted(let own), .quoted(let other)), (.literal(let own), .literal(let other)):
        own.exactKey == other.exactKey
      default: own == other
      }
    }
  }
}

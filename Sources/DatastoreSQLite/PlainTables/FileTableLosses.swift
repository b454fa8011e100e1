import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// The parts of a file besides tables and rows, as sentences about their absence in a copy.
struct FileTableLosses {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// The tables and views that are not plain tables.
  func leftOut(_ tables: [FileTable]) -> [String] {
    tables.compactMap { table in
      switch table.kind {
      case .table:
        table.columns.isEmpty
          ? "The table \(table.name) is left out: SQLite cannot read its declaration." : nil
      case .virtual: "The virtual table \(table.name) is left out, and with it its index."
      default: "The view \(table.name) is left out."
      }
    }
  }

  /// The declarations of copied tables that are lost.
  func undeclared(_ tables: [FileTable]) throws -> [String] {
    var losses: [String] = []
    for table in tables {
      let checks = table.declaration.map { SQLTokens($0).checks(in: $0) } ?? []
      losses += checks.map { "The check \($0) of \(table.name) is left out." }
      for column in table.columns {
        let name = "\(table.name).\(column.name)"
        if column.isGenerated {
          losses.append("\(name) is a plain column with the values that were computed.")
        }
        if !column.isBinary {
          losses.append("\(name) is compared byte by byte; its collation is left out.")
        }
      }
    }
    losses += try TriggerText.all(in: database).map {
      "The trigger \($0.name) of \($0.table) is left out."
    }
    return try losses + indexes(of: tables)
  }

  /// Indexes of expressions, and of some rows only.
  private func indexes(of tables: [FileTable]) throws -> [String] {
    var losses: [String] = []
    for table in tables {
      let list = try RawStatement(
        """
        SELECT name FROM pragma_index_list(\(.text(table.name))) AS list WHERE partial = 1 \
        OR EXISTS (SELECT 1 FROM pragma_index_xinfo(list.name) AS part WHERE part.key = 1 AND part.cid < 0) \
        ORDER BY seq DESC
        """, in: database)
      while try list.step() {
        losses.append(
          """
          The index \(list.value(at: 0).plainText) of \(table.name) is left out: it is one of expressions, or of \
          some rows only.
          """)
      }
    }
    return losses
  }
}

extension SQLTokens {
  /// Whether each foreign key of a declaration, in their order, is checked when a transaction ends.
  /// <https://www.sqlite.org/foreignkeys.html#fk_deferred>: that takes all three words.
  var deferredReferences: [Bool] {
    var deferred: [Bool] = []
    for place in tokens.indices {
      if tokens[place].isWord("REFERENCES") { deferred.append(false) }
      guard tokens[place].isWord("DEFERRABLE"), !deferred.isEmpty else { continue }
      let words = tokens[(place + 1)...].prefix(2)
      deferred[deferred.count - 1] =
        !tokens[place - 1].isWord("NOT") && words.count == 2
        && zip(words, ["INITIALLY", "DEFERRED"]).allSatisfy { $0.isWord($1) }
    }
    return deferred
  }
}

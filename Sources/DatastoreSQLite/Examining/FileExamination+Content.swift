import DatastoreCore
import DatastoreSQL
import GRDB
import SQLiteFiles

extension FileExamination {
  /// The greatest number of listed rows and faults of one kind.
  private static let most = 5

  /// Reads the content of the file, in one transaction.
  ///
  /// - Throws: `StoreError` when it is locked.
  mutating func readContent() throws {
    var side = SideFiles(path: path)
    defer { side.tidyUp() }
    do {
      try side.reading(isReadOnly: true, rollsBack: false) { place in
        let connection = try DatabaseQueue(path: place, configuration: Connections.probing())
        try connection.read { try examine($0) }
        try connection.close()
      }
    } catch let error as DatabaseError {
      if HotJournal.isCause(of: error) {
        // The journal is already in the list of files beside it.
        return report(
          "checks", "the file cannot be read before an unfinished save is rolled back", .attention)
      }
      let meaning = StoreError(error, path: path)
      if case .locked = meaning { throw meaning }
      if case .beingMigrated = meaning { throw meaning }
      report("checks", meaning.description, .damage, advice: Self.damageAdvice)
    }
  }

  private mutating func examine(_ database: Database) throws {
    try reportStructure(by: "quick_check", "quick_check", in: database)
    try reportStructure(by: "integrity_check", "integrity_check", in: database)
    let listed = try FileTable.listed(in: database)
    reportViews(listed.filter { $0.kind == .view }, in: database)
    let tables = listed.filter { $0.kind == .table }.map(\.name)
    try reportReferences(of: tables, in: database)
    try reportCounters(in: database)
    if try NativeFile.isNative(database) {
      try reportNativeFile(database)
    } else if try CoreDataFile.isCoreData(database) {
      try reportCoreDataStore(database)
    } else {
      report("made by", "a program without SwiftDatastore, with \(tables.count) tables")
    }
  }

  static let damageAdvice = """
    Make a copy of the file and of what lies beside it before anything writes it. Restore a backup, or save what is left with \
    “sqlite3 FILE .recover”.
    """

  private mutating func reportStructure(
    by check: SQLFragment, _ topic: String, in database: Database
  ) throws {
    do {
      let faults = try SQLiteStore.structuralFaults(by: check, in: database)
      for fault in faults.prefix(Self.most) {
        report(topic, fault, .damage, advice: Self.damageAdvice)
      }
      if faults.count > Self.most {
        report(topic, "and \(faults.count - Self.most) more", .damage)
      }
      if faults.isEmpty { report(topic, "ok") }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A function or a module in the declarations is missing.
      report(
        topic, "cannot be run here: \(error.message ?? "no reason is given")", .attention,
        advice: "Check the file with the program that has made it.")
    }
  }

  /// Reports views that cannot be read; nothing if all can.
  private mutating func reportViews(_ views: [FileTable], in database: Database) {
    let faults = views.compactMap { view -> String? in
      if let reason = view.unreadableReason { return "\(view.name): \(reason)" }
      do {
        _ = try RawStatement("SELECT * FROM \(name: view.name)", in: database)
        return nil
      } catch {
        return "\(view.name): \((error as? DatabaseError)?.message ?? "it cannot be prepared")"
      }
    }
    for fault in faults.prefix(Self.most) {
      report(
        "views", fault, .attention,
        advice: """
          A view that cannot be read names a table, a column or a function that is not there. Make it again, or drop it; the \
          rows of the tables are all there. What only the program knows that has made the file can be read with that.
          """)
    }
    if faults.count > Self.most {
      report("views", "and \(faults.count - Self.most) more", .attention)
    }
  }

  /// Reports references to missing rows.
  private mutating func reportReferences(of tables: [String], in database: Database) throws {
    var isSound = true
    for table in tables {
      do {
        let list = try RawStatement(
          """
          SELECT parent, (SELECT group_concat("from", ', ') FROM pragma_foreign_key_list(\(.text(table))) WHERE id = fkid), \
          count(*), min("rowid"), max("rowid") FROM pragma_foreign_key_check(\(.text(table))) GROUP BY parent, fkid
          """, in: database)
        defer { list.reset() }
        while try list.step() {
          isSound = false
          let count = list.value(at: 2)
          let (first, last) = (list.value(at: 3), list.value(at: 4))
          // Tables without a rowid have no row numbers.
          let rows =
            first.isNull ? "" : count == 1 ? " (row \(first))" : " (rows \(first) to \(last))"
          report(
            "foreign keys",
            "\(count == 1 ? "a row" : "\(count) rows") of \(table)\(rows) "
              + "\(count == 1 ? "refers" : "refer") by \(list.value(at: 1).plainText) to "
              + "\(list.value(at: 0).plainText), where no row has that key",
            .attention,
            advice: """
              Some rows refer to rows that do not exist: a program has written the file without “PRAGMA foreign_keys = ON”. \
              “PRAGMA foreign_key_check” lists them; give them another reference or none, or delete them.
              """)
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        isSound = false
        report(
          "foreign keys", "\(table): \(error.message ?? "they cannot be checked")", .attention,
          advice: """
            What a foreign key refers to has to be a primary key or unique; SQLite refuses changes of such rows.
            """)
      }
    }
    if isSound { report("foreign keys", "ok: every reference leads to a row") }
  }

  /// Reports the greatest keys that tables with `AUTOINCREMENT` have ever had.
  private mutating func reportCounters(in database: Database) throws {
    let hasCounters =
      try RawStatement(
        "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'", in: database
      ).firstInteger() != nil
    guard hasCounters else { return }
    let list = try RawStatement(
      """
      SELECT s.name, max(s.seq), count(*), m.name IS NULL FROM sqlite_sequence AS s \
      LEFT JOIN sqlite_master AS m ON m.type = 'table' AND m.name = s.name GROUP BY s.name
      """, in: database)
    defer { list.reset() }
    while try list.step() {
      let table = list.value(at: 0).plainText
      let counter = list.value(at: 1)
      if list.value(at: 3) == 1 {
        report("counters", "\(counter) for \(table), which is not a table any more")
        continue
      }
      let greatest =
        try RawStatement("SELECT max(rowid) FROM \(name: table)", in: database).firstInteger() ?? 0
      if case .integer(let used) = counter, used >= greatest, list.value(at: 2) == 1 {
        report(
          "counters", "\(used) for \(table)", used == .max ? .attention : .fact,
          advice: used == .max ? "\(table) has no key left for another row." : nil)
      } else {
        report(
          "counters", "\(counter) for \(table), whose greatest key is \(greatest)",
          .attention,
          advice: """
            The counter of \(table) was written by hand: numbers of rows that were deleted may be used again. “UPDATE \
            sqlite_sequence SET seq = \(greatest)” for it mends that.
            """)
      }
    }
  }
}

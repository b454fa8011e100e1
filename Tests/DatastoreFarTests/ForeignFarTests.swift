import DatastoreCore
import DatastoreFar
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// Files of other programs at the other end of a line, beside the same file here.
@Suite("Third-party files at the other end") struct ForeignFarTests {
  private static func makeFile(in directory: TemporaryDirectory) throws -> URL {
    let url = directory.url.appending(path: "shop.sqlite")
    try SQLiteFile.make(
      at: url,
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE country(code TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE line(invoice INTEGER, place INTEGER, country TEXT REFERENCES country(code),
        amount REAL CHECK (amount >= 0), kind TEXT CHECK (kind IN ('a', 'b')), total AS (amount * 2),
        PRIMARY KEY (invoice, place));
      CREATE TABLE loose(text, note);
      CREATE VIEW sums AS SELECT country, sum(amount) AS amount FROM line GROUP BY country;
      INSERT INTO country VALUES ('de', 'Germany'), ('fr', 'France');
      INSERT INTO line(invoice, place, country, amount, kind) VALUES
        (1, 1, 'de', 1.5, 'a'), (1, 2, 'fr', 2.25, 'b'), (2, 1, 'xx', 1e300, NULL);
      INSERT INTO loose VALUES ('a' || char(0) || 'b', x'00ff'), (CAST(x'ff' AS TEXT), 9e999), (-0.0, NULL);
      """)
    return url
  }

  /// Everything that can be asked of an entity.
  private static func picture(_ store: any StoreEngine) async throws -> [String] {
    var lines = ["\(store.isNative) \(store.schemaDifferences) \(store.isReadOnly)"]
    for entity in store.schema.entities {
      lines.append("\(entity.description)")
      lines.append("\(store.information(about: entity))")
      lines.append("\(try store.indexes(of: entity)) \(store.keySlot(of: entity.index) as Slot?)")
      for slot in entity.slots {
        lines.append(
          "\(slot) \(store.storedColumns(of: slot, in: entity)) "
            + "\(store.allowedValues(of: slot, in: entity) ?? []) "
            + "\(store.isKeyPart(entity: entity.index, slot: slot)) "
            + "\(store.countsQuickly(entity: entity.index, slot: slot))")
      }
      let request = FetchRequest(entity: entity.name)
      let list = try await store.answer(KeyListQuestion(request))
      let pages = try await store.fetch(request)
      for page in pages {
        for row in 0..<page.rowCount {
          let key = page.key(ofRow: row)
          let values = entity.slots.map { page.value(row: row, slot: $0) }
          lines.append(
            "\(store.keyValues(entity: entity.index, key: key) ?? []) \(values) "
              + "\(list.keys.firstIndex(of: key) ?? -1)")
        }
      }
      let query = ValueQuery(
        entity.properties.compactMap { $0.attribute.map { .value(.keyPath([$0.name])) } },
        of: request,
        from: entity, in: store.schema)
      try store.readTransaction { transaction in
        lines.append(try transaction.sql(of: query))
        try transaction.answer(
          query, includingGenerated: true, begin: { lines.append("\($0)") },
          row: { page, row in
            lines.append("\((0..<page.columnCount).map { page.value(row: row, column: $0) })")
          })
      }
    }
    lines.append("\(try store.tableDetails().map { $0?.sql ?? "" })")
    lines.append("\(try await store.answer(SQLNamesQuestion()))")
    lines.append("\(try await store.answer(SuggestionsQuestion()))")
    return lines
  }

  @Test("Everything is as it is here: keys of texts and of several columns, views, odd values")
  func asHere() async throws {
    let directory = try TemporaryDirectory()
    let url = try Self.makeFile(in: directory)
    let here = try SQLiteStore(existing: url)
    let pair = try FarPair(opening: url)
    let (near, far) = (try await Self.picture(here), try await Self.picture(pair.store))
    #expect(near.count == far.count)
    for (near, far) in zip(near, far) where near != far {
      Issue.record("\(far)\ninstead of\n\(near)")
    }
    try pair.store.close()
    try here.close()
  }

  @Test("What another program writes is told, and not overwritten")
  func others() async throws {
    let directory = try TemporaryDirectory()
    let url = try Self.makeFile(in: directory)
    let pair = try FarPair(opening: url)
    let store = pair.store
    let told = DispatchSemaphore(value: 0)
    let changes = Lock<[ExternalChange]>([])
    let listener = store.listen { [weak store] in
      // As every listener does after a notification.
      let found = (try? store?.externalChanges()) ?? []
      if found.isEmpty { return }
      changes.withLock { $0 += found }
      told.signal()
    }
    #expect(listener != nil)
    let line = try #require(store.schema.entity(named: "line"))
    let amount = try #require(line.slot(named: "amount"))
    let page = try #require(try await store.fetch(FetchRequest(entity: "line")).first)
    try SQLiteFile.make(at: url, "UPDATE line SET amount = 7 WHERE place = 2")
    await BlockingWork.run { told.wait() }
    #expect(!changes.withLock { $0 }.isEmpty)
    var set = ChangeSet()
    var entity = EntityChanges(entity: line.index)
    for row in 0..<page.rowCount where page.value(row: row, slot: amount) == .real(2.25) {
      let new = RowPage(columnCount: line.pageColumnCount, rowCapacity: 1)
      let place = new.appendRow(key: page.key(ofRow: row))
      new.setReal(3, row: place, slot: amount)
      new.seal()
      entity.updated.append(
        RowUpdate(
          key: page.key(ofRow: row), page: new, row: place, original: page, originalRow: row,
          slots: SlotSet([amount])))
    }
    #expect(entity.updated.count == 1)
    set.entities = [entity]
    let staged = set
    #expect(throws: ConflictError.self) { try store.save(staged) }
    // A broken rule of the table returns as the same error.
    #expect(throws: StoreError.self) {
      try store.update(
        entity: line.index, where: nil, assigning: [(slot: amount, value: .real(-1))], unless: nil)
    }
    withExtendedLifetime(listener) {}
    try store.close()
  }
}

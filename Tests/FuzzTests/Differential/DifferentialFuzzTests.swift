import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: our reading or writing differs from SQLite's own → random files are compared with what its
// program reads and writes.
/// Random files of other programs, compared with SQLite's own program: every read value, and the whole file
/// after an edit. `make fuzz` runs far more of them.
@Suite(.serialized) struct DifferentialFuzzTests {
  /// `DATASTORE_FUZZ_FILES`, else 40.
  private static let count =
    ProcessInfo.processInfo.environment["DATASTORE_FUZZ_FILES"].flatMap { Int($0) } ?? 40

  @Test func filesAreReadAndWrittenAsSQLiteDoes() async throws {
    var edits = 0
    var refused = 0
    for number in 0..<Self.count {
      let seed = RandomCases.seed(number)
      let file = try RandomFile(seed: seed)
      let differences = try file.readingDifferences()
      guard differences.isEmpty else {
        Issue.record(
          "file \(number), seed \(seed): \(differences.prefix(5).joined(separator: "\n"))")
        return file.keep()
      }
      switch try await file.edit() {
      case .same: edits += 1
      case .refused: refused += 1
      case .none: break
      case .different(let what):
        Issue.record("file \(number), seed \(seed): \(what)")
        return file.keep()
      }
    }
    print("compared \(Self.count) files, \(edits) edits, \(refused) refused by both")
    #expect(edits > Self.count / 4)
  }
}

/// One random file, and a copy that SQLite's program edits.
private struct RandomFile {
  enum Outcome {
    case same, refused, none
    case different(String)
  }

  private let folder: TemporaryDirectory
  private let program: ReferenceProgram
  private let path: String
  private let script: String
  private let tables: [RandomDatabase.Table]
  private let seed: UInt64

  init(seed: UInt64) throws {
    self.seed = seed
    folder = try TemporaryDirectory()
    program = ReferenceProgram(folder: folder)
    path = folder.path("file.db")
    let database = RandomDatabase(seed: seed)
    script = database.script
    tables = database.tables
    try program.run(script, on: path)
  }

  /// Leaves the file and its script behind.
  func keep() {
    let place = FileManager.default.temporaryDirectory.appending(path: "datastore-differential")
    try? FileManager.default.removeItem(at: place)
    try? FileManager.default.copyItem(at: folder.url, to: place)
    try? Data(script.utf8).write(to: place.appending(path: "script.sql"))
    print("the file stands in \(place.path)")
  }

  // MARK: Reading

  func readingDifferences() throws -> [String] {
    let store = try SQLiteStore(existing: URL(fileURLWithPath: path))
    defer { try? store.close() }
    var differences: [String] = []
    for entity in store.schema.entities {
      let columns = Self.columns(of: entity, store.mapping)
      let pages = try store.fetch(FetchRequest(entity: entity.name))
      let ours = pages.flatMap { page in
        (0..<page.rowCount).map { row in
          columns.map { ReferenceProgram.shown(page.value(row: row, slot: $0.slot)) }
            .joined(separator: " ")
        }
      }.sorted()
      let table = store.mapping.entities[entity.index].table
      let theirs = try program.rows(columns.map(\.name), of: table, on: path)
      if !columns.isEmpty, ours != theirs {
        let pair = zip(ours + ["…"], theirs + ["…"]).first { $0 != $1 }
        differences.append("\(table): \(pair.map { "\($0) instead of \($1)" } ?? "other rows")")
      }
    }
    for table in tables {
      guard let entity = store.mapping.entities.firstIndex(where: { $0.table == table.name }) else {
        differences.append("\(table.name) is no entity")
        continue
      }
      let known = Set(
        store.mapping.entities[entity].slots.flatMap { slot -> [String] in
          switch slot {
          case .attribute(let column): [column.name]
          case .toOne(let foreign): foreign.names
          case .toManyForeignKey, .toManyJoin: []
          }
        })
      for column in table.columns where !known.contains(column.name) {
        differences.append("\(table.name) has no property for \(column.name)")
      }
    }
    return differences
  }

  private static func columns(
    of entity: Entity, _ mapping: SchemaMapping
  ) -> [(name: String, slot: Slot)] {
    mapping.entities[entity.index].slots.placed.compactMap { slot, place in
      if case .attribute(let column) = place { return (column.name, slot) }
      return nil
    }
  }

  // MARK: Editing

  /// Changes, adds or deletes one row here and in a copy, and compares both files.
  func edit() async throws -> Outcome {
    let copy = folder.path("copy.db")
    try program.run("VACUUM INTO '\(copy)'", on: path)
    // From here on both are the same file, but for free pages.
    try FileManager.default.removeItem(atPath: path)
    for side in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + side) }
    try FileManager.default.copyItem(atPath: copy, toPath: path)
    let datastore = try SwiftDatastore(opening: URL(fileURLWithPath: path))
    let store = try SQLiteStore(existing: URL(fileURLWithPath: path), isReadOnly: true)
    defer { try? store.close() }
    let draw = EditDraw(schema: datastore.schema, store: store, seed: seed)
    let done = try await datastore.newContext().perform { context in try draw.carryOut(context) }
    try datastore.close()
    guard let done else { return .none }
    var theirError: String?
    do {
      try program.run("PRAGMA foreign_keys = ON; \(done.sql)", on: copy)
    } catch {
      theirError = "\(error)"
    }
    if let error = done.error {
      return theirError == nil ? .different("refused: \(error), but \(done.sql) is done") : .refused
    }
    if let theirError {
      return .different("\(done.sql) was done, but refused there: \(theirError)")
    }
    let ours = try program.dump(of: path)
    let theirs = try program.dump(of: copy)
    if ours != theirs {
      let lines = zip(ours.split(separator: "\n"), theirs.split(separator: "\n")).first { $0 != $1 }
      return .different(
        "after \(done.sql): \(lines.map { "\($0)\ninstead of\n\($1)" } ?? "other lines")")
    }
    let check = try program.run("PRAGMA integrity_check", on: path)
    return check == "ok\n" ? .same : .different("after \(done.sql): \(check)")
  }
}

/// A random edit, as changes in a context and as SQL.
private struct EditDraw {
  struct Done: Sendable {
    let sql: String
    /// Why it was refused; nil when it was saved.
    let error: String?
  }

  let schema: Schema
  let store: SQLiteStore
  let seed: UInt64

  private var mapping: SchemaMapping { store.mapping }

  func carryOut(_ context: SwiftDatastoreContext.Closure) throws -> Done? {
    var random = SeededRandom(seed: seed ^ 0xED17)
    let entities = schema.entities.filter { !$0.description.isReadOnly }.filter {
      mapping.entities[$0.index].kind == .table
    }
    guard !entities.isEmpty else { return nil }
    let entity = entities[random.below(entities.count)]
    let objects: [DynamicObject] = try context.fetch(FetchRequest(entity: entity.name))
    let mapped = mapping.entities[entity.index]
    let free = entity.slots.filter { slot in
      guard case .attribute(let column) = mapped.slots[slot] else { return false }
      return !column.isGenerated && !store.isKeyPart(entity: entity.index, slot: slot)
    }
    let table = quoted(mapped.table)
    guard let object = objects.isEmpty ? nil : objects[random.below(objects.count)],
      let place = condition(object, entity)
    else { return nil }
    if random.below(4) == 0 {
      context.deleteObject(object)
      return try saved(context, "DELETE FROM \(table) WHERE \(place)")
    }
    guard !free.isEmpty else { return nil }
    let slot = free[random.below(free.count)]
    guard case .attribute(let column) = mapped.slots[slot] else { return nil }
    let name = entity.properties[slot].name
    var value = Self.value(&random)
    // An unchanged value is written by SQLite, with all triggers, and not by a context.
    while value == object[name] || mapped.table == "message" && value.isBlob {
      // The full-text index of bytes depends on the memory after them.
      value = Self.value(&random)
    }
    object[name] = value
    return try saved(
      context,
      "UPDATE \(table) SET \(quoted(column.name)) = \(ReferenceProgram.literal(value)) WHERE \(place)"
    )
  }

  private func saved(_ context: SwiftDatastoreContext.Closure, _ sql: String) throws -> Done {
    do {
      try context.saveChanges()
      return Done(sql: sql, error: nil)
    } catch {
      return Done(sql: sql, error: "\(error)")
    }
  }

  /// The condition that finds the row of an object; nil if a key is a relationship.
  private func condition(_ object: DynamicObject, _ entity: Entity) -> String? {
    switch mapping.entities[entity.index].key {
    case .rowid(let name): return "\(quoted(name)) = \(object.objectID.key)"
    case .columns(let names):
      var parts: [String] = []
      for name in names {
        guard
          let slot = mapping.entities[entity.index].slots.firstIndex(where: {
            if case .attribute(let column) = $0 { return column.name == name }
            return false
          })
        else { return nil }
        let value = object[entity.properties[slot].name]
        parts.append("\(quoted(name)) IS \(ReferenceProgram.literal(value))")
      }
      return parts.joined(separator: " AND ")
    case .wholeRow: return nil
    }
  }

  private static func value(_ random: inout SeededRandom) -> Value {
    switch random.below(6) {
    case 0: return .null
    case 1: return .integer([0, 1, -7, Int64.max][random.below(4)])
    case 2: return .real([0.5, -0.1, 1e300, 3][random.below(4)])
    case 3: return .blob(Data([0, 255]))
    default: return .text(["", "new", "12", "Ωmega", "{\"a\":1}", "a\u{0}b"][random.below(6)])
    }
  }
}

extension Value {
  fileprivate var isBlob: Bool {
    if case .blob = self { return true }
    return false
  }
}

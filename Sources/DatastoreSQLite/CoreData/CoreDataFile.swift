import DatastoreCore
import DatastoreSQL
import GRDB

/// A Core Data store's description of itself in its own tables.
struct CoreDataFile {
  /// The number of each entity in its rows (`Z_ENT`), by entity name.
  let numbers: [String: Int64]
  /// The number of an entity's parent, by entity name.
  let parents: [String: Int64]
  /// The version of Core Data that last wrote the store.
  let frameworkVersion: Int64?
  /// Its model, or the reason why there is none: a sentence.
  let model: Result<CoreDataModel, Absence>

  /// The reason why the entities of a store are only its tables.
  enum Absence: Error, Equatable {
    /// The file does not describe its tables.
    case noModel
    case unreadable(CoreDataModelFault)
  }

  /// Reads some rows and the model: O(entities).
  ///
  /// - Parameter named: the model given by the user, used in place of the one in the file.
  /// - Throws: `DatabaseError` when SQLite cannot read the file.
  init(_ database: Database, model named: CoreDataModel? = nil) throws {
    var numbers: [String: Int64] = [:]
    var parents: [String: Int64] = [:]
    let rows = try RawStatement(
      """
      SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE typeof(Z_ENT) = 'integer' ORDER BY Z_ENT DESC
      """, in: database)
    while try rows.step() {
      guard case .integer(let number) = rows.value(at: 0) else { continue }
      let name = rows.value(at: 1).plainText
      numbers[name] = number
      if case .integer(let parent) = rows.value(at: 2), parent > 0 { parents[name] = parent }
    }
    self.numbers = numbers
    self.parents = parents
    frameworkVersion = try Self.frameworkVersion(in: database)
    model = try named.map { .success($0) } ?? Self.model(in: database)
  }

  /// Whether Core Data has made the file: it stores the greatest key of each entity, and metadata.
  static func isCoreData(_ database: Database) throws -> Bool {
    try RawStatement(
      """
      SELECT (SELECT group_concat(name) FROM \
      (SELECT name FROM pragma_table_info('Z_PRIMARYKEY') ORDER BY name)) = 'Z_ENT,Z_MAX,Z_NAME,Z_SUPER' \
      AND EXISTS (SELECT 1 FROM pragma_table_info('Z_METADATA') WHERE name = 'Z_UUID')
      """, in: database
    ).firstInteger() == 1
  }

  private static func frameworkVersion(in database: Database) throws -> Int64? {
    let rows = try RawStatement(
      "SELECT Z_PLIST FROM Z_METADATA WHERE length(Z_PLIST) <= \(number: mostBytes) LIMIT 1",
      in: database)
    defer { rows.reset() }
    guard try rows.step(), case .blob(let content) = rows.value(at: 0) else { return nil }
    let list = try? BinaryPropertyList(Array(content))
    return try? list?.integer("NSPersistenceFrameworkVersion")
  }

  /// The size of the greatest compressed model that is read: known ones have 300 kB.
  private static let mostBytes = 8 << 20

  private static func model(in database: Database) throws -> Result<CoreDataModel, Absence> {
    let isThere = try RawStatement(
      "SELECT 1 FROM pragma_table_info('Z_MODELCACHE') WHERE name = 'Z_CONTENT'", in: database
    ).firstInteger()
    guard isThere == 1 else { return .failure(.noModel) }
    let rows = try RawStatement(
      """
      SELECT CASE WHEN length(Z_CONTENT) <= \(number: mostBytes) THEN Z_CONTENT ELSE 0 END \
      FROM Z_MODELCACHE WHERE Z_CONTENT IS NOT NULL LIMIT 1
      """, in: database)
    defer { rows.reset() }
    guard try rows.step() else { return .failure(.noModel) }
    do {
      guard case .blob(let content) = rows.value(at: 0) else { throw CoreDataModelFault.tooGreat }
      return .success(try CoreDataModel(compressed: Array(content)))
    } catch let fault as CoreDataModelFault {
      return .failure(.unreadable(fault))
    }
  }
}

extension CoreDataFile.Absence {
  /// The end of a sentence.
  var reason: String {
    switch self {
    case .noModel: "it has no entities"
    case .unreadable(let fault): fault.reason
    }
  }

  /// A sentence for the person who opens the store.
  ///
  /// - Parameter isGuessed: whether entities were derived from the file's list, and not just from its tables.
  func sentence(isGuessed: Bool) -> String {
    let rest =
      isGuessed
      ? """
      so what its entities have is guessed from its tables: names in small letters, types, and what refers to what. \
      --model FILE reads the model of its program (.momd, .mom, .xcdatamodeld).
      """ : "so its tables are shown as they are."
    return switch self {
    case .noModel:
      "This Core Data store has no model in it, as those of before 2015, \(rest)"
    case .unreadable(let fault):
      "The model in this Core Data store cannot be read (\(fault.reason)), \(rest)"
    }
  }
}

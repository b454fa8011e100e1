import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

extension SchemaMapping {
  /// The entities of the model that a Core Data store has in it; where there is none that fits its tables, those that
  /// reflection finds, with a sentence that says why. Reads the file's schema, and the model.
  ///
  /// - Parameters:
  ///   - showsJoinTables: whether tables of pairs are entities, too, where there is no model.
  ///   - annotations: what was said of the file; nil where dates are not looked for.
  /// - Throws: `DatabaseError` where SQLite cannot read the file.
  static func coreData(
    in database: Database, showsJoinTables: Bool, annotations: SchemaAnnotations?
  ) throws -> (SchemaMapping, ReflectedTables) {
    let file = try CoreDataFile(database)
    let tables = try FileTable.all(in: database)
    switch Result(catching: { () throws(CoreDataFile.Absence) in try described(file, by: tables) })
    {
    case .success((let mapping, let notes)):
      return (
        mapping,
        ReflectedTables(
          tables: tables, annotations: annotations,
          schemaVersion: try RawStatement.schemaVersion(database), notes: notes)
      )
    case .failure(let absence):
      var (mapping, found) = try reflected(
        from: database, showsJoinTables: showsJoinTables, annotations: annotations, tables: tables)
      found.notes = [absence.sentence]
      return (mapping, found)
    }
  }

  /// The model over the tables, and what is left out of it.
  private static func described(
    _ file: CoreDataFile, by tables: [FileTable]
  ) throws(CoreDataFile.Absence) -> (SchemaMapping, notes: [String]) {
    var model = try file.model.get()
    model.addHistory(file.numbers)
    let placed = CoreDataTables(model, numbers: file.numbers, in: tables)
    if placed.entities.allSatisfy(\.isOfFramework) { throw .unreadable(.strange) }
    do {
      return (try CoreDataMapping(placed).mapping(), placed.notes)
    } catch let error as SchemaError {
      throw .unreadable(
        CoreDataModelFault(reason: error.faults.first.map { "\($0)" } ?? "\(error)"))
    } catch {
      throw .unreadable(CoreDataModelFault(reason: "\(error)"))
    }
  }
}

extension CoreDataTables {
  /// More are not in a sentence.
  private static let most = 5

  /// What of the model is left out: a sentence, or none.
  var notes: [String] {
    guard !missing.isEmpty else { return [] }
    var names = missing.prefix(Self.most).joined(separator: ", ")
    if missing.count > Self.most { names += " and \(missing.count - Self.most) more" }
    return ["Of the model in this Core Data store, the file has no place for \(names)."]
  }
}

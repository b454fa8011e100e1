import Basics
import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

extension SchemaMapping {
  /// The entities of the model in a Core Data store, or of a given one; if none fits its tables, those
  /// guessed from them, or else those found by reflection, with a sentence that explains why. Reads the
  /// file's schema, and the model; guessing also reads some rows.
  ///
  /// - Parameters:
  ///   - path: the path of the store, beside which its files of values are.
  ///   - model: the model given by the user.
  ///   - showsJoinTables: whether tables of pairs are entities, too, if there is no model.
  ///   - annotations: the annotations of the file; nil to leave out the search for dates.
  /// - Throws: `DatabaseError` when SQLite cannot read the file; `StoreError` if the given model belongs to
  ///   another store.
  static func coreData(
    in database: Database, at path: String, model: CoreDataModel?, showsJoinTables: Bool,
    annotations: SchemaAnnotations?
  ) throws -> (SchemaMapping, ReflectedTables, CoreDataContents) {
    let file = try CoreDataFile(database, model: model)
    let tables = try FileTable.all(in: database)
    let version = try RawStatement.schemaVersion(database)
    func found(_ model: CoreDataModel) throws(CoreDataFile.Absence) -> (
      SchemaMapping, ReflectedTables, CoreDataContents
    ) {
      let (mapping, placed) = try described(model, file, by: tables, at: path)
      let reflected = ReflectedTables(
        tables: tables, annotations: annotations, schemaVersion: version, notes: placed.notes)
      return (mapping, reflected, CoreDataContents(model, placed))
    }
    do {
      return try found(try file.model.get())
    } catch {
      let absence = error
      if model != nil {
        throw StoreError.modelDoesNotFit(path: path, differences: [absence.reason])
      }
      if let guess = try CoreDataModel.guessed(file, tables, in: database),
        case (let mapping, var reflected, let contents)? = try? found(guess)
      {
        reflected.notes.insert(absence.sentence(isGuessed: true), at: 0)
        return (mapping, reflected, contents)
      }
      var (mapping, reflected) = try reflected(
        from: database, showsJoinTables: showsJoinTables, annotations: annotations, tables: tables)
      reflected.notes = [absence.sentence(isGuessed: false)]
      return (mapping, reflected, CoreDataContents())
    }
  }

  /// Applies the model to the tables, and collects the parts left out.
  private static func described(
    _ model: CoreDataModel, _ file: CoreDataFile, by tables: [FileTable], at path: String
  ) throws(CoreDataFile.Absence) -> (SchemaMapping, CoreDataTables) {
    var model = model
    model.addHistory(file.numbers)
    let placed = CoreDataTables(model, numbers: file.numbers, in: tables)
    if placed.entities.allSatisfy(\.isOfFramework) { throw .unreadable(.strange) }
    do {
      let mapping = CoreDataMapping(
        placed, externalFolder: ExternalValues.folder(ofStoreAt: path).path)
      return (try mapping.mapping(), placed)
    } catch let error as SchemaError {
      throw .unreadable(
        CoreDataModelFault(reason: error.faults.first.map { "\($0)" } ?? "\(error)"))
    } catch {
      throw .unreadable(CoreDataModelFault(reason: "\(error)"))
    }
  }
}

extension CoreDataTables {
  /// The greatest number in a sentence.
  private static let most = 5

  /// The parts of the model that are left out: a sentence, or none.
  var notes: [String] {
    guard !missing.isEmpty else { return [] }
    var names = missing.prefix(Self.most).joined(separator: ", ")
    if missing.count > Self.most { names += " and \(missing.count - Self.most) more" }
    return ["Of the model in this Core Data store, the file has no place for \(names)."]
  }
}

import Basics
import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

extension SchemaMapping {
  /// The entities of the model that a Core Data store has in it, or that is named; where there is none that
  /// fits its tables, those that are guessed from them, or else those that reflection finds, with a sentence
  /// that says why. Reads the file's schema, and the model; to guess, some rows.
  ///
  /// - Parameters:
  ///   - path: where the store is: what its files of values lie beside.
  ///   - model: the model that the user names.
  ///   - showsJoinTables: whether tables of pairs are entities, too, where there is no model.
  ///   - annotations: what was said of the file; nil where dates are not looked for.
  /// - Throws: `DatabaseError` where SQLite cannot read the file; `StoreError` where the named model is
  ///   another one's.
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

  /// The model over the tables, and what is left out of it.
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

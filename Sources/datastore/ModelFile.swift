import ArgumentParser
import DatastoreCore
import DatastoreExport
import DatastoreImport
import DatastoreSQLite
import Foundation
import Gates
import SQLiteFiles

/// Reads the schema of a file: any SQLite file, a schema as JSON, or a model of Core Data.
enum ModelFile {
  /// - Throws: `Failure`.
  static func schema(at path: String) throws -> Schema {
    if CoreDataModelFile.isNamed(path) { return try schema(of: coreDataModel(at: path), path) }
    if FileHeader.isDatabase(path) {
      var found = try SQLiteStore.storedSchema(at: URL(fileURLWithPath: path))
      if let found { return found }
      try OpenedFile.read(StoreAddress(path)) { found = $0.schema }
      if let found { return found }
    }
    let bytes: [UInt8]
    do {
      bytes = try ReadableFile.contents(of: path, atMost: 64 << 20)
    } catch {
      throw Failure(.noInput, "\(path) cannot be read: \(error.reason).")
    }
    do {
      return try FrozenSchema(json: Data(bytes)).schema
    } catch let error as SchemaError {
      throw Failure(error)
    } catch {
      if let place = (error as? DecodingError).flatMap({ MisreadSchema($0, in: Data(bytes)) }) {
        throw Failure(.badData, "\(path) is not read as a schema: \(place).")
      }
      throw Failure(
        .badData,
        "\(path) is neither a SQLite file nor a schema as JSON, nor a model of Core Data (.momd, .mom, .xcdatamodeld, "
          + ".xcdatamodel); “datastore schema FILE --format json” writes one.")
    }
  }

  /// The differences between the statements of two SQLite files; empty for anything else.
  ///
  /// - Throws: `StoreError`.
  static func definitionDifferences(
    from file: String, to other: String
  ) throws -> [DefinitionDifference] {
    let areDatabases = [file, other].allSatisfy {
      !CoreDataModelFile.isNamed($0) && FileHeader.isDatabase($0)
    }
    return areDatabases
      ? try SQLiteStore.definitionDifferences(
        from: URL(fileURLWithPath: file), to: URL(fileURLWithPath: other)) : []
  }

  /// The schema of a Core Data model, and the list of its versions.
  ///
  /// - Throws: `Failure`.
  static func outline(ofCoreDataModelAt path: String) throws -> SchemaOutline {
    do {
      let file = try CoreDataModelFile(path)
      let model = try file.model()
      var outline = SchemaOutline(
        entities: try schema(of: model, path).entities.map {
          EntityOutline($0.description, kind: "entity")
        })
      outline.remarks = model.remarks
      if file.versions.count > 1 {
        outline.version = file.versions[file.current].name
        outline.remarks += file.versions.enumerated().map { place, version in
          "\(version.name) is a version\(place == file.current ? ", the current one" : "")"
        }
      }
      return outline
    } catch let fault as CoreDataModelFault {
      throw failure(fault, path)
    }
  }

  /// The current version of a model.
  ///
  /// - Throws: `Failure`.
  static func coreDataModel(at path: String) throws -> CoreDataModel {
    do {
      return try CoreDataModelFile(path).model()
    } catch let fault as CoreDataModelFault {
      throw failure(fault, path)
    }
  }

  private static func schema(of model: CoreDataModel, _ path: String) throws -> Schema {
    do {
      return try model.schema()
    } catch let error as SchemaError {
      let reason = error.faults.first.map { "\($0)" } ?? "\(error)"
      throw failure(CoreDataModelFault(reason: reason), path)
    }
  }

  private static func failure(_ fault: CoreDataModelFault, _ path: String) -> Failure {
    guard FileManager.default.fileExists(atPath: path) else {
      return Failure(.noInput, "There is no file “\(path.shownInMessage)”.")
    }
    return Failure(
      .badData, "\(path.shownInMessage) cannot be read as a model of Core Data: \(fault.reason).")
  }
}

/// The option for the model of a Core Data store that contains none, or a damaged one.
struct CoreDataModelArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      For a Core Data store: its model as its program has it (.momd, .mom, .xcdatamodeld, .xcdatamodel), instead of \
      that in the store.
      """, valueName: "file"), completion: .file())
  var model: String?

  /// - Throws: `Failure` if the file is not a model.
  func read() throws -> CoreDataModel? { try model.map { try ModelFile.coreDataModel(at: $0) } }
}

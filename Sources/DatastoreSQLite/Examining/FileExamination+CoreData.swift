import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

extension FileExamination {
  private static let coreDataAdvice = """
    Core Data counts on what this says to be otherwise; its program may fail at such rows or leave them out. They are not \
    mended here: let the program that has made the file do it, restore a backup, or take along what is whole with \
    “datastore copy”.
    """

  /// Reports a Core Data store's description of itself, and whether its rows satisfy the rules that Core Data
  /// relies on.
  mutating func reportCoreDataStore(_ database: Database) throws {
    let file = try CoreDataFile(database, model: coreDataModel)
    let version = file.frameworkVersion.map { ", framework version \($0)" } ?? ""
    report("made by", "Core Data\(version), with \(file.numbers.count) entities")
    let found = try FileTable.all(in: database)
    var model: CoreDataModel
    switch file.model {
    case .success(let read): model = read
    case .failure(let absence):
      let guess = try CoreDataModel.guessed(file, found, in: database)
      let sentence = absence.sentence(isGuessed: guess != nil)
      if case .noModel = absence {
        report("model", sentence)
      } else {
        report("model", sentence, .attention, advice: Self.coreDataAdvice)
      }
      guard let guess else { return }
      model = guess
    }
    model.addHistory(file.numbers)
    let tables = CoreDataTables(model, numbers: file.numbers, in: found)
    if model.isGuessed {
      // Without a known model, references cannot be checked, but keys and entities can.
    } else if tables.notes.isEmpty {
      report("model", "every entity and property of it has its place in the file")
    }
    for sentence in tables.notes {
      report("model", sentence, .attention, advice: Self.coreDataAdvice)
    }
    var isSound = true
    for rule in CoreDataRules(tables).all {
      let rows = try RawStatement(rule.violations, in: database)
      defer { rows.reset() }
      guard try rows.step(), case .integer(let count) = rows.value(at: 0), count > 0 else {
        continue
      }
      isSound = false
      let (first, last) = (rows.value(at: 1), rows.value(at: 2))
      let keys = count == 1 ? "row \(first)" : "rows \(first) to \(last)"
      report(
        "objects",
        "\(count == 1 ? "a row" : "\(count) rows") of \(rule.table) (\(keys)): \(rule.text)",
        .attention, advice: Self.coreDataAdvice)
    }
    if try reportExternalValues(of: tables, in: database), isSound {
      report("objects", "ok: counters, entities, references, orders and pairs agree")
    }
  }

  /// Reports great values in separate files, in a folder beside the store; returns false if some are missing.
  private mutating func reportExternalValues(
    of tables: CoreDataTables, in database: Database
  ) throws -> Bool {
    let folder = ExternalValues.folder(ofStoreAt: path)
    var missing: [String] = []
    for entity in tables.entities {
      for attribute in entity.attributes where attribute.mayBeExternal {
        guard case .attribute(let column, _)? = tables.places[entity.name]?[attribute.name] else {
          continue
        }
        let rows = try RawStatement(
          """
          SELECT CAST(substr(\(name: column.name), 2, 36) AS TEXT) FROM \(name: tables.table(of: entity).name) \
          WHERE substr(\(name: column.name), 1, 1) = x'02' AND length(\(name: column.name)) = 38
          """, in: database)
        defer { rows.reset() }
        while try rows.step() {
          guard let file = UUID(uuidString: rows.value(at: 0).plainText)?.uuidString,
            !FileManager.default.fileExists(atPath: folder.appendingPathComponent(file).path)
          else { continue }
          missing.append("\(entity.name).\(attribute.name)")
        }
      }
    }
    guard let first = missing.first else { return true }
    report(
      "values", "\(missing.count) in files of their own, as of \(first), are not in \(folder.path)",
      .attention,
      advice: "Copy the folder that lies beside the store with it: its name begins with a dot.")
    return false
  }
}

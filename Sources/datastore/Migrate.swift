import ArgumentParser
import Basics
import DatastoreCore
import DatastoreExport
import Foundation
import SwiftDatastore

/// `datastore migrate`: migrates a store to another version of its model.
struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring a store to another version of its model.",
    discussion: """
      MODEL is a store that has the new version, a model of Core Data (.momd, .mom, .xcdatamodeld, .xcdatamodel), or a \
      schema as JSON, as “datastore schema FILE --format json” writes it. Entities and properties are matched by their names; --rename gives \
      new names.

      The migration is one transaction: however it ends, also by Ctrl-C or when the disk is full, the store \
      is the old one or the new one, complete. Nothing that holds a value is dropped, unless --remove or \
      --allow-losses says so; the old store is copied before that.

      STORE is a file, or postgresql://user@host/database: then --store-name says which store of the database, \
      that is, which schema. A store in a server is not copied before a loss; use pg_dump.

      --forecast (or --dry-run) shows the steps with their numbers of rows, the losses, and the obstacles. It \
      changes nothing, and ends with 0 if there is nothing to do, with 1 if nothing would be lost, and with 2 \
      if something would be lost, or the migration is impossible.

        datastore migrate company.sqlite --to new-model.json --forecast
        datastore migrate company.sqlite --to new-model.json --rename Employee.tel=phone
      """)

  @Argument(
    help: "The store, made by SwiftDatastore: a file, or a postgresql:// address.",
    completion: .file())
  var store: String

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "The new version: a store, a model of Core Data, or a schema as JSON.", valueName: "model"),
    completion: .file())
  var model: String

  @Option(
    help: ArgumentHelp(
      "The store in the database of a server: a schema, by default “datastore”.",
      valueName: "name"))
  var storeName: String?

  @Option(
    help: ArgumentHelp(
      "A new name: Employee.tel=phone for a property, Employee=Person for an entity; the former name is on "
        + "the left. May be given several times.", valueName: "old=new"))
  var rename: [String] = []

  @Option(
    help: ArgumentHelp(
      "An entity (Visit) or a property (Employee.fax) that may be deleted with its data. May be given "
        + "several times.", valueName: "name"))
  var remove: [String] = []

  @Flag(help: "Delete everything that the new version does not have.")
  var allowLosses = false

  @Flag(
    name: [.customLong("forecast"), .customLong("dry-run"), .customShort("n")],
    help: "Show what would be done, and change nothing.")
  var forecast = false

  @Option(help: "The format of the forecast: text or json.")
  var format = ForecastFormat.text

  @Option(
    help: ArgumentHelp(
      "Where to keep a copy of the old store when a migration loses something of it; by default beside it.",
      valueName: "file"), completion: .file())
  var backup: String?

  @Flag(help: "Keep no copy of the old store.")
  var noBackup = false

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  func validate() throws {
    if format != .text, !forecast {
      throw ValidationError("--format applies to --forecast only.")
    }
    if let backup, backup.isEmpty {
      throw ValidationError("--backup needs the name of a file; --no-backup keeps no copy.")
    }
    if noBackup, backup != nil {
      throw ValidationError("--backup and --no-backup exclude each other.")
    }
  }

  func run() async throws {
    do {
      try await migrate()
    } catch let code as ExitCode {
      throw code
    } catch is CancellationError {
      throw Failure(Interruption.status, "The migration was interrupted. Nothing was changed.")
    } catch let error as MigrationError {
      throw Failure(.losses, error.description(of: MigrationText.sentence))
    } catch {
      throw Failure(error)
    }
  }

  private func request(_ target: MigrationTarget) -> MigrationRequest {
    var request = MigrationRequest(
      policy: allowLosses ? .declared(.all) : remove.isEmpty ? .lossless : .declared(.init(remove)))
    // A version that the user names may also be an older one.
    request.mayGoBack = true
    if case .file(let url) = target, !noBackup {
      request.backupPath = backup ?? SwiftDatastore.backupPath(beside: url)
    }
    return request
  }

  private func migrate() async throws {
    let target = try MigrationTarget(store, storeName: storeName)
    if case .server = target, backup != nil {
      throw Failure(.usage, "--backup copies files; copy a database in a server with pg_dump.")
    }
    let store = target.title(self.store)
    let old = try target.schema(store)
    let model = try ModelFile.schema(at: self.model)
    let names = try MigrationNames(rename, from: old, to: model)
    let schema = try names.schema(of: model)
    try names.requireFormerNames(in: old, of: schema, store: store)
    let request = self.request(target)
    let found = try target.forecast(schema, request)
    // What is done already has removed them.
    if found.kind > .metadata { try requireRemoved(in: old, store: store) }
    if forecast {
      switch format {
      case .text: for line in MigrationText(found, store: store).lines { print(line) }
      case .json: print(ForecastJSON.text(found), terminator: "")
      }
      let isLosing = !found.losses.isEmpty || !found.obstacles.isEmpty
      let status: ExitStatus =
        isLosing ? .losses : found.hasMigration ? .skipped : .success
      throw ExitCode(status.rawValue)
    }
    guard found.hasMigration else {
      print("\(store) is of that version already.")
      return
    }
    try await perform(schema, target, request)
    let rows = found.rowsToWrite
    var sentence =
      "Migrated \(target.title(self.store, article: "the")): \(CountText.counted(rows, "row")) written"
    if !found.losses.isEmpty, let copy = request.backupPath {
      sentence += "; the old store is kept as \(copy)"
    }
    print(sentence + ".")
  }

  private func perform(
    _ schema: Schema, _ target: MigrationTarget, _ request: MigrationRequest
  ) async throws {
    var request = request
    let isCancelled = Lock(false)
    request.isCancelled = { isCancelled.withLock { $0 } }
    let display = MigrationDisplay(isTerminal: isatty(STDERR_FILENO) == 1, isQuiet: quiet)
    request.progress = { display.show($0) }
    let interruption = Interruption { isCancelled.withLock { $0 = true } }
    defer {
      interruption.end()
      display.finish()
    }
    try await BlockingWork.run { [request] in
      Result { try target.migrate(to: schema, request) }
    }.get()
  }

  /// Rejects misspelt names, which would permit nothing without any hint of the cause.
  private func requireRemoved(in old: Schema, store: String) throws {
    for name in remove {
      if old.entity(named: name) == nil, !old.properties(at: name).contains(where: { $0.isThere }) {
        throw Failure(.usage, "\(store) has no “\(name)” that could be removed.")
      }
    }
  }
}

enum ForecastFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

/// The renamings in `--rename`.
struct MigrationNames {
  private var entities: [(former: String, new: String)] = []
  private var properties: [(entity: String, former: String, new: String)] = []

  /// - Throws: `Failure` for an argument that is not a renaming.
  init(_ arguments: [String], from old: Schema, to model: Schema) throws {
    for argument in arguments {
      let sides = argument.splits(at: "=").filter { !$0.before.isEmpty && !$0.after.isEmpty }
      // Names may contain the sign. A store that is migrated already does not have the former one.
      let named = sides.filter { model.hasAnywhere($0.after) }
      guard
        let (former, new) = named.first(where: { old.has($0.before) }) ?? named.first ?? sides.first
      else {
        throw Failure(
          .usage,
          "“\(argument)” is not a renaming; write --rename Employee.tel=phone or Employee=Person.")
      }
      if let path = Self.property(at: former, new: new, from: old, to: model) {
        properties.append((path.entity, path.property, new))
      } else {
        entities.append((former, new))
      }
    }
  }

  /// The property that a former name means; nil if it means an entity.
  private static func property(
    at former: String, new: String, from old: Schema, to model: Schema
  ) -> (entity: String, property: String)? {
    if old.entity(named: former) != nil { return nil }
    let paths = old.properties(at: former)
    let path =
      paths.first(where: { $0.isThere })
      ?? paths.first { old.hasRenamed($0.property, of: $0.entity, to: new) }
      ?? paths.first { model.entity(named: $0.entity)?.hasProperty(new) ?? false }
    if let path { return (path.entity, path.property) }
    if old.entity(named: new) != nil, model.entity(named: new) != nil { return nil }
    let unknown = paths.first { old.entity(named: $0.entity) != nil } ?? paths.last
    return unknown.map { ($0.entity, $0.property) }
  }

  /// The new version, with the former names added.
  ///
  /// - Throws: `Failure` if it lacks a renamed entity or property; `SchemaError`.
  func schema(of model: Schema) throws -> Schema {
    var descriptions = model.entities.map(\.description)
    for (former, new) in entities {
      guard let place = descriptions.firstIndex(where: { $0.name == new }) else {
        throw Failure(.usage, "The new version has no entity “\(new)”.")
      }
      descriptions[place].renamedFrom = former
    }
    for (entity, former, new) in properties {
      var isFound = false
      for place in descriptions.indices
      where isKind(descriptions[place], of: entity, in: descriptions) {
        for slot in descriptions[place].properties.indices
        where descriptions[place].properties[slot].name == new {
          descriptions[place].properties[slot].setFormerName(former)
          isFound = true
        }
      }
      if !isFound {
        throw Failure(.usage, "\(entity) has no property “\(new)” in the new version.")
      }
    }
    return try Schema(descriptions, version: model.version, removes: model.removes)
  }

  /// Rejects misspelt former names, which would match nothing: their values would be lost, or be an obstacle.
  /// A store that is migrated already has the new name.
  ///
  /// - Throws: `Failure` for an entity or a property that the store has under neither name.
  func requireFormerNames(in old: Schema, of schema: Schema, store: String) throws {
    for (former, new) in entities
    where old.entity(named: former) == nil && old.entity(named: new) == nil {
      throw Failure(.usage, "\(store) has no entity “\(former)”.")
    }
    let descriptions = schema.entities.map(\.description)
    for (name, former, new) in properties {
      let owners = descriptions.filter { isKind($0, of: name, in: descriptions) }
        .flatMap { [$0.name, $0.renamedFrom].compactMap(\.self) }
        .compactMap { old.entity(named: $0) }
      let isThere = owners.contains { owner in
        owner.properties.contains { [former, new].contains($0.nameInFile) }
      }
      if !isThere { throw Failure(.usage, "\(store) has no property “\(former)” in \(name).") }
    }
  }

  /// Whether an entity, or one that it inherits from, has a name or had it formerly.
  private func isKind(
    _ description: EntityDescription, of name: String, in all: [EntityDescription]
  ) -> Bool {
    var current: EntityDescription? = description
    for _ in all {
      guard let entity = current else { return false }
      if entity.name == name || entity.renamedFrom == name { return true }
      current = all.first { $0.name == entity.parent }
    }
    return false
  }
}

extension Schema {
  /// The entities and properties that `Employee.fax` can mean, since names may contain dots: the
  /// longest name of an entity first.
  fileprivate func properties(
    at path: String
  ) -> [(entity: String, property: String, isThere: Bool)] {
    path.splits(at: ".").reversed().filter { !$0.before.isEmpty && !$0.after.isEmpty }.map {
      ($0.before, $0.after, entity(named: $0.before)?.hasProperty($0.after) ?? false)
    }
  }

  /// Whether there is an entity or a property at a path.
  fileprivate func has(_ path: String) -> Bool {
    entity(named: path) != nil || properties(at: path).contains(where: { $0.isThere })
  }

  /// Whether a property of an entity, which had that name or has it, has got its new name already.
  fileprivate func hasRenamed(_ former: String, of entity: String, to new: String) -> Bool {
    entities.contains {
      ($0.name == entity || $0.description.renamedFrom == entity)
        && $0.properties.contains { $0.name == new && $0.renamedFrom == former }
    }
  }

  /// Whether an entity, or any property, has a name.
  fileprivate func hasAnywhere(_ name: String) -> Bool {
    entity(named: name) != nil || entities.contains { $0.hasProperty(name) }
  }
}

extension Entity {
  fileprivate func hasProperty(_ name: String) -> Bool {
    properties.contains { $0.name == name || $0.nameInFile == name }
  }
}

extension String {
  /// The text before and after each occurrence of a separator.
  fileprivate func splits(at separator: String) -> [(before: String, after: String)] {
    let parts = self.parts(at: separator)
    return (1..<parts.count).map {
      (
        parts[..<$0].joined(separator: separator), parts[$0...].joined(separator: separator)
      )
    }
  }
}

extension PropertyDescription {
  fileprivate mutating func setFormerName(_ name: String) {
    switch self {
    case .attribute(var attribute):
      attribute.renamedFrom = name
      self = .attribute(attribute)
    case .relationship(var relationship):
      relationship.renamedFrom = name
      self = .relationship(relationship)
    }
  }
}

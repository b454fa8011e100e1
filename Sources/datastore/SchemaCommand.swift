import ArgumentParser
import Basics
import DatastoreCore
import DatastoreExport
import TerminalUI

/// `datastore schema`: the schema of a file.
struct SchemaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Write the schema of a file: for people, diagrams, programs or Swift.",
    discussion: """
      The file is only read: its schema, a few values of columns that may hold dates, to detect how they \
      are stored, and a few thousand values of columns that are named after a table, to detect whether \
      they refer to it.

      CSV, TSV, JSON and JSON Lines files, compressed (.gz, .xz, .zst, .bz2) or not, .zip, .xlsx and .parquet, pipes, and - for \
      standard input have the schema of the table that datastore load would create from them: the types are detected from all values. --with adds \
      the tables of further files.

        datastore schema people.csv --with offices.csv --format swift

      postgresql://user@host/database has the schema of its tables; with --store-name that of a store that SwiftDatastore \
      made there, with everything in its model.

      Formats:
        text     entities with columns (keys, NOT NULL, defaults), relationships (inverse, delete rule), \
      indexes, checks, triggers, the SQL of views, changes of other tools in a store of SwiftDatastore, and \
      relationships that names and values suggest
        graph    boxes for entities with their keys and foreign keys, and lines for relationships, as text
        mermaid  an entity relationship diagram of Mermaid
        dot      a graph of Graphviz: datastore schema FILE --format dot | dot -Tsvg
        json     everything, for programs
        swift    classes of SwiftDatastore that fit the file
        lock     the tables as text, which a program keeps as the lock of a version of its model
        xcdatamodel  a model for Xcode, as XML: the file “contents” of a folder NAME.xcdatamodel

      A model of Core Data (.momd, .mom, .xcdatamodeld, .xcdatamodel) has the schema of its current version; the path \
      of one of its versions that of this one.

        datastore schema Notes.xcdatamodeld
        datastore schema Notes.xcdatamodeld/Notes.xcdatamodel --compare Notes.xcdatamodeld
      """)

  @Argument(
    help: """
      The file: a SQLite file, a model of Core Data, CSV, TSV, JSON, a pipe, or - for standard input; or a \
      database in a server, postgresql://user@host/database.
      """, completion: .file())
  var file: String

  @Argument(
    help: "The entities (tables and views) to write; without any, all of them.",
    completion: .entities)
  var entities: [String] = []

  @Option(help: "text, graph, mermaid, dot, json, swift, lock or xcdatamodel.")
  var format = SchemaFormat.text

  @Option(
    name: .shortAndLong, help: "The file to write, instead of standard output (-).",
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      """
      Another file, a model of Core Data, or a schema as JSON: write how its schema differs from that of the file, \
      which then may be a schema as JSON, too (formats text and json). Of two SQLite files of other programs \
      also the statements are compared.
      """, valueName: "other"), completion: .file())
  var compare: String?

  @OptionGroup var place: PlaceArguments

  @OptionGroup var ofCoreData: CoreDataModelArgument

  @Flag(help: "Draw text and graph with ASCII characters only.")
  var ascii = false

  @Flag(help: "Also show join tables, which are many-to-many relationships, as tables.")
  var joinTables = false

  @OptionGroup(title: "Reading CSV and JSON") var input: InputArguments

  func validate() throws {
    if !entities.isEmpty, compare != nil || format == .lock {
      throw ValidationError("--compare and the format lock cover a whole file; name no entities.")
    }
  }

  func run() async throws {
    if let compare { return try write(differencesTo: compare) }
    if CoreDataModelFile.isNamed(file) {
      let outline = try ModelFile.outline(ofCoreDataModelAt: file)
      return try write(entities.isEmpty ? outline : outline.only(entities))
    }
    try await BrowsedRows.withStore(of: file, input, in: place, for: .types) { store, rows in
      try writeSchema(of: store, rows)
    }
  }

  private func writeSchema(of file: String, _ rows: BrowsedRows?) throws {
    // Join tables are included if entities are named, since a name may be that of a join table.
    let address = try place.address(of: file)
    try OpenedFile.read(
      address, model: ofCoreData.read(), showsJoinTables: joinTables || !entities.isEmpty, of: rows
    ) { store in
      var outline = try outline(of: store)
      // Servers declare their foreign keys, so suggestions are needed for files only.
      if format == .text || format == .json, !address.isServer {
        let tables = Set(outline.entities.map(\.name.exactKey))
        outline.suggestions = try store.answer(SuggestionsQuestion())
          .filter { tables.contains($0.table.exactKey) }
      }
      try write(outline)
    }
  }

  private func outline(of store: any StoreEngine) throws -> SchemaOutline {
    let named = try entities.map { try OpenedFile.entity(named: $0, in: store.schema).index }
    return try SchemaOutline(store, of: named.isEmpty ? nil : Set(named))
  }

  private func write(_ outline: SchemaOutline) throws {
    try OutputPlace(path: output).write { stream in
      stream.write(
        format.text(of: outline, glyphs: ascii || !LocaleName().isUnicode ? .ascii : .unicode))
    }
  }
}

extension SchemaCommand {
  /// Writes the differences; exits with 1 if there are any.
  private func write(differencesTo other: String) throws {
    guard format == .text || format == .json else {
      throw Failure(.usage, "--compare writes text or json, not \(format.rawValue).")
    }
    let changes = SchemaDifference(
      from: try ModelFile.schema(at: file), to: try ModelFile.schema(at: other)
    ).changes()
    let definitions = try ModelFile.definitionDifferences(from: file, to: other)
      .filter { !$0.isSaid(by: changes) }
    try OutputPlace(path: output).write { stream in
      stream.write(
        format == .json
          ? SchemaChangesText.json(changes, definitions)
          : SchemaChangesText.text(changes, definitions))
    }
    if !changes.isEmpty || !definitions.isEmpty { throw ExitCode(ExitStatus.skipped.rawValue) }
  }
}

extension SchemaFormat: ExpressibleByArgument {}

extension SchemaOutline {
  /// - Throws: `Failure` for an unknown name.
  fileprivate func only(_ names: [String]) throws -> SchemaOutline {
    var outline = SchemaOutline(
      entities: try names.map { name in
        guard let entity = entities.first(where: { $0.name == name }) else {
          throw ViewArguments.unknown("entity", name, among: entities.map(\.name), of: "the model")
        }
        return entity
      })
    outline.version = version
    return outline
  }
}

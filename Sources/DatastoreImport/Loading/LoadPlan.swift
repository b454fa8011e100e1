import Basics
package import DatastoreCore
import Foundation

/// The files to load, and the content of their records.
package struct LoadPlan: Sendable {
  /// In loading order.
  package var sources: [LoadSource]
  /// The compiled model of a new store; nil to infer its entities.
  package let model: String?

  package init(sources: [LoadSource], model: String? = nil) {
    self.sources = sources
    self.model = model
  }

  /// The files of a manifest.
  package init(_ manifest: ImportManifest) {
    let folder =
      manifest.path.lastPlace(of: "/").map { String(manifest.path.text(through: $0)) } ?? ""
    model = manifest.model
    sources = manifest.files.map { file in
      let path = folder + file.path
      return LoadSource(
        input: .file(path: path), name: path, reading: file.readingOptions, content: file.content)
    }
  }

  /// Files named one by one.
  ///
  /// - Parameters:
  ///   - paths: The files. A folder means its `manifest.yaml`, an archive or a workbook its tables, `-`
  ///     standard input. Pipes are read once.
  ///   - entity: The entity of the records; if nil, the name of each file without its extension.
  ///   - key: The column that identifies the object of a record; if nil, each record is a new object.
  ///   - reading: How the files are read, except those of a manifest, which has its own settings.
  ///   - types: The types of columns of new tables; those of others are inferred from their values.
  /// - Throws: `ImportError` when a manifest is invalid or missing; `LoadPlanFault`.
  package init(
    paths: [String], entity: String? = nil, key: String? = nil,
    reading: ReadingOptions = ReadingOptions(), types: [(column: String, type: ColumnType)] = []
  ) throws {
    if paths.filter({ $0 == "-" }).count > 1 { throw LoadPlanFault.standardInputTwice }
    var sources: [LoadSource] = []
    var model: String?
    for path in paths {
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      if path != "-", isDirectory.boolValue || path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
        if entity != nil || key != nil { throw LoadPlanFault.manifestWithEntity(path: path) }
        let manifest = try Self.manifest(at: path, isDirectory: isDirectory.boolValue)
        let plan = LoadPlan(manifest)
        sources += plan.sources
        model = model ?? plan.model
        continue
      }
      func content(
        _ name: String, _ types: [(column: String, type: ColumnType)]
      ) -> ImportManifest.EntityContent {
        ImportManifest.EntityContent(
          entity: name, key: key,
          columns: types.map { column, type in
            ImportManifest.Column(name: column, property: column, role: .attribute(type))
          })
      }
      if let conversion = FileConversion(of: path) {
        var taken = NameRegistry()
        let said = Set(types.map(\.column))
        sources += try conversion.sources(reading) { table, texts in
          let name = try entity ?? taken.claim(table ?? Self.entityName(of: path))
          return content(name, types + texts.filter { !said.contains($0) }.map { ($0, .string) })
        }
        continue
      }
      sources.append(
        LoadSource(
          input: LoadSource.Input(named: path),
          name: path == "-" ? "standard input" : path, reading: reading,
          content: .entity(content(try entity ?? Self.entityName(of: path), types))))
    }
    self.init(sources: sources, model: model)
  }

  /// Files that become tables of a new store, one each.
  ///
  /// - Parameters:
  ///   - entity: the name of the table if there is one file, or of one that has no name; if nil, the name of
  ///     the file, or `input`.
  /// - Throws: `ImportError` when a manifest is invalid; `LoadPlanFault`.
  package init(
    tables paths: [String], entity: String?, reading: ReadingOptions,
    types: [(column: String, type: ColumnType)] = []
  ) throws {
    if paths.count(where: { $0 == "-" }) > 1 { throw LoadPlanFault.standardInputTwice }
    var sources: [LoadSource] = []
    var taken = NameRegistry()
    for path in paths {
      // A file with several tables has names for them.
      let isOne = paths.count == 1 && ConvertedFormat(of: path) == nil
      let name = Self.isNameless(path) ? entity ?? "input" : isOne ? entity : nil
      for var source in try LoadPlan(
        paths: [path], entity: name, reading: reading, types: types
      ).sources {
        if case .entity(var content) = source.content {
          // Two files may have one name in two folders.
          content.entity = taken.claim(content.entity)
          source.content = .entity(content)
        }
        sources.append(source)
      }
    }
    self.init(sources: sources)
  }

  /// The plan limited to the first records of each file, or unlimited for nil; see
  /// `ReadingOptions.mostRecords`.
  package func limited(to count: Int?) -> LoadPlan {
    var plan = self
    for index in plan.sources.indices { plan.sources[index].reading.mostRecords = count }
    return plan
  }

  /// The plan for a store: its entities have their own names, whatever the case of letters in the plan, the
  /// records for a table of pairs are links, and a first record that consists of names of properties is a
  /// header row.
  package func fitting(_ store: any DescribedStore) -> LoadPlan {
    let schema = store.schema
    var plan = self
    for index in sources.indices {
      guard case .entity(var content) = sources[index].content else { continue }
      guard let entity = schema.entity(meantBy: content.entity) else {
        if let links = ImportManifest.LinkContent(pairsIn: content.entity, of: store) {
          plan.sources[index].content = .links(links)
          plan.sources[index].reading.csv.tableColumns = [links.from, links.to]
        }
        continue
      }
      if schema.entity(named: content.entity) == nil {
        content.entity = entity.name
        plan.sources[index].content = .entity(content)
      }
      var names = Set(entity.properties.map(\.name))
      names.formUnion(entity.description.aliases.keys)
      // A column may be called by the path to the key of a related object.
      for link in entity.links.compactMap(\.self) where link.kind == .toOne {
        names.formUnion(
          schema.entities[link.destination].properties.map {
            "\(link.description.name).\($0.name)"
          })
      }
      names.formUnion(content.columns.map(\.name))
      plan.sources[index].reading.csv.tableColumns = names
    }
    return plan
  }

  private static func manifest(at path: String, isDirectory: Bool) throws -> ImportManifest {
    guard isDirectory else { return try ImportManifest(contentsOf: path) }
    let folder = path.ends(with: "/") ? String(path.dropLast()) : path
    let manifest = "\(folder)/manifest.yaml"
    guard FileManager.default.fileExists(atPath: manifest) else {
      throw LoadPlanFault.noManifest(folder: path)
    }
    return try ImportManifest(contentsOf: manifest)
  }

  static func entityName(of path: String) throws -> String {
    var file = URL(fileURLWithPath: path)
    if let inner = Compression.inner(file.lastPathComponent[...]) {
      file = URL(fileURLWithPath: inner)
    }
    let name = file.deletingPathExtension().lastPathComponent
    guard !isNameless(path), !name.isEmpty else {
      throw LoadPlanFault.noEntity(path == "-" ? "Standard input" : path)
    }
    return name
  }

  /// Whether a path says nothing about its content: standard input, and the pipes of the shell's `<(…)`,
  /// which have numbers.
  package static func isNameless(_ path: String) -> Bool {
    path == "-" || ["/dev/fd/", "/dev/std", "/proc/"].contains { path.hasPrefix($0) }
  }

  /// Whether it may wait for a program that writes to a pipe, or for a person who types.
  package var readsPipes: Bool {
    sources.contains { source in
      switch source.input {
      case .file: false
      case .spooled(let spooled): spooled.size == nil
      case .pipe, .standardInput: true
      }
    }
  }
}

extension ImportManifest.LinkContent {
  /// The pairs of a table; nil if the store has no such table.
  fileprivate init?(pairsIn table: String, of store: any DescribedStore) {
    guard let (link, pairs) = store.relationship(pairedIn: table) else { return nil }
    let entities = store.schema.entities
    self.init(
      entity: entities[link.entity].name, from: pairs.own.column,
      relationship: link.description.name, destination: entities[link.destination].name,
      to: pairs.other.column, inverse: nil, fromReferred: pairs.own.referenced,
      toReferred: pairs.other.referenced)
  }
}

/// The reason why arguments do not make a plan.
package enum LoadPlanFault: Error, Hashable, Sendable, CustomStringConvertible {
  case noManifest(folder: String)
  case manifestWithEntity(path: String)
  case standardInputTwice
  case noEntity(String)

  package var description: String {
    switch self {
    case .noManifest(let folder):
      "\(folder) is a folder without a manifest.yaml, which would say what its files hold; "
        + "name the files one by one."
    case .manifestWithEntity(let path):
      "The manifest of \(path) says which entities its files fill; leave out --entity and --key."
    case .standardInputTwice:
      "Standard input (-) can be read only once."
    case .noEntity(let name):
      "\(name) has no name that could be the entity's; say which with --entity."
    }
  }
}

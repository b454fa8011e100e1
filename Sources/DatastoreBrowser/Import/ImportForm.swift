import Basics
import DatastoreCore
import DatastoreImport
import TerminalUI

/// The settings of an import: the detected format of the file, its first rows, and the property that each
/// column fills. The user can correct everything before the import starts.
struct ImportForm: LineListOverlay {
  /// The destination of the records.
  enum Target: Hashable, Sendable {
    case entity(EntityIndex)
    case newTable(String)
  }

  /// The destination of one column.
  struct Mapping: Hashable, Sendable {
    /// The property that the column fills; nil to leave the column out.
    var property: String?
    /// The type of the property in a new table; nil for a type that holds all values.
    var type: ColumnType?
  }

  static let scope = CommandScope(
    "import", title: "In the import form", traits: [.scrolls, .accepts, .closes, .toggles],
    labels: ["accept": "change", "toggle": "leave out"])
  var scope: CommandScope { naming == nil ? Self.scope : .importName }
  let path: String
  /// The user's settings; those that are nil are detected.
  private(set) var reading = ImportForm.detecting
  var target: Target
  /// The tables of an archive or a workbook, once they are known; empty for text.
  private(set) var tables: [LoadSource] = []
  /// The one of them to import.
  private(set) var table = 0
  /// The one that the target was chosen for.
  private var shownTable: Int?
  /// Nil until the file has been read with these settings.
  private(set) var preview: ImportPreview?
  private(set) var failure: String?
  private(set) var mappings: [Mapping] = []
  /// The column that identifies the object of a record; nil to create a new object for each record.
  private(set) var key: String?
  var scroll = ScrollState()
  /// The field for the name of the new table, while it is edited.
  var naming: TextField?
  /// The fault of that name.
  var namingFault: String?
  /// The number of the expected preview.
  private(set) var number: Int

  init(_ path: String, target: Target, number: Int) {
    self.path = path
    self.target = target
    self.number = number
  }

  /// Settings that detect everything and name columns without names.
  private static var detecting: ReadingOptions {
    var options = ReadingOptions()
    options.csv.header = .detect
    options.csv.repairsHeader = true
    return options
  }

  /// The name of a table made from the name of the file.
  static func tableName(of path: String) -> String {
    let file = path.words(at: "/").last.map(String.init) ?? path
    guard let point = file.lastPlace(of: "."), point != file.startIndex else { return file }
    return String(file[..<point])
  }

  /// The table with a name, else the shown one, else a new one of that name.
  static func target(of name: String, or shown: EntityIndex?, in schema: Schema) -> Target {
    let named = schema.entities.first {
      !$0.isReadOnly && $0.name.lowercased() == name.lowercased()
    }
    return (named?.index ?? shown).map(Target.entity) ?? .newTable(freeName(name, in: schema))
  }

  func entity(in schema: Schema) -> Entity? {
    if case .entity(let index) = target { return schema.entities[index] }
    return nil
  }

  /// The name of the table.
  func targetName(in schema: Schema) -> String {
    switch target {
    case .entity(let index): schema.entities[index].name
    case .newTable(let name): name
    }
  }

  /// The settings in effect: the user's, and those detected.
  var found: ReadingOptions { preview?.reading ?? reading }

  /// Applies the preview of the file.
  mutating func apply(
    _ result: Result<ImportPreview, EffectFailure>, of number: Int, in state: BrowserState
  ) {
    guard number == self.number else { return }
    switch result {
    case .success(let preview):
      var isSame = preview.columns.map(\.name) == self.preview?.columns.map(\.name)
      self.preview = preview
      failure = nil
      if shownTable != preview.table, let table = preview.tables.dropFirst(preview.table).first {
        let former = entity(in: state.schema)?.index
        target = Self.target(of: table.entityName, or: former, in: state.schema)
        isSame = false
      }
      tables = preview.tables
      shownTable = preview.table
      if !isSame { map(in: state.schema) }
    case .failure(let failure):
      preview = nil
      mappings = []
      self.failure = failure.message
    }
    resize(in: state)
  }

  /// Maps each column to the property with its name.
  private mutating func map(in schema: Schema) {
    let columns = preview?.columns ?? []
    guard let entity = entity(in: schema) else {
      mappings = columns.map { Mapping(property: $0.name, type: $0.saidType) }
      if !columns.contains(where: { $0.name == key }) { key = nil }
      return
    }
    let properties = Self.properties(of: entity)
    var taken: Set<String> = []
    mappings = columns.map { column in
      let wanted = Self.plain(column.name)
      let identified = entity.relationship(identifiedBy: column.name, in: schema)
      let exact = properties.first { $0 == column.name } ?? properties.first { $0 == identified }
      let found = exact ?? properties.first { Self.plain($0) == wanted }
      guard let found, taken.insert(found).inserted else { return Mapping() }
      return Mapping(property: found)
    }
    if let key, property(of: key) == nil { self.key = nil }
  }

  /// The letters and digits of a name in lower case: people differ in the rest.
  private static func plain(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// The properties that a column can fill.
  static func properties(of entity: Entity) -> [String] {
    entity.slots.compactMap { slot in
      let property = entity.properties[slot]
      if let attribute = property.attribute { return attribute.isReadOnly ? nil : attribute.name }
      guard let relationship = property.relationship, relationship.kind == .toOne,
        !relationship.isReadOnly
      else { return nil }
      return relationship.name
    }
  }

  /// The property that a column fills.
  func property(of column: String) -> String? {
    guard let place = preview?.columns.firstIndex(where: { $0.name == column }) else { return nil }
    return mappings[place].property
  }

  /// Applies the choice for a line.
  ///
  /// - Returns: whether the file must be read again.
  mutating func apply(_ choice: ImportChoice, schema: Schema) -> Bool {
    switch choice {
    case .target(let target):
      self.target = target
      map(in: schema)
      return false
    case .table(let table, _): self.table = table
    case .format(let format):
      reading = Self.detecting
      reading.format = format
    case .delimiter(let delimiter): reading.csv.delimiter = delimiter
    case .header(let header): reading.csv.header = header
    case .encoding(let encoding): reading.encoding = encoding
    case .decimal(let mark): reading.csv.decimalMark = mark
    case .missing(let texts): reading.csv.missing = texts
    case .skippedLines(let lines): reading.csv.skippedLines = lines
    case .comment(let byte): reading.csv.comment = byte
    case .dates(let order): reading.dates = order
    case .array(let name): reading.json.path = ReadingOptions.path(name)
    case .flattens(let flattens): reading.json.flattens = flattens
    case .key(let column):
      key = column
      return false
    case .property(let column, let name):
      for index in mappings.indices where mappings[index].property == name && name != nil {
        mappings[index].property = nil
      }
      mappings[column].property = name
      if name == nil, preview?.columns[column].name == key { key = nil }
      return false
    case .type(let column, let type):
      mappings[column].type = type
      return false
    }
    return true
  }

  /// Waits for another preview.
  mutating func await(_ number: Int) { self.number = number }

  /// Why the import cannot start, as a sentence; nil if it can.
  var disabledReason: String? {
    if naming != nil { return "Accept the name of the table with enter first." }
    if let failure { return failure }
    guard let preview else { return "The file is still being read; wait until it is." }
    if preview.columns.isEmpty { return "The file has no columns." }
    if mappings.allSatisfy({ $0.property == nil }) {
      return "No column fills anything; pick a property for at least one."
    }
    return nil
  }

  /// A warning about a fault that many rows will have; nil if none is expected.
  func warning(in schema: Schema) -> String? {
    guard key == nil, let preview, let entity = entity(in: schema) else { return nil }
    let filled = Set(mappings.compactMap(\.property))
    let missing = entity.properties.lazy.compactMap(\.attribute).first {
      !$0.isOptional && !$0.isReadOnly && $0.defaultValue.isNull && !filled.contains($0.name)
    }
    guard let missing, !preview.columns.isEmpty else { return nil }
    return "\(entity.name).\(missing.name) must have a value, but no column fills it."
  }

  /// The source to load, with these settings.
  func source(in schema: Schema) -> LoadSource {
    let columns = zip(preview?.columns ?? [], mappings).map { column, mapping in
      ImportManifest.Column(
        name: column.name, property: mapping.property ?? column.name,
        role: mapping.property == nil ? .ignored : .attribute(mapping.type))
    }
    let content = ImportManifest.EntityContent(
      entity: targetName(in: schema), key: key, columns: columns, ignoresOthers: true)
    let table = tables.isEmpty ? nil : tables[table]
    return LoadSource(
      input: table?.input ?? .file(path: PathCompletion.expanded(path)), name: table?.name ?? path,
      reading: found, content: .entity(content))
  }
}

extension CommandScope {
  static let importName = CommandScope(
    "import-name", title: "While a new table is named", traits: .line,
    labels: ["accept": "accept"])
}

package import DatastoreCore

extension LoadPlan {
  /// The entities of a new store: what the manifest says, and for columns of which it says nothing,
  /// the narrowest type that holds all their values. Reads every file that fills an entity once.
  ///
  /// - Parameter progress: told after every batch of records; throws to end the reading.
  /// - Throws: `ImportError` when a file cannot be read, `SchemaError` when names do not go together.
  package func inferredSchema(
    batchSize: Int = 2_000, progress: (LoadProgress) throws -> Void
  ) throws -> Schema {
    var inference = SchemaInference()
    var rows = 0
    for (index, source) in sources.enumerated() {
      switch source.content {
      case .links(let links): inference.add(links)
      case .entity(let content):
        var reader = try source.makeReader()
        inference.begin(content, reader.decimalMark)
        if let csv = reader as? CSVReader {
          for column in csv.columns { inference.observe(.null, of: column) }
        }
        func report() throws {
          try progress(
            LoadProgress(
              stage: .inferring, file: source.name, fileNumber: index + 1,
              fileCount: sources.count, rows: rows, bytesRead: reader.bytesRead,
              totalBytes: reader.totalBytes))
        }
        while true {
          do {
            guard let record = try reader.next() else { break }
            for field in record.fields { inference.observe(field.value, of: field.name) }
          } catch ImportError.malformed {
            // The load itself tells of it.
          }
          rows += 1
          if rows.isMultiple(of: batchSize) { try report() }
        }
        try report()
        inference.end()
      }
    }
    return try Schema(inference.descriptions)
  }
}

/// Collects what files and manifest say about entities.
private struct SchemaInference {
  private struct Column {
    let name: String
    var types: ColumnTypeInference
  }

  private(set) var descriptions: [EntityDescription] = []
  private var content: ImportManifest.EntityContent?
  private var decimalMark = DecimalMark.point
  private var positions: Set<String> = []
  private var columns: [Column] = []
  private var places: [String: Int] = [:]

  mutating func begin(_ content: ImportManifest.EntityContent, _ decimalMark: DecimalMark) {
    self.content = content
    self.decimalMark = decimalMark
    columns = []
    places = [:]
    positions = content.positionColumns
  }

  mutating func observe(_ value: ImportValue, of column: String) {
    if let place = places[column] {
      columns[place].types.observe(value)
    } else {
      places[column] = columns.count
      columns.append(Column(name: column, types: ColumnTypeInference(decimalMark)))
      columns[columns.count - 1].types.observe(value)
    }
  }

  /// Turns the columns of the file into properties.
  mutating func end() {
    guard let content else { return }
    let entity = place(of: content.entity)
    for column in columns {
      let said = content.columns.first { $0.name == column.name }
      let property = said?.property ?? column.name
      switch said?.role {
      case .ignored: continue
      case .reference(let reference): add(reference, named: property, to: entity)
      case .attribute(let type):
        add(property, type ?? column.types.type, isKey: column.name == content.key, to: entity)
      case nil:
        if positions.contains(column.name) { continue }
        add(property, column.types.type, isKey: column.name == content.key, to: entity)
      }
    }
  }

  mutating func add(_ links: ImportManifest.LinkContent) {
    let entity = place(of: links.entity)
    add(
      RelationshipDescription(
        name: links.relationship, kind: .toMany, destination: links.destination,
        inverse: links.inverse), to: entity)
    guard let inverse = links.inverse else { return }
    add(
      RelationshipDescription(
        name: inverse, kind: .toMany, destination: links.entity, inverse: links.relationship),
      to: place(of: links.destination))
  }

  private mutating func add(
    _ name: String, _ type: ColumnType?, isKey: Bool, to entity: Int
  ) {
    guard !has(name, in: entity) else { return }
    descriptions[entity].properties.append(
      .attribute(
        AttributeDescription(
          name: name, type: (type ?? .string).attributeType, isOptional: !isKey, isUnique: isKey)))
  }

  private mutating func add(
    _ reference: ImportManifest.Reference, named name: String, to entity: Int
  ) {
    let owner = descriptions[entity].name
    add(
      RelationshipDescription(
        name: name, kind: reference.isToMany ? .toMany : .toOne,
        destination: reference.destination, inverse: reference.inverse), to: entity)
    guard let inverse = reference.inverse else { return }
    add(
      RelationshipDescription(
        name: inverse, kind: reference.positionColumn == nil ? .toMany : .orderedToMany,
        destination: owner, inverse: name), to: place(of: reference.destination))
  }

  private mutating func add(_ relationship: RelationshipDescription, to entity: Int) {
    guard !has(relationship.name, in: entity) else { return }
    descriptions[entity].properties.append(.relationship(relationship))
  }

  private func has(_ name: String, in entity: Int) -> Bool {
    descriptions[entity].properties.contains { $0.name == name }
  }

  private mutating func place(of entity: String) -> Int {
    if let place = descriptions.firstIndex(where: { $0.name == entity }) { return place }
    descriptions.append(EntityDescription(name: entity, properties: []))
    return descriptions.count - 1
  }
}

extension ImportManifest.EntityContent {
  /// The columns that only order the objects of a relationship and fill no attribute.
  var positionColumns: Set<String> {
    var names: Set<String> = []
    for column in columns {
      if case .reference(let reference) = column.role, let name = reference.positionColumn {
        names.insert(name)
      }
    }
    return names.subtracting(columns.map(\.name))
  }
}

extension ColumnType {
  /// The attribute type that a column of this type gets in a new store.
  var attributeType: AttributeType {
    switch self {
    case .string: .string
    case .integer: .integer64
    case .double: .double
    case .decimal: .decimal
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .url: .url
    }
  }
}

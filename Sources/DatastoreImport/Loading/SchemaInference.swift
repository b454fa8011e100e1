package import DatastoreCore

/// The entities of a new store that files become.
package struct InferredSchema: Sendable {
  package let schema: Schema
  /// Notes for the user about the inferred types: sentences.
  package let notes: [String]
  /// The observed columns of the files that fill entities, by the number of the file.
  var observed: [Int: ObservedColumns]

  /// - Parameter texts: the columns whose texts are kept beside their values, by the number of the file.
  /// - Throws: `SchemaError` when names conflict, `LoadError.unfit` when a type is given for a column that
  ///   does not exist.
  init(
    of plan: LoadPlan, observed: [Int: ObservedColumns], keeping texts: [Int: Set<String>] = [:]
  ) throws {
    var inference = SchemaInference()
    for (index, source) in plan.sources.enumerated() {
      switch source.content {
      case .links(let links): inference.add(links)
      case .entity(let content):
        if let columns = observed[index] {
          try inference.add(columns, of: source, content, keeping: texts[index] ?? [])
        }
      }
    }
    schema = try Schema(inference.descriptions.elements)
    notes = inference.notes
    self.observed = observed
  }

  /// Whether only the beginning of some file was read.
  package var isGuess: Bool { observed.values.contains { !$0.isWhole } }
}

extension LoadPlan {
  /// The entities of a new store: as the manifest says, and for columns that it does not describe, the
  /// narrowest type that holds all their values. Reads every file that fills an entity once.
  ///
  /// - Parameters:
  ///   - sampleSize: about how many bytes are read of files whose types are inferred again while they are
  ///     loaded; nil if all of every file is read, for example because texts are kept.
  ///   - progress: called after every batch of records; throws to end the reading.
  /// - Throws: `ImportError` when a file cannot be read, `SchemaError` when names conflict, `LoadError.unfit`
  ///   when a type is given for a column that does not exist.
  package func inferredSchema(
    batchSize: Int = 2_000, sampleSize: Int? = nil, progress: (LoadProgress) throws -> Void
  ) throws -> InferredSchema {
    var observed: [Int: ObservedColumns] = [:]
    var rows = 0
    func tell(_ index: Int, _ reader: any RecordReader, _ count: Int) throws {
      try progress(
        LoadProgress(
          stage: .inferring, file: sources[index].name, fileNumber: index + 1,
          fileCount: sources.count, rows: rows + count, bytesRead: reader.bytesRead,
          totalBytes: reader.totalBytes))
    }
    for (index, source) in sources.enumerated() {
      guard case .entity = source.content else { continue }
      let isSample = streamsRows(of: source) && !source.reading.keepsLostTexts
      let columns = try source.observedColumns(
        batchSize: batchSize, sampleSize: isSample ? sampleSize : nil
      ) { try tell(index, $0, $1) }
      rows += columns.recordCount
      observed[index] = columns
    }
    let found = try InferredSchema(of: self, observed: observed)
    var texts: [Int: Set<String>] = [:]
    for (index, source) in sources.enumerated() where source.reading.keepsLostTexts {
      guard case .entity(let content) = source.content,
        let entity = found.schema.entity(named: content.entity)
      else { continue }
      texts[index] = try source.columnsLosingTexts(
        as: entity, content, dateOrders: observed[index]?.dateOrders ?? [:], batchSize: batchSize
      ) { try tell(index, $0, $1) }
    }
    return texts.isEmpty
      ? found : try InferredSchema(of: self, observed: observed, keeping: texts)
  }
}

/// Collects the descriptions of entities in files and manifest.
private struct SchemaInference {
  private(set) var descriptions: ByEntity<EntityDescription> = []
  private(set) var notes: [String] = []

  /// Turns the columns of a file into properties.
  ///
  /// - Parameter texts: the columns whose texts are kept beside their values.
  mutating func add(
    _ found: ObservedColumns, of source: LoadSource, _ content: ImportManifest.EntityContent,
    keeping texts: Set<String>
  ) throws {
    let entity = place(of: content.entity)
    let positions = content.positionColumns
    try requireColumns(content, found, source)
    for column in found.columns {
      let said = content.columns.first { $0.name == column.name }
      let property = content.property(of: column.name)
      let isKey = column.name == content.key
      switch said?.role {
      case .ignored: continue
      case .reference(let reference): add(reference, named: property, to: entity)
      case .attribute(let type?):
        add(property, type == .date ? found.dateType(of: column) : type, isKey: isKey, to: entity)
      case .attribute(nil), nil:
        if positions.contains(column.name) { continue }
        if let sentence = found.sentence(of: column) {
          notes.append("\(source.name): \(sentence).")
        }
        add(property, found.type(of: column), isKey: isKey, to: entity)
      }
      guard texts.contains(column.name) else { continue }
      let name = LostTexts.column(for: property)
      add(name, .string, isKey: false, to: entity)
      notes.append(
        "\(source.name): “\(name.shownInMessage)” keeps the texts of “\(column.name.shownInMessage)” that its "
          + "values do not give back.")
    }
    notes += found.nameSentences.map { "\(source.name): \($0)." }
    if let sentence = found.irregularSentence { notes.append("\(source.name): \(sentence).") }
    if let sentence = found.listSentence { notes.append("\(source.name): \(sentence).") }
  }

  /// - Throws: `LoadError.unfit` if a type is given for a column that no record has.
  private func requireColumns(
    _ content: ImportManifest.EntityContent, _ found: ObservedColumns, _ source: LoadSource
  ) throws {
    let names = found.columns.map(\.name)
    for column in content.columns {
      guard case .attribute(_?) = column.role, !names.isEmpty, !names.contains(column.name) else {
        continue
      }
      throw LoadError.unfit(
        nil,
        reason: "\(source.name) has no column “\(column.name.shownInMessage)”, of which a type is "
          + "said; it has \(names.map(\.shownInMessage).joined(separator: ", "))")
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
    _ name: String, _ type: ColumnType?, isKey: Bool, to entity: EntityIndex
  ) {
    guard !has(name, in: entity) else { return }
    descriptions[entity].properties.append(
      .attribute(
        AttributeDescription(
          name: name, type: (type ?? .string).attributeType, isOptional: !isKey, isUnique: isKey)))
  }

  private mutating func add(
    _ reference: ImportManifest.Reference, named name: String, to entity: EntityIndex
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

  private mutating func add(_ relationship: RelationshipDescription, to entity: EntityIndex) {
    guard !has(relationship.name, in: entity) else { return }
    descriptions[entity].properties.append(.relationship(relationship))
  }

  private func has(_ name: String, in entity: EntityIndex) -> Bool {
    descriptions[entity].properties.contains { $0.name == name }
  }

  private mutating func place(of entity: String) -> EntityIndex {
    if let place = descriptions.firstIndex(where: { $0.name == entity }) { return place }
    return descriptions.append(EntityDescription(name: entity, properties: []))
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
    case .day: .calendarDate
    case .data: .data
    case .uuid: .uuid
    case .url: .url
    }
  }
}

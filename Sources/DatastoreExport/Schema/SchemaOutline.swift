package import DatastoreCore

/// The schema of a file, ready to be shown: entities with their properties and indexes.
package struct SchemaOutline: Sendable {
  package let entities: [EntityOutline]
  /// Unsaved edits, each a sentence without its full stop.
  package var staged: [String] = []
  /// Differences between the tables, as other tools have changed them, and the store's own description; each
  /// the end of a sentence.
  package var differences: [String] = []
  /// Parts of the file's own model that could not be read, as sentences.
  package var notes: [String] = []
  /// Content of that model other than entities and properties, as sentences without their full stops.
  package var remarks: [String] = []
  /// The migrations of the store, oldest first.
  package var migrations: [MigrationRecord] = []
  /// Relationships that names and values suggest. The screens that show them do the search.
  package var suggestions: [RelationshipSuggestion] = []

  /// The name of the model version, if the file records it.
  package var version: String?

  package init(entities: [EntityOutline]) {
    self.entities = entities
  }

  /// Reads the indexes of a store's tables; everything else is in memory.
  ///
  /// - Parameter entities: the entities to include; nil for all.
  /// - Throws: `StoreError`.
  package init(_ store: any DescribedStore, of entities: Set<EntityIndex>? = nil) throws {
    let details = try store.tableDetails()
    version = store.schema.version
    differences = store.schemaDifferences
    notes = store.modelNotes
    remarks = store.modelRemarks
    migrations = try store.migrationHistory()
    self.entities = try store.schema.entities.compactMap { entity in
      guard entities?.contains(entity.index) ?? true else { return nil }
      return EntityOutline(
        entity.description, kind: store.information(about: entity).kind.rawValue,
        indexes: try store.indexes(of: entity), details: details[entity.index])
    }
  }

  func entity(named name: String) -> EntityOutline? {
    entities.first { $0.name == name }
  }

  /// The outline with each property only where it is declared, for diagrams. O(properties).
  var withoutInherited: SchemaOutline {
    SchemaOutline(
      entities: entities.map { entity in
        var description = entity.description
        let parent = description.parent.flatMap { self.entity(named: $0) }
        description.properties.removeFirst(parent?.description.properties.count ?? 0)
        return EntityOutline(
          description, kind: entity.kind, indexes: entity.indexes, details: entity.details)
      })
  }
}

package struct EntityOutline: Sendable {
  package let description: EntityDescription
  /// The kind of table in the file: `table`, `view` or `virtual`.
  package let kind: String
  package let indexes: [IndexInformation]
  /// What a third-party file declares of the table; nil for native files.
  package let details: TableDetails?

  package init(
    _ description: EntityDescription, kind: String,
    indexes: [IndexInformation] = [], details: TableDetails? = nil
  ) {
    self.description = description
    self.kind = kind
    self.indexes = indexes
    self.details = details
  }

  package var name: String { description.name }
  /// The name, followed by the name of the parent if there is one.
  var title: String { description.parent.map { "\(name): \($0)" } ?? name }
  /// The kind of the table and its peculiarities, in words.
  var remarks: [String] {
    var words = [kind]
    if description.isReadOnly { words.append("read-only") }
    if details?.isWithoutRowid ?? false { words.append("without rowid") }
    if details?.isStrict ?? false { words.append("strict") }
    return words
  }
  package var attributes: [AttributeDescription] { description.properties.compactMap(\.attribute) }
  package var relationships: [RelationshipDescription] {
    description.properties.compactMap(\.relationship)
  }
}

extension AttributeDescription {
  var typeName: String { typeWord }

  /// How the column of a third-party file stores dates.
  var dateRemarks: [String] { dateConvention.map { ["dates: \($0.title)"] } ?? [] }

  /// The declarations besides name and type, in words.
  var remarks: [String] {
    var words: [String] = []
    if !isOptional { words.append("required") }
    if isUnique { words.append("unique") }
    if isIndexed { words.append("indexed") }
    if isSearchable { words.append("searchable") }
    if isReadOnly { words.append("read-only") }
    if !defaultValue.isNull { words.append("default \(defaultValue)") }
    if let renamedFrom { words.append("renamed from \(renamedFrom)") }
    if let storedName { words.append("stored as \(storedName)") }
    if let hashModifier { words.append("modifier \(hashModifier)") }
    words += dateRemarks
    words += rules.map { $0.words(of: type) }
    if let coder { words.append("coded by \(coder)") }
    if let cases { words.append("one of \(cases.map(\.name).joined(separator: " "))") }
    return words
  }
}

extension RelationshipDescription {
  /// The declarations besides name and destination, in words.
  var remarks: [String] {
    var words = [kind == .toOne ? "to one" : kind == .toMany ? "to many" : "to many, ordered"]
    if let inverse { words.append("inverse \(inverse)") }
    words.append(deleteRule == .noAction ? "no action" : deleteRule.rawValue)
    if minimumCount > 0 { words.append("at least \(minimumCount)") }
    if maximumCount > 0 { words.append("at most \(maximumCount)") }
    if isReadOnly { words.append("read-only") }
    if let renamedFrom { words.append("renamed from \(renamedFrom)") }
    if let storedName { words.append("stored as \(storedName)") }
    if let hashModifier { words.append("modifier \(hashModifier)") }
    return words
  }
}

extension IndexInformation {
  /// The columns and the other declarations, in words.
  var remarks: [String] {
    var words = ["(" + columns.map { $0 ?? "expression" }.joined(separator: ", ") + ")"]
    if isUnique { words.append("unique") }
    if isPartial { words.append("partial") }
    return words
  }
}

extension EntityOutline {
  /// Whether the column alone is unique, other than as the primary key.
  func isUnique(_ column: TableDetails.Column) -> Bool {
    let isKey = column.keyPosition != nil && details?.keyCount == 1
    return !isKey && attributes.first { $0.name == column.name }?.isUnique ?? false
  }

  /// The declarations of a column besides name and type, in words.
  func remarks(of column: TableDetails.Column) -> [String] {
    var words: [String] = []
    // The type in the words of the browser, if the file declares it in another word.
    if let attribute = attributes.first(where: { $0.name == column.name }),
      attribute.otherDeclaration != nil
    {
      words.append(attribute.typeWord)
    }
    if let position = column.keyPosition {
      words.append((details?.keyCount ?? 1) > 1 ? "primary key \(position)" : "primary key")
    }
    if column.isNotNull { words.append("not null") }
    if isUnique(column) { words.append("unique") }
    if attributes.first(where: { $0.name == column.name })?.isIndexed ?? false {
      words.append("indexed")
    }
    if column.isGenerated { words.append("generated") }
    if let text = column.defaultText { words.append("default \(text)") }
    words += attributes.first { $0.name == column.name }?.dateRemarks ?? []
    for reference in column.references {
      let rule = reference.onDelete
      words.append(
        "references \(reference.target)"
          + (rule == "NO ACTION" ? "" : " on delete \(rule.lowercased())"))
    }
    return words
  }
}

extension TableDetails {
  /// The number of columns in the primary key.
  fileprivate var keyCount: Int { columns.count { $0.keyPosition != nil } }
}

extension TableDetails.Column {
  /// The declared type of the file.
  var typeName: String { declaredType.isEmpty ? "any" : declaredType }
}

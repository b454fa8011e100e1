package import DatastoreCore
package import DatastoreSQLite

/// What a file's schema says, ready to be shown: entities with their properties and indexes.
package struct SchemaOutline: Sendable {
  package let entities: [EntityOutline]
  /// Relationships that names and values suggest; they are looked for by those who show them.
  package var suggestions: [RelationshipSuggestion] = []

  package init(entities: [EntityOutline]) {
    self.entities = entities
  }

  /// Reads the indexes of a store's tables; everything else is known.
  ///
  /// - Throws: `StoreError`.
  package init(_ store: SQLiteStore) throws {
    let details = try store.tableDetails()
    entities = try store.schema.entities.map { entity in
      EntityOutline(
        entity.description, kind: store.information(about: entity).kind.rawValue,
        indexes: try store.indexes(of: entity), details: details[entity.index])
    }
  }

  func entity(named name: String) -> EntityOutline? {
    entities.first { $0.name == name }
  }

  /// The same with each property only where it is declared, for diagrams. O(properties).
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

/// One entity of an outline.
package struct EntityOutline: Sendable {
  package let description: EntityDescription
  /// What the file calls it: `table`, `view` or `virtual`.
  package let kind: String
  package let indexes: [SQLiteStore.IndexInformation]
  /// What a file of others says of the table; nil for our own.
  package let details: SQLiteStore.TableDetails?

  package init(
    _ description: EntityDescription, kind: String,
    indexes: [SQLiteStore.IndexInformation] = [], details: SQLiteStore.TableDetails? = nil
  ) {
    self.description = description
    self.kind = kind
    self.indexes = indexes
    self.details = details
  }

  package var name: String { description.name }
  /// The name, with that of the parent behind it where there is one.
  var title: String { description.parent.map { "\(name): \($0)" } ?? name }
  package var attributes: [AttributeDescription] { description.properties.compactMap(\.attribute) }
  package var relationships: [RelationshipDescription] {
    description.properties.compactMap(\.relationship)
  }
}

extension AttributeDescription {
  /// The type as the file declares it, else as the model has it.
  var typeName: String {
    if let declaredType { return declaredType.isEmpty ? "any" : declaredType }
    return type == .undefined ? "any" : type.rawValue
  }

  /// How the column of another program's file stores dates.
  var dateRemarks: [String] { dateConvention.map { ["dates: \($0.title)"] } ?? [] }

  /// What it says beside name and type, in words.
  var remarks: [String] {
    var words: [String] = []
    if !isOptional { words.append("required") }
    if isUnique { words.append("unique") }
    if isIndexed { words.append("indexed") }
    if isReadOnly { words.append("read-only") }
    if !defaultValue.isNull { words.append("default \(defaultValue)") }
    if let renamedFrom { words.append("renamed from \(renamedFrom)") }
    words += dateRemarks
    if let cases { words.append("one of \(cases.map(\.name).joined(separator: " "))") }
    return words
  }
}

extension RelationshipDescription {
  /// What it says beside name and destination, in words.
  var remarks: [String] {
    var words = [kind == .toOne ? "to one" : kind == .toMany ? "to many" : "to many, ordered"]
    if let inverse { words.append("inverse \(inverse)") }
    words.append(deleteRule == .noAction ? "no action" : deleteRule.rawValue)
    if minimumCount > 0 { words.append("at least \(minimumCount)") }
    if maximumCount > 0 { words.append("at most \(maximumCount)") }
    if isReadOnly { words.append("read-only") }
    if let renamedFrom { words.append("renamed from \(renamedFrom)") }
    return words
  }
}

extension DatastoreSQLite.SQLiteStore.IndexInformation {
  /// The columns and what else it says, in words.
  var remarks: [String] {
    var words = ["(" + columns.map { $0 ?? "expression" }.joined(separator: ", ") + ")"]
    if isUnique { words.append("unique") }
    if isPartial { words.append("partial") }
    return words
  }
}

extension DatastoreSQLite.SQLiteStore.TableDetails {
  /// How many columns the primary key has.
  var keyCount: Int { columns.count { $0.keyPosition != nil } }
}

extension DatastoreSQLite.SQLiteStore.TableDetails.Column {
  /// What it says beside name and type, in words.
  ///
  /// - Parameter attribute: the attribute that shows it; nil for columns of foreign keys.
  func remarks(_ attribute: AttributeDescription?, keyCount: Int) -> [String] {
    var words: [String] = []
    if let keyPosition {
      words.append(keyCount > 1 ? "primary key \(keyPosition)" : "primary key")
    }
    if isNotNull { words.append("not null") }
    if attribute?.isUnique ?? false, keyCount > 1 || keyPosition == nil { words.append("unique") }
    if attribute?.isIndexed ?? false { words.append("indexed") }
    if isGenerated { words.append("generated") }
    if let defaultText { words.append("default \(defaultText)") }
    words += attribute?.dateRemarks ?? []
    for reference in references {
      let rule = reference.onDelete
      words.append(
        "references \(reference.target)"
          + (rule == "NO ACTION" ? "" : " on delete \(rule.lowercased())"))
    }
    return words
  }
}

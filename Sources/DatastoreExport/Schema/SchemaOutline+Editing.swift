package import DatastoreCore

/// A schema with unsaved edits.
extension SchemaOutline {
  /// The outline after some edits, with a list of them.
  ///
  /// - Throws: `SchemaEdit.Fault`.
  package func applying(_ edits: [SchemaEdit]) throws(SchemaEdit.Fault) -> SchemaOutline {
    if edits.isEmpty { return self }
    let descriptions = try SchemaEdit.applied(edits, to: entities.map(\.description))
    let isNative = entities.allSatisfy { $0.details == nil }
    var outline = SchemaOutline(
      entities: descriptions.map { description in
        let former = entities.first { $0.name == description.renamedFrom ?? description.name }
        let details = former?.details.map { $0.applying(description) }
        return EntityOutline(
          description, kind: former?.kind ?? "table",
          // The indexes of a native store follow its schema and are created by the save.
          indexes: isNative ? [] : former?.indexes ?? [], details: details)
      })
    (outline.differences, outline.migrations, outline.suggestions) = (
      differences, migrations, suggestions
    )
    (outline.version, outline.notes) = (version, notes)
    outline.staged = edits.map(\.description)
    return outline
  }
}

extension EntityOutline {
  /// The editable property of each line below the title; nil for the columns of foreign keys.
  package var lineNames: [String?] {
    let names = Set(attributes.map(\.name))
    let columns: [String?]
    if let details {
      columns = details.columns.map { names.contains($0.name) ? $0.name : nil }
    } else {
      columns = attributes.map(\.name)
    }
    return columns + relationships.map { details == nil ? $0.name : nil }
  }
}

extension TableDetails {
  /// The columns after the edits of the entity.
  fileprivate func applying(_ entity: EntityDescription) -> TableDetails {
    let attributes = entity.properties.compactMap(\.attribute)
    let kept = columns.compactMap { column -> Column? in
      // A foreign key column is not an attribute and cannot be edited.
      if !column.references.isEmpty { return column }
      guard
        let attribute = attributes.first(where: { $0.renamedFrom ?? $0.name == column.name })
      else { return nil }
      return Column(
        name: attribute.name, declaredType: column.declaredType, isNotNull: column.isNotNull,
        keyPosition: column.keyPosition, defaultText: column.defaultText,
        isGenerated: column.isGenerated, references: column.references)
    }
    let names = Set(kept.map(\.name))
    let added = attributes.filter { !names.contains($0.name) }.map { attribute in
      Column(
        name: attribute.name, declaredType: attribute.typeWord, isNotNull: !attribute.isOptional,
        keyPosition: nil,
        defaultText: attribute.defaultValue.isNull ? nil : "\(attribute.defaultValue)",
        isGenerated: false, references: [])
    }
    return TableDetails(
      columns: kept + added, isWithoutRowid: isWithoutRowid, isStrict: isStrict, checks: checks,
      triggers: triggers, sql: sql)
  }
}

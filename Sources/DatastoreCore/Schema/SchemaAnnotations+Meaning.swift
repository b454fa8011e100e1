/// Annotations of entities and columns besides dates and relationships.
extension SchemaAnnotations {
  /// The properties whose values name the objects of an entity; nil if its attributes decide.
  package func label(of entity: String) -> [String]? { labels[entity] }

  /// Sets the properties whose values name objects; nil, or an empty list, lets the attributes decide.
  package mutating func setLabel(_ properties: [String]?, of entity: String) {
    labels[entity] = properties?.isEmpty ?? true ? nil : properties
  }

  /// The unit of a property's values: `kg`; nil if none is set.
  package func unit(of property: String, in entity: String) -> String? { units[entity, property] }

  /// The units of an entity's properties.
  package func units(in entity: String) -> [String: String] {
    Dictionary(units.columns(of: entity)) { first, _ in first }
  }

  /// Whether a file read with either annotations has the same entities, so that only the display differs.
  package func readsAlike(_ other: SchemaAnnotations) -> Bool {
    dates == other.dates && relationships == other.relationships && types == other.types
  }

  /// Sets the unit of values; nil, or an empty text, removes it.
  package mutating func setUnit(_ unit: String?, of property: String, in entity: String) {
    units[entity, property] = unit?.isEmpty ?? true ? nil : unit
  }

  /// The type that a column should have been declared with; nil for the type in the file.
  package func type(of column: String, in table: String) -> String? { types[table, column] }

  /// Sets the type that a column should have been declared with; nil for the type in the file.
  package mutating func setType(_ type: String?, of column: String, in table: String) {
    types[table, column] = type
  }

  /// Whether lists leave an entity out.
  package func isHidden(_ entity: String) -> Bool { hidden.contains(entity) }

  /// Hides an entity in lists, or shows it again.
  package mutating func setHidden(_ isHidden: Bool, _ entity: String) {
    if isHidden { hidden.insert(entity) } else { hidden.remove(entity) }
  }
}

/// All annotations as a list, from which each can be removed.
extension SchemaAnnotations {
  /// One annotation.
  package enum Statement: Hashable, Sendable {
    case dates(table: String, column: String, Dates)
    case relationship(table: String, column: String, Reference, Decision)
    case label(entity: String, [String])
    case unit(entity: String, property: String, String)
    case type(table: String, column: String, String)
    case hidden(entity: String)
  }

  /// All annotations, by entity and then by column.
  package var statements: [Statement] {
    var found: [(place: [String], Statement)] = []
    for (entity, names) in labels { found.append(([entity], .label(entity: entity, names))) }
    for entity in hidden { found.append(([entity], .hidden(entity: entity))) }
    for (table, column, type) in types.all {
      found.append(([table, column], .type(table: table, column: column, type)))
    }
    for (entity, property, unit) in units.all {
      found.append(([entity, property], .unit(entity: entity, property: property, unit)))
    }
    for (table, column, said) in dates.all {
      found.append(([table, column], .dates(table: table, column: column, said)))
    }
    for (table, column, said) in relationships.all {
      found.append(
        (
          [table, column],
          .relationship(table: table, column: column, said.reference, said.decision)
        ))
    }
    return found.sorted { $0.place.lexicographicallyPrecedes($1.place) }.map(\.1)
  }

  /// Removes one annotation.
  package mutating func takeBack(_ statement: Statement) {
    switch statement {
    case .dates(let table, let column, _): setDates(nil, of: column, in: table)
    case .relationship(let table, let column, let reference, _):
      setRelationship(nil, of: column, in: table, to: reference)
    case .label(let entity, _): setLabel(nil, of: entity)
    case .unit(let entity, let property, _): setUnit(nil, of: property, in: entity)
    case .type(let table, let column, _): setType(nil, of: column, in: table)
    case .hidden(let entity): setHidden(false, entity)
    }
  }
}

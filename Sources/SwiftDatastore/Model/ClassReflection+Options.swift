import DatastoreCore

/// A model class's declarations besides its properties.
extension ClassReflection {
  /// The older entity name; only if the class itself overrides it, because a child is not the table that its
  /// parent was.
  var renamedFrom: String? {
    guard let name = type.renamedFrom else { return nil }
    return parent?.renamedFrom == name ? nil : name
  }

  /// The constraints as property names. A key path to anything other than an attribute or to-one relationship
  /// becomes a fault.
  func uniqueness(
    _ entity: ModelEntity, addingFaultsTo faults: inout [SchemaFault]
  ) -> [[String]] {
    var constraints: [[String]] = []
    for (place, keyPaths) in (type.uniqueConstraints + entity.uniqueConstraints).enumerated() {
      let constraint = "Constraint \(place + 1) in `uniqueConstraints` of \(type.entityName)"
      if keyPaths.isEmpty {
        faults.append(.invalidClass("\(constraint) is empty; name the properties it is about."))
        continue
      }
      var names: [String] = []
      for (index, keyPath) in keyPaths.enumerated() {
        guard let slot = slot(ofAny: keyPath), !records[slot].isToMany else {
          faults.append(
            .invalidClass(
              "\(constraint) names something at place \(index + 1) that is not an attribute or a to-one "
                + "relationship of it; write it like \\\(type).$property."))
          continue
        }
        names.append(self.names[slot])
      }
      constraints.append(names)
    }
    return constraints
  }
}

extension ClassReflection {
  /// The version modifier of the entity; only if the class itself overrides it.
  var hashModifier: String? {
    guard let modifier = type.hashModifier else { return nil }
    return parent?.hashModifier == modifier ? nil : modifier
  }

  /// The indexes by property names. A key path to anything other than an attribute or to-one relationship
  /// becomes a fault.
  func indexes(
    _ entity: ModelEntity, addingFaultsTo faults: inout [SchemaFault]
  ) -> [IndexDescription] {
    (type.indexes + entity.indexes).enumerated().compactMap { place, index in
      let title = "Index \(place + 1) in `indexes` of \(type.entityName)"
      var columns: [IndexDescription.Column] = []
      for (number, column) in index.columns.enumerated() {
        guard let slot = slot(ofAny: column.property), !records[slot].isToMany else {
          faults.append(
            .invalidClass(
              "\(title) names something at place \(number + 1) that is not an attribute or a to-one "
                + "relationship of it; write it like \\\(type).$property."))
          return nil
        }
        columns.append(IndexDescription.Column(names[slot], isDescending: column.isDescending))
      }
      return IndexDescription(columns)
    }
  }
}

extension PropertyRecord {
  /// The initial value in new objects; null for relationships.
  var defaultValue: Value {
    if case .attribute(let attribute) = self { attribute.attribute.defaultValue } else { .null }
  }

  fileprivate var isToMany: Bool {
    if case .relationship(let record) = self { record.relationship.kind.isToMany } else { false }
  }
}

/// Old names that two declarations claim, so that a migration could not decide which of them the data belongs
/// to.
enum RenamingFaults {
  static func all(in reflections: [ClassReflection]) -> [SchemaFault] {
    entityFaults(reflections) + reflections.flatMap(propertyFaults)
  }

  private static func entityFaults(_ reflections: [ClassReflection]) -> [SchemaFault] {
    var owners: [String: String] = [:]
    return reflections.compactMap { reflection in
      let name = reflection.type.entityName
      let oldName = reflection.renamedFrom ?? name
      // The schema reports a class that is listed twice, and two classes of one name.
      guard let other = owners.updateValue(name, forKey: oldName), other != name else { return nil }
      return .invalidClass(
        "\(other) and \(name) both claim the objects of “\(oldName)” from an older version of the "
          + "model; change `renamedFrom` of one of them.")
    }
  }

  private static func propertyFaults(of reflection: ClassReflection) -> [SchemaFault] {
    let entity = reflection.type.entityName
    var owners: [String: String] = [:]
    return zip(reflection.names, reflection.records).compactMap { name, record in
      let property = record.description(name: name, inverse: nil)
      let oldName = property.renamedFrom ?? property.nameInFile
      guard let other = owners.updateValue(name, forKey: oldName), other != name else { return nil }
      return .invalidClass(
        "\(entity).\(other) and \(entity).\(name) both claim the values of “\(oldName)” from an older "
          + "version of the model; change `renamedFrom` of one of them.")
    }
  }
}

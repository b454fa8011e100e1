extension PropertyDescription {
  /// The form of a definition, for people.
  package static let definitionForm =
    "a name, a type (text, integer, real, boolean, date, date-time, decimal, data, UUID, URL) or an entity, then "
    + "“required”, “unique”, “indexed”, “searchable”, “many” or “default VALUE”"

  /// Parses a property as typed by a person: `phone text`, `age integer required default 0`,
  /// `company Company`, `tags Tag many`.
  ///
  /// - Parameter entities: the names of the entities that a relationship may lead to.
  /// - Throws: `SchemaEdit.Fault` with the reason.
  package init(definition: String, entities: [String]) throws(SchemaEdit.Fault) {
    var words = definition.split(whereSeparator: \.isWhitespace).map(String.init)[...]
    guard let name = words.popFirst(), let target = words.popFirst() else {
      throw SchemaEdit.Fault("Type \(Self.definitionForm).")
    }
    let isAttribute = AttributeType(typed: target) != nil
    guard isAttribute || entities.contains(target) else {
      throw SchemaEdit.Fault(
        "“\(target)” is neither a type nor an entity. Type \(Self.definitionForm).")
    }
    var options: Set<String> = []
    var text: String?
    while let word = words.popFirst() {
      let option = word.lowercased()
      if option == "default", isAttribute {
        text = words.joined(separator: " ")
        words = []
      } else if (isAttribute
        ? ["required", "unique", "indexed", "searchable"] : ["required", "many"])
        .contains(option)
      {
        options.insert(option)
      } else {
        throw SchemaEdit.Fault("“\(word)” means nothing here. Type \(Self.definitionForm).")
      }
    }
    guard let type = AttributeType(typed: target) else {
      self = .relationship(
        RelationshipDescription(
          name: name, kind: options.contains("many") ? .toMany : .toOne, destination: target,
          isOptional: !options.contains("required")))
      return
    }
    var value = Value.null
    if let text {
      guard let converted = AttributeConversion(from: .string, to: type).typed(text) else {
        throw SchemaEdit.Fault("“\(text)” is no \(type.word).")
      }
      value = converted
    }
    self = .attribute(
      AttributeDescription(
        name: name, type: type, isOptional: !options.contains("required"), defaultValue: value,
        isIndexed: options.contains("indexed"), isUnique: options.contains("unique"),
        isSearchable: options.contains("searchable")))
  }
}

extension AttributeType {
  /// Parses a type by its word on screens, or by its own name.
  fileprivate init?(typed: String) {
    switch typed.lowercased() {
    case "integer": self = .integer64
    case "unsigned": self = .unsigned64
    case "real": self = .double
    case "text": self = .string
    case "date": self = .calendarDate
    case "date-time": self = .date
    default:
      guard let type = AttributeType(rawValue: typed), type != .undefined else {
        guard
          let type = [AttributeType.uuid, .url, .data, .decimal, .boolean].first(where: {
            $0.word.lowercased() == typed.lowercased()
          })
        else { return nil }
        self = type
        return
      }
      self = type
    }
  }
}

extension AttributeConversion {
  /// Parses a typed value; nil if it is not one.
  fileprivate func typed(_ text: String) -> Value? {
    switch to {
    case .boolean: ["true": .integer(1), "false": .integer(0)][text.lowercased()]
    case .date, .data, .coded: nil
    default: convert(.text(text))
    }
  }
}

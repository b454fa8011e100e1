import DatastoreCore

/// The model in Xcode's source form: the `contents` of an `.xcdatamodel`, an XML document.
extension CoreDataModel {
  /// Reads the document.
  ///
  /// - Throws: `CoreDataModelFault`.
  package init(source bytes: [UInt8]) throws {
    let root = try MarkupElement(document: bytes)
    guard root.name == "model" else { throw CoreDataModelFault.notAModel }
    self.init(
      entities: try root.children("entity").map { try Entity($0) }.sorted { $0.name < $1.name })
    if entities.isEmpty { throw CoreDataModelFault.notAModel }
    try requireUsable()
  }
}

extension MarkupElement {
  /// Whether an attribute is YES; a missing one is not.
  fileprivate func says(_ name: String) -> Bool { self[name] == "YES" }

  fileprivate func requiredName() throws -> String {
    guard let name = self["name"], !name.isEmpty else { throw CoreDataModelFault.notAModel }
    return name
  }

  /// Its name in an older version.
  fileprivate var formerName: String? {
    self["elementID"].flatMap { $0.isEmpty || $0 == self["name"] ? nil : $0 }
  }
}

extension CoreDataModel.Entity {
  fileprivate init(_ element: MarkupElement) throws {
    self.init(name: try element.requiredName(), parent: element["parentEntity"])
    isAbstract = element.says("isAbstract")
    renamedFrom = element.formerName
    attributes = try element.children("attribute").map { try CoreDataModel.Attribute($0) }
      .sorted { $0.name < $1.name }
    relationships = try element.children("relationship")
      .compactMap { try CoreDataModel.Relationship($0) }.sorted { $0.name < $1.name }
    fetchedProperties = try element.children("fetchedProperty").map { try $0.requiredName() }
      .sorted()
    uniqueness = element.children("uniquenessConstraints")
      .flatMap { $0.children("uniquenessConstraint") }
      .map { $0.children("constraint").compactMap { $0["value"] } }.filter { !$0.isEmpty }
    let fetchIndexes = element.children("fetchIndex").map { index in
      index.children("fetchIndexElement").filter { $0["type"] != "RTree" }.compactMap { part in
        part["property"].map {
          IndexDescription.Column($0, isDescending: part["order"] == "descending")
        }
      }
    }
    let compounds = element.children("compoundIndexes").flatMap { $0.children("compoundIndex") }
      .map { $0.children("index").compactMap { $0["value"] }.map { IndexDescription.Column($0) } }
    for columns in fetchIndexes + compounds {
      if columns.count == 1, !columns[0].isDescending,
        let place = attributes.firstIndex(where: { $0.name == columns[0].property })
      {
        attributes[place].isIndexed = true
      } else if !columns.isEmpty {
        indexes.append(IndexDescription(columns))
      }
    }
  }
}

extension CoreDataModel.Attribute {
  fileprivate init(_ element: MarkupElement) throws {
    self.init(
      name: try element.requiredName(),
      type: element["attributeType"].flatMap { CoreDataModel.AttributeKind(word: $0) }
        ?? .undefined)
    isOptional = element.says("optional")
    isTransient = element.says("transient")
    isIndexed = element.says("indexed")
    mayBeExternal = element.says("allowsExternalBinaryDataStorage")
    transformer = element["valueTransformerName"]
    renamedFrom = element.formerName
    if element.says("derived") { derivation = element["derivationExpression"] ?? "an expression" }
    defaultValue = value(element["defaultValueString"], element["defaultDateTimeInterval"])
    rules = rules(element)
  }

  /// The stored form of a value, from its text.
  private func value(_ text: String?, _ interval: String?) -> Value {
    let whole = text.flatMap { Int64($0) }.map { Value.integer($0) }
    let value: Value? =
      switch type {
      case .integer16, .integer32, .integer64: whole
      case .boolean: text.map { .integer($0 == "YES" || $0 == "1" ? 1 : 0) }
      case .double, .float: number(text).map { .real($0) }
      case .decimal: whole ?? number(text).map { .real($0) }
      case .string, .uri: text.map { .text($0) }
      case .date: number(interval).map { .real($0) }
      case .undefined, .binary, .uuid, .transformable, .objectID, .composite: nil
      }
    return value ?? .null
  }

  private func number(_ text: String?) -> Double? {
    text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Least and greatest values, lengths for texts, and a pattern if it is valid here, too.
  private func rules(_ element: MarkupElement) -> [ValidationRule] {
    let (least, most) = (element["minValueString"], element["maxValueString"])
    var rules: [ValidationRule] = []
    if type == .string {
      let lengths = (least.flatMap { Int($0) }, most.flatMap { Int($0) })
      if lengths.0 != nil || lengths.1 != nil {
        rules.append(.length(minimum: lengths.0, maximum: lengths.1))
      }
      if let pattern = element["regularExpressionString"],
        (try? RegularExpression.matches("", pattern)) != nil
      {
        rules.append(.matches(pattern))
      }
    } else {
      let ends = [
        value(least, element["minDateTimeInterval"]), value(most, element["maxDateTimeInterval"]),
      ].map { $0.isNull ? nil : $0 }
      if type != .boolean, ends.contains(where: { $0 != nil }) {
        rules.append(.range(minimum: ends[0], maximum: ends[1]))
      }
    }
    return rules
  }
}

extension CoreDataModel.Relationship {
  /// nil if it has no destination.
  fileprivate init?(_ element: MarkupElement) throws {
    guard let destination = element["destinationEntity"], !destination.isEmpty else { return nil }
    self.init(name: try element.requiredName(), destination: destination)
    inverse = element["inverseName"]
    isToMany = element.says("toMany")
    isOrdered = element.says("ordered")
    isOptional = element.says("optional")
    isTransient = element.says("transient")
    renamedFrom = element.formerName
    minimumCount = element["minCount"].flatMap { Int($0) } ?? 0
    maximumCount = element["maxCount"].flatMap { Int($0) } ?? 0
    switch element["deletionRule"] {
    case "No Action": deleteRule = .noAction
    case "Cascade": deleteRule = .cascade
    case "Deny": deleteRule = .deny
    default: deleteRule = .nullify
    }
  }
}

extension CoreDataModel.AttributeKind {
  /// The kind by its name in a source model.
  fileprivate init?(word: String) {
    switch word {
    case "Integer 16": self = .integer16
    case "Integer 32": self = .integer32
    case "Integer 64": self = .integer64
    case "Decimal": self = .decimal
    case "Double": self = .double
    case "Float": self = .float
    case "String": self = .string
    case "Boolean": self = .boolean
    case "Date": self = .date
    case "Binary": self = .binary
    case "UUID": self = .uuid
    case "URI": self = .uri
    case "Transformable": self = .transformable
    case "Composite": self = .composite
    default: return nil
    }
  }
}

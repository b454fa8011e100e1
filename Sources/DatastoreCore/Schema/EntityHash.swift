import Foundation

/// Two fingerprints of each entity of a schema that are the same in every release, kept in native files:
/// `hash:<entity>` covers the table, and `rules:<entity>` the rest of the model's declarations.
///
/// A file fits a model when the first ones are equal. If only the second ones differ, the description in the
/// file is rewritten, and no table is touched.
///
/// Each is a `Fingerprint` of lines, with a line feed between them. The fields of a line are separated by
/// U+001F; lines of properties and of unique sets are sorted by their bytes. Properties go by their names in
/// the file.
///
/// | line of `hash` | fields |
/// |---|---|
/// | `entity` | name |
/// | `inherits` | parent, `abstract` or nothing; left out without either |
/// | `attribute` | name, type, `optional` or `required`, `unique` or nothing; then for each rule that is a constraint its kind and both limits |
/// | `relationship` | name, kind, destination, inverse; `kept` where a deleted owner leaves references behind (rule *no action*); `required` where it always leads to an object, left out otherwise |
/// | `unique` | the names of a set |
/// | `modifier` | name of a property, or nothing for the entity, and its modifier; left out without one |
///
/// | line of `rules` | fields |
/// |---|---|
/// | `attribute` | name in the file, name, default, then each case with its name and value |
/// | `relationship` | name in the file, name, delete rule, minimum and maximum count |
/// | `rule` | name in the file, then what the rule says, of those that are no constraints |
/// | `coder` | name in the file, name of the coder; left out for JSON |
///
/// Neither covers former names (`renamedFrom` describes the history of a file, not its content), non-unique
/// indexes, and the order of entities and properties.
package struct EntityHash: Sendable, Hashable {
  /// The fingerprint of the table.
  package let tables: Fingerprint
  /// The fingerprint of the other declarations.
  package let rules: Fingerprint

  /// By name of entity. O(properties).
  package static func all(_ descriptions: [EntityDescription]) -> [String: EntityHash] {
    let names = StoredNames(descriptions)
    return Dictionary(
      descriptions.map { ($0.name, EntityHash($0, names)) }, uniquingKeysWith: { first, _ in first }
    )
  }

  private init(_ entity: EntityDescription, _ names: StoredNames) {
    tables = Fingerprint(Self.lines(ofTable: entity, names).joined(separator: "\n"))
    rules = Fingerprint(Self.lines(ofRules: entity).joined(separator: "\n"))
  }

  /// The lines behind `tables`, for finding differences.
  package static func lines(
    ofTable entity: EntityDescription, in descriptions: [EntityDescription]
  ) -> [String] {
    lines(ofTable: entity, StoredNames(descriptions))
  }

  private static func lines(ofTable entity: EntityDescription, _ names: StoredNames) -> [String] {
    var lines = [line("entity", entity.name)]
    if entity.parent != nil || entity.isAbstract {
      lines.append(line("inherits", entity.parent ?? "", entity.isAbstract ? "abstract" : ""))
    }
    lines += sorted(
      entity.properties.map { property in
        switch property {
        case .attribute(let attribute):
          line(
            [
              "attribute", property.nameInFile, attribute.type.rawValue,
              attribute.isOptional ? "optional" : "required", attribute.isUnique ? "unique" : "",
            ] + attribute.constraints.flatMap(\.hashFields))
        case .relationship(let relationship):
          line(
            [
              "relationship", property.nameInFile, relationship.kind.rawValue,
              relationship.destination,
              relationship.inverse.map { names.name(of: $0, in: relationship.destination) } ?? "",
              relationship.deleteRule.keepsReferences ? "kept" : "",
            ] + (relationship.isOptional ? [] : ["required"]))
        }
      })
    lines += sorted(
      entity.uniqueness.map { set in
        line(["unique"] + set.map { names.name(of: $0, in: entity.name) })
      })
    if let modifier = entity.hashModifier { lines.append(line("modifier", "", modifier)) }
    lines += sorted(
      entity.properties.compactMap { property in
        property.hashModifier.map { line("modifier", property.nameInFile, $0) }
      })
    return lines
  }

  private static func lines(ofRules entity: EntityDescription) -> [String] {
    sorted(
      entity.properties.flatMap { property in
        switch property {
        case .attribute(let attribute):
          [
            line(
              [
                "attribute", property.nameInFile, property.name, text(of: attribute.defaultValue),
              ] + (attribute.cases ?? []).flatMap { [$0.name, text(of: $0.value)] })
          ] + further(attribute)
        case .relationship(let relationship):
          [
            line(
              "relationship", property.nameInFile, property.name, relationship.deleteRule.rawValue,
              String(relationship.minimumCount), String(relationship.maximumCount))
          ]
        }
      })
  }

  /// Lines that most attributes do not have.
  private static func further(_ attribute: AttributeDescription) -> [String] {
    attribute.rules.filter { !$0.isConstraint(of: attribute.type) }.map {
      line(["rule", attribute.nameInFile] + $0.hashFields)
    } + (attribute.coder.map { [line("coder", attribute.nameInFile, $0)] } ?? [])
  }

  static func text(of value: Value) -> String {
    switch value {
    case .null: ""
    case .integer(let integer): "i\(integer)"
    case .real(let real): "r\(String(real.bitPattern, radix: 16))"
    case .text(let text): "t\(text)"
    case .blob(let data): "b\(data.base64EncodedString())"
    }
  }

  private static func line(_ fields: String...) -> String { line(fields) }

  private static func line(_ fields: [String]) -> String {
    fields.joined(separator: "\u{1F}")
  }

  /// Not in Swift's order of texts, which depends on the version of Unicode.
  private static func sorted(_ lines: [String]) -> [String] {
    lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// The names that properties have in the file, by entity.
private struct StoredNames {
  private let names: [String: [String: String]]

  init(_ descriptions: [EntityDescription]) {
    names = Dictionary(
      descriptions.map { entity in
        (
          entity.name,
          Dictionary(
            entity.properties.map { ($0.name, $0.nameInFile) },
            uniquingKeysWith: { first, _ in first })
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  func name(of property: String, in entity: String) -> String {
    names[entity]?[property] ?? property
  }
}

extension PropertyDescription {
  /// The text that is part of its entity's version.
  fileprivate var hashModifier: String? {
    switch self {
    case .attribute(let attribute): attribute.hashModifier
    case .relationship(let relationship): relationship.hashModifier
    }
  }
}

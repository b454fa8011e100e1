import DatastoreCore
import Gates

/// A schema as the `contents` of an `.xcdatamodel`, which Xcode edits and compiles for Core Data.
///
/// Core Data has no words for the texts in which SwiftDatastore stores other types, for the cases of enums
/// and for rules that SQL checks; the file leaves them out.
struct ModelSource {
  let lines: [String]

  init(_ outline: SchemaOutline) {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
      #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift" "#
        + #"userDefinedModelVersionIdentifier="\#(Self.escaped(outline.version ?? ""))">"#,
    ]
    for entity in outline.withoutInherited.entities { lines += Self.lines(of: entity) }
    self.lines = lines + ["</model>"]
  }

  private static func lines(of entity: EntityOutline) -> [String] {
    let description = entity.description
    var lines = [
      "    "
        + element(
          "entity",
          [
            ("name", entity.name), ("representedClassName", entity.name),
            ("isAbstract", description.isAbstract ? "YES" : nil),
            ("parentEntity", description.parent),
            ("versionHashModifier", description.hashModifier),
            ("elementID", description.renamedFrom), ("syncable", "YES"),
          ], isOpen: true)
    ]
    lines += entity.attributes.map { "        " + element("attribute", members(of: $0)) }
    lines += entity.relationships.map { "        " + element("relationship", members(of: $0)) }
    let single = entity.attributes.filter(\.isIndexed).map { attribute in
      (name: "by_\(attribute.name)", columns: [IndexDescription.Column(attribute.name)])
    }
    let several = description.indexes.map { index in
      (
        name: "by_" + index.columns.map(\.property).joined(separator: "_"),
        columns: index.columns
      )
    }
    for index in single + several {
      lines.append("        " + element("fetchIndex", [("name", index.name)], isOpen: true))
      lines += index.columns.map { column in
        "            "
          + element(
            "fetchIndexElement",
            [
              ("property", column.property), ("type", "Binary"),
              ("order", column.isDescending ? "descending" : "ascending"),
            ])
      }
      lines.append("        </fetchIndex>")
    }
    let unique = entity.attributes.filter(\.isUnique).map { [$0.name] } + description.uniqueness
    if !unique.isEmpty {
      lines.append("        <uniquenessConstraints>")
      for names in unique {
        lines.append("            <uniquenessConstraint>")
        lines += names.map { "                " + element("constraint", [("value", $0)]) }
        lines.append("            </uniquenessConstraint>")
      }
      lines.append("        </uniquenessConstraints>")
    }
    return lines + ["    </entity>"]
  }

  private typealias Members = [(name: String, value: String?)]

  private static func members(of attribute: AttributeDescription) -> Members {
    var members: Members = [
      ("name", attribute.name), ("optional", attribute.isOptional ? "YES" : nil),
      ("attributeType", word(for: attribute.type)),
      ("elementID", attribute.renamedFrom), ("versionHashModifier", attribute.hashModifier),
    ]
    members += fallback(of: attribute)
    let isDate = attribute.type == .date
    for rule in attribute.rules {
      switch rule {
      case .range(let least, let most):
        members += [
          (isDate ? "minDateTimeInterval" : "minValueString", least.map { "\($0)" }),
          (isDate ? "maxDateTimeInterval" : "maxValueString", most.map { "\($0)" }),
        ]
      case .length(let least, let most):
        members += [
          ("minValueString", least.map { "\($0)" }), ("maxValueString", most.map { "\($0)" }),
        ]
      case .matches(let pattern): members.append(("regularExpressionString", pattern))
      case .email: continue
      }
    }
    return members
  }

  private static func fallback(of attribute: AttributeDescription) -> Members {
    switch (attribute.type, attribute.defaultValue) {
    case (_, .null), (.data, _), (.uuid, _), (.undefined, _): []
    case (.boolean, let value): [("defaultValueString", value == 0 ? "NO" : "YES")]
    case (.date, let value): [("defaultDateTimeInterval", "\(value)")]
    case (_, .text(let text)): [("defaultValueString", text)]
    case (_, let value): [("defaultValueString", "\(value)")]
    }
  }

  private static func members(of relationship: RelationshipDescription) -> Members {
    let isToMany = relationship.kind.isToMany
    let rule =
      switch relationship.deleteRule {
      case .noAction: "No Action"
      case .nullify: "Nullify"
      case .cascade: "Cascade"
      case .deny: "Deny"
      }
    return [
      ("name", relationship.name), ("optional", relationship.isOptional ? "YES" : nil),
      ("toMany", isToMany ? "YES" : nil),
      ("minCount", relationship.minimumCount > 0 ? "\(relationship.minimumCount)" : nil),
      (
        "maxCount",
        !isToMany
          ? "1" : relationship.maximumCount > 0 ? "\(relationship.maximumCount)" : nil
      ),
      ("ordered", relationship.kind == .orderedToMany ? "YES" : nil),
      ("deletionRule", rule), ("destinationEntity", relationship.destination),
      ("inverseName", relationship.inverse),
      ("inverseEntity", relationship.inverse.map { _ in relationship.destination }),
      ("elementID", relationship.renamedFrom),
      ("versionHashModifier", relationship.hashModifier),
    ]
  }

  /// Core Data's name of the smallest type that holds all values. A column that takes every value becomes
  /// bytes.
  private static func word(for type: AttributeType) -> String {
    switch type.storedType {
    case .integer8, .unsigned8, .integer16: "Integer 16"
    case .unsigned16, .integer32: "Integer 32"
    case .unsigned32, .integer64, .unsigned64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .text: type == .url ? "URI" : "String"
    case .boolean: "Boolean"
    case .moment: "Date"
    case .uuid: "UUID"
    case .bytes, .any: "Binary"
    }
  }

  private static func element(_ name: String, _ members: Members, isOpen: Bool = false) -> String {
    "<" + name
      + members.map { member in
        member.value.map { " \(member.name)=\"\(escaped($0))\"" } ?? ""
      }.joined() + (isOpen ? ">" : "/>")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // Escapes line ends, which an attribute value would lose, and characters that a terminal obeys.
      case _ where scalar == "\n" || scalar == "\t" || HarmfulCharacter(scalar) != nil:
        result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

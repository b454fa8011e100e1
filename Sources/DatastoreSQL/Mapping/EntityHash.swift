package import DatastoreCore
import Foundation

/// A short stable fingerprint of what an entity stores, kept in native files.
///
/// `Fingerprint` of a canonical text: one line for the entity, one for each property in the order of their
/// names, one for each set of unique attributes; one for the parent and abstractness, where there is either. Everything the model says counts, except indexes and the order of declarations. Fields
/// are separated by U+001F, lines by line feeds.
package enum EntityHash {
  /// The fingerprint as 16 hexadecimal digits. O(properties).
  package static func hash(of entity: EntityDescription) -> String {
    Fingerprint(canonicalText(of: entity)).digits
  }

  static func canonicalText(of entity: EntityDescription) -> String {
    var lines = [line(["entity", entity.name, entity.renamedFrom ?? ""])]
    if entity.parent != nil || entity.isAbstract {
      lines.append(
        line(["inherits", entity.parent ?? "", entity.isAbstract ? "abstract" : ""]))
    }
    for property in entity.properties.sorted(by: { $0.name < $1.name }) {
      switch property {
      case .attribute(let attribute):
        lines.append(
          line([
            "attribute", attribute.name, attribute.type.rawValue,
            attribute.isOptional ? "optional" : "required", attribute.isUnique ? "unique" : "",
            text(of: attribute.defaultValue), attribute.renamedFrom ?? "",
          ]))
      case .relationship(let relationship):
        lines.append(
          line([
            "relationship", relationship.name, relationship.kind.rawValue,
            relationship.destination, relationship.inverse ?? "",
            relationship.deleteRule.rawValue, String(relationship.minimumCount),
            String(relationship.maximumCount), relationship.renamedFrom ?? "",
          ]))
      }
    }
    lines += entity.uniqueness.map { line(["unique"] + $0) }.sorted()
    return lines.joined(separator: "\n")
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .null: ""
    case .integer(let integer): "i\(integer)"
    case .real(let real): "r\(String(real.bitPattern, radix: 16))"
    case .text(let text): "t\(text)"
    case .blob(let data): "b\(data.base64EncodedString())"
    }
  }

  private static func line(_ fields: [String]) -> String {
    fields.joined(separator: "\u{1F}")
  }
}

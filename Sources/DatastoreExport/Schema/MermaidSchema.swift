import DatastoreCore

/// A schema as an entity relationship diagram of Mermaid:
/// <https://mermaid.js.org/syntax/entityRelationshipDiagram.html>.
struct MermaidSchema {
  let lines: [String]

  init(_ whole: SchemaOutline) {
    let outline = whole.withoutInherited
    var lines = ["erDiagram"]
    for entity in outline.entities {
      lines.append("  \(Self.quoted(entity.name)) {")
      for attribute in entity.attributes {
        var line = "    \(Self.word(attribute.typeName)) \(Self.word(attribute.name))"
        if attribute.isUnique { line += " UK" }
        if Self.word(attribute.name) != attribute.name { line += " " + Self.quoted(attribute.name) }
        lines.append(line)
      }
      lines.append("  }")
    }
    for link in SchemaLink.all(of: outline) {
      let label = [link.relationship.name, link.inverse?.name].compactMap(\.self)
        .joined(separator: " / ")
      // What stands beside an entity says how many of it there are.
      let near = link.inverse.map { $0.kind.isToMany ? "}o" : "|o" } ?? "}o"
      let far = link.relationship.kind.isToMany ? "o{" : "o|"
      lines.append(
        "  \(Self.quoted(link.entity)) \(near)--\(far) \(Self.quoted(link.relationship.destination))"
          + " : \(Self.quoted(label))")
    }
    for entity in outline.entities {
      guard let parent = entity.description.parent else { continue }
      // The diagrams have no sign for inheritance.
      lines.append("  \(Self.quoted(entity.name)) |o--|| \(Self.quoted(parent)) : \"is a\"")
    }
    self.lines = lines
  }

  private static func quoted(_ text: String) -> String {
    let safe = text.withoutTerminalControls.map { $0 == "\"" ? "'" : String($0) }.joined()
    return "\"\(safe)\""
  }

  /// Mermaid's words for types and attributes: letters, digits, `_` and `-`, a letter first.
  private static func word(_ text: String) -> String {
    let word = text.map { character in
      character.isASCII && (character.isLetter || character.isNumber) || character == "_"
        || character == "-" ? character : "_"
    }
    guard let first = word.first else { return "_" }
    return (first.isLetter ? "" : "x") + String(word)
  }
}

/// A relationship with its inverse, so that each pair is drawn once.
struct SchemaLink {
  let entity: String
  let relationship: RelationshipDescription
  let inverse: RelationshipDescription?

  static func all(of outline: SchemaOutline) -> [SchemaLink] {
    var seen: Set<[String]> = []
    var links: [SchemaLink] = []
    for entity in outline.entities {
      for relationship in entity.relationships {
        if seen.contains([entity.name, relationship.name]) { continue }
        let inverse = relationship.inverse.flatMap { name in
          outline.entity(named: relationship.destination)?.relationships.first { $0.name == name }
        }
        if let inverse { seen.insert([relationship.destination, inverse.name]) }
        links.append(
          SchemaLink(entity: entity.name, relationship: relationship, inverse: inverse))
      }
    }
    return links
  }
}

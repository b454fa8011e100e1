import Basics
import DatastoreCore
import Gates

/// A schema as a Mermaid entity relationship diagram:
/// <https://mermaid.js.org/syntax/entityRelationshipDiagram.html>.
struct MermaidSchema {
  let lines: [String]

  init(_ whole: SchemaOutline) {
    let outline = whole.withoutInherited
    var lines = ["erDiagram"]
    for entity in outline.entities {
      lines.append("  \(Self.quoted(entity.name)) {")
      lines += Self.attributes(of: entity)
      lines.append("  }")
    }
    for link in SchemaLink.all(of: outline) {
      let label = [link.relationship.name, link.inverse?.name].compactMap(\.self)
        .joined(separator: " / ")
      // The sign beside an entity is the number of its objects.
      let near = link.inverse.map { $0.kind.isToMany ? "}o" : "|o" } ?? "}o"
      let far = link.relationship.kind.isToMany ? "o{" : "o|"
      lines.append(
        "  \(Self.quoted(link.entity)) \(near)--\(far) \(Self.quoted(link.relationship.destination))"
          + " : \(Self.quoted(label))")
    }
    for entity in outline.entities {
      guard let parent = entity.description.parent else { continue }
      // The diagrams have no notation for inheritance.
      lines.append("  \(Self.quoted(entity.name)) |o--|| \(Self.quoted(parent)) : \"is a\"")
    }
    self.lines = lines
  }

  /// A line for each attribute or, for third-party files, each column, with its keys and other declarations.
  private static func attributes(of entity: EntityOutline) -> [String] {
    func line(_ type: String, _ name: String, keys: [String], remarks: [String]) -> String {
      var line = "    \(Quoting.mermaidWord(type)) \(Quoting.mermaidWord(name))"
      if !keys.isEmpty { line += " " + keys.joined(separator: ", ") }
      let comment = (Quoting.mermaidWord(name).isExactly(name) ? [] : [name]) + remarks
      if !comment.isEmpty { line += " " + quoted(comment.joined(separator: ", ")) }
      return line
    }
    guard let details = entity.details else {
      return entity.attributes.map {
        line($0.typeName, $0.name, keys: $0.isUnique ? ["UK"] : [], remarks: [])
      }
    }
    return details.columns.map { column in
      var keys: [String] = []
      if column.keyPosition != nil { keys.append("PK") }
      if !column.references.isEmpty { keys.append("FK") }
      if entity.isUnique(column) { keys.append("UK") }
      return line(
        column.typeName, column.name, keys: keys,
        remarks: entity.remarks(of: column).filter {
          !$0.hasPrefix("primary key") && $0 != "unique"
        })
    }
  }

  private static func quoted(_ text: String) -> String {
    Quoting.mermaidText(text.markingHarmful())
  }
}

/// A relationship with its inverse, so that the diagram has each pair once.
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

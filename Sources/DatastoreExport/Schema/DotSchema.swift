import Basics
import DatastoreCore
import Gates

/// A schema as a Graphviz graph: <https://graphviz.org/doc/info/lang.html>. Entities are tables; crow's feet
/// on the edges mark to-many ends.
struct DotSchema {
  let lines: [String]

  init(_ whole: SchemaOutline) {
    let outline = whole.withoutInherited
    var lines = [
      "digraph schema {", "  rankdir=LR;",
      "  node [shape=plain, fontname=\"Helvetica\"];",
      "  edge [dir=both, fontname=\"Helvetica\", fontsize=10];",
    ]
    for entity in outline.entities {
      lines.append("  \(Self.quoted(entity.name)) [label=<")
      lines.append("    <table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">")
      lines += Self.rows(of: entity)
      lines.append("    </table>>];")
    }
    for link in SchemaLink.all(of: outline) {
      let label = [link.relationship.name, link.inverse?.name].compactMap(\.self)
        .joined(separator: " / ")
      let tail = link.inverse.map { $0.kind.isToMany ? "crow" : "none" } ?? "none"
      let head =
        link.relationship.kind.isToMany ? "crow" : link.inverse == nil ? "normal" : "none"
      lines.append(
        "  \(Self.quoted(link.entity)) -> \(Self.quoted(link.relationship.destination)) "
          + "[label=\(Self.quoted(label)), arrowtail=\(tail), arrowhead=\(head)];")
    }
    for entity in outline.entities {
      guard let parent = entity.description.parent else { continue }
      lines.append(
        "  \(Self.quoted(entity.name)) -> \(Self.quoted(parent)) [arrowtail=none, arrowhead=empty];"
      )
    }
    self.lines = lines + ["}"]
  }

  /// The HTML rows of an entity: a title and each attribute or, for third-party files, each column with its
  /// keys.
  private static func rows(of entity: EntityOutline) -> [String] {
    func cell(_ text: String, isBold: Bool = false) -> String {
      "<td align=\"left\">\(isBold ? "<b>\(escaped(text))</b>" : escaped(text))</td>"
    }
    let title =
      "<td colspan=\"\(entity.details == nil ? 2 : 3)\" bgcolor=\"lightgrey\"><b>\(escaped(entity.name))</b></td>"
    let cells: [String]
    if let details = entity.details {
      cells = details.columns.map { column in
        cell(column.name, isBold: column.isNotNull) + cell(column.typeName)
          + cell(entity.remarks(of: column).joined(separator: ", "))
      }
    } else {
      cells = entity.attributes.map { attribute in
        cell(attribute.name, isBold: !attribute.isOptional) + cell(attribute.typeName)
      }
    }
    return ([title] + cells).map { "      <tr>\($0)</tr>" }
  }

  private static func quoted(_ text: String) -> String {
    Quoting.dotText(text.markingHarmful())
  }

  /// Text for an HTML label. Empty text becomes a space, since an empty label is an error.
  private static func escaped(_ text: String) -> String {
    text.isEmpty ? " " : Quoting.htmlText(text.markingHarmful())
  }
}

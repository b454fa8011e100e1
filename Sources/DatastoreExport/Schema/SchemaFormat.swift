import DatastoreCore
package import TerminalUI

/// The output formats of a schema.
package enum SchemaFormat: String, CaseIterable, Sendable {
  /// Lines for people.
  case text
  /// A Mermaid entity relationship diagram.
  case mermaid
  /// A Graphviz graph.
  case dot
  case json
  /// SwiftDatastore classes.
  case swift
  /// The tables, as in the lock of a version.
  case lock
  /// An Xcode data model, as XML.
  case xcdatamodel
  /// Boxes for entities, lines for relationships.
  case graph

  /// The schema in this format, with a final line end.
  package func text(of outline: SchemaOutline, glyphs: GlyphSet = .unicode) -> String {
    switch self {
    case .text: Self.joined(SchemaTree(outline, glyphs: glyphs).lines)
    case .graph: Self.joined(SchemaGraph(outline, glyphs: glyphs).lines)
    case .mermaid: Self.joined(MermaidSchema(outline).lines)
    case .dot: Self.joined(DotSchema(outline).lines)
    case .json: JSONSchemaText(outline).text
    case .lock: VersionLock(outline.entities.map(\.description)).description + "\n"
    case .xcdatamodel: Self.joined(ModelSource(outline).lines)
    case .swift: Self.joined(SwiftSchema(outline).lines)
    }
  }

  private static func joined(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }
}

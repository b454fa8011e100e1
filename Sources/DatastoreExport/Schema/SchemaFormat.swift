import DatastoreCore
package import TerminalUI

/// The forms in which a schema can be written.
package enum SchemaFormat: String, CaseIterable, Sendable {
  /// Lines for people.
  case text
  /// An entity relationship diagram of Mermaid.
  case mermaid
  /// A graph of Graphviz.
  case dot
  case json
  /// Classes of SwiftDatastore.
  case swift
  /// What the tables are, as the lock of a version.
  case lock
  /// A model for Xcode, as XML.
  case xcdatamodel
  /// Boxes for entities, lines for relationships.
  case graph

  /// The schema in this form, with a line end at its end.
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

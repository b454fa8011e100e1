import DatastoreCore
import DatastoreExport
import TerminalUI

/// The schema of the file as lines, in both forms and for both sets of glyphs.
///
/// Made off the main thread, since the graph of many entities takes time.
struct SchemaText: Sendable {
  enum Form: Hashable, Sendable {
    /// Entities with their properties and indexes below them.
    case outline
    /// Boxes with lines from relationship to relationship.
    case graph
  }

  private struct Lines: Sendable {
    var unicode: [String]
    var ascii: [String]
    /// The line of each entity's title.
    var titles: ByEntity<Int>
    /// The width of the longest line in cells.
    let width: Int

    init(unicode: [String], ascii: [String], titles: [Int]) {
      (self.unicode, self.ascii, self.titles) = (unicode, ascii, ByEntity(titles))
      width = (unicode + ascii).map { $0.displayWidth() }.max() ?? 0
    }
  }

  private let outline: Lines
  private let graph: Lines
  /// The name of each entity, and the names of its properties in the order of their lines; nil for lines that
  /// only SQL can change.
  private let names: [(entity: String, properties: [String?])]

  /// Lays a schema out. O(lines × relationships).
  init(_ schema: SchemaOutline) {
    names = schema.entities.map { ($0.name, $0.lineNames) }
    let tree = SchemaTree(schema)
    outline = Lines(
      unicode: tree.lines, ascii: SchemaTree(schema, glyphs: .ascii).lines, titles: tree.titles)
    let boxes = SchemaGraph(schema)
    graph = Lines(
      unicode: boxes.lines, ascii: SchemaGraph(schema, glyphs: .ascii).lines, titles: boxes.titles)
  }

  private func lines(_ form: Form) -> Lines { form == .outline ? outline : graph }

  /// The lines to draw. Both sets of glyphs have the same number of lines.
  func lines(_ form: Form, _ glyphs: GlyphSet) -> [String] {
    glyphs == .unicode ? lines(form).unicode : lines(form).ascii
  }

  /// The width of the longest line in cells.
  func width(_ form: Form) -> Int { lines(form).width }

  /// The line of each entity's title.
  func titles(_ form: Form) -> ByEntity<Int> { lines(form).titles }

  /// The entity or property of a line, if it can be changed by name. Nil in the graph, and for other lines.
  func place(ofLine line: Int, _ form: Form) -> (entity: String, property: String?)? {
    guard form == .outline, let entity = entity(ofLine: line, form) else { return nil }
    let (name, properties) = names[entity.rawValue]
    let row = line - titles(form)[entity]
    if row == 0 { return (name, nil) }
    guard properties.indices.contains(row - 1), let property = properties[row - 1] else {
      return nil
    }
    return (name, property)
  }

  /// The entity that a line belongs to; nil without entities.
  func entity(ofLine line: Int, _ form: Form) -> EntityIndex? {
    // The upper edge belongs to its box.
    let line = form == .graph ? line + 1 : line
    let titles = titles(form)
    let following = titles.elements.partitioningIndex { $0 > line }
    return titles.isEmpty ? nil : EntityIndex(max(0, following - 1))
  }
}

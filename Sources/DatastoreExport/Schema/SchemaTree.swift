import Basics
import DatastoreCore
package import TerminalUI

/// A schema as lines for people: each entity with its attributes, relationships and indexes, in columns.
///
/// Names and types of the file have marks in place of characters that a terminal could obey.
package struct SchemaTree {
  package let lines: [String]
  /// The line of the title of each entity.
  package let titles: [Int]

  /// - Parameter glyphs: the glyphs for branches and arrows.
  package init(_ outline: SchemaOutline, glyphs: GlyphSet = .unicode) {
    var lines: [String] = []
    var titles: [Int] = []
    for (index, entity) in outline.entities.enumerated() {
      if index > 0 { lines.append("") }
      titles.append(lines.count)
      lines += Self.lines(of: entity, glyphs)
    }
    self.lines =
      lines + Self.lines("staged changes", outline.staged, glyphs)
      + Self.lines("changed by other tools", outline.differences, glyphs)
      + Self.lines("left out", outline.notes, glyphs)
      + Self.lines("the model also says", outline.remarks, glyphs)
      + Self.lines("migrations", outline.migrations.map(\.description), glyphs)
      + Self.lines(of: outline.suggestions, glyphs)
    self.titles = titles
  }

  /// A title and a list of sentences; no lines without sentences.
  private static func lines(
    _ title: String, _ sentences: [String], _ glyphs: GlyphSet
  ) -> [String] {
    guard !sentences.isEmpty else { return [] }
    return ["", title]
      + sentences.enumerated().map { index, sentence in
        let isLast = index == sentences.count - 1
        let stem = glyphs == .unicode ? (isLast ? "└─ " : "├─ ") : (isLast ? "`- " : "|- ")
        return stem + sentence.withoutTerminalControls
      }
  }

  /// The relationships that names and values suggest and the file does not declare.
  private static func lines(
    of suggestions: [RelationshipSuggestion], _ glyphs: GlyphSet
  ) -> [String] {
    guard !suggestions.isEmpty else { return [] }
    let isUnicode = glyphs == .unicode
    let titles = suggestions.map {
      $0.title(arrow: isUnicode ? "→" : "->").withoutTerminalControls
    }
    let width = titles.map { $0.displayWidth() }.max() ?? 0
    return ["", "relationships that are not declared"]
      + zip(suggestions, titles).enumerated().map { index, pair in
        let (suggestion, title) = pair
        let isLast = index == suggestions.count - 1
        let stem = isUnicode ? (isLast ? "└─ " : "├─ ") : (isLast ? "`- " : "|- ")
        let decision = suggestion.decision.map { "\($0.rawValue), " } ?? ""
        return stem + title.padded(to: width) + "  " + decision
          + suggestion.evidence.withoutTerminalControls
      }
  }

  /// One line below an entity, in columns.
  private struct Branch {
    let name: String
    let type: String
    let remarks: String
    /// The lines of an SQL statement.
    let sql: [String]

    init(_ name: String, _ type: String, _ remarks: [String], sql: String = "") {
      self.name = name.withoutTerminalControls
      self.type = type.withoutTerminalControls
      self.remarks = remarks.joined(separator: ", ").withoutTerminalControls
      self.sql = sql.lines().filter { !$0.isEmpty }.map { String($0).withoutTerminalControls }
    }
  }

  /// The columns of a third-party file, including those of foreign keys, or the attributes of an entity in a
  /// native file.
  private static func columns(of entity: EntityOutline) -> [Branch] {
    guard let details = entity.details else {
      return entity.attributes.map { Branch($0.name, $0.typeName, $0.remarks) }
    }
    return details.columns.map { column in
      Branch(column.name, column.typeName, entity.remarks(of: column))
    }
  }

  private static func lines(of entity: EntityOutline, _ glyphs: GlyphSet) -> [String] {
    let isUnicode = glyphs == .unicode
    let (one, many) = isUnicode ? ("→ ", "⇉ ") : ("-> ", "=> ")
    var branches = columns(of: entity)
    branches += entity.relationships.map { relationship in
      Branch(
        relationship.name, (relationship.kind == .toOne ? one : many) + relationship.destination,
        relationship.remarks)
    }
    branches += entity.description.uniqueness.map {
      Branch("unique", $0.joined(separator: ", "), [])
    }
    branches += entity.indexes.map { Branch("index", $0.name, $0.remarks) }
    if let details = entity.details {
      branches += details.checks.map { Branch("check", "", [], sql: $0) }
      branches += details.triggers.map { Branch("trigger", $0.name, [], sql: $0.sql) }
      if entity.kind.hasSuffix("view"), let sql = details.sql {
        branches.append(Branch("as", "", [], sql: sql))
      }
    }
    let nameWidth = branches.map { $0.name.displayWidth() }.max() ?? 0
    let typeWidth = branches.map { $0.type.displayWidth() }.max() ?? 0
    var details = entity.remarks
    if entity.description.isAbstract { details.append("abstract") }
    if let parent = entity.description.parent {
      details.append("inherits from \(parent.withoutTerminalControls)")
    }
    let title = "\(entity.name.withoutTerminalControls) (\(details.joined(separator: ", ")))"
    return [title]
      + branches.enumerated().flatMap { index, branch in
        let isLast = index == branches.count - 1
        let stem = isUnicode ? (isLast ? "└─ " : "├─ ") : (isLast ? "`- " : "|- ")
        var line = stem + branch.name.padded(to: nameWidth) + "  " + branch.type
        if !branch.remarks.isEmpty {
          line += branch.type.padding(to: typeWidth) + "  " + branch.remarks
        }
        let rest =
          (isLast ? "   " : isUnicode ? "│  " : "|  ")
          + String(repeating: " ", count: nameWidth + 2)
        // A statement of one line goes beside the name, a longer one below it.
        if branch.sql.count == 1, branch.type.isEmpty { return [line + branch.sql[0]] }
        while line.last == " " { line.removeLast() }
        return [line] + branch.sql.map { rest + $0 }
      }
  }
}

extension String {
  /// The spaces that pad the text to this many cells.
  func padding(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - displayWidth()))
  }

  func padded(to width: Int) -> String { self + padding(to: width) }
}

import DatastoreCore
import SwiftDatastore
import TerminalUI

/// A preview of what the staged schema edits would do to the file, before they are saved.
struct SchemaReview: TextOverlay {
  /// The content of the preview.
  struct Contents: Hashable, Sendable {
    var lines: [String]
    /// The lines about losses and about anything in the way.
    var warnings: Range<Int> = 0..<0
    /// The data that would be lost, by the names in the file.
    var losses: [String] = []
    /// Whether the edits cannot be saved.
    var isImpossible = false
  }

  static let scope = CommandScope(
    "schema-review", title: "In the review of a changed schema",
    traits: [.scrolls, .closes, .saves])
  /// Nil while the file is being examined.
  private(set) var contents: Result<Contents, EffectFailure>?
  var first = 0
  /// The progress of the save.
  private(set) var progress: String?

  mutating func apply(_ contents: Result<Contents, EffectFailure>) { self.contents = contents }

  mutating func apply(_ progress: MigrationProgress) {
    let percent = Int(progress.fractionCompleted * 100)
    self.progress =
      switch progress.phase {
      case .waiting: "Waiting for another process, which migrates the file"
      case .checking: "Looking at values"
      case .backup: "Copying the old file"
      case .copying: "Writing \(progress.entity ?? "rows"): \(percent) %"
      case .indexing: "Making indexes"
      case .finishing: "Checking references"
      }
  }

  mutating func failed() { progress = nil }

  /// The data that may be lost, if the edits can be saved.
  var losses: [String]? {
    guard case .success(let contents)? = contents, !contents.isImpossible else { return nil }
    return contents.losses
  }

  private func lines(width: Int) -> [(text: String, role: StyleRole)] {
    switch contents {
    case nil: return [("looking at the file…", .dim)]
    case .failure(let failure)?:
      return failure.message.wrapped(to: width).map { ($0, .error) }
    case .success(let contents)?:
      return contents.lines.enumerated().flatMap { index, line in
        let role: StyleRole = contents.warnings.contains(index) ? .warning : .text
        // Lines with columns are not wrapped.
        if line.displayWidth() <= width { return [(line, role)] }
        let indent = String(line.prefix { $0 == " " })
        return line.dropFirst(indent.count).description.wrapped(to: max(1, width - indent.count))
          .map { (indent + $0, role) }
      }
    }
  }

  static func area(in size: Size) -> Rectangle { size.box(columns: 100, rows: size.rows - 2) }

  func body(in size: Size) -> Rectangle { Self.area(in: size).inset(horizontal: 2, vertical: 1) }

  func lineCount(in size: Size) -> Int { lines(width: body(in: size).columns).count }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let body = body(in: buffer.size)
    let lines = lines(width: body.columns)
    Box(
      title: state.schemaEditing.title,
      note: progress ?? (losses == nil ? "esc closes" : "ctrl-s saves, esc closes")
    ).cover(&buffer, in: Self.area(in: buffer.size))
    let visible = visible(in: buffer.size)
    for (row, index) in visible.enumerated() {
      buffer.draw(lines[index].text, in: body.row(row), role: lines[index].role)
    }
    Scrollbar(count: lines.count, visible: visible).draw(
      into: &buffer, beside: body, column: body.right + 1)
    return nil
  }
}

extension BrowserState {
  /// Saves the staged schema edits after the review.
  fileprivate mutating func saveSchema() {
    guard let losses = overlay(as: SchemaReview.self)?.losses else { return }
    schemaEditing.isSaving = true
    tell("The schema is being saved; esc cancels.", .information)
    request(.saveSchema(schemaEditing.edits, losing: losses))
  }

  /// Closes the review and cancels a running save, which reports its end.
  fileprivate mutating func closeSchemaReview() {
    closeOverlay()
    guard schemaEditing.isSaving else { return }
    tell("The saving of the schema is being cancelled.", .information)
    request(.cancelSchemaSave)
  }
}

extension SchemaReview: StagingOverlay {
  func dismiss(_ state: inout BrowserState) { state.closeSchemaReview() }

  func perform(_ action: StagingAction, _ state: inout BrowserState) { state.saveSchema() }

  func reasonNot(to action: StagingAction, in state: BrowserState) -> String? {
    DisabledReason.noSchemaEdits.reason(state)
      ?? (losses == nil ? "It cannot be saved as it is; see the obstacles." : nil)
  }
}

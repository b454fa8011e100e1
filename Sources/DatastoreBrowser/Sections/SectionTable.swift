import Basics
import DatastoreCore
import TerminalUI

extension BrowserState {
  /// Opens a table of all sections with their numbers of rows; Enter goes to a section.
  mutating func openSections() {
    guard let table, let path = table.groupPath else { return }
    let title = GroupTitle(path).description
    openDerivedTable(
      titled: "Sections by \(title) in \(table.title)", "the sections", entity: "sections",
      at: (table.lines.section(ofLine: table.scroll.cursor), 0)
    ) { state in
      let sections = SectionRows(
        sections: state.table?.list.sections ?? [], path: path,
        format: state.groupFormat(of: path, table.query.entity), title: title)
      return { runner, _, _ in try await sections.table(runner) }
    }
  }

  /// Goes to the section of a value, if it still exists.
  fileprivate mutating func goToSection(of value: Value) {
    guard let section = table?.list.sections.firstIndex(where: { $0.value == value }) else {
      return tell("This section is not there any more.", .information)
    }
    focus = .table
    changeTable { $0.moveCursor(toSection: section, height: $1) }
  }
}

/// The sections as rows of a derived table. There may be a million of them, so they are added in portions.
private struct SectionRows: Sendable {
  let sections: [KeyList.Section]
  let path: [String]
  let format: GroupFormat?
  let title: String

  private static let portion = 4096

  func table(_ runner: EffectRunner) async throws -> DerivedRows {
    let first = try await rows(of: sections.prefix(Self.portion), runner)
    var table = DerivedRows(
      columns: [DerivedRows.Column(name: title), .rowCount], rows: first, enter: .goToSection
    ) { [sections] rows, _ in
      guard let first = rows.first else { return nil }
      return { $0.goToSection(of: sections[first].value) }
    }
    let later = sections.dropFirst(Self.portion)
    guard !later.isEmpty else { return table }
    table.rest = { put in
      for first in stride(from: later.startIndex, to: later.endIndex, by: Self.portion) {
        try Task.checkCancellation()
        let rows = try await rows(of: later[first...].prefix(Self.portion), runner)
        guard await put(rows) else { return }
      }
    }
    return table
  }

  private func rows(
    of sections: ArraySlice<KeyList.Section>, _ runner: EffectRunner
  ) async throws -> [[Value]] {
    let names = try await runner.shown(sections.map(\.value), at: path, format)
    return zip(sections, names).map { [$1, .integer(Int64($0.count))] }
  }
}

extension DerivedTableState.Action {
  static let goToSection = Self("go there", "enter goes to the section")
}

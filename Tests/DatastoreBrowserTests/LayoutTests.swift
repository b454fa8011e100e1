import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

@Suite struct LayoutTests {
  /// A screen as a drawing: each panel filled with its letter.
  private func drawing(_ size: Size, showsDetail: Bool = true, scale: (Int, Int)) -> String {
    let layout = ScreenLayout(size, entityWidth: 20, panes: Panes(detail: showsDetail))
    var buffer = ScreenBuffer(size: size)
    buffer.fill(layout.entities, with: "E")
    buffer.fill(layout.table, with: "T")
    buffer.fill(layout.detail, with: "D")
    buffer.fill(layout.toolbar, with: "b")
    buffer.fill(layout.status, with: "s")
    buffer.fill(layout.footer, with: "f")
    let rows = stride(from: 0, to: size.rows, by: scale.1).map { row in
      stride(from: 0, to: size.columns, by: scale.0).map { column in
        buffer[Position(column: column, row: row)].text
      }.joined()
    }
    return rows.joined(separator: "\n")
  }

  @Test func narrowScreensStackTableAndDetails() {
    #expect(
      drawing(Size(columns: 80, rows: 24), scale: (5, 3)) == """
        EEEETTTTTTTTTTTT
        EEEETTTTTTTTTTTT
        EEEETTTTTTTTTTTT
        EEEETTTTTTTTTTTT
        EEEEDDDDDDDDDDDD
        EEEEDDDDDDDDDDDD
        EEEEDDDDDDDDDDDD
        bbbbbbbbbbbbbbbb
        """)
  }

  @Test(
    "A small screen is the table's, and so is one with a single entity; who asks for the others gets them"
  )
  func theTableComesFirst() {
    func layout(
      _ columns: Int, _ rows: Int, _ panes: Panes = .byRoom, focus: Focus = .table,
      hasOne: Bool = false
    ) -> ScreenLayout {
      ScreenLayout(
        Size(columns: columns, rows: rows), entityWidth: 20, panes: panes, focus: focus,
        hasOneEntity: hasOne)
    }
    #expect(layout(80, 24).tableBody == Rectangle(column: 1, row: 2, columns: 78, rows: 20))
    #expect(layout(80, 24).toolbar.isEmpty && !layout(80, 24, Panes()).toolbar.isEmpty)
    #expect(layout(80, 24, focus: .detail).detail == layout(80, 24).table)
    #expect(layout(80, 24, focus: .entities).entities == layout(80, 24).table)
    #expect(!layout(80, 24, Panes(entities: true, detail: nil)).entities.isEmpty)
    #expect(!layout(80, 24, Panes(entities: nil, detail: true)).detail.isEmpty)
    #expect(layout(120, 29).entities.isEmpty && layout(120, 29).detail.isEmpty)
    #expect(!layout(120, 30).entities.isEmpty && !layout(120, 30).detail.isEmpty)
    #expect(layout(99, 40).entities.isEmpty && !layout(99, 40).detail.isEmpty)
    #expect(!layout(200, 24).detail.isEmpty)
    #expect(layout(200, 60, hasOne: true).entities.isEmpty)
    #expect(!layout(200, 60, Panes(entities: true, detail: nil), hasOne: true).entities.isEmpty)
  }

  @Test func wideScreensPutThemSideBySide() {
    #expect(
      drawing(Size(columns: 200, rows: 60), scale: (10, 6)) == """
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        EETTTTTTTTTTTTDDDDDD
        """)
  }

  @Test func panelsCoverEveryCellOnceOnAnyScreen() {
    for columns in stride(from: 0, through: 210, by: 7) {
      for rows in stride(from: 0, through: 64, by: 3) {
        for showsDetail in [true, false] {
          let size = Size(columns: columns, rows: rows)
          let layout = ScreenLayout(size, entityWidth: 20, panes: Panes(detail: showsDetail))
          let panels = [
            layout.entities, layout.table, layout.detail, layout.toolbar, layout.status,
            layout.footer,
          ]
          let covered = panels.reduce(0) { $0 + $1.columns * $1.rows }
          #expect(covered == columns * rows, "\(size)")
          #expect(panels.allSatisfy { $0.isEmpty || $0.intersection(Rectangle(size)) == $0 })
        }
      }
    }
  }

  @Test func linesAndRowsFindEachOther() {
    let list = KeyList(
      keys: [RowKey](10...19),
      sections: [
        KeyList.Section(value: .text("a"), count: 3), KeyList.Section(value: .null, count: 5),
        KeyList.Section(value: .text("c"), count: 2),
      ])
    var folds = SectionFolds()
    folds.toggle(.null)
    let lines = TableLines(list, hasHeaders: true, folds: folds)
    #expect(lines.count == 8)
    let shown = (0..<lines.count).map { lines[$0] }
    #expect(
      shown == [
        .header(section: 0), .row(index: 0), .row(index: 1), .row(index: 2), .header(section: 1),
        .header(section: 2), .row(index: 8), .row(index: 9),
      ])
    for (number, line) in shown.enumerated() {
      if case .row(let index) = line { #expect(lines.line(ofRow: index) == number) }
    }
    #expect(lines.line(ofRow: 5) == 4)
    #expect(lines[8] == nil)
    #expect(TableLines()[0] == nil)
  }
}

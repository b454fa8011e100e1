import DatastoreCore
import TerminalUI

/// Where the panels lie, and which are shown.
extension BrowserState {
  /// Where the panels lie now.
  var layout: ScreenLayout { layout(focus, zooming: panes.isZoomed ? focus : nil) }

  /// Where the table lies, also while another panel hides it: what the table keeps in view does not depend on
  /// that.
  var tableLayout: ScreenLayout {
    layout(.table, zooming: panes.isZoomed && focus == .table ? .table : nil)
  }

  private func layout(_ focus: Focus, zooming: Focus?) -> ScreenLayout {
    var panes = panes
    // There is no other table to go to.
    if derivedTable != nil { panes.entities = false }
    return ScreenLayout(
      size, entityWidth: entities.wantedWidth, detailLines: table?.detailLines ?? 0,
      panes: panes, focus: focus, zoomed: zooming, hasTotals: table?.hasTotals ?? false,
      hasOneEntity: schema.entities.count < 2)
  }

  /// Whether the details can be seen: beside the table, or alone when they have the focus.
  var showsDetail: Bool {
    get { panes.detail != false }
    set { if newValue != showsDetail { panes.detail = newValue ? nil : false } }
  }

  /// Whether the list of entities can be seen: beside the table, or alone when it has the focus.
  var showsEntities: Bool {
    get { panes.entities != false }
    set { if newValue != showsEntities { panes.entities = newValue ? nil : false } }
  }

  /// Shows the details beside the table, or hides them.
  mutating func toggleDetail() {
    panes.detail = layout(.table, zooming: nil).detail.isEmpty
    if focus == .detail { focus = .table }
  }

  /// Shows the list of entities beside the table, or hides it.
  mutating func toggleEntities() {
    panes.entities = layout(.table, zooming: nil).entities.isEmpty
    if focus == .entities { focus = .table }
  }

  /// The panels that the focus can go to, in their order.
  var openPanels: [Focus] {
    Focus.allCases.filter { panel in
      switch panel {
      case .entities: showsEntities
      case .table: true
      case .detail: showsDetail
      }
    }
  }

  /// Makes the panel with the focus larger or, when negative, smaller, by some cells; a neighbour gives
  /// or takes them. At the limit it only says so.
  mutating func resizePanel(by cells: Int) {
    var changed = panes
    let isBeside = layout.isDetailBeside
    switch focus {
    case .entities: changed.entityColumns += 2 * cells
    case .detail where isBeside: changed.detailColumns += 2 * cells
    case .detail: changed.detailRows += cells
    case .table where !showsDetail: changed.entityColumns -= 2 * cells
    case .table where isBeside: changed.detailColumns -= 2 * cells
    case .table: changed.detailRows -= cells
    }
    let before = layout
    let kept = panes
    panes = changed
    guard layout == before else { return }
    panes = kept
    message = Message(
      text: "This panel cannot become \(cells > 0 ? "larger" : "smaller").", severity: .warning)
  }
}

import DatastoreCore
import TerminalUI

/// The places of the panels, and which of them are shown.
extension BrowserState {
  /// The current layout.
  var layout: ScreenLayout { layout(focus, zooming: panes.isZoomed ? focus : nil) }

  /// The layout with the table, even while another panel hides it: which rows the table keeps in view does
  /// not depend on the other panels.
  var tableLayout: ScreenLayout {
    layout(.table, zooming: panes.isZoomed && focus == .table ? .table : nil)
  }

  private func layout(_ focus: Focus, zooming: Focus?) -> ScreenLayout {
    var panes = panes
    // A derived table is the only table of its store.
    if derivedTable != nil { panes.entities = false }
    return ScreenLayout(
      size, entityWidth: entities.wantedWidth, detailLines: table?.detailLines ?? 0,
      panes: panes, focus: focus, zoomed: zooming, hasTotals: table?.hasTotals ?? false,
      hasOneEntity: schema.entities.count < 2)
  }

  /// Whether the details are visible: beside the table, or alone while they have the focus.
  var showsDetail: Bool {
    get { panes.detail != false }
    set { if newValue != showsDetail { panes.detail = newValue ? nil : false } }
  }

  /// Whether the list of entities is visible: beside the table, or alone while it has the focus.
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

  /// Enlarges the panel with the focus by some cells, at the cost of a neighbour; a negative number shrinks
  /// it. At the limit, only shows a message.
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
    tell("This panel cannot become \(cells > 0 ? "larger" : "smaller").", .warning)
  }
}

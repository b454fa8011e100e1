import Basics
import DatastoreCore
import TerminalUI

/// Pasting rows into the table.
extension BrowserState {
  /// Shows a preview of pasted rows.
  mutating func pasteRows(_ text: String) {
    let pasted = PastedTable(text)
    guard !pasted.rows.isEmpty else { return }
    if let reason = DisabledReason.cannotPaste.reason(self) { return tell(reason, .warning) }
    guard pasted.rows.count <= PastePlan.most else {
      return tell(
        "These are \(CountText.grouped(pasted.rows.count)) rows; at most "
          + "\(CountText.grouped(PastePlan.most)) are pasted. Write them into a file and press P to import it.",
        .warning)
    }
    guard let entity, let first = pasted.rows.first else { return }
    let header = PastePlan.header(first, of: entity)
    guard pasted.isTable || header == nil else {
      return tell("This is only the name of a column; there are no rows to paste.", .warning)
    }
    openPaste(pasted, header: header)
    // If the entity cannot have new objects, its existing rows may still be changed.
    if DisabledReason.cannotCreate.reason(self) != nil { togglePasteTargets() }
  }

  private mutating func openPaste(_ pasted: PastedTable, header: [Slot?]?) {
    guard let entity, let table else { return }
    // As in spreadsheets, from the cell under the cursor to the right.
    let place = table.arrangement.position(of: table.column) ?? 0
    let shown = table.arrangement.shown.dropFirst(place).map { table.columns[$0].slot }
    let rows = header == nil ? pasted.rows : Array(pasted.rows.dropFirst())
    var plan = plan(rows, header ?? shown.map { $0 }, of: entity)
    var order = header == nil ? PasteScreen.Order.table : .header
    if header == nil, let columns = columnsOfFile(of: entity),
      rows.allSatisfy({ $0.count == columns.count })
    {
      // Whole rows come from the file, or from a copy of the table, which may have another order.
      let whole = self.plan(rows, columns, of: entity)
      if whole.slots != plan.slots, whole.faults.count <= plan.faults.count {
        plan = whole
        order = .file
      }
    }
    open(PasteScreen(pasted, order, plan: plan))
    if !plan.names.isEmpty { request(.findPasted(plan)) }
  }

  private func plan(_ rows: [[String]], _ slots: [Slot?], of entity: Entity) -> PastePlan {
    PastePlan(
      rows, decimalMark(of: entity),
      slots: slots.map { slot in slot.flatMap { isPasteable($0, of: entity) ? $0 : nil } },
      of: entity, owner: ownerOfMembers)
  }

  /// The columns of the file that an entity's rows are shown from; nil if there is none.
  private func columnsOfFile(of entity: Entity) -> [Slot]? {
    guard sourceFiles.files[entity.name] != nil else { return nil }
    return entity.slots.filter { entity.properties[$0].attribute != nil }
  }

  /// Whether a new object can get a value of a property; the fields of other properties are skipped.
  private func isPasteable(_ slot: Slot, of entity: Entity) -> Bool {
    if let link = entity.links[slot] {
      return !link.kind.isToMany && !link.description.isReadOnly
    }
    return entity.properties[slot].attribute?.isReadOnly == false
  }

  /// Uses the first row as names of columns, or as a row like the others.
  mutating func togglePasteHeader() {
    guard let screen = overlay(as: PasteScreen.self), let entity,
      let first = screen.table.rows.first
    else { return }
    let header = screen.hasHeader ? nil : PastePlan.header(first, of: entity)
    if !screen.hasHeader, header == nil {
      return tell("The first row does not name columns of \(entity.name).", .warning)
    }
    closeOverlay()
    openPaste(screen.table, header: header)
    if screen.isIntoRows { togglePasteTargets() }
  }

  /// Pastes into the table's rows from the cursor on, or into new objects.
  mutating func togglePasteTargets() {
    guard let screen = overlay(as: PasteScreen.self), let table else { return }
    let isIntoRows = screen.isIntoRows
    let reason = (isIntoRows ? DisabledReason.cannotCreate : .cannotWriteRow).reason(self)
    if let reason { return tell(reason, .warning) }
    if isIntoRows {
      closeOverlay()
      openPaste(screen.table, header: screen.hasHeader ? screen.plan.slots : nil)
      return
    }
    var places: [Int] = []
    for line in table.scroll.cursor..<table.lines.count where places.count < screen.plan.rows.count
    {
      if case .row(let index) = table.lines[line] { places.append(index) }
    }
    let shown = places.compactMap { table.list.keys.readKey(at: $0) }.map(table.reference(to:))
    changeOverlay(as: PasteScreen.self) { $0.awaitTargets() }
    request(
      .findTargets(
        of: screen.plan, fetch: table.fetch, places,
        shown: Dictionary(shown.map { ($0.key, $0) }) { first, _ in first }))
  }

  /// Stages the new objects, or the values of the rows.
  mutating func stagePaste() {
    guard let screen = overlay(as: PasteScreen.self) else { return }
    guard !screen.isLookingUp else {
      return tell("Rows and names are still being looked up; wait a moment.", .warning)
    }
    let plan = screen.plan
    let taken = plan.taken
    guard !taken.isEmpty else {
      return tell(
        screen.isIntoRows
          ? "None of these rows can be pasted here." : "None of these rows can be an object.",
        .warning)
    }
    guard !screen.isIntoRows || plan.changeCount > 0 else {
      return tell("Nothing would change.", .information)
    }
    closeOverlay()
    let left = plan.rows.count - taken.count
    let leftOut = left == 0 ? "" : " \(CountText.counted(left, "row")) left out."
    let (objects, values) = plan.changes
    let pasted =
      screen.isIntoRows
      ? CountText.counted(plan.changeCount, "value") + " of "
        + CountText.counted(objects.count, "object")
      : CountText.counted(taken.count, "object")
    // The preview has shown the rows that are left out; a replayed session does not end here.
    tell("\(pasted) pasted.\(leftOut) Press u to undo.", .success)
    if screen.isIntoRows { return stage(.assignEach(objects, values)) }
    awaitAnswer(.object(isCreated: false))
    stage(.createEach(entity: plan.entity, taken))
  }
}

extension DisabledReason {
  /// Rows can be pasted only into the table.
  static let cannotPaste = DisabledReason { state in
    guard state.overlays.isEmpty, state.focus == .table else {
      return "Rows are pasted into the table; go to it first."
    }
    return cannotCreate.reason(state).flatMap { reason in
      cannotWriteRow.reason(state) == nil ? nil : reason
    }
  }
}

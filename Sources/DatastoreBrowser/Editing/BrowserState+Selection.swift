import Basics
import DatastoreCore
import TerminalUI

/// Selecting rows, and changing many objects at once.
extension BrowserState {
  /// The selected rows, or all rows of the table if none is selected. Nil while there are none, while they
  /// are still being read, or if too many are selected to tell them apart.
  var bulkTarget: BulkTarget? {
    guard let table else { return nil }
    let query = table.query
    let selection = editing.selection
    let selected = selection.count(in: query, rows: table.list.keys.count)
    if selected > 0, !selection.isAll(of: query) {
      if selected <= BulkTarget.mostStaged { return .objects(selection.references) }
      // The row numbers may belong to other rows by the time of the write.
      guard selection.seen.isEmpty else { return nil }
      return .matching(
        entity: query.entity, .hasKey(in: selection.keys.sorted()), count: selected)
    }
    guard table.isComplete, !table.list.keys.isEmpty else { return nil }
    if table.list.keys.isRead, table.list.keys.count <= BulkTarget.mostStaged {
      return .objects(table.list.keys.map(table.reference(to:)))
    }
    return .matching(
      entity: query.entity, query.request(in: schema).predicate, count: table.list.keys.count)
  }

  /// Selects or deselects the row under the cursor, and moves to the next row.
  mutating func selectRow() {
    guard var table, case .row(let index) = table.currentLine,
      let key = table.list.keys.readKey(at: index)
    else { return }
    guard table.list.keys.isRead || !editing.selection.isAll(of: table.query) else {
      return tell(
        "All rows of a table this long are selected together. Press A to select none, or filter "
          + "the rows that you want.", .warning)
    }
    editing.selection.toggle(key, in: table.list, table.query)
    editing.selection.remember(table.rows)
    table.scroll.move(by: 1, count: table.lines.count, height: tableHeight)
    table.moveAnchor()
    self.table = table
  }

  /// Moves to the next or previous row and selects all rows on the way; moving back deselects them.
  mutating func extendSelection(by step: Int) {
    guard var table, case .row(let index) = table.currentLine else {
      return move(step > 0 ? .lineDown : .lineUp)
    }
    var line = table.scroll.cursor + step
    if case .header = table.lines[line] { line += step }
    guard case .row(let target) = table.lines[line], table.list.keys.readKey(at: index) != nil,
      table.list.keys.readKey(at: target) != nil
    else { return }
    editing.selection.extend(from: index, to: target, in: table.list, table.query)
    editing.selection.remember(table.rows)
    table.scroll.move(to: line, count: table.lines.count, height: tableHeight)
    table.moveAnchor()
    self.table = table
  }

  /// Starts to change the column under the cursor in many objects.
  mutating func beginBulkUpdate() {
    guard let target = editTarget, let bulk = bulkTarget else { return }
    awaitAnswer(.editor(target))
    request(.beginEdit(target, bulk))
  }

  /// Shows the effects of a change of many objects, and asks.
  mutating func ask(_ plan: UpdatePlan) {
    guard overlays.isEmpty else { return }
    // Marks that every terminal can show.
    let marks = Marks(.ascii)
    var count = plan.target.count
    if case .objects = plan.target, case .computed(_, let values) = plan.change {
      count = values.count
    }
    guard count > 0 else { return tell("Nothing would change.", .information) }
    var lines = ["Set \(plan.property) to \(plan.new) in \(CountText.counted(count, "object"))."]
    for sample in plan.samples {
      lines.append(
        "\(sample.name): \(sample.old.shown(marks).text) \(marks.leadsTo) "
          + sample.new.shown(marks).text)
    }
    if count > plan.samples.count {
      lines.append("and \(CountText.grouped(count - plan.samples.count)) more")
    }
    switch plan.target {
    case .objects(let objects):
      lines.append("One undo reverts all of it; nothing is written until you save.")
      ask(
        title: "Change many objects", message: lines.joined(separator: "\n"),
        "change", else: "leave them"
      ) { state in
        switch plan.change {
        case .value(let value):
          state.stage(.assign(objects, slot: plan.slot, value))
        case .computed(let change, let values):
          let objects = objects.filter { values[$0.key] != nil }
          guard let first = objects.first else { return }
          state.stage(
            .assignEach(
              objects, values.mapValues { [plan.slot: $0] },
              computedFrom: change.sources(in: state.schema.entities[first.entity])))
        }
      }
    case .matching(let entity, let predicate, _):
      let isKept = keeps(plan.target, slot: plan.slot)
      lines.append(
        "These are too many to stage: they are WRITTEN AT ONCE and cannot be undone."
          + loss(of: entity, isKept))
      ask(
        title: "Change many objects", message: lines.joined(separator: "\n"),
        role: .warning, "write now", by: "W", else: "leave them"
      ) { state in
        state.editing.isSaving = true
        state.request(
          .writeUpdate(entity: entity, predicate, slot: plan.slot, plan.change, isKept: isKept))
      }
    }
  }

  /// Sets the column of the selected rows to the value in the first of them.
  mutating func fillDown() {
    guard let target = editTarget, let bulk = bulkTarget, let table else { return }
    let selection = editing.selection
    guard
      let first = table.list.keys.readKeys.first(where: {
        selection.contains($0.key, in: table.query)
      })?
      .key
    else {
      return tell("Select the rows to fill first: space selects one, shift-↓ more.", .warning)
    }
    awaitAnswer(.update(bulk))
    request(.planFilling(bulk, slot: target.slot, from: table.reference(to: first)))
  }

  /// Starts to delete many objects.
  mutating func beginBulkDeletion() {
    guard let bulk = bulkTarget, let entity else { return }
    switch bulk {
    case .objects(let objects):
      awaitAnswer(.deletion(objects))
      request(.planDeletion(objects))
    case .matching(let index, let predicate, let count):
      let isKept = keeps(bulk)
      ask(
        title: "Delete many objects",
        message: "Delete \(CountText.grouped(count)) \(entity.name), with what the delete rules "
          + "say?\n\(bulkSource)\n"
          + "These are too many to stage: they are DELETED AT ONCE, which cannot be undone."
          + loss(of: index, isKept),
        role: .warning, "delete now", by: "W", else: "keep them"
      ) { state in
        state.editing.isSaving = true
        state.request(.writeDeletion(entity: index, predicate, isKept: isKept))
      }
    }
  }

  /// Whether changes that are written at once into a copy of files are kept until its files have them, so
  /// that a crash does not lose them.
  ///
  /// - Parameter slot: the changed property; nil for deletions.
  private func keeps(_ target: BulkTarget, slot: Slot? = nil) -> Bool {
    guard case .matching(let index, _, let count) = target, count <= BulkTarget.mostKept else {
      return false
    }
    let entity = schema.entities[index]
    guard sourceFiles.files[entity.name] != nil else { return false }
    // Others change related rows as well.
    return slot.map { entity.properties[$0].attribute != nil } ?? entity.relationshipSlots.isEmpty
  }

  /// What can happen to changes that are written at once into a copy of a file, if they are not kept.
  private func loss(of entity: EntityIndex, _ isKept: Bool) -> String {
    guard !isKept, let file = sourceFiles.files[schema.entities[entity].name] else { return "" }
    return " If \(file.name) cannot be written then, they are lost when the browser ends."
  }
}

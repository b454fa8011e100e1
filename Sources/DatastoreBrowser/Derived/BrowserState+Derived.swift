import DatastoreCore
import TerminalUI

/// Computed columns.
extension BrowserState {
  /// Opens the line that defines a new column.
  mutating func openDerivedColumn() {
    guard let table else { return }
    let naming = table.definitions.naming
    open(DerivedColumnPrompt(naming.entities[table.query.entity], in: naming))
  }

  /// Opens the line that changes the computed column under the cursor.
  mutating func changeDerivedColumn() {
    guard let table, let entity, let column = table.currentColumn,
      let place = table.settings.derived.firstIndex(where: { $0.name == column.name })
    else { return }
    // An expression can use only columns that were defined before it.
    let before = ColumnDefinitions(
      entity, in: schema, derived: Array(table.settings.derived[..<place])
    ).naming
    open(
      DerivedColumnPrompt(
        before.entities[entity.index], in: before, changing: table.settings.derived[place]))
  }

  /// Adds the typed column; a fault leaves the line open.
  mutating func acceptDerivedColumn() {
    guard var prompt = overlay(as: DerivedColumnPrompt.self) else { return }
    if prompt.acceptCompletion(onlyMarked: true) {
      changeOverlay(as: DerivedColumnPrompt.self) { $0 = prompt }
      return
    }
    let definition = prompt.definition()
    if let (column, _) = definition, let reason = reasonNotToDefine(column, prompt.changed) {
      prompt.refuse(reason)
      changeOverlay(as: DerivedColumnPrompt.self) { $0 = prompt }
      return
    }
    guard let (column, _) = definition else {
      changeOverlay(as: DerivedColumnPrompt.self) { $0 = prompt }
      return
    }
    closeOverlay()
    define(column, replacing: prompt.changed)
  }

  /// Adds a computed column: `:derive salary * 12 AS yearly`.
  mutating func deriveColumn(_ text: String) {
    guard let table else { return }
    let naming = table.definitions.naming
    var prompt = DerivedColumnPrompt(naming.entities[table.query.entity], in: naming)
    prompt.paste(text, in: &self)
    open(prompt)
    acceptDerivedColumn()
  }

  /// Why the column cannot be defined, as a sentence; nil if it can.
  private func reasonNotToDefine(_ column: DerivedColumn, _ changed: DerivedColumn?) -> String? {
    guard let table else { return nil }
    if column.name != changed?.name, table.columns.contains(where: { $0.name == column.name }) {
      return "There is a column “\(column.name)” already; write AS and another name."
    }
    return nil
  }

  private mutating func define(_ column: DerivedColumn, replacing changed: DerivedColumn?) {
    guard let current = table?.currentColumn else { return }
    arrange { settings, table in
      if let changed, let place = settings.derived.firstIndex(of: changed) {
        settings.derived[place] = column
        settings.rename(changed.name, to: column.name)
        return
      }
      settings.derived.append(column)
      // The new column comes after the column under the cursor.
      var order = table.arrangement.all.map { table.columns[$0].name }
      order.insert(column.name, at: (order.firstIndex(of: current.name) ?? order.count - 1) + 1)
      settings.order = order
    }
    if let index = table?.columns.firstIndex(where: { $0.name == column.name }) {
      table?.column = index
    }
  }

  /// Removes the computed column under the cursor.
  mutating func removeDerivedColumn() {
    guard let column = table?.currentColumn, column.operand != nil else { return }
    arrange { settings, _ in
      settings.derived.removeAll { $0.name == column.name }
      settings.order.removeAll { $0 == column.name }
    }
    reportColumnFaults()
  }
}

extension ColumnSettings {
  /// Keeps the settings of a column under its new name.
  fileprivate mutating func rename(_ old: String, to new: String) {
    guard old != new else { return }
    order = order.map { $0 == old ? new : $0 }
    shown[new] = shown.removeValue(forKey: old)
    widths[new] = widths.removeValue(forKey: old)
    totals[new] = totals.removeValue(forKey: old)
    if frozenThrough == old { frozenThrough = new }
    if sparkline == old { sparkline = new }
    numbers[new] = numbers.removeValue(forKey: old)
    pictures[new] = pictures.removeValue(forKey: old)
  }
}

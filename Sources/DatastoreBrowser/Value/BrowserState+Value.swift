import DatastoreCore
import TerminalUI

/// Showing a whole value.
extension BrowserState {
  /// The attribute under the cursor of the table or the details, and its object.
  private var currentValue: (object: ObjectReference, slot: Slot)? {
    switch focus {
    case .entities: return nil
    case .table:
      guard let table, let column = table.currentColumn, column.destination == nil,
        let slot = column.slot, let key = table.currentKey
      else { return nil }
      return (ObjectReference(entity: table.query.entity, key: key), slot)
    case .detail:
      guard let object = detail.object, let field = detail.currentField, field.destination == nil
      else { return nil }
      return (object, field.slot)
    }
  }

  /// Why no whole value can be shown; nil if one can.
  var reasonNotToShowValue: String? {
    guard currentValue == nil else { return nil }
    if focus == .table, table?.currentKey == nil { return "There is no row here." }
    if focus == .table, let column = table?.currentColumn, column.operand != nil {
      return "\(column.name) is computed, and has no value of its own."
    }
    return "A relationship has no value of its own. Press o to go to the objects that it leads to."
  }

  /// Shows the whole value under the cursor.
  mutating func openValue() {
    guard let (object, slot) = currentValue else { return }
    let entity = schema.entities[object.entity]
    let title = "\(currentName(of: object)): \(entity.properties[slot].name)"
    open(ValueScreen(object, slot: slot, title: title))
  }

  mutating func changeValue(_ change: (inout ValueScreen, Size) -> Void) {
    let size = size
    changeOverlay(as: ValueScreen.self) { change(&$0, size) }
  }
}

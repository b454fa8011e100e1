import DatastoreCore
import DatastoreExport
import TerminalUI

/// An overlay with something to copy to the clipboard.
protocol CopyableOverlay: Overlay {
  /// The value that is copied.
  var copyableCell: CopyRequest { get }
}

/// A request for a text to copy to the clipboard.
enum CopyRequest: Hashable, Sendable {
  /// The whole value of an attribute.
  case value(ObjectReference, slot: Slot)
  /// The text of a cell.
  case text(String)
  /// Rows; a format of fields may have a header.
  case rows(ObjectRows, as: ExportFormat, withHeader: Bool)
}

/// A text for the clipboard.
struct CopiedText: Hashable, Sendable {
  var text: String
  /// The source of the text in words: `3 rows`.
  var subject: String
}

/// Copying values to the clipboard.
extension BrowserState {
  /// The value to copy; nil if there is none.
  var copyableCell: CopyRequest? {
    if let overlay = overlays.last as? any CopyableOverlay { return overlay.copyableCell }
    switch focus {
    case .entities: return nil
    case .table:
      guard let table, let key = table.currentKey, let column = table.currentColumn else {
        return nil
      }
      if column.destination == nil {
        guard let slot = column.slot else {
          return table.rows[key].map { .text($0.cells[table.column].text) }
        }
        return .value(ObjectReference(entity: table.query.entity, key: key), slot: slot)
      }
      if column.isToMany, let slot = column.slot {
        return table.counts.count(slot: slot, key: key).map { .text(String($0)) }
      }
      guard case .reference(let related) = table.rows[key]?.cells[table.column].kind else {
        return .text("")
      }
      return name(column.destination, related)
    case .detail:
      guard let object = detail.object, let field = detail.currentField else { return nil }
      if case .member(_, let member) = detail.currentItem { return .text(member.name) }
      guard field.destination != nil else { return .value(object, slot: field.slot) }
      switch field.content?.kind {
      case .reference(let related): return name(field.destination, related)
      case nil: return detail.members[field.slot]?.members.map { .text(String($0.count)) }
      default: return .text("")
      }
    }
  }

  /// The name of a related object, as the screen shows it.
  private func name(_ entity: EntityIndex?, _ key: RowKey) -> CopyRequest {
    let shown = entity.flatMap { names[$0, key] }?.shown.text
    return .text(shown ?? DisplayName.placeholder(key: key))
  }

  mutating func copyCell() {
    if let copyableCell { request(.copy(copyableCell, from: rowOrigins)) }
  }

  /// Copies the selected rows, or the row under the cursor.
  mutating func copyRows(as format: ExportFormat, withHeader: Bool = true) {
    guard var rows = tableRows, let table else { return }
    let selected = editing.selection.count(in: table.query, rows: table.list.keys.count)
    if selected == 0 {
      guard let key = table.currentKey else { return }
      rows.selection = [key]
    }
    request(.copy(.rows(rows, as: format, withHeader: withHeader), from: rowOrigins))
  }

  /// Puts the text on the clipboard, or reports why there is none.
  mutating func apply(copied result: Result<CopiedText, EffectFailure>) {
    switch result {
    case .failure(let failure):
      tell(failure.message, .warning)
    case .success(let copied):
      let hint = clipboardHint.map { " " + $0 } ?? ""
      tell("Copied \(copied.subject).\(hint)", .success)
      request(.putOnClipboard(copied.text))
    }
  }
}

extension DisabledReason {
  static let nothingToCopy = DisabledReason {
    $0.copyableCell == nil ? "There is no value here to copy." : nil
  }

  static let noRowsToCopy = DisabledReason { state in
    guard let table = state.table else { return "There is no table here." }
    let selected = state.editing.selection.count(
      in: table.query, rows: table.list.keys.count)
    if selected == 0, table.currentKey == nil { return "There is no row here." }
    return state.editing.selection.isAll(of: table.query) ? nothingToExport.reason(state) : nil
  }
}

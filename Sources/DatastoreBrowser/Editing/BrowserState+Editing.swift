import Basics
import DatastoreCore
import TerminalUI

/// Editing, creating and deleting objects.
extension BrowserState {
  /// The object under the cursor: the row of the table, whose object the details also show.
  var currentObject: ObjectReference? {
    guard let table, let key = table.currentKey else { return nil }
    return table.reference(to: key)
  }

  /// The property under the cursor of the focused panel.
  var editTarget: EditTarget? {
    guard let object = currentObject else { return nil }
    switch focus {
    case .entities: return nil
    case .table:
      return table?.currentColumn?.slot.map {
        EditTarget(object: object, slot: $0, panel: .table)
      }
    case .detail:
      guard let field = detail.currentField, detail.snapshot?.object == object else { return nil }
      return EditTarget(object: object, slot: field.slot, panel: .detail)
    }
  }

  mutating func beginEdit() {
    guard let editTarget else { return }
    awaitAnswer(.editor(editTarget))
    request(.beginEdit(editTarget, nil))
  }

  /// Runs the command of the toolbar's button at a position.
  mutating func clickToolbar(at position: Position, _ layout: ScreenLayout) {
    let toolbar = Toolbar(self, width: layout.toolbar.columns, isUnicode: true)
    let button = toolbar.buttons.first {
      $0.columns.contains(position.column - layout.toolbar.left)
    }
    guard let command = button.flatMap({ keymap.commands.named($0.command) }) else { return }
    perform(command)
  }

  /// Creates an object; in a table of a relationship's members, a new member.
  mutating func createObject() {
    guard let entity else { return }
    awaitAnswer(.object(isCreated: false))
    stage(.create(entity: entity.index, ownerOfMembers))
  }

  /// The value that makes a new object a member of the relationship whose members the table shows; empty for
  /// other tables.
  var ownerOfMembers: [Slot: Value] {
    guard let entity, case .comparison(let comparison) = table?.query.scope,
      case .keyPath(let path) = comparison.left, path.count == 1,
      case .value(let owner) = comparison.right, let slot = entity.slot(named: path[0]),
      entity.links[slot]?.kind == .toOne
    else { return [:] }
    return [slot: owner]
  }

  /// Asks whether to delete objects, with the effects of the delete rules.
  mutating func askToDelete(_ objects: [ObjectReference], _ plan: DeletionForecast) {
    guard overlays.isEmpty, let first = objects.first else { return }
    let entity = schema.entities[first.entity].name
    let what =
      objects.count == 1 ? currentName(of: first) : "\(CountText.grouped(objects.count)) \(entity)"
    var sentences = plan.sentences
    if objects.count > 1 { sentences.insert(bulkSource, at: 0) }
    ask(
      title: "Delete \(what)", message: sentences.joined(separator: "\n"),
      role: plan.denied.isEmpty ? .text : .warning, "delete", else: "keep"
    ) { $0.stage(.delete(objects)) }
  }

  /// The rows that a bulk command applies to, in words.
  var bulkSource: String {
    guard let table else { return "" }
    if editing.selection.count(in: table.query, rows: table.list.keys.count) > 0 {
      return "These are the selected rows\(hiddenSelection(in: table))."
    }
    return table.query.filter == nil
      ? "These are all rows of the table; none is selected."
      : "These are all rows that are shown, where \(table.query.filterText)"
  }

  /// Says how many selected rows the table does not show, such as those that its filter leaves out.
  private func hiddenSelection(in table: TableState) -> String {
    let selection = editing.selection
    guard !selection.isAll(of: table.query), table.isComplete else { return "" }
    let shown = table.list.keys.readKeys.reduce(into: (read: 0, selected: 0)) { count, place in
      count.read += 1
      if selection.keys.contains(place.key) { count.selected += 1 }
    }
    let hidden = selection.keys.count - shown.selected
    guard shown.read == table.list.keys.count, hidden > 0 else { return "" }
    if hidden == selection.keys.count { return "; none of them is shown here" }
    return hidden == 1
      ? "; one of them is not shown here"
      : "; \(CountText.grouped(hidden)) of them are not shown here"
  }
}

extension DeletionForecast {
  /// The most objects that are examined before the question.
  static let limit = 10_000

  /// The effects of the deletion, one sentence each.
  var sentences: [String] {
    var sentences: [String] = []
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\(CountText.grouped($0.value)) \($0.key)" }
        .joined(separator: ", ")
    }
    if !cascaded.isEmpty { sentences.append("Deleted with it: \(list(cascaded)).") }
    if !left.isEmpty { sentences.append("No longer related to it: \(list(left)).") }
    if !defaulted.isEmpty {
      sentences.append("Related to the default one instead: \(list(defaulted)).")
    }
    if !denied.isEmpty {
      sentences.append("Cannot be saved while it is related to \(list(denied)).")
    }
    if !isWhole { sentences.append("There is more: the search stopped before the end.") }
    if sentences.isEmpty { sentences.append("Nothing else changes.") }
    sentences.append("It stays visible, marked with -, until you save.")
    return sentences
  }
}

import DatastoreCore
import TerminalUI

/// A reason why the changes cannot be saved.
struct SaveIssue: Hashable, Sendable {
  let object: ObjectReference
  let slot: Slot?
  /// A sentence.
  let text: String
}

extension BrowserState {
  /// Opens a table of the reasons why the changes cannot be saved; enter goes to the property.
  mutating func open(_ issues: [SaveIssue]) {
    // If the table cannot be opened, the first issue is among the messages.
    message = issues.first.map { Message(text: $0.text, severity: .warning) }
    openDerivedTable(
      titled: "Nothing was saved", "what prevents saving", entity: "problems", saying: message
    ) { state in
      let entities = state.schema.entities
      let rows = issues.map { issue -> [Value] in
        let entity = entities[issue.object.entity]
        return [
          .text(issue.text), .text(entity.name),
          issue.slot.map { .text(entity.properties[$0].name) } ?? .null,
        ]
      }
      return { _, _, _ in
        DerivedRows(
          columns: [.text("problem"), .text("entity"), .text("property")], rows: rows,
          enter: .goToObject
        ) { rows, _ in
          guard let issue = rows.first.map({ issues[$0] }) else { return nil }
          return { $0.goTo(issue.object, slot: issue.slot) }
        }
      }
    }
  }
}

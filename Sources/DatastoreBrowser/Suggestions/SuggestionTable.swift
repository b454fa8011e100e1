import DatastoreCore
import SwiftDatastore

extension BrowserState {
  /// Opens a table of relationships that names and values suggest, but no foreign key declares. An accepted
  /// one becomes a relationship like any other; a refused one is not suggested again.
  mutating func openSuggestions() {
    openDerivedTable(
      titled: "Relationships that are not declared", "suggested relationships",
      entity: "suggestions"
    ) { _ in
      { runner, _, _ in
        let found = try await runner.datastore.suggestedRelationships()
        guard !found.isEmpty else {
          throw DerivedTableFault(
            description: "No column is named after a table whose keys contain its values.")
        }
        return DerivedRows(found)
      }
    }
  }

  /// Accepts or refuses relationships; the same decision about all of them again undoes it.
  fileprivate mutating func decide(
    _ decision: SchemaAnnotations.Decision, of suggestions: [RelationshipSuggestion]
  ) {
    let isDecided = suggestions.allSatisfy { $0.decision == decision }
    let present = annotations ?? SchemaAnnotations()
    var changed = present
    for suggestion in suggestions {
      changed.setRelationship(
        isDecided ? nil : decision, of: suggestion.column, in: suggestion.table,
        to: suggestion.reference)
    }
    if changed != present { annotate(changed) }
  }
}

extension DerivedRows {
  fileprivate init(_ found: [RelationshipSuggestion]) {
    columns = [
      .text("column"), .text("refers to"), .number("found"), .number("of values"),
      .text("looked at"), .text("decision"),
    ]
    rows = found.map { suggestion in
      let reference = suggestion.reference
      return [
        .text("\(suggestion.table).\(suggestion.column)"),
        .text("\(reference.table).\(reference.column)"), .integer(Int64(suggestion.foundCount)),
        .integer(Int64(suggestion.valueCount)), .text(suggestion.isComplete ? "all" : "some"),
        suggestion.decision.map { .text($0 == .accepted ? "accepted" : "refused") } ?? .null,
      ]
    }
    func lead(_ decision: SchemaAnnotations.Decision) -> DerivedTableState.Lead {
      { rows, _ in
        { $0.decide(decision, of: rows.map { found[$0] }) }
      }
    }
    enter = .acceptRelationship
    self.lead = lead(.accepted)
    removal = (.refuseRelationship, lead(.refused))
  }
}

extension DerivedTableState.Action {
  static let acceptRelationship = Self("accept", "enter accepts")
  static let refuseRelationship = Self("refuse", "D refuses")
}

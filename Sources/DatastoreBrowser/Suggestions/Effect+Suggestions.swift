import DatastoreCore
import SwiftDatastore

extension Lane {
  static let suggestions = Lane("suggestions", .latest)
}

extension Effect {
  /// Looks for relationships by the names and values of columns.
  static var suggestRelationships: Effect {
    .work { runner in
      runner.answer(in: .suggestions) { runner in
        try await runner.datastore.suggestedRelationships()
      } as: {
        RelationshipsSuggested(suggestions: $0)
      }
    }
  }

  static var stopSuggesting: Effect { .work { $0.cancel(.suggestions) } }
}

struct RelationshipsSuggested: BrowserEvent {
  let suggestions: Result<[RelationshipSuggestion], EffectFailure>

  func apply(to state: inout BrowserState) {
    state.changeOverlay(as: SuggestionsScreen.self) { $0.apply(suggestions) }
  }
}

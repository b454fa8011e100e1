import DatastoreCore
import TerminalUI

enum FilterEvent: BrowserEvent {
  case counted(TableQuery, Result<Int, EffectFailure>)
  case valuesFound(PredicateCompletion.ValueQuery, [FoundValue])
  case objectsFound(entity: EntityIndex, named: String, [FoundValue])
  /// The value of an attribute, the key of a to-one destination, or the number of members of a to-many
  /// relationship.
  case valueRead(ObjectReference, slot: Slot, Value, isExcluded: Bool)
  case historyRead([String: [String]])
  case savedRead([SavedFilter])
  case failed(String)
}

extension FilterEvent {
  func apply(to state: inout BrowserState) {
    switch self {
    case .counted(let query, let result):
      state.changeOverlay(as: FilterState.self) { $0.matches.apply(result, of: query) }
    case .valuesFound(let query, let found):
      state.changeOverlay(as: FilterState.self) { $0.apply(found, for: query) }
    case .objectsFound(let entity, let text, let found):
      state.changeOverlay(as: FilterChoice.self) { $0.apply(found, entity: entity, named: text) }
    case .valueRead(let object, let slot, let value, let isExcluded):
      state.quickFilter(object, slot: slot, value, isExcluded: isExcluded)
    case .historyRead(let history):
      state.filters.apply(history)
      let memory = state.filters
      state.changeOverlay(as: FilterState.self) {
        $0.line.apply(history: memory.history[$0.entity.name] ?? [])
      }
    case .savedRead(let saved): state.filters.apply(saved)
    case .failed(let reason):
      state.tell(reason, .error)
      state.changeOverlay(as: FilterState.self) { $0.notice = reason }
    }
  }
}

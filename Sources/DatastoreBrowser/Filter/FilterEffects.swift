import DatastoreCore
import TerminalUI

/// What the filter asks for.
enum FilterEffect: Hashable, Sendable {
  /// Count what a query shows; ends the count before it.
  case count(TableQuery, countsAll: Bool)
  case stopCounting
  /// Find values that may be compared with; ends the search before it.
  case findValues(PredicateCompletion.ValueQuery, entity: Int)
  /// Find objects of an entity by their names; ends the search before it.
  case findObjects(Int, named: String)
  case stopFinding
  /// Read a value of an object, to filter by it.
  case readValue(ObjectReference, slot: Int, isExcluded: Bool)
  /// Read what was used and saved before.
  case readMemory
  case keepHistory(entity: String, text: String)
  case save(SavedFilter)
  case delete(SavedFilter)
}

/// What comes back of it.
enum FilterEvent: Sendable {
  case counted(TableQuery, Result<Int, CountFailure>)
  case valuesFound(PredicateCompletion.ValueQuery, [FoundValue])
  case objectsFound(entity: Int, named: String, [FoundValue])
  /// The value of an attribute or the key of a to-one destination; the number of members of a to-many.
  case valueRead(ObjectReference, slot: Int, Value, isExcluded: Bool)
  case historyRead([String: [String]])
  case savedRead([SavedFilter])
  case failed(String)
}

extension BrowserState {
  mutating func takeResult(_ event: FilterEvent) -> [Effect] {
    switch event {
    case .counted(let query, let result):
      changeOverlay(as: FilterState.self) { $0.matches.take(result, of: query) }
    case .valuesFound(let query, let found):
      changeOverlay(as: FilterState.self) { $0.take(found, for: query) }
    case .objectsFound(let entity, let text, let found):
      changeOverlay(as: FilterChoice.self) { $0.take(found, entity: entity, named: text) }
    case .valueRead(let object, let slot, let value, let isExcluded):
      return quickFilter(object, slot: slot, value, isExcluded: isExcluded)
    case .historyRead(let history):
      filters.take(history)
      let memory = filters
      changeOverlay(as: FilterState.self) {
        $0.line.take(history: memory.history[$0.entity.name] ?? [])
      }
    case .savedRead(let saved): filters.take(saved)
    case .failed(let reason):
      message = Message(text: reason, role: .error)
      changeOverlay(as: FilterState.self) { $0.notice = reason }
    }
    return []
  }
}

import DatastoreCore
import TerminalUI

enum FilterEvent: BrowserEvent {
  case counted(TableQuery, Result<Int, EffectFailure>)
  case historyRead([String: [String]])
  case savedRead([SavedFilter])
  case failed(String)
}

extension FilterEvent {
  func apply(to state: inout BrowserState) {
    switch self {
    case .counted(let query, let result):
      state.changeOverlay(as: FilterState.self) { $0.matches.apply(result, of: query) }
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

import SwiftDatastore

@testable import DatastoreBrowser

/// Returns the events that the work of effects sends, when all of it is done.
@MainActor
func answers(to effects: [Effect], over datastore: SwiftDatastore) async -> [any BrowserEvent] {
  let runner = EffectRunner(datastore)
  var events: [any BrowserEvent] = []
  runner.send = { events.append($0) }
  for effect in effects {
    if case .work = effect { runner.start(effect) }
  }
  if !runner.isIdle {
    await withCheckedContinuation { continuation in
      runner.becameIdle = { continuation.resume() }
    }
  }
  return events
}

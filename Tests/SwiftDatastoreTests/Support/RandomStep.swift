import DatastoreTestSupport

@testable import SwiftDatastore

/// A step of a property test that works in the view context and in another one: `operate` in one of them,
/// told the letter that is this context's own. The other context is always saved, the view context once in
/// `savesViewOneIn` times.
@MainActor
func takeRandomStep(
  _ step: Int, in view: SwiftDatastoreViewContext, or context: SwiftDatastoreContext,
  savesViewOneIn: Int, _ random: inout SeededRandom,
  _ operate:
    @escaping @Sendable (any ObjectContext, String, inout SeededRandom, String) throws -> Void
) async throws {
  if random.below(4) == 0 {
    try operate(view, "v", &random, "\(step)")
    if random.below(savesViewOneIn) == 0 { try view.saveChanges() }
  } else {
    random = try await context.perform { [random] context in
      var random = random
      try operate(context, "o", &random, "\(step)")
      try context.saveChanges()
      return random
    }
  }
  await drainMainQueue()
  view.processPendingChanges()
}

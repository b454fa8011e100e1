import DatastoreCore
package import SwiftDatastore
import Synchronization

/// Loads files into an open datastore, in a background context of its own.
///
/// With `LoadOptions.Saving.once`, everything is staged and written in one transaction at the end: a load
/// that stops, is cancelled or is killed leaves the store as it was, and so does a store that refuses a row
/// or a disk that is full.
package struct LoadOperation: Sendable {
  let plan: LoadPlan
  let datastore: SwiftDatastore
  let options: LoadOptions
  let isNewStore: Bool
  let author: String?
  /// The assumed types of files; nil if the types are known.
  let guess: GuessedTypes?

  /// - Parameters:
  ///   - isNewStore: whether the store has no rows, so that nothing has to be looked up in it.
  ///   - author: the author of the changes in notifications to other contexts.
  ///   - guess: the types that the store was created with, if they are those of the beginnings of files.
  package init(
    _ plan: LoadPlan, into datastore: SwiftDatastore, options: LoadOptions = LoadOptions(),
    isNewStore: Bool = false, author: String? = nil, guess: GuessedTypes? = nil
  ) {
    self.plan = plan
    self.datastore = datastore
    self.options = options
    self.isNewStore = isNewStore
    self.author = author
    self.guess = guess
  }

  /// Runs the load. Cancel the task to end it before the next record.
  ///
  /// - Parameter notify: called on the context's queue, after each batch and for each fault.
  /// - Throws: `LoadError`, `ImportError`, `CancellationError`, `GuessedTypes.Refuted`, or the errors of
  ///   saving.
  package func run(_ notify: @escaping @Sendable (LoadEvent) -> Void) async throws -> LoadReport {
    let cancellation = CancellationFlag()
    let context = datastore.newContext()
    return try await withTaskCancellationHandler {
      try await context.perform { closure in
        closure.transactionAuthor = author
        var report = try load(in: closure, cancellation, notify)
        if let guess { report.notes += try guess.confirmed(for: plan).notes }
        return report
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Loads, and if the store has refused a row at the end, once more to find the records that it refuses.
  private func load(
    in context: SwiftDatastoreContext.Closure, _ cancellation: CancellationFlag,
    _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) throws -> LoadReport {
    var unique: [UniqueValues] = []
    var refused: [Int: LoadFault] = [:]
    // The hash values of the faults that were reported: they come again.
    var told: Set<Int> = []
    var isFirst = true
    func makeSession(isSearching: Bool = false) -> LoadSession {
      defer { isFirst = false }
      return LoadSession(
        plan, context: context, options: options, isNewStore: isNewStore, guess: guess,
        unique: unique, refused: refused, isSearching: isSearching,
        checkCancellation: cancellation.check
      ) { [isFirst] event in
        if case .fault(let fault) = event {
          let isNew = told.insert(fault.hashValue).inserted
          if !isNew, !isFirst { return }
        }
        notify(event)
      }
    }
    while true {
      let session = makeSession()
      do {
        return try session.run()
      } catch {
        guard guess == nil, let refusal = RowRefusal(error) else { throw error }
        let canRepeat =
          options.saving == .once && plan.sources.allSatisfy { !$0.input.isReadOnce }
        if canRepeat { context.revertChanges() }
        let count = unique.count + refused.count
        if canRepeat, let values = UniqueValues(refusedBy: error, in: context.core.graph.schema),
          !unique.contains(values)
        {
          unique.append(values)
        }
        if canRepeat, session.writesRowsOnly {
          let search = makeSession(isSearching: true)
          do {
            _ = try search.run()
          } catch let found where found is LoadError || found is CancellationError {
            throw found
          } catch _ { throw error }
          refused = search.refused
        } else if unique.count + refused.count == count {
          guard let fault = session.fault(of: refusal), let record = fault.record else {
            throw error
          }
          if options.faults == .stop { throw LoadError.stopped(fault) }
          guard canRepeat else { throw LoadError.unfit(fault.position, reason: fault.reason) }
          refused[record] = fault
        }
        // Whatever else the store refuses is none of a record.
        if unique.count + refused.count == count { throw error }
      }
    }
  }
}

/// Carries the cancellation of a task to the queue of a context.
final class CancellationFlag: Sendable {
  private let isCancelled = Atomic(false)

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// - Throws: `CancellationError` once the task has been cancelled.
  func check() throws {
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }
}

import DatastoreCore
import SwiftDatastore
import TerminalUI

/// Showing a store above another one, and returning from it.
extension Browser {
  /// Shows a store above the current one.
  ///
  /// - Parameter replaces: whether to leave the store that is shown above another one and keep the user's
  ///   settings, since the new store has the same rows.
  func show(_ store: any NestedStore, replaces: Bool) {
    let before = level
    let isWanted =
      replaces ? before.above != nil : before.state.editing.pendingAnswer == .nestedStore
    guard isWanted, !state.isFinished else {
      BlockingWork.begin { store.close() }
      return
    }
    let keys = before.state.editing.typedAhead
    before.state.dropTypedAhead()
    before.state.message = nil
    let next = BrowserLevel(
      store.datastore, size: before.state.size, options: before.options.showing(store),
      above: store)
    let below = replaces ? levels[levels.count - 2] : before
    if replaces {
      let state = before.state
      next.state = state.following(
        store.datastore.schema, quickCounts: next.runner.quickCounts, labels: next.runner.labels)
      next.state.isAboveAnother = true
    }
    next.adopt(from: before.state)
    // The queries on a file can be repeated.
    if below.above == nil { next.state.queryCommandState = below.state.queryCommandState }
    store.prepare(&next.state, above: below.state)
    if replaces {
      leaveTop()
      before.end()
    }
    enter(next)
    if replaces {
      carryOut(next.state.begin(before.state.firstView(in: store.datastore.schema)))
      next.state.keepPlace(of: before.state.table) { store.datastore.hasRowids($0) }
      store.arrange(&next.state)
      carryOut(store.work())
    } else {
      // Keys typed from here on are also for the rows of the new store.
      next.state.awaitAnswer(.firstRows)
      next.state.editing.typedAhead = keys
      beginTop()
    }
  }

  /// Reads the store that is shown above another one again.
  func askAgain() {
    guard let above = level.above else { return }
    carryOut([above.askAgain(below: levels[levels.count - 2].state)])
  }

  /// Returns to the level below as it was left, and applies the closure to its state.
  func leaveStore(_ body: (inout BrowserState) -> Void) {
    guard let left = leaveTop() else { return }
    left.end()
    let size = left.state.size
    level.adopt(from: left.state)
    var effects = level.takeAwaiting()
    if level.state.size != size { effects += level.state.update(UserInput(.resize(size))) }
    body(&level.state)
    // As after every event, missing data is requested and changed tables are followed.
    carryOut(effects + level.state.update(UserInput(.resize(size))))
  }
}

extension BrowserOptions {
  /// The options for a store that is shown above another one: nothing about it is kept between runs.
  fileprivate func showing(_ store: any NestedStore) -> BrowserOptions {
    var options = self
    (options.entity, options.groupBy, options.predicate, options.order) = (nil, nil, nil, [])
    options.importing = nil
    options.copiedFile = store.subject
    options.farCopyTime = nil
    (options.queriedFiles, options.readingWords) = ([], [])
    (options.sourceFiles, options.rowSources) = ([], [])
    (options.keepsAnnotations, options.watchesFile) = (false, false)
    return options
  }
}

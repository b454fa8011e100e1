import DatastoreCore

import struct Foundation.URL

/// Saves the views of one store, or of files that are shown together, for the next run: their queries as soon
/// as they change, their cursors when the browser ends.
@MainActor
struct ViewsKeeper {
  /// State that changes whenever the views do, compared after every event.
  private struct Mark: Hashable {
    let query: TableQuery?
    let folds: SectionFolds?
    let tab: Int
    let tabs: Int
    let named: ViewMemory

    init(_ state: BrowserState) {
      query = state.table?.query
      folds = state.table?.folds
      tab = state.tabs.current
      tabs = state.tabs.others.count
      named = state.viewMemory
    }
  }

  private let file: ViewsFile
  private var mark: Mark?
  private var kept = ViewsFile.Contents()

  /// - Parameter directory: the program's state directory; nil to keep nothing.
  init?(of subject: KeptSubject?, in directory: URL?) {
    guard let file = ViewsFile(of: subject, in: directory) else { return nil }
    self.file = file
  }

  /// Reads the views of the last run. Waits for the disk.
  mutating func read() -> ViewsFile.Contents {
    kept = file.read()
    return kept
  }

  /// Saves the views, if they have changed.
  mutating func keep(_ state: BrowserState, by runner: EffectRunner) {
    let mark = Mark(state)
    guard mark != self.mark else { return }
    let isFirst = self.mark == nil
    self.mark = mark
    let contents = state.keptViews
    guard !isFirst, contents.withoutCursors != kept.withoutCursors else { return }
    write(contents, by: runner)
  }

  /// Saves everything, including the cursors.
  mutating func keepAll(_ state: BrowserState, by runner: EffectRunner) {
    let contents = state.keptViews
    if contents != kept { write(contents, by: runner) }
  }

  private mutating func write(_ contents: ViewsFile.Contents, by runner: EffectRunner) {
    kept = contents
    let file = file
    runner.keep("The views", at: file.url) { try file.write(contents) }
  }
}

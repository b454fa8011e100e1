import DatastoreCore

import struct Foundation.URL

/// Keeps the views of one store, or of files that are shown together, for the next time: what they show as
/// soon as it changes, where the cursors are when the browser ends.
@MainActor
struct ViewsKeeper {
  /// What changes when the views do, looked at after every event.
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

  /// - Parameter directory: where the program keeps its state; nil keeps nothing.
  init?(of subject: KeptSubject?, in directory: URL?) {
    guard let file = ViewsFile(of: subject, in: directory) else { return nil }
    self.file = file
  }

  /// What was kept the last time. Waits for the disk.
  mutating func read() -> ViewsFile.Contents {
    kept = file.read()
    return kept
  }

  /// Keeps what the views show, if that has changed.
  mutating func keep(_ state: BrowserState, by runner: EffectRunner) {
    let mark = Mark(state)
    guard mark != self.mark else { return }
    let isFirst = self.mark == nil
    self.mark = mark
    let contents = state.keptViews
    guard !isFirst, contents.withoutCursors != kept.withoutCursors else { return }
    write(contents, by: runner)
  }

  /// Keeps everything, where the cursors are, too.
  mutating func keepAll(_ state: BrowserState, by runner: EffectRunner) {
    let contents = state.keptViews
    if contents != kept { write(contents, by: runner) }
  }

  private mutating func write(_ contents: ViewsFile.Contents, by runner: EffectRunner) {
    kept = contents
    let file = file
    runner.keep("The views", at: file.url, in: .views) { try file.write(contents) }
  }
}

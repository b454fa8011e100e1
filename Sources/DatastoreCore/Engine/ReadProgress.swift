/// How far the question has come that a task asks a store.
package enum ReadProgress {
  /// Called on a queue of the store, some ten thousand times a second, with the work that was done so far: a
  /// number that grows with the rows in the same way for questions of the same shape. Nil where nobody
  /// wants to know.
  @TaskLocal package static var report: (@Sendable (_ work: Int) -> Void)?
}

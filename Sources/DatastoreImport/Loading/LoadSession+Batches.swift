/// Writing a file batch by batch into a store that people look at.
extension LoadSession {
  /// Whether each batch is written at once and other contexts see it.
  var isLive: Bool { options.saving == .eachBatch && !isNewStore }

  /// How many rows the next batch has. A live load begins with few, so that the first are soon seen,
  /// and takes more as it goes on, since a screen that shows the table reads its list again after each batch.
  var batchLimit: Int {
    guard isLive else { return options.batchSize }
    return max(1, options.batchSize / 4, min(report.rows / 8, options.batchSize * 5))
  }
}

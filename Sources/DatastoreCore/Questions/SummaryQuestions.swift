/// The frequency of each value of a path in the rows of a request, the most frequent first.
package struct FrequencyQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = FrequencyTable

  package let path: [String]
  package let request: FetchRequest
  /// The greatest number of values in the answer.
  package let limit: Int

  package init(of path: [String], in request: FetchRequest, limit: Int) {
    self.path = path
    self.request = request
    self.limit = limit
  }
}

/// Counts, extremes, mean, median and deviation of a path.
package struct StatisticsQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = ColumnStatistics

  package let path: [String]
  package let request: FetchRequest

  package init(of path: [String], in request: FetchRequest) {
    self.path = path
    self.request = request
  }
}

/// The distribution of the numbers among the values of a path; nil when there are no numbers.
package struct HistogramQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = Histogram?

  package let path: [String]
  package let request: FetchRequest
  /// The number of intervals; fewer if whole numbers do not fill as many.
  package let bins: Int

  package init(of path: [String], in request: FetchRequest, bins: Int) {
    self.path = path
    self.request = request
    self.bins = bins
  }
}

/// Only the intervals of a histogram; nil when there are no numbers.
package struct HistogramScaleQuestion: StoreQuestion, Hashable, Codable {
  package typealias Answer = HistogramScale?

  package let histogram: HistogramQuestion

  package init(of histogram: HistogramQuestion) { self.histogram = histogram }

  package func entity(in schema: Schema) -> EntityIndex? { histogram.entity(in: schema) }
}

/// The distribution of the numbers of each group over the same intervals, in one pass over the rows. Leaves
/// out groups without numbers.
package struct GroupedHistogramsQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = [Group]

  package struct Group: Sendable, Hashable, Codable {
    package let group: Value
    package var counts: [Int]

    package init(group: Value, counts: [Int]) {
      self.group = group
      self.counts = counts
    }
  }

  package let path: [String]
  package let request: FetchRequest
  package let groupPath: [String]
  package let scale: HistogramScale

  package init(
    of path: [String], in request: FetchRequest, groupBy groupPath: [String],
    _ scale: HistogramScale
  ) {
    self.path = path
    self.request = request
    self.groupPath = groupPath
    self.scale = scale
  }
}

/// How often each value of a property occurs.
package struct FrequencyTable: Hashable, Sendable, Codable {
  /// A value and the number of rows that have it.
  package struct Entry: Hashable, Sendable, Codable {
    package let value: Value
    package let count: Int

    package init(value: Value, count: Int) {
      self.value = value
      self.count = count
    }
  }

  /// The most frequent values first, those of one frequency by value; maybe not all of them.
  package let entries: [Entry]
  package let rowCount: Int

  package init(entries: [Entry], rowCount: Int) {
    self.entries = entries
    self.rowCount = rowCount
  }
}

/// A summary of the values of a property in a few numbers.
package struct ColumnStatistics: Hashable, Sendable, Codable {
  /// The summary of numeric values.
  package struct Numbers: Hashable, Sendable, Codable {
    package var count: Int
    /// Exact if all numbers are whole.
    package var sum: Value
    package var mean: Double
    /// The middle number as it is, or the mean of the two middle numbers.
    package var median: Value
    /// The standard deviation of a sample (divided by the count less one); nil for fewer than two numbers.
    package var standardDeviation: Double?

    package init(
      count: Int, sum: Value, mean: Double, median: Value, standardDeviation: Double?
    ) {
      self.count = count
      self.sum = sum
      self.mean = mean
      self.median = median
      self.standardDeviation = standardDeviation
    }
  }

  package var rowCount: Int
  package var nullCount: Int
  /// The number of distinct values, without NULL.
  package var distinctCount: Int
  /// In the order of the store; NULL when there is no value.
  package var minimum: Value
  package var maximum: Value
  /// Nil when no value is a number.
  package var numbers: Numbers?
  /// The characters of the shortest and the longest text; nil when no value is a text.
  package var textLengths: ClosedRange<Int>?
  package var emptyTextCount: Int

  package init(
    rowCount: Int, nullCount: Int, distinctCount: Int, minimum: Value, maximum: Value,
    numbers: Numbers?, textLengths: ClosedRange<Int>?, emptyTextCount: Int
  ) {
    self.rowCount = rowCount
    self.nullCount = nullCount
    self.distinctCount = distinctCount
    self.minimum = minimum
    self.maximum = maximum
    self.numbers = numbers
    self.textLengths = textLengths
    self.emptyTextCount = emptyTextCount
  }
}

/// The intervals of equal width of a histogram.
package struct HistogramScale: Hashable, Sendable, Codable {
  /// The least number.
  package let minimum: Double
  /// The greatest number.
  package let maximum: Double
  /// The width of one interval, more than 0; it begins at `minimum` + its index × `width`.
  package let width: Double
  /// The number of intervals, at least 1.
  package let count: Int

  package init(minimum: Double, maximum: Double, width: Double, count: Int) {
    self.minimum = minimum
    self.maximum = maximum
    self.width = width
    self.count = count
  }
}

/// The distribution of numbers over intervals of equal width.
package struct Histogram: Hashable, Sendable, Codable {
  /// The least number.
  package let minimum: Double
  /// The greatest number.
  package let maximum: Double
  /// The width of one interval; it begins at `minimum` + its index × `width`.
  package let width: Double
  /// The rows in each interval; the last one includes its upper bound.
  package let counts: [Int]
  /// The rows whose value is not a number.
  package let otherCount: Int

  package init(minimum: Double, maximum: Double, width: Double, counts: [Int], otherCount: Int) {
    self.minimum = minimum
    self.maximum = maximum
    self.width = width
    self.counts = counts
    self.otherCount = otherCount
  }

  /// The bounds of an interval.
  package func bounds(of index: Int) -> (lower: Double, upper: Double) {
    let lower = minimum + Double(index) * width
    return (lower, index == counts.count - 1 ? maximum : lower + width)
  }
}

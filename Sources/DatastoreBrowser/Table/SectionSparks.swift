import DatastoreCore
import TerminalUI

/// The distribution of one column's numbers within each section, as far as it has been computed.
///
/// All sections have the same intervals, so that they can be compared. The distributions are computed from
/// saved values.
struct SectionSparks: Sendable {
  /// A request for distributions.
  struct Request: Hashable, Sendable {
    var fetch: Int
    var query: TableQuery
    /// The path of the column.
    var path: [String]
    /// The path that the rows are grouped by.
    var groupPath: [String]
    /// The intervals, if known.
    var scale: HistogramScale?
    /// The values of the sections.
    var sections: [Value]
  }

  /// The answer to a request.
  struct Answer: Hashable, Sendable {
    /// Nil if the column has no numbers.
    var scale: HistogramScale?
    /// The rows in each interval, by section; sections without numbers are left out.
    var counts: [Value: [Int]]
  }

  /// The number of intervals.
  static let bins = 16
  /// The most sections of one request.
  private static let most = 200

  /// The name of the column.
  private(set) var column: String?
  private(set) var scale: HistogramScale?
  private var counts: [Value: [Int]] = [:]
  /// The sections whose distributions are up to date.
  private var fresh: Set<Value> = []
  private(set) var running: Request?
  /// Whether the last request has failed, so that it is not repeated again and again.
  private var hasFailed = false

  /// The rows in each interval, perhaps from before a change; nil while unknown, empty for a section without
  /// numbers.
  func counts(of section: Value) -> [Int]? { counts[section] }

  /// Switches to a column and drops the distributions of another one.
  mutating func show(_ column: String?) {
    if column != self.column { self = SectionSparks(column: column) }
  }

  init(column: String? = nil) { self.column = column }

  /// Marks all distributions to be computed again; the old ones are shown until then.
  mutating func invalidate() {
    fresh = []
    scale = nil
    running = nil
    hasFailed = false
  }

  /// Returns the request for these sections; nil while one is running, or if none is missing.
  mutating func takeMissing(
    visible: [Value], around: [Value], _ table: TableQuery, fetch: Int, path: [String],
    groupPath: [String]
  ) -> Request? {
    guard running == nil, !hasFailed, visible.contains(where: { !fresh.contains($0) }) else {
      return nil
    }
    let missing = (visible + around).filter { !fresh.contains($0) }
    // The order of the rows has no effect on a distribution.
    var query = table
    query.order = []
    running = Request(
      fetch: fetch, query: query, path: path, groupPath: groupPath, scale: scale,
      sections: Array(missing.prefix(Self.most)))
    return running
  }

  /// Applies an answer, unless it is to an older request; returns whether it was applied.
  mutating func apply(_ answer: Answer?, to request: Request) -> Bool {
    guard request == running else { return false }
    running = nil
    guard let answer else {
      hasFailed = true
      return true
    }
    scale = answer.scale
    if counts.count > 20 * Self.most { counts = [:] }
    for section in request.sections {
      fresh.insert(section)
      // SQLite may return 1.0 for a section of the value 1.
      counts[section] =
        answer.counts[section]
        ?? answer.counts.first { Value.compare($0.key, section) == .same }?.value ?? []
    }
    return true
  }
}

extension TableState {
  /// The column of the sparklines in section headers.
  var sparkColumn: TableColumn? {
    settings.sparkline.flatMap { name in columns.first { $0.name == name } }
  }

  /// Returns the request for the visible section headers, if any distributions are missing.
  mutating func takeMissingSparks(height: Int) -> SectionSparks.Request? {
    sparks.show(sparkColumn?.name)
    guard let column = sparkColumn, isGrouped, isComplete, let groupPath,
      groupPath == query.groupBy
    else { return nil }
    let visible = scroll.visible(count: lines.count, height: height)
    guard !visible.isEmpty else { return nil }
    func sections(_ lines: Range<Int>) -> [Value] {
      let first = self.lines.section(ofLine: lines.lowerBound)
      let last = self.lines.section(ofLine: lines.upperBound - 1)
      return list.sections[first...last].map(\.value)
    }
    let around = max(0, visible.lowerBound - height)..<min(lines.count, visible.upperBound + height)
    return sparks.takeMissing(
      visible: sections(visible), around: sections(around), query, fetch: fetch,
      path: column.groupPath, groupPath: groupPath)
  }
}

extension TableColumn {
  /// Whether the values may be numbers, so that they have a distribution.
  var hasNumbers: Bool {
    guard let format else { return false }
    return format.isNumeric || format.isDateOfNumbers || format.type == .undefined
  }
}

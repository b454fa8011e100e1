import DatastoreCore
import TerminalUI

/// How the numbers of one column are spread within each section, as far as that has been computed.
///
/// All sections have the same intervals, so that they can be compared. It is about what is saved.
struct SectionSparks: Sendable {
  /// What is to be computed.
  struct Request: Hashable, Sendable {
    var fetch: Int
    var query: TableQuery
    /// The path of the column.
    var path: [String]
    /// The path that makes the sections.
    var groupPath: [String]
    /// The intervals, when they are known.
    var scale: HistogramScale?
    /// The values of the sections.
    var sections: [Value]
  }

  /// The aggregate.
  struct Answer: Hashable, Sendable {
    /// Nil when the column has no numbers.
    var scale: HistogramScale?
    /// The rows in each interval, by section; sections without numbers are left out.
    var counts: [Value: [Int]]
  }

  /// More intervals are not drawn.
  static let bins = 16
  /// More sections are not computed at once.
  private static let most = 200

  /// The name of the column that the numbers are of.
  private(set) var column: String?
  private(set) var scale: HistogramScale?
  private var counts: [Value: [Int]] = [:]
  /// Sections whose numbers are still right.
  private var fresh: Set<Value> = []
  /// What is being computed now.
  private(set) var running: Request?
  /// Whether computing has failed, so that it is not tried again and again.
  private var hasFailed = false

  /// The rows in each interval, perhaps from before a change; nil while they are not known, empty for
  /// a section without numbers.
  func counts(of section: Value) -> [Int]? { counts[section] }

  /// Forgets everything unless it is of this column.
  mutating func show(_ column: String?) {
    if column != self.column { self = SectionSparks(column: column) }
  }

  init(column: String? = nil) { self.column = column }

  /// Marks everything to be computed again, and shows what there is until then.
  mutating func invalidate() {
    fresh = []
    scale = nil
    running = nil
    hasFailed = false
  }

  /// What is to be computed for those sections; nil while something is, or when nothing lacks.
  mutating func takeMissing(
    visible: [Value], around: [Value], _ table: TableQuery, fetch: Int, path: [String],
    groupPath: [String]
  ) -> Request? {
    guard running == nil, !hasFailed, visible.contains(where: { !fresh.contains($0) }) else {
      return nil
    }
    let missing = (visible + around).filter { !fresh.contains($0) }
    // Which order the rows have is nothing to their numbers.
    var query = table
    query.order = []
    running = Request(
      fetch: fetch, query: query, path: path, groupPath: groupPath, scale: scale,
      sections: Array(missing.prefix(Self.most)))
    return running
  }

  /// Applies an answer, unless it is to an older question; returns whether it was applied.
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
      // A section of 1 may be called 1.0 by SQLite.
      counts[section] =
        answer.counts[section]
        ?? answer.counts.first { Value.compare($0.key, section) == .same }?.value ?? []
    }
    return true
  }
}

extension TableState {
  /// The column whose numbers the section headers show.
  var sparkColumn: TableColumn? {
    settings.sparkline.flatMap { name in columns.first { $0.name == name } }
  }

  /// What is to be computed for the section headers on the screen.
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
  /// Whether its values may be numbers, so that they can be spread over intervals.
  var hasNumbers: Bool {
    guard let format else { return false }
    return format.isNumeric || format.isDateOfNumbers || format.type == .undefined
  }
}

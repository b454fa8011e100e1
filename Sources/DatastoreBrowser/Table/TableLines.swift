import DatastoreCore

/// The lines of the table: rows, and a header above each section when there are sections.
struct TableLines: Hashable, Sendable {
  /// What a line shows.
  enum Line: Hashable, Sendable {
    case header(section: Int)
    /// The place of the row among all rows, collapsed ones included.
    case row(index: Int)
  }

  /// Lines in all.
  let count: Int
  private let hasHeaders: Bool
  /// By section: its first line, the place of its first row, and whether its rows are hidden.
  private let starts: [Int]
  private let rowStarts: [Int]
  private let isCollapsed: [Bool]

  /// The lines of a list. O(sections).
  init(_ list: KeyList, hasHeaders: Bool, folds: SectionFolds) {
    self.hasHeaders = hasHeaders
    rowStarts = hasHeaders ? list.starts : []
    guard hasHeaders else {
      count = list.keys.count
      starts = []
      isCollapsed = []
      return
    }
    var line = 0
    var starts: [Int] = []
    var hidden: [Bool] = []
    starts.reserveCapacity(list.sections.count)
    hidden.reserveCapacity(list.sections.count)
    for section in list.sections {
      starts.append(line)
      let isCollapsed = folds.contains(section.value)
      hidden.append(isCollapsed)
      line += 1 + (isCollapsed ? 0 : section.count)
    }
    self.starts = starts
    isCollapsed = hidden
    count = line
  }

  /// No lines.
  init() { self.init(KeyList(), hasHeaders: false, folds: SectionFolds()) }

  /// What a line shows, or nil outside. O(log sections).
  subscript(line: Int) -> Line? {
    guard line >= 0, line < count else { return nil }
    guard hasHeaders else { return .row(index: line) }
    let section = section(ofLine: line)
    if line == starts[section] { return .header(section: section) }
    return .row(index: rowStarts[section] + line - starts[section] - 1)
  }

  /// The section that a line lies in; 0 without sections. O(log sections).
  func section(ofLine line: Int) -> Int {
    hasHeaders ? max(0, starts.partitioningIndex { $0 > line } - 1) : 0
  }

  /// The line of a section's header.
  func line(ofSection section: Int) -> Int? {
    starts.indices.contains(section) ? starts[section] : nil
  }

  /// The line of a row; that of its section's header when the section is collapsed.
  /// O(log sections).
  func line(ofRow index: Int) -> Int {
    guard hasHeaders else { return index }
    let section = max(0, rowStarts.partitioningIndex { $0 > index } - 1)
    guard starts.indices.contains(section) else { return 0 }
    return isCollapsed[section]
      ? starts[section] : starts[section] + 1 + index - rowStarts[section]
  }

  /// Whether the rows of a section are hidden.
  func isCollapsed(_ section: Int) -> Bool {
    isCollapsed.indices.contains(section) && isCollapsed[section]
  }
}

import DatastoreCore

/// The lines of the table: rows, and a header above each section when there are sections.
struct TableLines: Hashable, Sendable {
  /// The content of a line.
  enum Line: Hashable, Sendable {
    case header(section: Int)
    /// The index of the row among all rows, including those of collapsed sections.
    case row(index: Int)
  }

  /// The number of lines.
  let count: Int
  private let hasHeaders: Bool
  /// For each section: its first line, the index of its first row, and whether it is collapsed.
  private let starts: [Int]
  private let rowStarts: [Int]
  private let isCollapsed: [Bool]

  /// Creates the lines of a list. O(sections).
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

  /// Creates no lines.
  init() { self.init(KeyList(), hasHeaders: false, folds: SectionFolds()) }

  /// The content of a line; nil for a line outside. O(log sections).
  subscript(line: Int) -> Line? {
    guard line >= 0, line < count else { return nil }
    guard hasHeaders else { return .row(index: line) }
    let section = section(ofLine: line)
    if line == starts[section] { return .header(section: section) }
    return .row(index: rowStarts[section] + line - starts[section] - 1)
  }

  /// The section of a line; 0 without sections. O(log sections).
  func section(ofLine line: Int) -> Int {
    hasHeaders ? max(0, starts.partitioningIndex { $0 > line } - 1) : 0
  }

  func line(ofSection section: Int) -> Int? {
    starts.indices.contains(section) ? starts[section] : nil
  }

  /// The line of a row, or of its section's header if the section is collapsed. O(log sections).
  func line(ofRow index: Int) -> Int {
    guard hasHeaders else { return index }
    let section = max(0, rowStarts.partitioningIndex { $0 > index } - 1)
    guard starts.indices.contains(section) else { return 0 }
    return isCollapsed[section]
      ? starts[section] : starts[section] + 1 + index - rowStarts[section]
  }

  func isCollapsed(_ section: Int) -> Bool {
    isCollapsed.indices.contains(section) && isCollapsed[section]
  }
}

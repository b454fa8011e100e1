import Basics
import DatastoreCore
import TerminalUI

/// How much of the file is searched.
enum SearchReach: Hashable, Sendable {
  /// The column of an index.
  case column(Int)
  /// Every column that is shown.
  case table
  /// Every table of the file.
  case file
}

/// A text that is searched for in the table.
struct TableSearch: Hashable, Sendable {
  let reach: SearchReach
  /// The indices of the columns that are searched.
  let columns: [Int]
  let text: SearchText
  /// Tells the searches of a table apart; the results of an older one are ignored.
  var number = 0
  /// Whether it is being looked for.
  var isRunning = false
  /// The places of all matches in the list, as soon as they are known: ascending, and of words the best
  /// first.
  var places: [Int]?

  /// Which of how many matches a row is: `3 of 23`; how many there are where it is none.
  ///
  /// - Parameter row: a place in the list.
  func count(at row: Int?) -> String? {
    guard let places else { return nil }
    let total = CountText.grouped(places.count)
    guard let row else { return "\(total) found" }
    let isRanked = text.words != nil
    let place =
      isRanked
      ? places.firstIndex(of: row) ?? places.count : places.partitioningIndex { $0 >= row }
    guard places.indices.contains(place), places[place] == row else { return "\(total) found" }
    return "\(CountText.grouped(place + 1)) of \(total)"
  }
}

/// What a search looks for, and from where.
struct SearchRequest: Sendable {
  enum Direction: Hashable, Sendable {
    /// The start itself, then downwards.
    case firstAtStart
    /// Downwards, the start last.
    case forward
    /// Upwards, the start last.
    case backward
  }

  var fetch: Int
  var number: Int
  /// The index of the entity.
  var entity: EntityIndex
  /// The columns that are searched, by their indices in the table.
  var columns: [(index: Int, column: TableColumn)]
  var text: SearchText
  /// The list as it is shown.
  var list: KeyChunks
  /// A place in the list.
  var start: Int
  var direction: Direction
  /// The condition that the rows of the list meet.
  var condition: Predicate?

  /// The paths of the values that are shown.
  var paths: [[String]] { columns.flatMap(\.column.searchedPaths) }

  /// Stretches of the list in the order in which they are looked through, and whether they lie beyond
  /// its end. They grow, since most matches are near and each stretch costs a query.
  var stretches: [(rows: Range<Int>, isWrapped: Bool)] {
    let count = list.count
    let start = min(max(0, start), max(0, count - 1))
    guard count > 0 else { return [] }
    var stretches: [(Range<Int>, Bool)] = []
    var length = 256
    func add(_ rows: Range<Int>, _ isWrapped: Bool) {
      var rest = rows
      while !rest.isEmpty {
        let part =
          direction == .backward
          ? max(rest.lowerBound, rest.upperBound - length)..<rest.upperBound
          : rest.lowerBound..<min(rest.upperBound, rest.lowerBound + length)
        stretches.append((part, isWrapped))
        rest =
          direction == .backward
          ? rest.lowerBound..<part.lowerBound : part.upperBound..<rest.upperBound
        length = min(length * 8, 1 << 18)
      }
    }
    switch direction {
    case .firstAtStart:
      add(start..<count, false)
      add(0..<start, true)
    case .forward:
      add(start + 1..<count, false)
      add(0..<start + 1, true)
    case .backward:
      add(0..<start, false)
      add(start..<count, true)
    }
    return stretches
  }
}

/// What a search has come to.
enum SearchOutcome: Hashable, Sendable {
  /// - Parameter column: the index of the first column that shows the text.
  case found(row: Int, key: RowKey, column: Int, isWrapped: Bool)
  case nothing
  case failed(String)
}

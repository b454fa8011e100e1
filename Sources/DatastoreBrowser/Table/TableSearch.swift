import Basics
import DatastoreCore
import TerminalUI

/// The part of the file that is searched.
enum SearchReach: Hashable, Sendable {
  /// The column with this index.
  case column(Int)
  /// All shown columns.
  case table
  /// All tables of the file.
  case file
}

struct TableSearch: Hashable, Sendable {
  let reach: SearchReach
  /// The indices of the searched columns.
  let columns: [Int]
  let text: SearchText
  /// The number of the search; the results of an older search are ignored.
  var number = 0
  var isRunning = false
  /// The places of all matches in the list, once known, in ascending order; matches of words come with the
  /// best first.
  var places: [Int]?

  /// The place of a row among the matches: `3 of 23`; the number of matches if the row is none.
  ///
  /// - Parameter row: the place of the row in the list.
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

/// A request to search the list for a text.
struct SearchRequest: Sendable {
  enum Direction: Hashable, Sendable {
    /// Downwards from the start, which comes first.
    case firstAtStart
    /// Downwards, with the start last.
    case forward
    /// Upwards, with the start last.
    case backward
  }

  var fetch: Int
  var number: Int
  var entity: EntityIndex
  /// The searched columns, with their indices in the table.
  var columns: [(index: Int, column: TableColumn)]
  var text: SearchText
  /// The current list.
  var list: KeyChunks
  /// The place in the list where the search starts.
  var start: Int
  var direction: Direction
  /// The condition of the list's rows.
  var condition: Predicate?

  /// The paths of the shown values.
  var paths: [[String]] { columns.flatMap(\.column.searchedPaths) }

  /// The ranges of the list in the order of the search, and whether they are beyond its end. The ranges grow,
  /// since most matches are near and each range costs a query.
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

enum SearchOutcome: Hashable, Sendable {
  /// - Parameter column: the index of the first column that shows the text.
  case found(row: Int, key: RowKey, column: Int, isWrapped: Bool)
  case nothing
  case failed(String)
}

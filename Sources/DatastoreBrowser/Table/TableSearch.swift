import DatastoreCore
import Foundation
import TerminalUI

/// A text that is searched for in one column of the table.
struct TableSearch: Hashable, Sendable {
  /// The index of the column.
  var column: Int
  var text: String
  /// Tells the searches of a table apart; the results of an older one are ignored.
  var number = 0
  /// Whether it is being looked for.
  var isRunning = false

  /// Where the text is in what a cell shows, in cells from its start; upper and lower case are the
  /// same.
  ///
  /// - Parameter width: cells further right are not looked at.
  func matches(in shown: String, width: Int) -> [Range<Int>] {
    guard !text.isEmpty else { return [] }
    var matches: [Range<Int>] = []
    var rest = shown.startIndex..<shown.endIndex
    while let found = shown.range(of: text, options: .caseInsensitive, range: rest) {
      let start = shown[..<found.lowerBound].displayWidth(upTo: width)
      guard start < width, !found.isEmpty else { break }
      let length = shown[found].displayWidth(upTo: width)
      matches.append(start..<min(width, start + length))
      rest = found.upperBound..<shown.endIndex
    }
    return matches
  }
}

/// What a search looks for, and from where.
struct SearchRequest: Hashable, Sendable {
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
  /// The slot of the property that the column shows.
  var slot: Slot
  /// The path of the values that are shown.
  var path: [String]
  var text: String
  /// The list as it is shown.
  var list: KeyChunks
  /// A place in the list.
  var start: Int
  var direction: Direction

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
  case found(row: Int, key: RowKey, isWrapped: Bool)
  case nothing
  case failed(String)
}

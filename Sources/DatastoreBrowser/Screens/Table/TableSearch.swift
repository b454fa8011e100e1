import Foundation
import TerminalUI

/// A text that is searched for in one column of the table.
struct TableSearch: Hashable, Sendable {
  /// The index of the column.
  var column: Int
  var text: String

  /// Where the text stands in what a cell shows, in cells from its start; upper and lower case are the
  /// same.
  ///
  /// - Parameter width: cells further right are not looked at.
  func matches(in shown: String, width: Int) -> [Range<Int>] {
    guard !text.isEmpty else { return [] }
    var matches: [Range<Int>] = []
    var rest = shown.startIndex..<shown.endIndex
    while let found = shown.range(of: text, options: .caseInsensitive, range: rest) {
      let start = shown[..<found.lowerBound].displayWidth(upTo: width)
      guard start < width else { break }
      let length = shown[found].displayWidth(upTo: width)
      matches.append(start..<min(width, start + length))
      guard !found.isEmpty else { break }
      rest = found.upperBound..<shown.endIndex
    }
    return matches
  }
}

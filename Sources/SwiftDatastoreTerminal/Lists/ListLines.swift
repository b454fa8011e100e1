import SwiftDatastore

/// A list as lines on the screen: the objects and, in a list with sections, a title line above each section.
///
/// Nothing is stored for a line: a line is found among the sections in O(log sections).
struct ListLines<T: DatastoreObject> {
  /// The content of a line.
  enum Content {
    case section(ListSnapshot<T>.Section)
    /// The place of an object, counted over all sections.
    case item(Int)
  }

  let list: ListSnapshot<T>

  /// The number of lines.
  var count: Int { list.count + (list.isSectioned ? list.numberOfSections : 0) }

  /// The line of an object.
  func line(ofItem index: Int) -> Int {
    list.isSectioned ? index + 1 + lastSection { $0.indices.lowerBound <= index } : index
  }

  /// The content of a line, from 0 to `count` - 1.
  subscript(line: Int) -> Content {
    guard list.isSectioned else { return .item(line) }
    let number = lastSection(where: { $0.indices.lowerBound + $1 <= line })
    guard let section = list.section(at: number) else { return .item(line) }
    let header = section.indices.lowerBound + number
    return line == header ? .section(section) : .item(line - number - 1)
  }

  /// The objects in a range of lines, as places counted over all sections.
  func items(in lines: Range<Int>) -> Range<Int> {
    guard list.isSectioned else { return lines }
    return item(from: lines.lowerBound)..<item(from: lines.upperBound)
  }

  /// The first object at or below a line; the number of objects if there is none.
  private func item(from line: Int) -> Int {
    guard line < count else { return list.count }
    return switch self[line] {
    case .section(let section): section.indices.lowerBound
    case .item(let index): index
    }
  }

  private func lastSection(where isBefore: (ListSnapshot<T>.Section) -> Bool) -> Int {
    lastSection { section, _ in isBefore(section) }
  }

  /// The last section for which the closure returns true; 0 if there is none.
  private func lastSection(where isBefore: (ListSnapshot<T>.Section, Int) -> Bool) -> Int {
    var low = 0
    var high = list.numberOfSections
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if let section = list.section(at: middle), isBefore(section, middle) {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }
}

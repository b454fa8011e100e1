import SwiftDatastore

/// A list as lines: each section has one of its own above its objects, where there are sections.
///
/// Nothing is kept for a line: a place is found among the sections, in O(log sections).
struct ListLines<T: DatastoreObject> {
  /// What is in a line.
  enum Content {
    case section(ListSnapshot<T>.Section)
    /// The place of an object, counted over all sections.
    case item(Int)
  }

  let list: ListSnapshot<T>

  /// How many lines there are.
  var count: Int { list.count + (list.isSectioned ? list.numberOfSections : 0) }

  /// The line of an object.
  func line(ofItem index: Int) -> Int {
    list.isSectioned ? index + 1 + lastSection { $0.indices.lowerBound <= index } : index
  }

  /// What is in a line, from 0 to `count` - 1.
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

  /// The first object at a line or below it; the number of objects when there is none.
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

  /// The last section that lies before something; 0 when none does.
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

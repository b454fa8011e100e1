import DatastoreCore

/// The group key of the sections in words: `created by month, UTC`.
struct GroupTitle: Hashable, Sendable, CustomStringConvertible {
  /// The property, without the date part.
  let path: String
  private let part: DatePart?

  init(_ path: [String]) {
    part = path.count > 1 ? path.last.flatMap(DatePart.init(step:)) : nil
    let property = (part == nil ? path : path.dropLast()).joined(separator: ".")
    self.path = NumberSteps(path)?.title ?? Calculation.text(of: path) ?? property
  }

  var description: String { part.map { "\(path) by \($0.rawValue), UTC" } ?? path }
}

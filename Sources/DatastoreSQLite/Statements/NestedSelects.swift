import DatastoreSQL
import GRDB

/// The number of selects of a statement after SQLite has expanded views and common table expressions.
///
/// SQLite expands them while preparing the statement, which cannot be interrupted: forty views, each of which
/// joins the one before with itself, are half a kilobyte of text and a trillion selects. So they are counted
/// before SQLite sees them.
///
/// Names count as those of tables wherever SQL allows a table; if that is wrong, the count is too high, never
/// too low.
struct NestedSelects {
  /// More selects than this are refused. They take SQLite some tenths of a second; views that people write
  /// have tens.
  static let limit = 5_000

  /// The reason why a statement with more is not read: the end of a sentence.
  static let refusal =
    "with all views that it is made of, it would be more than \(limit) selects, which SQLite cannot "
    + "be stopped from preparing for hours"

  private final class View {
    let tokens: [SQLToken]
    var count: Count = .unknown

    init(_ sql: String) {
      tokens = SQLToken.all(of: sql)
    }
  }

  private enum Count {
    case unknown, beingCounted
    case known(Int)
  }

  /// Names declared by a `WITH`, and those around it.
  private final class Scope {
    final class Expression {
      let body: Range<Int>
      var count: Count = .unknown

      init(_ body: Range<Int>) {
        self.body = body
      }
    }

    let parent: Scope?
    var expressions: [String: Expression] = [:]

    init(_ parent: Scope?) {
      self.parent = parent
    }

    func find(_ name: String) -> (Expression, Scope)? {
      if let found = expressions[name] { return (found, self) }
      return parent?.find(name)
    }
  }

  /// Deeper nesting than SQLite's own parser allows.
  private static let deepest = 300

  private let views: [String: View]

  /// - Parameter views: the names of views and their declarations.
  init(_ views: [(name: String, sql: String)]) {
    self.views = Dictionary(
      views.map { ($0.name.lowercased(), View($0.sql)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a view expands to more selects than the limit.
  func isTooMany(inView name: String) -> Bool {
    var depth = 0
    return count(view: name.lowercased(), &depth) > Self.limit
  }

  /// Whether any view does.
  var isAnyViewTooMany: Bool { views.keys.contains { isTooMany(inView: $0) } }

  /// Whether a statement does.
  func isTooMany(in sql: String) -> Bool {
    var depth = 0
    let tokens = SQLToken.all(of: sql)
    return count(tokens, tokens.indices, Scope(nil), &depth) > Self.limit
  }

  private func count(view name: String, _ depth: inout Int) -> Int {
    guard let view = views[name] else { return 0 }
    switch view.count {
    case .known(let count): return count
    // SQLite refuses recursive views.
    case .beingCounted: return 0
    case .unknown:
      view.count = .beingCounted
      let count = count(view.tokens, view.tokens.indices, Scope(nil), &depth)
      view.count = .known(count)
      return count
    }
  }

  private func count(
    _ tokens: [SQLToken], _ range: Range<Int>, _ outer: Scope, _ depth: inout Int
  ) -> Int {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest { return Self.limit + 1 }
    var scope = outer
    var total = 0
    var index = range.lowerBound
    while index < range.upperBound, total <= Self.limit {
      switch tokens[index] {
      case .keyword(.with):
        let inner = Scope(scope)
        index = readExpressions(tokens, index + 1, range.upperBound, into: inner)
        scope = inner
        continue
      case .keyword(.select), .keyword(.values): total += 1
      case .open:
        let end = Self.end(ofGroupAt: index, tokens, range.upperBound)
        // The first word inside may be a table: FROM (a JOIN b).
        total += count(tokens, index + 1..<end, scope, &depth)
        index = end
      case .name(let name)
      where Self.mayBeTable(tokens, index) && !isQualifier(tokens, index):
        total += count(table: name, tokens, index, scope, &depth)
      default: break
      }
      index += 1
    }
    return min(total, Self.limit + 1)
  }

  private func count(
    table name: String, _ tokens: [SQLToken], _ index: Int, _ scope: Scope, _ depth: inout Int
  ) -> Int {
    let isQualified = index > 0 && tokens[index - 1] == .point
    guard !isQualified, let (expression, home) = scope.find(name) else {
      return count(view: name, &depth)
    }
    switch expression.count {
    case .known(let count): return count
    // A recursive expression is run again and again, not expanded.
    case .beingCounted: return 0
    case .unknown:
      expression.count = .beingCounted
      let count = count(tokens, expression.body, home, &depth)
      expression.count = .known(count)
      return count
    }
  }

  private func isQualifier(_ tokens: [SQLToken], _ index: Int) -> Bool {
    index + 1 < tokens.count && tokens[index + 1] == .point
  }

  /// Whether SQL allows a table there: after FROM, JOIN, IN, INTO or a comma, before a group, or after the
  /// name of its database.
  private static func mayBeTable(_ tokens: [SQLToken], _ index: Int) -> Bool {
    guard index > 0 else { return false }
    switch tokens[index - 1] {
    case .keyword(.from), .keyword(.join), .keyword(.in), .comma, .open, .point: return true
    default: return false
    }
  }

  /// Reads `name (columns) AS NOT MATERIALIZED (body), …` and returns its end.
  private func readExpressions(
    _ tokens: [SQLToken], _ start: Int, _ end: Int, into scope: Scope
  ) -> Int {
    var index = start
    if index < end, tokens[index] == .name("recursive") { index += 1 }
    while index < end, case .name(let name) = tokens[index] {
      var place = index + 1
      if place < end, tokens[place] == .open {
        place = Self.end(ofGroupAt: place, tokens, end) + 1
      }
      guard place < end, tokens[place] == .keyword(.as) else { return index }
      place += 1
      while place < end, [.name("not"), .name("materialized")].contains(tokens[place]) {
        place += 1
      }
      guard place < end, tokens[place] == .open else { return index }
      let close = Self.end(ofGroupAt: place, tokens, end)
      if scope.expressions[name] == nil {
        scope.expressions[name] = Scope.Expression(place + 1..<close)
      }
      index = close + 1
      guard index < end, tokens[index] == .comma else { return index }
      index += 1
    }
    return index
  }

  /// The index of the parenthesis that ends a group, or the end.
  private static func end(ofGroupAt start: Int, _ tokens: [SQLToken], _ end: Int) -> Int {
    var depth = 0
    for index in start..<end {
      switch tokens[index] {
      case .open: depth += 1
      case .close:
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return end
  }
}

extension NestedSelects {
  /// Creates a counter with the views of a file.
  init(in database: Database) throws {
    let list = try RawStatement(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'view'", in: database)
    var views: [(String, String)] = []
    while try list.step() {
      views.append((list.value(at: 0).plainText, list.value(at: 1).plainText))
    }
    self.init(views)
  }
}

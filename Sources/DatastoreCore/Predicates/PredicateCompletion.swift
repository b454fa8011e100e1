/// What may be written at a place in a predicate's text, for an editor.
///
/// Found by parsing the text before the word at the cursor: what the parser asks for where that
/// text ends is what may come. Texts that are wrong earlier have no completions.
public struct PredicateCompletion: Sendable, Hashable {
  /// One thing that may be written.
  public struct Item: Sendable, Hashable {
    /// What sort of thing it is.
    public enum Kind: String, Sendable, Hashable {
      /// An attribute, or another name of a path.
      case property
      /// A relationship; a dot may follow.
      case relationship
      /// `@count`, `@sum` and the like.
      case aggregate
      /// `==`, `BEGINSWITH` and the like.
      case comparator
      /// `AND`, `NOT`, `ANY` and the like.
      case keyword
      /// `TRUE`, `NULL`, or the start of a list.
      case value
    }

    /// What replaces the range, quoted where needed.
    public let text: String
    /// What sort of thing it is.
    public let kind: Kind
    /// What it is, for display: an attribute's type, a relationship's entity; else empty.
    public let detail: String

    init(_ text: String, _ kind: Kind, detail: String = "") {
      self.text = text
      self.kind = kind
      self.detail = detail
    }
  }

  /// The characters to be replaced, from the start of the text; empty between words.
  public let range: Range<Int>
  /// In the order of the schema and of the grammar.
  public let items: [Item]

  /// Finds what may be written at a place. O(length of the text).
  ///
  /// - Parameter offset: the cursor's place in characters; beyond the text it counts as its end.
  public init(of text: String, at offset: Int, entity: Entity, in schema: Schema) {
    let head = String(text.prefix(max(offset, 0)))
    let end = head.utf8.count
    let last = PredicateLexer.tokens(of: head).last {
      $0.kind != .end && $0.range.upperBound == end
    }
    var start = end
    var written = ""
    switch last?.kind {
    case .word(let word): (start, written) = (end - word.utf8.count, word)
    case .name(let name), .collection(let name):
      start = last?.range.lowerBound ?? end
      written = name
    case .number, .text, .blob, .argument, .invalid:
      self.init(range: head.count..<head.count, items: [])
      return
    default: break
    }
    let before = String(decoding: Array(head.utf8.prefix(start)), as: UTF8.self)
    let expectation = Self.expectation(after: before, entity: entity, in: schema)
    let all = Self.items(for: expectation, entity: entity, in: schema)
    let wanted = written.lowercased()
    self.init(
      range: before.count..<head.count,
      items: all.filter { item in
        let name = item.text.drop { $0 == "`" || $0 == "@" }
        return name.lowercased().hasPrefix(wanted)
      })
  }

  private init(range: Range<Int>, items: [Item]) {
    self.range = range
    self.items = items
  }

  private static func expectation(
    after text: String, entity: Entity, in schema: Schema
  ) -> PredicateExpectation {
    do {
      _ = try Predicate.parse(text, entity: entity, in: schema)
      return .connective
    } catch {
      return error.utf8Offset == text.utf8.count ? error.expectation : .nothing
    }
  }

  private static func items(
    for expectation: PredicateExpectation, entity: Entity, in schema: Schema
  ) -> [Item] {
    switch expectation {
    case .nothing: return []
    case .condition:
      return properties(of: entity) + keywords([.not, .any, .all, .none, .self])
    case .operand(let type): return values(of: type) + properties(of: entity)
    case .property(let index, let isToMany):
      let owner = schema.entities[index]
      let aggregates =
        isToMany ? Predicate.Aggregate.words.map { Item("@\($0)", .aggregate) } : []
      return properties(of: owner) + aggregates
    case .comparator(let type): return comparators(for: type)
    case .list: return [Item("{", .value)]
    case .connective: return keywords([.and, .or])
    }
  }

  private static func properties(of entity: Entity) -> [Item] {
    let properties = entity.properties.map { property in
      switch property {
      case .attribute(let attribute):
        Item(
          PredicateFormatter.name(attribute.name), .property,
          detail: attribute.declaredType ?? attribute.type.rawValue)
      case .relationship(let relationship):
        Item(
          PredicateFormatter.name(relationship.name), .relationship,
          detail: relationship.destination)
      }
    }
    let aliases = entity.description.aliases.sorted { $0.key < $1.key }.map { name, path in
      Item(PredicateFormatter.name(name), .property, detail: path.joined(separator: "."))
    }
    return properties + aliases
  }

  private static func keywords(_ keywords: [PredicateKeyword]) -> [Item] {
    keywords.map { Item($0.rawValue, .keyword) }
  }

  private static func values(of type: OperandType) -> [Item] {
    let texts = type == .attribute(.boolean) ? ["TRUE", "FALSE", "NULL"] : ["NULL"]
    return type == .number ? [] : texts.map { Item($0, .value) }
  }

  private static func comparators(for type: OperandType) -> [Item] {
    Predicate.Comparator.allCases.filter { comparator in
      switch comparator {
      case .equal, .notEqual, .in: true
      case .contains, .beginsWith, .endsWith, .like, .matches: type.isText
      default:
        switch type {
        case .attribute(.boolean), .attribute(.uuid), .attribute(.data), .attribute(.coded), .key:
          false
        default: true
        }
      }
    }.map { Item($0.word, .comparator) }
  }
}

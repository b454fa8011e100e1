/// The possible continuations at a position in a predicate's text, for an editor.
///
/// Found by parsing the text before the word at the cursor: the continuations are what the parser expects at
/// its end. Text with an earlier fault has no completions.
public struct PredicateCompletion: Sendable, Hashable {
  /// One possible continuation.
  public struct Item: Sendable, Hashable {
    /// The kind of a continuation.
    public enum Kind: String, Sendable, Hashable {
      /// An attribute, or an alias of a path.
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
      /// `uppercase(` and the like.
      case function
    }

    /// The replacement for the range, quoted if necessary.
    public let text: String
    /// The kind.
    public let kind: Kind
    /// A description for display: an attribute's type, a relationship's entity; otherwise empty.
    public let detail: String

    init(_ text: String, _ kind: Kind, detail: String = "") {
      self.text = text
      self.kind = kind
      self.detail = detail
    }
  }

  /// The values of a property that may appear at the position: an editor reads them from its store.
  public struct ValueQuery: Sendable, Hashable {
    /// The path from the entity to the property; it may lead through to-many relationships. A path that ends
    /// in a relationship asks for objects.
    public let path: [String]
    /// The beginning of the values, without quotes, as typed so far.
    public let prefix: String
    let type: OperandType
    /// Whether a quote has been typed, so that only text is possible.
    let isQuoted: Bool
    /// The place in the JSON of the attribute whose members are needed, instead of the attribute's values;
    /// steps are names and indices of elements.
    package let json: [Value]?

    package init(
      path: [String], prefix: String, type: OperandType, isQuoted: Bool = false,
      json: [Value]? = nil
    ) {
      self.path = path
      self.prefix = prefix
      self.type = type
      self.isQuoted = isQuoted
      self.json = json
    }

    /// The names of members that may appear there, from the attribute's values.
    package func members(in values: [Value]) -> [String] {
      let prefix = prefix.lowercased()
      return values.map { $0.json(at: json ?? []) }.jsonMemberNames
        .filter { $0.lowercased().hasPrefix(prefix) }
    }

    /// A value in its written form in a predicate, or nil when it cannot appear there.
    public func item(for value: Value, detail: String = "") -> Item? {
      if value.isNull { return nil }
      if json != nil, case .text(let name) = value {
        return Item(PredicateFormatter.name(name), .property)
      }
      if isQuoted, case .text = value {} else if isQuoted, type.dates == nil { return nil }
      if case .blob = value, type != .attribute(.uuid) { return nil }
      return Item(PredicateFormatter.plainText(value, as: type), .value, detail: detail)
    }
  }

  /// The characters to replace, from the start of the text; empty between words.
  public let range: Range<Int>
  /// In the order of the schema and of the grammar.
  public let items: [Item]
  /// The values of the store that may also appear there; nil if none may.
  public let values: ValueQuery?

  /// Finds the possible continuations at a position. O(length of the text).
  ///
  /// - Parameter offset: the position of the cursor in characters; beyond the text, the end of the text.
  public init(of text: String, at offset: Int, entity: Entity, in schema: Schema) {
    let head = String(text.prefix(max(offset, 0)))
    let word = Word(endOf: head)
    guard let word else {
      self.init(range: head.count..<head.count, items: [], values: nil)
      return
    }
    let before = String(decoding: Array(head.utf8.prefix(word.start)), as: UTF8.self)
    let expectation = Self.expectation(after: before, entity: entity, in: schema)
    var end = head.count
    // A quote right after the cursor belongs to the value.
    if let quote = word.quote, text.dropFirst(end).first == quote { end += 1 }
    var items: [Item] = []
    if !word.isLiteral {
      let wanted = word.written.lowercased()
      items = Self.items(for: expectation, entity: entity, in: schema).filter { item in
        let name = item.text.drop { $0 == "`" || $0 == "@" }
        return name.lowercased().hasPrefix(wanted)
      }
    }
    var values: ValueQuery?
    if case .operand(let type, let path?) = expectation, type != .attribute(.boolean) {
      values = ValueQuery(
        path: path, prefix: word.written, type: type, isQuoted: word.quote != nil)
    }
    if case .member(let path, let steps) = expectation {
      values = ValueQuery(path: path, prefix: word.written, type: .constant, json: steps)
    }
    self.init(range: before.count..<end, items: items, values: values)
  }

  private init(range: Range<Int>, items: [Item], values: ValueQuery?) {
    self.range = range
    self.items = items
    self.values = values
  }

  /// The unfinished word at the end of a text.
  private struct Word {
    /// In UTF-8 bytes.
    var start: Int
    var written = ""
    var isLiteral = false
    /// The quote of an unclosed text.
    var quote: Character?

    /// nil if nothing can be completed, for example after a closed text.
    init?(endOf head: String) {
      start = head.utf8.count
      let end = start
      let last = PredicateLexer.tokens(of: head).last {
        $0.kind != .end && $0.range.upperBound == end
      }
      guard let last else { return }
      switch last.kind {
      case .word(let word): (start, written) = (last.range.lowerBound, word)
      case .name(let name), .collection(let name):
        (start, written) = (last.range.lowerBound, name)
      case .number(let digits), .date(let digits):
        (start, written, isLiteral) = (last.range.lowerBound, digits, true)
      case .invalid:
        let text = String(
          decoding: Array(head.utf8.dropFirst(last.range.lowerBound)), as: UTF8.self)
        guard let first = text.first, first == "\"" || first == "'" else { return nil }
        (start, isLiteral, quote) = (last.range.lowerBound, true, first)
        // Lexed to its end, the text has its escapes decoded.
        guard case .text(let inside)? = PredicateLexer.tokens(of: text + String(first)).first?.kind
        else { return nil }
        written = inside
      case .text, .blob, .argument: return nil
      case .symbol, .end: return
      }
    }
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
    case .nothing, .member: return []
    case .condition:
      return properties(of: entity) + keywords([.not, .any, .all, .none, .self])
        + functions(for: .constant)
    case .operand(let type, _):
      return values(of: type) + properties(of: entity) + functions(for: type)
    case .property(let index, let isToMany):
      let owner = schema.entities[index]
      let aggregates =
        isToMany ? Predicate.Aggregate.words.map { Item("@\($0)", .aggregate) } : []
      return properties(of: owner) + aggregates
    case .datePart: return DatePart.allCases.map { Item($0.step, .aggregate) }
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
      Item(PredicateFormatter.name(name), .property, detail: PredicateFormatter.path(path))
    }
    return properties + aliases
  }

  /// The functions whose results fit a type.
  private static func functions(for type: OperandType) -> [Item] {
    let functions = Predicate.Function.allCases.filter { function in
      let own = OperandType(function, [])
      switch type {
      case .key: return false
      case .attribute(let type) where !type.isOrdered: return false
      case .constant, .attribute(.undefined), .storedText, .storedNumber: return true
      case .number, .storedDate, .attribute:
        return own == .constant || (type.isText ? own.isText : !own.isText)
      }
    }
    return functions.map { Item("\($0.rawValue)(", .function, detail: $0.usage) }
  }

  private static func keywords(_ keywords: [PredicateKeyword]) -> [Item] {
    keywords.map { Item($0.rawValue, .keyword) }
  }

  private static func values(of type: OperandType) -> [Item] {
    let texts = type == .attribute(.boolean) ? ["TRUE", "FALSE", "NULL"] : ["NULL"]
    return type == .number ? [] : texts.map { Item($0, .value) }
  }

  private static func comparators(for type: OperandType) -> [Item] {
    type.comparators.map { Item($0.word, .comparator) }
  }
}

extension OperandType {
  /// The comparators that make sense with a left side of this type.
  package var comparators: [Predicate.Comparator] {
    Predicate.Comparator.allCases.filter { comparator in
      switch comparator.kind {
      case .relation(.equal), .relation(.notEqual), .membership: true
      case .text: isText
      case .relation, .range:
        switch self {
        case .attribute(let type): type.isOrdered
        case .key: false
        case .constant, .number, .storedDate, .storedText, .storedNumber: true
        }
      }
    }
  }
}

extension Predicate.Operand {
  /// The property whose values the operand has, if it is a property.
  package var valuePath: [String]? {
    switch self {
    case .keyPath(let path), .aggregate(.minimum, let path), .aggregate(.maximum, let path): path
    case .value, .count, .aggregate, .list, .arithmetic, .function: nil
    }
  }
}

import DatastoreCore
import TerminalUI

/// A list over the form, to pick something for the field under its cursor.
struct FilterChoice: PickListOverlay {
  /// The choice that is applied to the form.
  enum Picked: Hashable, Sendable {
    case kind(PredicateForm.Kind)
    case quantifier(Predicate.Quantifier)
    case property(Predicate.Operand)
    case comparator(Predicate.Comparator)
    case value(Value, at: Int)
  }

  /// Objects that are searched for in the store.
  struct Objects: Hashable, Sendable {
    var entity: EntityIndex
    /// The index of the row's value that the objects are for.
    var index: Int
  }

  let title: String
  var list: PickList<Picked>
  /// For each relationship, the path to the properties of its destination.
  private var leadsTo: [Picked: [String]] = [:]
  private let objects: Objects?
  /// The text of the last search.
  private var searched: String?

  static var scope: CommandScope { .filterChoice }

  private init(
    _ title: String, _ items: [PickList<Picked>.Item], current: Picked? = nil,
    objects: Objects? = nil
  ) {
    self.title = title
    self.objects = objects
    list = PickList(items, isSearchedByOwner: objects != nil)
    if let current { list.select(current) }
  }

  static func kinds(current: PredicateForm.Kind) -> FilterChoice {
    FilterChoice(
      "Of the conditions in this group",
      PredicateForm.Kind.allCases.map { .init(.kind($0), text: $0.heading, note: $0.explanation) },
      current: .kind(current))
  }

  static func quantifiers(current: Predicate.Quantifier) -> FilterChoice {
    let all: [(Predicate.Quantifier, String)] = [
      (.any, "at least one of them"), (.all, "each of them"), (.none, "not one of them"),
    ]
    return FilterChoice(
      "Of the related objects",
      all.map { .init(.quantifier($0), text: $0.word ?? "", note: $1) },
      current: .quantifier(current == .direct ? .any : current))
  }

  static func comparators(
    _ comparators: [Predicate.Comparator], current: Predicate.Comparator
  ) -> FilterChoice {
    FilterChoice(
      "How to compare",
      comparators.map { .init(.comparator($0), text: $0.word, note: $0.explanation) },
      current: .comparator(current))
  }

  static func truths(at index: Int) -> FilterChoice {
    FilterChoice(
      "The value",
      [(1, "TRUE"), (0, "FALSE")].map { .init(.value(.integer($0), at: index), text: $1) }
        + [.init(.value(.null, at: index), text: "NULL", note: "no value", role: .null)])
  }

  static func objects(_ entity: Entity, at index: Int) -> FilterChoice {
    var choice = FilterChoice(
      "A \(entity.name)", [], objects: Objects(entity: entity.index, index: index))
    choice.list.notice = "searching…"
    return choice
  }

  static func properties(
    current: Predicate.Operand, _ form: FilterForm, behind path: [String] = []
  ) -> FilterChoice {
    let properties = PredicateForm.properties(behind: path, of: form.entity, in: form.schema)
    let title = ([form.entity.name] + path).joined(separator: ".")
    var choice = FilterChoice(
      "A property of \(title)",
      properties.map { property in
        .init(
          .property(property.operand), text: property.text, note: property.detail,
          role: property.leadsTo == nil ? .text : .relationship)
      }, current: .property(current))
    for property in properties { choice.leadsTo[.property(property.operand)] = property.leadsTo }
    return choice
  }

  func dismiss(_ state: inout BrowserState) {
    state.closeOverlay()
    state.request(.stopFinding)
  }

  /// Lists the properties of the relationship under the cursor.
  func complete(_ state: inout BrowserState) {
    guard let form = state.overlays.lazy.compactMap({ $0 as? FilterState }).last?.form else {
      return
    }
    state.changeOverlay(as: Self.self) { $0.resume(form) }
  }

  func pick(in state: inout BrowserState) {
    guard let picked = list.current?.id else { return }
    state.applyFilterChoice(picked)
  }

  /// Requests the objects that match the typed text.
  mutating func requestMissing(in state: inout BrowserState) {
    guard let objects, searched != list.search.text else { return }
    searched = list.search.text
    state.request(.findObjects(objects.entity, named: list.search.text))
  }

  mutating func apply(_ found: [FoundValue], entity: EntityIndex, named text: String) {
    guard let objects, objects.entity == entity, text == searched else { return }
    list.notice = text.isEmpty ? "There are none." : "Nothing matches."
    var items = found.map { found in
      PickList<Picked>.Item(
        .value(found.value, at: objects.index), text: found.detail,
        note: PredicateForm.literal(found.value))
    }
    if text.isEmpty {
      items.insert(
        .init(.value(.null, at: objects.index), text: "NULL", note: "no object", role: .null), at: 0
      )
    }
    list.setItems(items)
  }

  /// Shows the properties of the destination of the relationship under the cursor.
  mutating func resume(_ form: FilterForm) {
    guard let current = list.current?.id, let path = leadsTo[current],
      case .property(let operand) = current
    else { return }
    self = .properties(current: operand, form, behind: path)
  }

  func area(in size: Size) -> Rectangle {
    size.box(columns: min(72, max(20, size.columns - 8)), rows: 20)
  }

  var note: String { "\(list.matches.count)" }
}

extension PredicateForm.Kind {
  /// The text in the form.
  var heading: String {
    switch self {
    case .all: "ALL of these hold"
    case .any: "ANY of these holds"
    case .none: "NONE of these holds"
    case .notAll: "NOT ALL of these hold"
    }
  }

  var explanation: String {
    switch self {
    case .all: "joined by AND"
    case .any: "joined by OR"
    case .none: "not one of them"
    case .notAll: "at least one does not"
    }
  }
}

extension Predicate.Comparator {
  /// The operator in plain words.
  var explanation: String {
    switch self {
    case .equal: "is"
    case .notEqual: "is not"
    case .lessThan: "is less than"
    case .lessThanOrEqual: "is at most"
    case .greaterThan: "is greater than"
    case .greaterThanOrEqual: "is at least"
    case .in: "is one of"
    case .between: "lies between"
    case .contains: "contains"
    case .beginsWith: "begins with"
    case .endsWith: "ends with"
    case .like: "is like, with * and ?"
    case .matches: "matches the regular expression"
    case .search: "has the words; app* a word that begins so"
    }
  }
}

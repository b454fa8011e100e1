import Basics
import DatastoreCore
import TerminalUI

/// A list of the ways in which a column may store dates: the detected one and all others, each with the value
/// under the cursor as it would be read.
struct DatePicker: PickListOverlay {
  enum Choice: Hashable, Sendable {
    /// The way detected from the name and the values.
    case found
    /// The values are no dates.
    case plain
    case stored(DateConvention)
  }

  var scope: CommandScope { .dates }
  var list: PickList<Choice>
  private let table: String
  private let column: String

  init(_ attribute: AttributeDescription, of entity: Entity, in state: BrowserState) {
    table = entity.name
    column = attribute.name
    let value = state.valueUnderCursor(of: attribute)
    let said = state.annotations?.dates(of: column, in: table)
    var items = [
      PickList.Item(
        Choice.found, text: "detected from name and values",
        note: said == nil ? attribute.dateConvention?.title ?? "no dates" : ""),
      PickList.Item(Choice.plain, text: "no dates: values as stored"),
    ]
    items += Self.conventions(for: value, attribute).map { convention in
      PickList.Item(
        .stored(convention), text: convention.title,
        note: convention.moment(of: value).map { "\($0)" } ?? "")
    }
    list = PickList(items)
    switch said {
    case .plain?: list.select(.plain)
    case .stored(let convention)?: list.select(.stored(convention))
    case nil: break
    }
  }

  /// The conventions, with those that fit the value first.
  private static func conventions(
    for value: Value, _ attribute: AttributeDescription
  ) -> [DateConvention] {
    var conventions = DateConvention.numeric
    if case .text(let text) = value, let style = DateTextStyle(text) {
      conventions.insert(.text(style), at: 0)
    } else if let present = attribute.dateConvention, present.isText {
      conventions.insert(present, at: 0)
    }
    let fitting = conventions.filter { $0.moment(of: value) != nil }
    return fitting + conventions.filter { !fitting.contains($0) }
  }

  var width: Int { 72 }

  func picked(_ choice: Choice, in state: inout BrowserState) {
    var annotations = state.annotations ?? SchemaAnnotations()
    let said: SchemaAnnotations.Dates? =
      switch choice {
      case .found: nil
      case .plain: .plain
      case .stored(let convention): .stored(convention)
      }
    annotations.setDates(said, of: column, in: table)
    state.annotate(annotations)
  }

  var title: String { "Dates in \(column)" }
  var note: String { "UTC" }
}

extension BrowserState {
  /// Asks how the column under the cursor stores dates.
  mutating func openDates() {
    guard let entity, let attribute = attributeUnderCursor else { return }
    open(DatePicker(attribute, of: entity, in: self))
  }

  /// The stored value of the cell under the cursor, as far as the screen shows it.
  fileprivate func valueUnderCursor(of attribute: AttributeDescription) -> Value {
    guard let table, let key = table.currentKey,
      let cell = table.rows[key]?.cells[table.column]
    else { return .null }
    let text = Quoting.substituting(" (no date)", with: "", in: cell.text)
    if let integer = Int64(text) { return .integer(integer) }
    if let real = Double(text) { return .real(real) }
    if let moment = Moment(text), let convention = attribute.dateConvention {
      return convention.value(of: moment) ?? .null
    }
    return .text(text)
  }
}

extension CommandScope {
  static let dates = CommandScope(
    "dates", title: "In the list of date formats", traits: .picks)
}

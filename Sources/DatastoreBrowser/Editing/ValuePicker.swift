import Basics
import DatastoreCore
import TerminalUI

/// A list of the possible values of a property: true and false, the values that the model or the file allows,
/// or the values in the column.
struct ValuePicker: PickListOverlay {
  static let scope = CommandScope(
    "value-picker", title: "In a list of values", traits: .picks)
  let subject: EditSubject
  private let values: [Value]
  var list: PickList<Int>

  /// Returns nil for properties whose values cannot be listed.
  ///
  /// - Parameter occurring: the values in the column and their numbers of rows, for properties that also
  ///   accept other values.
  init?(_ subject: EditSubject, occurring: [FrequencyTable.Entry]? = nil) {
    guard let attribute = subject.property.attribute else { return nil }
    var values: [Value]
    if let occurring {
      values = occurring.map(\.value).filter { !$0.isNull }
    } else if let allowed = subject.allowed {
      values = allowed
    } else if attribute.type == .boolean {
      values = [.integer(1), .integer(0)]
    } else {
      return nil
    }
    // A stored value that is not allowed can be kept.
    if !subject.value.isNull, !values.contains(subject.value) { values.append(subject.value) }
    if attribute.isOptional { values.append(.null) }
    self.subject = subject
    self.values = values
    let form = ValueForm(attribute)
    var notes: [Value: String] = [:]
    for entry in attribute.cases ?? [] where form.text(of: entry.value) != entry.name {
      notes[entry.value] = entry.name
    }
    for entry in occurring ?? [] { notes[entry.value] = CountText.counted(entry.count, "row") }
    list = PickList(
      values.enumerated().map { index, value in
        PickList.Item(
          index, text: value.isNull ? "NULL" : form.text(of: value),
          note: [notes[value], value == subject.value ? "now" : nil].compactMap { $0 }
            .joined(separator: ", "), role: value.isNull ? .null : .text)
      })
    // Picking without a move changes nothing.
    list.select(values.firstIndex(of: subject.value) ?? 0)
  }

  /// The value under the cursor; nil if the search matches none.
  var value: Value? { list.current.map { values[$0.id] } }

  func picked(_ place: Int, in state: inout BrowserState) {
    state.accept(values[place], for: subject)
  }

  func area(in size: Size) -> Rectangle {
    size.box(columns: 44, rows: min(values.count + 3, 14))
  }

  var title: String { subject.name }
}

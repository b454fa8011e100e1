import Basics
import DatastoreCore
import TerminalUI

/// The line that edits a value in its place: a cell of the table, or a line of the details.
struct CellEditor: Overlay {
  static let scope = CommandScope(
    "cell-editor", title: "While a value is edited", traits: .line.union([.saves]),
    labels: ["accept": "accept"])
  let subject: EditSubject
  let form: ValueForm
  private(set) var field: TextField
  /// Whether the value is to become NULL; typing clears this.
  private(set) var isNull: Bool
  /// The fault of the text.
  private(set) var fault: String?
  /// The values in the column, if they are few; nil until they are known.
  private(set) var occurring: [FrequencyTable.Entry]?
  private var hasAsked = false
  let initialText: String
  private let isInitiallyNull: Bool

  init(_ subject: EditSubject, _ form: ValueForm) {
    self.subject = subject
    self.form = form
    initialText = form.text(of: subject.value)
    isInitiallyNull = subject.value.isNull
    isNull = isInitiallyNull
    // For many objects, the value of the first one is only a suggestion.
    field = TextField(text: initialText, isAllSelected: subject.bulk != nil)
  }

  /// The current text; nil for NULL.
  var text: String? { isNull ? nil : field.text }

  /// Whether accepting it would change nothing.
  var isUnchanged: Bool {
    if subject.bulk != nil { return false }
    return isNull ? isInitiallyNull : !isInitiallyNull && field.text.isExactly(initialText)
  }

  mutating func requestMissing(in state: inout BrowserState) {
    guard subject.mayRepeat, !hasAsked else { return }
    hasAsked = true
    state.request(.findValues(subject.target))
  }

  /// Applies the values in the column; none if they are too many to list.
  mutating func apply(_ occurring: [FrequencyTable.Entry], of target: EditTarget) {
    if target == subject.target { self.occurring = occurring }
  }

  func accept(_ state: inout BrowserState) { state.acceptEdit() }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    switch key {
    case "up": step(days: 1)
    case "down": step(days: -1)
    default:
      let before = field.text
      guard field.handle(key) else { return }
      fault = nil
      if !field.text.isExactly(before) || key == "backspace" || key == "delete" { isNull = false }
    }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    field.insert(text)
    isNull = false
    fault = nil
  }

  private mutating func step(days: Int) {
    guard form.takesDates else { return }
    let later =
      isNull || field.text.isEmpty ? subject.today : form.text(field.text, daysLater: days)
    guard let later else { return }
    field.setText(later)
    isNull = false
    fault = nil
  }

  /// Sets the value to NULL, or shows why it cannot be.
  mutating func setNull() {
    if let reason = subject.reasonNotNull {
      fault = reason
      return
    }
    isNull = true
    fault = nil
    field.setText("")
  }

  /// Applies a text from another editor.
  mutating func apply(_ text: String, fault: String?) {
    field.setText(text)
    isNull = false
    self.fault = fault
  }

  /// The computation of the values of many objects; nil if one value is typed for all.
  func computedChange(in schema: Schema) throws(ValueFault) -> ComputedChange? {
    guard subject.bulk != nil, let text, ComputedChange.isOne(text, for: form.attribute) else {
      return nil
    }
    return try ComputedChange(
      text, entity: schema.entities[subject.target.object.entity], in: schema)
  }

  /// Shows a fault of the typed text.
  mutating func fail(_ fault: ValueFault) { self.fault = fault.message }

  /// The value to stage; nil if it is unchanged. Shows a fault of the text.
  mutating func value() -> Value?? {
    if isUnchanged { return .some(nil) }
    if isNull { return .some(.null) }
    do {
      return .some(try form.parse(field.text, replacing: subject.value))
    } catch {
      fault = error.message
      return nil
    }
  }
}

extension BrowserState {
  /// Lists the values in the column, in place of the text line.
  mutating func listOccurringValues() {
    guard let editor = overlay(as: CellEditor.self) else { return }
    guard let picker = ValuePicker(editor.subject, occurring: editor.occurring) else { return }
    closeOverlay()
    open(picker)
  }

  /// Stages the value and closes the editor; a fault leaves it open.
  ///
  /// - Returns: whether the value changes.
  @discardableResult
  mutating func acceptEdit() -> Bool {
    guard var editor = overlay(as: CellEditor.self) else { return false }
    do {
      if let change = try editor.computedChange(in: schema), let bulk = editor.subject.bulk {
        closeOverlay()
        awaitAnswer(.update(bulk))
        request(.planUpdate(bulk, slot: editor.subject.target.slot, change))
        return true
      }
    } catch {
      changeOverlay(as: CellEditor.self) { $0.fail(error) }
      return false
    }
    guard let value = editor.value() else {
      changeOverlay(as: CellEditor.self) { $0 = editor }
      return false
    }
    closeOverlay()
    guard let value else { return false }
    accept(value, for: editor.subject)
    return value != editor.subject.value
  }
}

extension CellEditor: StagingOverlay {
  /// Stages the typed value, and saves.
  func perform(_ action: StagingAction, _ state: inout BrowserState) {
    let isChanged = state.acceptEdit()
    // A change of many objects is shown first.
    guard subject.bulk == nil, state.overlay(as: CellEditor.self) == nil else { return }
    if !isChanged, let reason = DisabledReason.cannotSave.reason(state) {
      return state.tell(reason, .warning)
    }
    state.save()
  }

  func reasonNot(to action: StagingAction, in state: BrowserState) -> String? { nil }
}

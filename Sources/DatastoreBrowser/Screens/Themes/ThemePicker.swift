import TerminalUI

/// The list of themes. The screen behind it takes the look of the theme under the cursor at once.
struct ThemePicker: Overlay {
  var scope: CommandScope { .themes }

  /// The look before the list was opened: Esc brings it back.
  let original: Theme
  /// Nil until the files have been read.
  private(set) var choices: [ThemeChoice]?
  private(set) var scroll = ScrollState()

  init(original: Theme) {
    self.original = original
  }

  /// The theme under the cursor; nil for one that cannot be used.
  var selected: Theme? {
    guard let choice else { return nil }
    return try? choice.theme.get()
  }

  /// What is wrong with the file under the cursor.
  var fault: ThemeError? {
    if case .failure(let error)? = choice?.theme { error } else { nil }
  }

  private var choice: ThemeChoice? {
    guard let choices, choices.indices.contains(scroll.cursor) else { return nil }
    return choices[scroll.cursor]
  }

  /// Takes the files that were read, with the cursor on the theme that is in use.
  mutating func take(_ choices: [ThemeChoice], size: Size) {
    self.choices = choices
    let present = choices.firstIndex { (try? $0.theme.get()) == original }
    scroll.move(to: present ?? 0, count: choices.count, height: Self.body(in: size).rows)
  }

  /// Where the list is drawn: at the right, so that the table behind it shows the theme.
  static func area(in size: Size) -> Rectangle {
    let (main, _) = Rectangle(size).split(bottom: 2)
    return main.split(right: min(44, size.columns)).right
  }

  static func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1).split(bottom: 3).rest
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    let height = Self.body(in: state.size).rows
    return go(to: scroll.cursor.addingClamped(movement.rows(height: height)), in: &state)
  }

  mutating func wheel(
    _ lines: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    scroll.scroll(
      by: lines, count: choices?.count ?? 0, height: Self.body(in: state.size).rows)
    return preview(in: &state)
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    let body = Self.body(in: state.size)
    guard body.contains(position) else { return [] }
    let effects = go(to: scroll.first + position.row - body.top, in: &state)
    return clicks == 2 ? effects + state.keepTheme() : effects
  }

  mutating func resize(in state: BrowserState) {
    scroll.settle(count: choices?.count ?? 0, height: Self.body(in: state.size).rows)
  }

  private mutating func go(to row: Int, in state: inout BrowserState) -> [Effect] {
    scroll.move(to: row, count: choices?.count ?? 0, height: Self.body(in: state.size).rows)
    return preview(in: &state)
  }

  private func preview(in state: inout BrowserState) -> [Effect] {
    guard let selected, selected != state.theme else { return [] }
    state.theme = selected
    return [.useTheme(selected)]
  }
}

extension Int {
  /// The sum, or the nearest number there is.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}

extension BrowserState {
  /// Opens the list of themes.
  mutating func openThemes() -> [Effect] {
    open(ThemePicker(original: theme))
    return [.listThemes]
  }

  /// Keeps the theme under the cursor; one that cannot be used leaves the list open and says why.
  mutating func keepTheme() -> [Effect] {
    guard let picker = overlay(as: ThemePicker.self) else { return [] }
    if let fault = picker.fault {
      message = Message(text: fault.description, role: .error)
      return []
    }
    closeOverlay()
    return []
  }

  /// Closes the list and brings back the look from before.
  mutating func leaveThemes() -> [Effect] {
    guard let picker = overlay(as: ThemePicker.self) else { return [] }
    closeOverlay()
    guard theme != picker.original else { return [] }
    theme = picker.original
    return [.useTheme(picker.original)]
  }
}

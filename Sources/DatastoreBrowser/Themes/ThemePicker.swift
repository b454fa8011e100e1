import TerminalUI

/// The list of themes. The screen behind it shows the theme under the cursor at once.
struct ThemePicker: LineListOverlay {
  static let scope = CommandScope(
    "themes", title: "In the list of themes", traits: [.scrolls, .accepts, .closes],
    labels: ["accept": "keep", "close": "back"], openedBy: "themes")

  /// The theme before the list was opened, which Esc restores.
  let original: Theme
  /// Nil until the files have been read.
  private(set) var choices: [ThemeChoice]?
  var scroll = ScrollState()

  init(original: Theme) {
    self.original = original
  }

  /// The theme under the cursor; nil if its file cannot be used.
  var selected: Theme? {
    guard let choice else { return nil }
    return try? choice.theme.get()
  }

  /// The fault of the file under the cursor.
  var fault: ThemeError? {
    if case .failure(let error)? = choice?.theme { error } else { nil }
  }

  private var choice: ThemeChoice? {
    guard let choices, choices.indices.contains(scroll.cursor) else { return nil }
    return choices[scroll.cursor]
  }

  /// Applies the files that were read, and puts the cursor on the current theme.
  mutating func apply(_ choices: [ThemeChoice], in state: BrowserState) {
    self.choices = choices
    let present = choices.firstIndex { (try? $0.theme.get()) == original }
    moveCursor(to: present ?? 0, in: state)
  }

  /// The area of the list: at the right, so that the table behind it shows the theme.
  static func area(in size: Size) -> Rectangle {
    let main = Rectangle.aboveStatus(size)
    return main.split(right: min(44, size.columns)).right
  }

  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state.size).inset(horizontal: 2, vertical: 1).split(bottom: 3).rest
  }

  func lineCount(in state: BrowserState) -> Int { choices?.count ?? 0 }

  /// Shows the screen in the theme under the cursor.
  func cursorMoved(in state: inout BrowserState) {
    guard let selected, selected != state.theme else { return }
    state.theme = selected
    state.request(.useTheme(selected))
  }

  func pick(in state: inout BrowserState) { state.keepTheme() }
  func dismiss(_ state: inout BrowserState) { state.leaveThemes() }
}

extension BrowserState {
  mutating func openThemes() {
    open(ThemePicker(original: theme))
    request(.listThemes)
  }

  /// Keeps the theme under the cursor; if it cannot be used, the list stays open and shows why.
  mutating func keepTheme() {
    guard let picker = overlay(as: ThemePicker.self) else { return }
    if let fault = picker.fault { return tell(fault.description, .error) }
    closeOverlay()
    chosenTheme = theme
  }

  /// Closes the list and restores the former theme.
  mutating func leaveThemes() {
    guard let picker = overlay(as: ThemePicker.self) else { return }
    closeOverlay()
    guard theme != picker.original else { return }
    theme = picker.original
    request(.useTheme(picker.original))
  }
}

import Basics
import Glibc
import TerminalUI

/// Keys and the mouse.
extension TerminalApplication {
  func handle(_ key: Key) {
    guard !isEnded else { return }
    message = nil
    if question != nil {
      answer(key)
    } else if let running {
      // Keys typed while a command runs are queued, as in a shell.
      if key == "ctrl-c" { running.cancel() } else { waiting.append(key) }
    } else if let command = view.commands.first(where: {
      $0.isEnabled && $0.keys.contains(key.description)
    }) {
      run(command)
    } else {
      move(key)
    }
  }

  private func move(_ key: Key) {
    switch key {
    case "tab": focus(by: 1)
    case "shift-tab": focus(by: -1)
    case "ctrl-l": terminal?.redraw()
    case "ctrl-c": quit()
    default: _ = focusedList?.handle(key)
    }
  }

  /// The list that receives the keys.
  var focusedList: (any ScrolledList)? {
    lists.first { ObjectIdentifier($0.list) == focused }?.list
  }

  private func focus(by step: Int) {
    guard let index = lists.firstIndex(where: { ObjectIdentifier($0.list) == focused }) else {
      return
    }
    focused = ObjectIdentifier(lists[(index + step + lists.count) % lists.count].list)
  }

  private func run(_ command: Command) {
    running = Task {
      do {
        try await command.action(self)
      } catch is CancellationError {
        // The command was cancelled on purpose.
      } catch {
        say(String(describing: error), role: .error)
      }
      running = nil
      redraw()
      takeWaiting()
      schedule.workEnded()
    }
  }

  /// Handles the queued keys until one of them starts a command that takes time.
  func takeWaiting() {
    while !waiting.isEmpty, !isEnded, running == nil || question != nil {
      handle(waiting.removeFirst())
    }
  }

  func paste(_ text: String) {
    question?.insert(text)
  }

  func handle(_ event: MouseEvent) {
    guard question == nil else { return }
    if case .press(.left, _) = event.action, let footer, running == nil,
      let hint = footer.hints.hint(at: event.position, in: footer.line),
      let key = Key(footer.hints.hints[hint].key)
    {
      return handle(key)
    }
    guard let (list, area) = lists.first(where: { $0.area.contains(event.position) }) else {
      return
    }
    switch event.action {
    case .press(.left, _):
      focused = ObjectIdentifier(list)
      list.click(row: event.position.row - area.top)
    case .wheelUp: list.scroll(by: -3)
    case .wheelDown: list.scroll(by: 3)
    case .press, .release: break
    }
  }
}

/// Sending keys and reading the screen without a terminal.
extension TerminalApplication {
  /// Presses keys one after the other, each as soon as the application is idle. Traps when a text names no
  /// key.
  ///
  /// - Parameter keys: a character, or a name such as `enter`, `pgdn`, `ctrl-s` or `shift-tab`.
  public func send(_ keys: String...) async {
    for key in keys { await press(Key(stringLiteral: key)) }
  }

  /// Types a text, one key for each character and the Enter key for each line end.
  ///
  /// - Parameter text: the text.
  public func type(_ text: String) async {
    for (number, line) in text.lines().enumerated() {
      if number > 0 { await press(Key(.enter)) }
      for character in line { await press(Key(.character(character))) }
    }
  }

  private func press(_ key: Key) async {
    handle(key)
    await settled()
  }

  /// Draws the screen in the given size as soon as the application is idle.
  ///
  /// - Parameters:
  ///   - columns: the width in cells.
  ///   - rows: the height in cells.
  /// - Returns: the lines of the screen, without trailing blanks.
  public func picture(columns: Int = 80, rows: Int = 24) async -> [String] {
    let size = Size(columns: columns, rows: rows)
    // Drawing starts the reading of the lists.
    _ = draw(size, .unicode)
    await settled()
    return draw(size, .unicode).buffer.picture
  }
}

import Basics
import Glibc
import TerminalUI

/// What keys and the mouse do.
extension TerminalApplication {
  func handle(_ key: Key) {
    guard !isEnded else { return }
    message = nil
    if question != nil {
      answer(key)
    } else if let running {
      // What is typed ahead waits, as in a shell.
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

  /// The list that the keys go to.
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
        // Someone wanted it to end.
      } catch {
        say(String(describing: error), role: .error)
      }
      running = nil
      redraw()
      takeWaiting()
      schedule.workEnded()
    }
  }

  /// Handles keys that were typed ahead, until one of them begins something that takes its time.
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

/// Keys in and pictures out, without a terminal.
extension TerminalApplication {
  /// Presses keys one after the other, each when nothing is under way any more. Traps when a text names no
  /// key.
  ///
  /// - Parameter keys: a character, or a name such as `enter`, `pgdn`, `ctrl-s` or `shift-tab`.
  public func send(_ keys: String...) async {
    for key in keys { await press(Key(stringLiteral: key)) }
  }

  /// Types a text, a key for each character; the end of a line is the Enter key.
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

  /// What the screen shows in a size, when nothing is under way any more.
  ///
  /// - Parameters:
  ///   - columns: the width in cells.
  ///   - rows: the height in cells.
  /// - Returns: its lines, without the blanks at their ends.
  public func picture(columns: Int = 80, rows: Int = 24) async -> [String] {
    let size = Size(columns: columns, rows: rows)
    // Drawing is what begins to read lists.
    _ = draw(size, .unicode)
    await settled()
    return draw(size, .unicode).buffer.picture
  }
}

internal import CNCurses
internal import Glibc

extension CursesScreen {
  /// Codes for the ends of a paste, far above the codes of curses' keys.
  private static let pasteStart: Int32 = 0x7000
  private static let pasteEnd: Int32 = 0x7001

  /// Collects the codes of the keys: the fixed ones, and those that terminfo names for keys held with
  /// modifiers (`kLFT5` is Ctrl-Left).
  func collectKeys() {
    keys = [
      KEY_UP: "up", KEY_DOWN: "down", KEY_LEFT: "left", KEY_RIGHT: "right", KEY_HOME: "home",
      KEY_END: "end", KEY_LL: "end", KEY_PPAGE: "pgup", KEY_NPAGE: "pgdn", KEY_IC: "insert",
      KEY_DC: "delete", KEY_BACKSPACE: "backspace", KEY_ENTER: "enter", KEY_BTAB: "shift-tab",
      KEY_SLEFT: "shift-left", KEY_SRIGHT: "shift-right", KEY_SR: "shift-up",
      KEY_SF: "shift-down", KEY_SHOME: "shift-home", KEY_SEND: "shift-end",
      KEY_SPREVIOUS: "shift-pgup", KEY_SNEXT: "shift-pgdn", KEY_SDC: "shift-delete",
      KEY_SIC: "shift-insert",
    ]
    collectFunctionKeys()
    let named: [(String, Key.Base)] = [
      ("kUP", .up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home),
      ("kEND", .end), ("kPRV", .pageUp), ("kNXT", .pageDown), ("kIC", .insert),
      ("kDC", .delete),
    ]
    for (name, base) in named {
      for parameter in 2...8 {
        let suffix = parameter == 2 && base != .up && base != .down ? "" : String(parameter)
        guard let sequence = Self.capability(name + suffix) else { continue }
        let code = key_defined(sequence)
        guard code > 0, keys[code] == nil else { continue }
        keys[code] = Key(base, Self.modifiers(parameter))
      }
    }
    if let start = Self.capability("PS"), let end = Self.capability("PE") {
      define_key(start, Self.pasteStart)
      define_key(end, Self.pasteEnd)
    }
  }

  /// F1 to F12. terminfo continues with the modifiers: F13 is Shift-F1, F25 Ctrl-F1, and so on.
  private func collectFunctionKeys() {
    let blocks: [KeyModifiers] = [[], .shift, .control, [.control, .shift], .alt]
    for number in 1...60 {
      let base = Key.Base.function((number - 1) % 12 + 1)
      keys[cncurses_key_function(Int32(number))] = Key(base, blocks[(number - 1) / 12])
    }
  }

  /// The modifiers for the number that xterm sends: one more than a bit set.
  private static func modifiers(_ parameter: Int) -> KeyModifiers {
    var modifiers: KeyModifiers = []
    if (parameter - 1) & 1 != 0 { modifiers.insert(.shift) }
    if (parameter - 1) & 2 != 0 { modifiers.insert(.alt) }
    if (parameter - 1) & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// The next unit of input, or nil if none is waiting. Unknown codes are ignored.
  func readUnit(time: Duration) -> InputDecoder.Unit? {
    while true {
      let code = wgetch(input)
      switch code {
      case ERR: return nil
      case 0...0xFF: return .byte(UInt8(code))
      case KEY_MOUSE:
        if let event = readMouse(time: time) { return .mouse(event) }
      case Self.pasteStart: return .pasteStart
      case Self.pasteEnd: return .pasteEnd
      default:
        if let key = keys[code] { return .key(key) }
      }
    }
  }

  /// Whether the terminal is gone: it reports a hang-up, or the end of its input.
  var isHungUp: Bool {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return false }
    let result = Int32(request.revents)
    if result & (POLLHUP | POLLERR | POLLNVAL) != 0 { return true }
    var waiting: Int32 = 0
    return result & POLLIN != 0 && ioctl(STDIN_FILENO, UInt(FIONREAD), &waiting) == 0
      && waiting == 0
  }

  private func readMouse(time: Duration) -> MouseEvent? {
    var event = MEVENT()
    guard getmouse(&event) == OK else { return nil }
    let position = Position(column: Int(event.x), row: Int(event.y))
    guard let action = action(event.bstate, at: position, time: time) else { return nil }
    var modifiers: KeyModifiers = []
    if event.bstate & cncurses_mouse_shift() != 0 { modifiers.insert(.shift) }
    if event.bstate & cncurses_mouse_alt() != 0 { modifiers.insert(.alt) }
    if event.bstate & cncurses_mouse_control() != 0 { modifiers.insert(.control) }
    return MouseEvent(action, at: position, modifiers: modifiers)
  }

  private func action(
    _ state: mmask_t, at position: Position, time: Duration
  ) -> MouseEvent.Action? {
    if state & cncurses_mouse_pressed(4) != 0 { return .wheelUp }
    if state & cncurses_mouse_pressed(5) != 0 { return .wheelDown }
    let buttons: [(Int32, MouseEvent.Button)] = [(1, .left), (2, .middle), (3, .right)]
    for (number, button) in buttons {
      if state & cncurses_mouse_pressed(number) != 0 {
        return .press(button, clicks: clicks.press(button, at: position, time: time))
      }
      if state & cncurses_mouse_released(number) != 0 { return .release(button) }
    }
    return nil
  }
}

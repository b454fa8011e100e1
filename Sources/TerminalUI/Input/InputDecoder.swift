/// Decodes the input of a terminal, in the units that curses reads, into events.
///
/// Curses finds the keys that terminfo knows. The rest are bytes: UTF-8 text, controls and `ESC` before a key
/// held with Alt. The decoder puts the bytes together itself, since `wget_wch` loses a character whose bytes
/// arrive in two pieces. Unknown control sequences are dropped whole, so that they do not type themselves
/// into the application.
struct InputDecoder {
  /// A piece of input.
  enum Unit: Hashable {
    case byte(UInt8)
    case key(Key)
    case mouse(MouseEvent)
    case pasteStart
    case pasteEnd
  }

  /// The state of an escape sequence.
  private enum Sequence {
    case none
    case escape
    /// After `ESC [` and this many bytes.
    case control(Int)
    /// After `ESC O`.
    case single
  }

  /// Whether the terminal's settings make the byte 8 the Backspace key.
  var isControlHBackspace = false

  private var sequence = Sequence.none
  private var partial: [UInt8] = []
  private var pasted: [UInt8]?

  /// The most bytes of one paste that are kept together; a longer paste arrives in pieces.
  private static let pasteLimit = 1 << 24

  /// Decodes a unit and returns the events that it completes.
  mutating func feed(_ unit: Unit) -> [InputEvent] {
    switch unit {
    case .pasteStart:
      pasted = []
      return []
    case .pasteEnd:
      defer { pasted = nil }
      return pasted.map { [.paste(Self.text($0))] } ?? []
    case .mouse(let event):
      return [.mouse(event)]
    case .key(let key):
      guard pasted == nil else { return [] }
      if case .escape = sequence {
        sequence = .none
        return [.key(Key(key.base, key.modifiers.union(.alt)))]
      }
      return endBurst() + [.key(key)]
    case .byte(let byte):
      if pasted != nil { return paste(byte) }
      return feed(byte: byte)
    }
  }

  /// Ends the burst of input, which decides the meaning of a lone `ESC`.
  mutating func endBurst() -> [InputEvent] {
    switch sequence {
    case .none: return []
    case .escape:
      sequence = .none
      return [.key(Key(.escape))]
    case .control(0):
      sequence = .none
      return [.key(Key(.character("["), .alt))]
    case .control: return []
    case .single:
      sequence = .none
      return [.key(Key(.character("O"), .alt))]
    }
  }

  private mutating func paste(_ byte: UInt8) -> [InputEvent] {
    pasted?.append(byte)
    guard let bytes = pasted, bytes.count >= Self.pasteLimit else { return [] }
    pasted = []
    return [.paste(Self.text(bytes))]
  }

  /// Pasted bytes as text; terminals send a carriage return for each newline.
  private static func text(_ bytes: [UInt8]) -> String {
    var lines: [UInt8] = []
    lines.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == 10, index > 0, bytes[index - 1] == 13 { continue }
      lines.append(byte == 13 ? 10 : byte)
    }
    return String(decoding: lines, as: UTF8.self)
  }

  private mutating func feed(byte: UInt8) -> [InputEvent] {
    switch sequence {
    case .none:
      guard byte == 0x1B else { return character(byte, modifiers: []) }
      sequence = .escape
      return dropPartial()
    case .escape:
      switch byte {
      case 0x1B: return [.key(Key(.escape))]
      case UInt8(ascii: "["): sequence = .control(0)
      case UInt8(ascii: "O"): sequence = .single
      default:
        if byte < 0x80 { sequence = .none }
        return character(byte, modifiers: .alt)
      }
      return []
    case .control(let count):
      guard (0x20...0x7E).contains(byte) else {
        // The byte cannot be part of a sequence (ECMA-48, 5.4): the sequence was cut short or typed, and the
        // byte is a key of its own.
        let typed = count == 0 ? endBurst() : []
        sequence = .none
        return typed + feed(byte: byte)
      }
      sequence = byte >= 0x40 ? .none : .control(count + 1)
      return []
    case .single:
      sequence = .none
      return []
    }
  }

  /// Adds a byte of text and returns the key when a character is complete. A byte that cannot
  /// be UTF-8 gives U+FFFD.
  private mutating func character(_ byte: UInt8, modifiers: KeyModifiers) -> [InputEvent] {
    guard byte >= 0x80 else {
      return dropPartial() + [.key(control(byte, modifiers))]
    }
    var events: [InputEvent] = []
    if byte >= 0xC0 { events = dropPartial() }
    partial.append(byte)
    let needed =
      switch partial[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    guard partial.count >= needed else { return events }
    let text = String(decoding: partial, as: UTF8.self)
    partial = []
    sequence = .none
    return events
      + text.unicodeScalars.prefix(1).map { .key(Key(.character(Character($0)), modifiers)) }
  }

  private mutating func dropPartial() -> [InputEvent] {
    defer { partial = [] }
    return partial.isEmpty ? [] : [.key(Key(.character("\u{FFFD}")))]
  }

  private func control(_ byte: UInt8, _ modifiers: KeyModifiers) -> Key {
    let held = modifiers.union(.control)
    switch byte {
    case 0: return Key(.character(" "), held)
    case 8 where isControlHBackspace: return Key(.backspace, modifiers)
    case 9: return Key(.tab, modifiers)
    case 13: return Key(.enter, modifiers)
    case 0x7F: return Key(.backspace, modifiers)
    case 1...26: return Key(.character(Character(Unicode.Scalar(byte + 0x60))), held)
    case 28...31: return Key(.character(Character(Unicode.Scalar(byte + 0x40))), held)
    default: return Key(.character(Character(Unicode.Scalar(byte))), modifiers)
    }
  }
}

/// One drawn unit of text, of one or two cells.
package struct Glyph: Hashable, Sendable {
  /// The scalars to write: one base and at most four combining marks. Never a control.
  package var text: String
  /// The number of cells: 1 or 2.
  package var width: Int
  /// Whether it replaces a character that must not reach the terminal.
  package var isMark: Bool
}

/// The glyphs of a text, made one at a time, so that a long text costs only as much as is read of it.
///
/// This is the one gate between data and the terminal. These rules keep columns straight on every terminal,
/// and let no data control one:
/// - Controls (C0, DEL, C1) become a picture of themselves or `�`; bidi controls, zero-width
///   characters, tags, separators and other invisible format characters become `·`; unassigned
///   code points and replaced invalid UTF-8 become `�`. Each mark takes one cell.
/// - A base takes at most four combining marks along; further marks are drawn as `·`, so stacked marks cost
///   cells and not endless work. A mark without a base is on `◌`.
/// - A variation selector after a base is dropped, since terminals disagree on what it does to
///   the width; the base keeps its own width. A second one in a row is drawn as `·`.
/// - Of emoji joined with U+200D only the first is drawn, two cells wide; skin tones are dropped
///   after an emoji. Terminals disagree on both, and a curses cell cannot hold them.
/// - Joiners between letters of Arabic, Indic and other scripts that spell with them are
///   dropped; anywhere else they are drawn as `·`.
/// - Regional indicators take one cell each, so a flag takes two however it is shown.
package struct Glyphs: Sequence, IteratorProtocol {
  private var scalars: Substring.UnicodeScalarView.Iterator
  private var pending: Unicode.Scalar?

  /// Starts at the beginning of `text`. Constant time.
  package init(_ text: some StringProtocol) {
    scalars = Substring(text).unicodeScalars.makeIterator()
    pending = scalars.next()
  }

  /// The next glyph, or nil at the end. The work is bounded, whatever the text holds.
  package mutating func next() -> Glyph? {
    guard let scalar = advance() else { return nil }
    switch ScalarKind(scalar) {
    case .narrow: return finish(base: scalar, width: 1)
    case .wide, .emojiModifier: return finish(base: scalar, width: 2)
    case .combining: return finish(base: "\u{25CC}", width: 1, marks: [scalar])
    case .variationSelector, .joiner: return Glyph(text: "·", width: 1, isMark: true)
    case .unsafe(let mark): return Glyph(text: String(mark), width: 1, isMark: true)
    }
  }

  private mutating func advance() -> Unicode.Scalar? {
    defer { pending = scalars.next() }
    return pending
  }

  /// Consumes the scalars that belong to the base: marks, one variation selector, joined emoji.
  private mutating func finish(
    base: Unicode.Scalar, width: Int, marks: [Unicode.Scalar] = []
  ) -> Glyph {
    guard let next = pending, next.value >= 0x300 else {
      return Glyph(text: String(base), width: width, isMark: false)
    }
    var text = String(base)
    for mark in marks { text.unicodeScalars.append(mark) }
    var markCount = marks.count
    var hasSelector = false
    var joined = 0
    taking: while let next = pending {
      switch ScalarKind(next) {
      case .combining where markCount < 4:
        text.unicodeScalars.append(next)
        markCount += 1
      case .variationSelector where !hasSelector: hasSelector = true
      case .emojiModifier where base.properties.isEmoji && joined < 8: joined += 1
      case .joiner where base.properties.isEmoji && base.value > 0xFF && joined < 8:
        guard consumeJoinedEmoji() else { break taking }
        joined += 1
        hasSelector = false
        continue taking
      case .joiner where (0x600...0x1FFF).contains(base.value) && joined < 2: joined += 1
      default: break taking
      }
      _ = advance()
    }
    return Glyph(text: text, width: width, isMark: false)
  }

  /// Consumes a joiner and the emoji after it; nothing if no emoji follows.
  private mutating func consumeJoinedEmoji() -> Bool {
    var ahead = scalars
    guard let next = ahead.next(), next.properties.isEmoji, next.value > 0xFF else {
      return false
    }
    scalars = ahead
    pending = scalars.next()
    return true
  }
}

extension StringProtocol {
  /// The text without its first cells, for sideways scrolling. A wide character that is cut in two leaves a
  /// blank for its second half. Complexity: linear in the text.
  package func droppingCells(_ count: Int) -> String {
    guard count > 0 else { return String(self) }
    var text = ""
    var column = 0
    for glyph in Glyphs(self) {
      if column >= count {
        text += glyph.text
      } else if column + glyph.width > count {
        text += " "
      }
      column += glyph.width
    }
    return text
  }

  /// The number of cells that the text takes, counted no further than the first number above `limit`.
  /// Complexity: linear in the counted part.
  package func displayWidth(upTo limit: Int = .max) -> Int {
    let plain = utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      let most = Swift.max(limit, 0)
      let counted = bytes.count > most ? most + 1 : bytes.count
      return bytes.isVisibleASCII(first: counted) ? counted : nil
    }
    if let plain = plain ?? nil { return plain }
    var width = 0
    for glyph in Glyphs(self) {
      width += glyph.width
      if width > limit { break }
    }
    return width
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the first `count` bytes are ASCII characters that take one cell each.
  func isVisibleASCII(first count: Int) -> Bool {
    var isVisible = true
    for byte in prefix(count) { isVisible = isVisible && byte &- 0x20 < 0x5F }
    return isVisible
  }
}

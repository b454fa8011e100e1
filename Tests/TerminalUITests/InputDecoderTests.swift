import Testing

@testable import TerminalUI

/// The events of one burst of bytes, keys by their text form.
private func decode(_ bursts: [UInt8]...) -> [String] {
  var decoder = InputDecoder()
  return bursts.flatMap { burst in
    burst.flatMap { decoder.feed(.byte($0)) } + decoder.endBurst()
  }.map { event in
    if case .key(let key) = event { key.description } else { "\(event)" }
  }
}

struct InputDecoderTests {
  @Test func bytesBecomeKeys() {
    #expect(decode(Array("aä漢🎉 ".utf8)) == ["a", "ä", "漢", "🎉", "space"])
    #expect(
      decode([0, 1, 9, 10, 13, 26, 28, 29, 30, 31, 127]) == [
        "ctrl-space", "ctrl-a", "tab", "ctrl-j", "enter", "ctrl-z", "ctrl-\\", "ctrl-]", "ctrl-^",
        "ctrl-/", "backspace",
      ])
  }

  @Test func escapeAloneIsAKeyAndBeforeAnotherIsAlt() {
    #expect(decode([27]) == ["esc"])
    #expect(decode([27], Array("x".utf8)) == ["esc", "x"])
    #expect(decode([27] + Array("x".utf8)) == ["alt-x"])
    #expect(decode([27] + Array("äb".utf8)) == ["alt-ä", "b"])
    #expect(decode([27, 27]) == ["esc", "esc"])
    #expect(decode([27, 13]) == ["alt-enter"])
    #expect(decode([27] + Array("[".utf8)) == ["alt-["])
    #expect(decode([27] + Array("O".utf8)) == ["alt-O"])
  }

  @Test func unknownSequencesTypeNothing() {
    #expect(decode([27] + Array("[57;9ux".utf8)) == ["x"])
    #expect(decode([27] + Array("[57;".utf8), Array("9uy".utf8)) == ["y"])
    #expect(decode([27] + Array("Oqz".utf8)) == ["z"])
  }

  @Test func charactersSurviveBeingSplitAndInvalidBytesAreVisible() {
    #expect(decode([0xE6], [0xBC], [0xA2]) == ["漢"])
    #expect(decode([0xFF, 0x61]) == ["\u{FFFD}", "a"])
    #expect(decode([0xE6, 0xBC, 0x61]) == ["\u{FFFD}", "a"])
  }

  @Test func keysThatAreNoPartOfASequenceEndIt() {
    #expect(decode([27] + Array("[".utf8) + [12] + Array("3".utf8)) == ["alt-[", "ctrl-l", "3"])
    #expect(decode([27] + Array("[57;".utf8) + [13] + Array("u".utf8)) == ["enter", "u"])
    #expect(decode([27] + Array("[5".utf8), [27]) == ["esc"])
    #expect(decode([27] + Array("[5ä".utf8)) == ["ä"])
  }

  @Test func pastesArriveWholeAndAreNoKeys() {
    var decoder = InputDecoder()
    var events = decoder.feed(.pasteStart)
    for byte in Array("q\r\nä\r\u{1B}[31m".utf8) { events += decoder.feed(.byte(byte)) }
    events += decoder.endBurst()
    events += decoder.feed(.key("up"))
    events += decoder.feed(.pasteEnd)
    #expect(events == [.paste("q\nä\n\u{1B}[31m")])
    #expect(decoder.feed(.byte(0x71)) == [.key("q")])
  }

  @Test func keysFromCursesTakeAltAndFollowALoneEscape() {
    var decoder = InputDecoder()
    #expect(decoder.feed(.byte(27)).isEmpty)
    #expect(decoder.feed(.key("up")) == [.key("alt-up")])
    #expect(decoder.feed(.key("up")) == [.key("up")])
  }

  @Test func twoQuickPressesAreADoubleClick() {
    var counter = ClickCounter()
    let place = Position(column: 3, row: 4)
    #expect(counter.press(.left, at: place, time: .seconds(1)) == 1)
    #expect(counter.press(.left, at: place, time: .seconds(1.2)) == 2)
    #expect(counter.press(.left, at: place, time: .seconds(1.3)) == 1)
    #expect(counter.press(.left, at: place, time: .seconds(3)) == 1)
    #expect(counter.press(.right, at: place, time: .seconds(3.1)) == 1)
    #expect(counter.press(.right, at: .origin, time: .seconds(3.2)) == 1)
  }
}

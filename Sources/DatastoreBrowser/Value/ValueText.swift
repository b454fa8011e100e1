import Basics
import DatastoreCore
import Foundation
import SwiftDatastore
import TerminalUI

/// A whole value, laid out in lines of some width.
///
/// Made off the main thread, since values may have megabytes; lines of bytes are made when they are drawn.
struct ValueText: Hashable, Sendable {
  enum Form: String, Hashable, Sendable, CaseIterable {
    case text
    case json = "JSON"
    /// The content of an Apple archive.
    case tree
    case bytes
  }

  /// A line of the screen.
  struct Line: Hashable, Sendable {
    /// The index of the paragraph that the line is a part of.
    var paragraph: Int
    var text: Substring
  }

  let form: Form
  /// The forms that the value can be shown in.
  let forms: [Form]
  /// The type and the size in words.
  let note: String
  /// The notice in place of text: that the value is missing, or empty.
  let notice: String?
  /// The text, line by line.
  let paragraphs: [Substring]
  let lines: [Line]
  /// The bytes, for the form of bytes.
  let data: Data

  /// The longest text that is laid out.
  static let most = 4_000_000

  /// Lays a value out. O(bytes).
  ///
  /// - Parameters:
  ///   - wanted: the form; nil for the one that suits the value best.
  ///   - width: the width in cells to wrap lines at; nil to break them at newlines only.
  init(_ value: Value, _ format: ValueFormat, form wanted: Form?, width: Int?) {
    let (text, data, kind) = Self.contents(of: value, format)
    var forms: [Form] = []
    var pretty: String?
    if let text {
      pretty = text.utf8.count <= Self.most ? JSONText.pretty(text) : nil
      forms = pretty == nil ? [.text] : [.json, .text]
    }
    var tree: String?
    if case .blob = value {
      tree = SwiftDatastore.outline(ofArchive: data)?.joined(separator: "\n")
    }
    if tree != nil { forms.append(.tree) }
    if !data.isEmpty { forms.append(.bytes) }
    self.forms = forms
    let best: Form = pretty != nil ? .json : text != nil ? .text : tree != nil ? .tree : .bytes
    form = wanted.flatMap { forms.contains($0) ? $0 : nil } ?? best
    note = kind
    self.data = form == .bytes ? data : Data()
    notice = Self.notice(value)
    let shown =
      switch form {
      case .json: pretty ?? ""
      case .text: text ?? ""
      case .tree: tree ?? ""
      case .bytes: ""
      }
    let cut =
      shown.utf8.count > Self.most ? Substring(shown.unicodeScalars.prefix(Self.most)) : shown[...]
    paragraphs =
      notice != nil || form == .bytes
      ? [] : cut.lines()
    lines = paragraphs.enumerated().flatMap { number, paragraph in
      Self.broken(paragraph, width: width).map { Line(paragraph: number, text: $0) }
    }
  }

  /// The number of lines on the screen.
  var lineCount: Int { form == .bytes ? HexDump.lineCount(data.count) : lines.count }

  /// A line of the screen.
  func line(_ index: Int) -> String {
    form == .bytes ? HexDump.line(index, of: data) : String(lines[index].text)
  }

  /// The readable text of a value, its bytes, and its type and size in words.
  private static func contents(
    of value: Value, _ format: ValueFormat
  ) -> (text: String?, data: Data, note: String) {
    switch value {
    case .null: return (nil, Data(), "NULL")
    case .text(let text):
      let data = Data(text.utf8)
      let characters = CountText.counted(text.count, "character")
      return (text, data, "text, \(characters), \(CountText.bytes(data.count))")
    case .blob(let data):
      let shown = format.cell(value).text
      if format.type == .uuid, data.count == 16 { return (shown, data, "UUID, 16 bytes") }
      let text = BlobText.isText(data) ? String(validating: data, as: UTF8.self) : nil
      return (text, data, shown)
    case .integer, .real:
      let shown = format.cell(value).text
      let stored = ValueFormat(type: .undefined).cell(value).text
      return (shown == stored ? shown : "\(shown)\n\nstored as \(stored)", Data(), "number")
    }
  }

  private static func notice(_ value: Value) -> String? {
    switch value {
    case .null: "This value is NULL."
    case .text(let text) where text.isEmpty: "This text is empty."
    case .blob(let data) where data.isEmpty: "This blob is empty."
    default: nil
    }
  }

  /// A paragraph in pieces of at most `width` cells, broken after blanks if it has any.
  private static func broken(_ paragraph: Substring, width: Int?) -> [Substring] {
    guard let width, width > 0, !paragraph.isEmpty else { return [paragraph] }
    if paragraph.utf8.count <= width { return [paragraph] }
    var pieces: [Substring] = []
    var start = paragraph.startIndex
    var blank: Substring.Index?
    var used = 0
    var index = start
    while index < paragraph.endIndex {
      let character = paragraph[index]
      let cells = character.utf8.count == 1 ? 1 : String(character).displayWidth()
      let after = paragraph.index(after: index)
      if used + cells > width, index > start {
        let end = blank ?? index
        pieces.append(paragraph[start..<end])
        used = end == index ? 0 : paragraph[end..<index].displayWidth()
        start = end
        blank = nil
      }
      used += cells
      if character == " " { blank = after }
      index = after
    }
    pieces.append(paragraph[start...])
    return pieces
  }
}

extension ValueText {
  /// The lines of the screen in which a match begins. O(bytes).
  func matches(of text: String) -> [Int] {
    form == .bytes ? matchingBytes(text) : matchingLines(text)
  }

  private func matchingLines(_ text: String) -> [Int] {
    let wanted = SearchText(text)
    var found: [Int] = []
    var line = 0
    for (number, paragraph) in paragraphs.enumerated() {
      let first = line
      while line < lines.count, lines[line].paragraph == number { line += 1 }
      var rest = paragraph.startIndex..<paragraph.endIndex
      while let match = wanted.range(in: paragraph[rest]),
        !match.isEmpty
      {
        let place = (first..<line).last { lines[$0].text.startIndex <= match.lowerBound }
        if let place, found.last != place { found.append(place) }
        rest = match.upperBound..<paragraph.endIndex
      }
    }
    return found
  }

  private func matchingBytes(_ text: String) -> [Int] {
    let wanted = Data(text.utf8)
    var found: [Int] = []
    var rest = data.startIndex..<data.endIndex
    while let match = data.range(of: wanted, in: rest) {
      let line = (match.lowerBound - data.startIndex) / HexDump.bytesPerLine
      if found.last != line { found.append(line) }
      rest = match.upperBound..<data.endIndex
    }
    return found
  }
}

import DatastoreCore
import Foundation
import TerminalUI

/// The SQL console: lines for a statement, whose answer opens as a table above all others. Statements can
/// only read, unless the user allows writing.
struct SQLConsole: Overlay {
  var survivesNewTables: Bool { true }
  static let scope = CommandScope(
    "sql", title: "In the SQL console", traits: [.types, .closes, .completes],
    labels: ["close": "stop, close"])
  private(set) var area = TextArea()
  private(set) var menu = CompletionMenu()
  private(set) var fault: SQLFault?
  /// The result of the last statement that wrote.
  private(set) var report: String?
  /// The number of the running statement, or of the last one.
  private(set) var number = 0
  /// Whether the running statement writes.
  private(set) var isWriting = false
  var isWritable = false
  /// The statements that were run, the latest one last.
  private(set) var history: [String] = []
  /// The index of the recalled statement, and the text before the recall.
  private var recalled: (index: Int, draft: String)?
  /// The tables with their columns.
  private(set) var names: [SQLNames] = []

  static let placeholder = "SELECT …   enter runs it, alt-enter begins a new line"

  func dismiss(_ state: inout BrowserState) { state.leaveConsolePart() }
  func complete(_ state: inout BrowserState) {
    state.changeOverlay(as: Self.self) { $0.complete() }
  }

  // MARK: Editing

  mutating func press(_ key: Key, in state: inout BrowserState) {
    if key == "up" || key == "down" {
      if menu.current != nil || !menu.items.isEmpty, menu.move(by: key == "up" ? -1 : 1) {
        return
      }
      if !area.handle(key) { recall(key == "up" ? -1 : 1) }
      return
    }
    let before = area.text
    if area.handle(key) {
      menu.close()
      if area.text != before { textHasChanged() }
    }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    insert(text)
  }

  mutating func insert(_ text: String) {
    area.insert(text)
    menu.close()
    textHasChanged()
  }

  private mutating func textHasChanged() {
    recalled = nil
    fault = nil
  }

  /// Shows an older or a newer statement.
  private mutating func recall(_ step: Int) {
    let present = recalled?.index ?? history.count
    let index = present + step
    guard index >= 0, index <= history.count, !(recalled == nil && step > 0) else { return }
    let draft = recalled?.draft ?? area.text
    recalled = index == history.count ? nil : (index, draft)
    area.setText(index == history.count ? draft : history[index])
    fault = nil
  }

  /// Completes the word at the cursor, or lists its completions.
  mutating func complete() {
    if let item = menu.current ?? (menu.items.count == 1 ? menu.items.first : nil) {
      replaceWord(with: item.text)
      menu.close()
      return
    }
    let completion = SQLCompletion(before: String(area.field.beforeCursor), names)
    guard !completion.word.isEmpty || completion.isQualified else { return }
    if completion.items.count == 1 {
      replaceWord(with: completion.items[0].text)
      menu.close()
    } else {
      menu.setItems(completion.items)
      let shared = completion.shared
      if shared.count > completion.word.count { replaceWord(with: shared) }
    }
  }

  private mutating func replaceWord(with text: String) {
    let before = String(area.field.beforeCursor)
    let word = SQLCompletion.word(at: before)
    let head = String(before.dropLast(word.count)) + text
    area.setText(head + String(area.field.afterCursor), cursor: head.count)
    textHasChanged()
  }

  /// Inserts the marked completion; false if none is marked.
  mutating func acceptCompletion() -> Bool {
    guard let item = menu.current else { return false }
    replaceWord(with: item.text)
    menu.close()
    return true
  }

  mutating func closeMenu() -> Bool {
    defer { menu.close() }
    return !menu.items.isEmpty
  }

  // MARK: Running

  /// Starts a statement; nil if there is nothing to run.
  mutating func run() -> SQLRequest? {
    var sql = area.text.trimmingPrefix(while: \.isWhitespace)
    while let last = sql.last, last.isWhitespace { sql.removeLast() }
    guard !sql.isEmpty else { return nil }
    number += 1
    fault = nil
    report = nil
    menu.close()
    recalled = nil
    history.removeAll { $0 == sql }
    history.append(String(sql))
    if history.count > Self.longestHistory { history.removeFirst() }
    return SQLRequest(number: number, sql: String(sql), isWritable: isWritable)
  }

  static let longestHistory = 200

  mutating func apply(_ event: SQLEvent) {
    switch event {
    case .names(let names): self.names = names
    case .history(let texts):
      if history.isEmpty { history = texts }
    case .writing(let number):
      if number == self.number { isWriting = true }
    case .wrote(let number, let report), .takenBack(let number, let report):
      guard number == self.number else { return }
      isWriting = false
      self.report = report
    case .failed(let number, let fault):
      guard number == self.number else { return }
      isWriting = false
      self.fault = fault
      if let offset = fault.offset { putCursor(atByte: offset, of: fault.sql) }
    case .historyFailed, .tablesChanged: break
    }
  }

  /// Puts the cursor on the place of a fault, unless the text has changed since the run.
  private mutating func putCursor(atByte offset: Int, of sql: String) {
    guard let start = area.text.range(of: sql)?.lowerBound,
      let place = area.text.utf8.index(
        start, offsetBy: offset, limitedBy: area.text.utf8.endIndex),
      let exact = place.samePosition(in: area.text.unicodeScalars)
    else { return }
    area.setText(area.text, cursor: area.text.distance(from: area.text.startIndex, to: exact))
  }
}

/// A request to run a statement.
struct SQLRequest: Hashable, Sendable {
  var number: Int
  var sql: String
  /// Whether the statement may write.
  var isWritable: Bool
}

/// Why a statement has failed.
struct SQLFault: Hashable, Sendable {
  var sql: String
  var message: String
  /// The place of the fault, in UTF-8 bytes from the start of the statement.
  var offset: Int?
}

/// A table and its columns by their SQL names.
struct SQLNames: Hashable, Sendable {
  var table: String
  var columns: [String]
}

/// The events of the console.
enum SQLEvent: BrowserEvent {
  case names([SQLNames])
  case history([String])
  case historyFailed(String)
  /// A statement that writes has begun.
  case writing(Int)
  case wrote(Int, String)
  /// The statement was stopped, and its transaction rolled back.
  case takenBack(Int, String)
  /// The statement has changed the tables of the file.
  case tablesChanged
  case failed(Int, SQLFault)

  func apply(to state: inout BrowserState) { state.apply(self) }
}

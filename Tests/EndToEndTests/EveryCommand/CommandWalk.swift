import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Presses the commands of the browser, place by place, in the program that ships, and checks the effects.
/// The foot of the screen names the commands of the place, and so tells where the program is; the session
/// that it saves tells what it has done.
final class CommandWalk {
  /// The broken rules.
  private(set) var faults: [String] = []
  private(set) var pressed = 0
  private(set) var starts = 0
  /// The keys that took longest until something was written, in milliseconds.
  private(set) var slowest: [(milliseconds: Double, what: String)] = []

  private let store: OriginalStore
  private let keymap = Keymap.standard
  private var program: Program?
  private var copy: StoreCopy?
  private var terminal: PseudoTerminal?
  /// The screen after the last keys.
  private var picture: [String] = []
  /// The commands pressed since the program was started that the session must contain.
  private var toBeRecorded: Set<String> = []

  /// Escapes that close all overlays; there are never more above each other.
  private static let mostEscapes = 8

  init(_ store: OriginalStore) { self.store = store }

  /// Presses every command of a place.
  func walk(_ scope: CommandScope) async throws {
    guard let way = WayIn.all[scope] else {
      faults.append("There is no way to “\(scope.name)”; add one to WayIn.")
      return
    }
    try await start()
    guard let column = try await findColumn(way, to: scope) else { return }
    let commands =
      CommandTable.standard.commands(in: scope)
      + CommandTable.standard.commands(in: .everywhere)
    // Commands that end the program come last.
    for command in commands.filter({ !Self.ends($0) }) + commands.filter(Self.ends) {
      guard try await arrive(at: scope, by: way, column) else {
        faults.append("\(command.name) in “\(scope.name)” cannot be tried: \(foot)")
        continue
      }
      try await press(command, in: scope)
    }
    guard terminal != nil, try await leaveOverlays("the last command in “\(scope.name)”") else {
      return
    }
    try await compareSession(scope)
    terminal = nil
  }

  private static func ends(_ command: Command) -> Bool { command.name.contains("quit") }

  // MARK: - Where it is

  private var foot: String { picture.last ?? "" }

  /// Whether the foot names commands of a place and no others. It leaves out those that cannot be done now;
  /// but it would not leave out all that a question over the place does not have.
  private func isIn(_ scope: CommandScope) -> Bool {
    let (hints, asking) = (hints(of: scope), hints(of: .question))
    if foot == asking.joined(separator: "  ") { return hints == asking }
    var rest = Substring(foot)
    for hint in hints {
      let after = rest.dropFirst(hint.count)
      if rest.hasPrefix(hint), after.isEmpty || after.hasPrefix("  ") {
        rest = after.drop { $0 == " " }
      }
    }
    return rest.isEmpty && !foot.isEmpty
  }

  private func hints(of scope: CommandScope) -> [String] {
    CommandTable.standard.hinted(in: scope).compactMap { command in
      keymap.hint(of: command).map { "\($0) \(scope.label(of: command))" }
    }
  }

  private var isInPanel: Bool { [.table, .detail, .entities].contains(where: isIn) }

  // MARK: - Going there

  private func start() async throws {
    terminal = nil
    toBeRecorded = []
    let program = try Program()
    self.program = program
    let copy = try store.copy(into: program)
    self.copy = copy
    let terminal = try PseudoTerminal(program, copy.arguments, columns: 100, rows: 30)
    self.terminal = terminal
    starts += 1
    try await terminal.wait(for: "the table") { lines in
      picture = lines
      return isIn(.table) && lines.contains { $0.contains("name 2 ") }
    }
    _ = try await answer([])
  }

  /// The first column from which a way leads to a place; then the program is there.
  private func findColumn(_ way: [String], to scope: CommandScope) async throws -> Int? {
    var shown: [String] = []
    for column in [1, 0, 2, 3, 4, 5, 6, 7] {
      if try await go(way, column), isIn(scope) { return column }
      if shown.isEmpty { shown = picture }
      try await start()
    }
    faults.append(
      "\(way.joined(separator: " ")) does not lead to “\(scope.name)”, but to:\n"
        + shown.joined(separator: "\n"))
    return nil
  }

  /// Is at a place, or goes there from a panel, or else from the beginning.
  private func arrive(at scope: CommandScope, by way: [String], _ column: Int) async throws -> Bool
  {
    if terminal != nil {
      if isIn(scope) { return true }
      for _ in 0..<3 where isInPanel && !isIn(.table) { try await press("tab") }
      if isIn(.table), try await go(way, column), isIn(scope) { return true }
      if terminal != nil, try await leaveOverlays("the way to “\(scope.name)”") {
        try await compareSession(scope)
      }
    }
    try await start()
    return try await go(way, column) && isIn(scope)
  }

  /// Goes a way; false when the program has ended on it.
  private func go(_ way: [String], _ column: Int) async throws -> Bool {
    guard try await answer(["0"] + Array(repeating: "l", count: column)) else { return false }
    for step in way {
      if step == WayIn.othersWrite {
        try copy?.writeElsewhere()
      } else if try await !press(step) {
        return false
      }
    }
    return true
  }

  // MARK: - Pressing

  /// Presses keys, one after the other, each when the one before is done; false when the program has ended.
  @discardableResult
  private func press(_ keys: String...) async throws -> Bool {
    for key in keys { guard try await answer([key]) else { return false } }
    return true
  }

  /// Presses keys at once; false when the program has ended, or has given the screen back, after which it
  /// ends.
  private func answer(_ keys: [String], _ onAnswer: () -> Void = {}) async throws -> Bool {
    guard let terminal, try await terminal.answer(keys, onAnswer: onAnswer) else { return false }
    picture = terminal.lines
    return terminal.screen.isAlternate
  }

  private func press(_ command: Command, in scope: CommandScope) async throws {
    let what = "\(command.name) in “\(scope.name)”"
    // A command without keys is typed into the palette.
    let typed = command.aliases.first ?? command.name
    pressed += 1
    if let keys = keymap.keys(of: command).first?.keys.map(\.description) {
      for key in keys.dropLast() { try await press(key) }
      let begin = ContinuousClock.now
      let isThere = try await answer(keys.suffix(1)) { record(begin.duration(to: .now), what) }
      if !isThere { return try await ended(command, what) }
    } else if try await !press(":", typed, "enter") {
      return try await ended(command, what)
    }
    if !SessionLog.unnoted.contains(command.name) {
      toBeRecorded.insert(command.keys.isEmpty ? "type \(typed)" : command.name)
    }
    if !isIn(scope), !isInPanel { _ = try await leaveOverlays(what) }
    if isInDerivedTable {
      guard try await press("esc"), !isInDerivedTable else {
        faults.append("esc does not leave the table that \(what) opens: \(picture)")
        terminal = nil
        return
      }
    }
  }

  /// Whether the shown table is a derived one; its foot is that of any table.
  private var isInDerivedTable: Bool {
    picture.contains { $0.contains("read-only: ") && !$0.contains("read-only: a Core Data store") }
  }

  private func record(_ duration: Duration, _ what: String) {
    let milliseconds = duration / .milliseconds(1)
    slowest.append((milliseconds, what))
    if slowest.count > 100 { cutSlowest() }
  }

  private func cutSlowest() {
    slowest = Array(slowest.sorted { $0.milliseconds > $1.milliseconds }.prefix(5))
  }

  private func ended(_ command: Command, _ what: String) async throws {
    let end = try await terminal?.end()
    if !Self.ends(command) || end != .status(0) {
      let said = terminal?.lines.filter { !$0.isEmpty }.joined(separator: "\n") ?? ""
      faults.append("\(what) ends the program by \(end?.description ?? "nothing"):\n\(said)")
    }
    terminal = nil
  }

  /// Closes all overlays by `esc`; false if one cannot be closed, or the program has ended.
  private func leaveOverlays(_ what: String) async throws -> Bool {
    for _ in 0..<Self.mostEscapes {
      if isInPanel { return true }
      guard try await press("esc") else {
        faults.append("esc after \(what) ends the program.")
        terminal = nil
        return false
      }
    }
    if isInPanel { return true }
    faults.append(
      "esc does not close what \(what) opens:\n\(terminal?.lines.joined(separator: "\n") ?? "")")
    terminal = nil
    return false
  }

  // MARK: - What it has done

  /// Has the session saved, which names every command that a key has reached.
  private func compareSession(_ scope: CommandScope) async throws {
    guard let program, try await press("gS", "session", "enter") else { return }
    let file = program.directory.file("session")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      faults.append("gS does not save the session of “\(scope.name)”: \(picture)")
      return
    }
    try FileManager.default.removeItem(at: file)
    // A command that was disabled is a remark.
    let steps = text.split(separator: "\n").map { $0.trimmingPrefix("# ") + " " }
    let missing = toBeRecorded.filter { name in !steps.contains { $0.hasPrefix(name + " ") } }
    if !missing.isEmpty {
      faults.append(
        "The keys of \(missing.sorted()) did not reach them in “\(scope.name)”, but:\n\(text)")
    }
    toBeRecorded = []
  }

  /// The results.
  func report() -> String {
    cutSlowest()
    let slow = slowest.map { "\(Int($0.milliseconds.rounded())) ms \($0.what)" }
    return """
      every command, \(store.kind.rawValue): \(pressed) pressed, \(starts) starts, \(faults.count) faults; slowest: \
      \(slow.joined(separator: ", "))
      """
  }
}

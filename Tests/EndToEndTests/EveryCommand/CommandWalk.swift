import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Presses the commands of the browser, place by place, in the program that ships, and looks what becomes of it. Where
/// the program is, its foot says, which names the commands of the place; what it has done, the session that it saves.
final class CommandWalk {
  /// What was against the rules.
  private(set) var faults: [String] = []
  private(set) var pressed = 0
  private(set) var starts = 0
  /// The keys that took longest until something was written, in milliseconds.
  private(set) var slowest: [(milliseconds: Double, what: String)] = []

  private let store: MadeStore
  private let keymap = Keymap.standard
  private var program: Program?
  private var terminal: PseudoTerminal?
  /// What the screen has shown when the last keys were done.
  private var picture: [String] = []
  /// The commands that were pressed since the program was started, but for those that no session has.
  private var toBeNoted: Set<String> = []

  /// Escapes that close whatever is open; there are no more overlays one over another.
  private static let mostEscapes = 8

  init(_ store: MadeStore) { self.store = store }

  /// Presses every command of a place.
  func walk(_ scope: CommandScope) async throws {
    guard let way = WayIn.all[scope] else {
      faults.append("There is no way to “\(scope.name)”; add one to WayIn.")
      return
    }
    try await start()
    guard let column = try await findColumn(way, to: scope) else {
      faults.append("\(way.joined(separator: " ")) does not lead to “\(scope.name)”.")
      return
    }
    let commands =
      CommandTable.standard.commands(in: scope)
      + CommandTable.standard.commands(in: .everywhere)
    // Those that end the program come last.
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

  /// Whether the foot names commands of a place and no others.
  private func isIn(_ scope: CommandScope) -> Bool {
    var rest = Substring(foot)
    var count = 0
    for command in CommandTable.standard.hinted(in: scope) {
      guard let key = keymap.hint(of: command), rest.hasPrefix("\(key) \(command.label)") else {
        continue
      }
      let after = rest.dropFirst(key.count + 1 + command.label.count)
      guard after.isEmpty || after.hasPrefix("  ") else { continue }
      rest = after.drop { $0 == " " }
      count += 1
    }
    return count > 0 && rest.isEmpty
  }

  private var isInPanel: Bool { [.table, .detail, .entities].contains(where: isIn) }

  // MARK: - Going there

  private func start() async throws {
    terminal = nil
    toBeNoted = []
    let program = try Program()
    self.program = program
    let terminal = try PseudoTerminal(
      program, try store.copy(into: program), columns: 100, rows: 30)
    self.terminal = terminal
    starts += 1
    try await terminal.wait(for: "the table") { lines in
      picture = lines
      return isIn(.table) && lines.contains { $0.contains("name 2 ") }
    }
    try await press()
  }

  /// The first column with which a way leads to a place, where the program is then.
  private func findColumn(_ way: [String], to scope: CommandScope) async throws -> Int? {
    for column in [1, 0, 2, 3, 4, 5, 6, 7] {
      if try await go(way, column), try await isThere(scope) { return column }
      try await start()
    }
    return nil
  }

  /// Is at a place, or goes there from a panel, or else from the beginning.
  private func arrive(at scope: CommandScope, by way: [String], _ column: Int) async throws -> Bool
  {
    if terminal != nil {
      if isIn(scope) { return true }
      for _ in 0..<3 where isInPanel && !isIn(.table) { try await press("tab") }
      if isIn(.table), try await go(way, column), try await isThere(scope) { return true }
      if terminal != nil, try await leaveOverlays("the way to “\(scope.name)”") {
        try await compareSession(scope)
      }
    }
    try await start()
    guard try await go(way, column) else { return false }
    return try await isThere(scope)
  }

  /// Whether the program is at a place, or comes there when a server has answered.
  private func isThere(_ scope: CommandScope) async throws -> Bool {
    for _ in 0..<store.mostLooks where !isIn(scope) {
      guard try await terminal?.pause() ?? false, try await press() else { return false }
    }
    return isIn(scope)
  }

  /// Goes a way; false when the program has ended on it.
  private func go(_ way: [String], _ column: Int) async throws -> Bool {
    for step in ["0"] + Array(repeating: "l", count: column) + way {
      if step == WayIn.othersWrite, let program {
        try store.writeElsewhere(program)
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
    for key in keys.isEmpty ? [[]] : keys.map({ [$0] }) {
      guard try await answer(key) else { return false }
    }
    return true
  }

  private func answer(_ keys: [String], _ onAnswer: () -> Void = {}) async throws -> Bool {
    guard let terminal, let picture = try await terminal.answer(keys, onAnswer: onAnswer) else {
      return false
    }
    self.picture = picture
    return true
  }

  private func press(_ command: Command, in scope: CommandScope) async throws {
    let what = "\(command.name) in “\(scope.name)”"
    pressed += 1
    if let keys = keymap.keys(of: command).first {
      let begin = ContinuousClock.now
      let isThere = try await answer(keys.keys.map(\.description)) {
        note(begin.duration(to: .now), what)
      }
      if !isThere { return try await ended(command, what) }
    } else if try await !press(":", command.aliases.first ?? command.name, "enter") {
      return try await ended(command, what)
    }
    if !SessionLog.unnoted.contains(command.name) { toBeNoted.insert(command.name) }
    if !isIn(scope), !isInPanel { _ = try await leaveOverlays(what) }
  }

  private func note(_ duration: Duration, _ what: String) {
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

  /// Closes by `esc` what is open; false when that cannot be closed, or when the program has ended.
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
    guard let program, let terminal, try await press("gS", "session", "enter") else { return }
    let file = program.directory.file("session")
    var text: String?
    try await terminal.wait(for: "the file of the session") { _ in
      text = try? String(contentsOf: file, encoding: .utf8)
      return text != nil
    }
    try FileManager.default.removeItem(at: file)
    let names = Set(
      (text ?? "").split(separator: "\n").compactMap { $0.split(separator: " ").first })
    let missing = toBeNoted.filter { !names.contains(Substring($0)) }
    if !missing.isEmpty {
      faults.append(
        "The keys of \(missing.sorted()) did not reach them in “\(scope.name)”: \(foot)")
    }
    toBeNoted = []
  }

  /// What it has come to.
  func report() -> String {
    cutSlowest()
    let slow = slowest.map { "\(Int($0.milliseconds.rounded())) ms \($0.what)" }
    return """
      every command, \(store.kind.rawValue): \(pressed) pressed, \(starts) starts, \(faults.count) faults; slowest: \
      \(slow.joined(separator: ", "))
      """
  }
}

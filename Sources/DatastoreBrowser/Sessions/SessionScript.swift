import Basics
import DatastoreCore
package import TerminalUI

/// A session of the browser as a text that people can read and change.
///
/// Each line is a step: the name of a command with its argument as in the palette, or one of `type TEXT`,
/// `key KEY`, `paste TEXT`, `click COLUMN ROW`, `size COLUMNSxROWS` and `begin PLACE`, which a saved script
/// begins with: the views, columns and panels at that time. Texts have the escapes `\n`, `\r`,
/// `\t`, `\\` and `\u{2028}` for characters that a line cannot hold or that are invisible. Empty lines and
/// lines that begin with `#` are ignored, among them saved steps that did nothing.
package struct SessionScript: Hashable, Sendable {
  /// The steps, each with its line in the script, from 1.
  package var steps: [(line: Int, step: SessionStep)] = []

  /// Whether a step leads to the table with which the session began.
  var saysWhereItBegins: Bool {
    steps.contains { if case .begin = $0.step { true } else { false } }
  }

  /// The first line of a saved script.
  static let mark = "# datastore session"

  package init(_ steps: [SessionStep]) {
    self.steps = steps.enumerated().map { ($0 + 1, $1) }
  }

  /// Parses a script.
  ///
  /// - Parameter commands: the commands that the script may name.
  /// - Throws: `SessionScriptFault` at the first line that is not a step.
  init(parsing text: String, commands: CommandTable) throws(SessionScriptFault) {
    for (number, line) in text.lines().enumerated() {
      guard let word = line.words(most: 2).first, !word.begins(with: "#") else { continue }
      do throws(SessionStepFault) {
        steps.append((number + 1, try SessionStep(line, commands)))
      } catch {
        throw SessionScriptFault(line: number + 1, reason: error.reason)
      }
    }
  }

  /// The script as a text, one line for each step.
  package func text(of store: String, size: Size) -> String {
    var lines = ["\(Self.mark) of \(Quoting.scriptText(store))", "size \(size)"]
    lines += steps.map { "\($0.step)" }
    return lines.joined(separator: "\n") + "\n"
  }

  package static func == (left: SessionScript, right: SessionScript) -> Bool {
    left.steps.map(\.step) == right.steps.map(\.step)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(steps.map(\.step)) }
}

/// Why a script cannot be read.
package struct SessionScriptFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let line: Int
  package let reason: String

  package var description: String { "Line \(line) of the session cannot be read: \(reason)" }
}

struct SessionStepFault: Error {
  let reason: String
}

extension SessionStep {
  /// Parses one line.
  init(_ line: Substring, _ commands: CommandTable) throws(SessionStepFault) {
    let parts = line.parts(at: " ", most: 2)
    let (name, rest) = (parts[0], parts.count > 1 ? parts[1] : "")
    switch name {
    case "begin": self = .begin(try Self.unescaped(rest))
    case "type": self = .type(try Self.unescaped(rest))
    case "paste": self = .paste(try Self.unescaped(rest))
    case "key":
      guard let key = Key(String(rest)) ?? Quoting.unescapedScriptText(rest).flatMap({ Key($0) })
      else {
        throw SessionStepFault(reason: "“\(rest)” is not a key such as enter or ctrl-s.")
      }
      self = .key(key)
    case "click":
      let numbers = rest.words().map { Int($0) }
      guard (2...3).contains(numbers.count), let column = numbers[0], let row = numbers[1],
        let clicks = numbers.count == 3 ? numbers[2] : 1, column >= 0, row >= 0
      else { throw SessionStepFault(reason: "a column and a row are expected after “click”.") }
      self = .click(column: column, row: row, clicks: clicks)
    case "size":
      let numbers = rest.words(at: "x").map { Int($0) }
      guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1],
        (1...1000).contains(columns), (1...1000).contains(rows)
      else { throw SessionStepFault(reason: "a size such as 80x24 is expected after “size”.") }
      self = .size(Size(columns: columns, rows: rows))
    default:
      guard commands.named(String(name)) != nil else {
        let names = commands.all.map(\.name)
        let hint = Suggestion.closest(to: String(name), in: names).map { " Did you mean “\($0)”?" }
        throw SessionStepFault(reason: "there is no command “\(name)”.\(hint ?? "")")
      }
      self = .command(String(name), argument: try Self.unescaped(rest))
    }
  }

  private static func unescaped(_ text: Substring) throws(SessionStepFault) -> String {
    guard let result = Quoting.unescapedScriptText(text) else {
      throw SessionStepFault(
        reason: "after a backslash, n, r, t, u{…} or a backslash is expected.")
    }
    return result
  }
}

/// The line of a script.
extension SessionStep: CustomStringConvertible {
  package var description: String {
    switch self {
    case .begin(let place): "begin \(Quoting.scriptText(place))"
    case .command(let name, ""): name
    case .command(let name, let argument): "\(name) \(Quoting.scriptText(argument))"
    case .type(let text): "type \(Quoting.scriptText(text))"
    case .key(let key): "key \(Self.text(of: key))"
    case .paste(let text): "paste \(Quoting.scriptText(text))"
    case .click(let column, let row, 1): "click \(column) \(row)"
    case .click(let column, let row, let clicks): "click \(column) \(row) \(clicks)"
    case .size(let size): "size \(size)"
    case .idle(let step): "# \(step)"
    }
  }

  /// The name of a key. Escapes are used only for characters that a line cannot hold: a backslash is a key,
  /// too.
  private static func text(of key: Key) -> String {
    let name = "\(key)"
    return name == "\\" ? name : Quoting.scriptText(name)
  }
}

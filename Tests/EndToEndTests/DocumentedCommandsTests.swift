import DatastoreTestSupport
import Foundation
import Testing

/// README.md, the pages of Documentation and the manual page name only existing commands, keys and options.
@Suite("Documents beside the command records") struct DocumentedCommandsTests {
  /// A command as `datastore commands` lists it.
  private struct Listed {
    let name: String
    let keys: [String]
  }

  private static let subcommands = [
    "browse", "query", "schema", "load", "migrate", "copy", "doctor", "serve", "commands",
  ]

  /// The lines of README.md and of the pages about the browser and its commands.
  private static func documents() throws -> [String] {
    let root = Program.sampleData.deletingLastPathComponent()
    let folder = root.appending(path: "Documentation")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") && $0 != "Promises.md" }.sorted()
    #expect(pages.count > 8, "the pages must be found")
    return try ([root.appending(path: "README.md")] + pages.map { folder.appending(path: $0) })
      .flatMap { try String(contentsOf: $0, encoding: .utf8).components(separatedBy: "\n") }
  }

  private func listed() async throws -> [Listed] {
    try await Program().run("commands").output.components(separatedBy: "\n").compactMap { line in
      guard line.hasPrefix("  ") else { return nil }
      let rest = line.dropFirst(2)
      let name = String(rest.prefix { $0 != " " })
      let columns = rest.dropFirst(24).prefix(24).split(separator: " ")
      return Listed(name: name, keys: columns.map(String.init))
    }
  }

  /// The options that a command's help names.
  private func options(of command: String) async throws -> Set<String> {
    let help = try await Program().run(command, "--help").output
    #expect(
      help.contains("USAGE") || help.contains("Usage") || help.contains("OPTIONS"), "\(command)")
    return Self.options(in: help)
  }

  private static func options(in text: String) -> Set<String> {
    Set(text.matches(of: /--(?:\[no-\])?([a-z][a-z-]*[a-z])/).map { String($0.1) })
  }

  @Test("The options in the documents are those of the commands it gives them to")
  func options() async throws {
    var all: Set<String> = ["help", "version"]
    var known: [String: Set<String>] = [:]
    for command in Self.subcommands {
      known[command] = try await options(of: command)
      all.formUnion(known[command] ?? [])
    }
    var isCode = false
    var seen = 0
    for line in try Self.documents() {
      if line.hasPrefix("```") { isCode.toggle() }
      let command = line.firstMatch(of: #/datastore ([a-z]+)\b/#).map { String($0.1) }
      for option in Self.options(in: line) where isCode == (command != nil) || !isCode {
        seen += 1
        let plain = option.hasPrefix("no-") ? String(option.dropFirst(3)) : option
        if isCode, let options = command.flatMap({ known[$0] }) {
          #expect(options.contains(option) || options.contains(plain), "\(line)")
        } else {
          // Options of make, git and the like are in blocks of code.
          #expect(all.contains(option) || all.contains(plain), "\(line)")
        }
      }
    }
    #expect(seen > 50)
  }

  @Test("The keys in the tables of the documents are bound, and the commands behind a colon exist")
  func keys() async throws {
    let commands = try await listed()
    let names = Set(commands.map(\.name))
    let keys = Set(commands.flatMap(\.keys))
    #expect(names.count > 100)
    var seen = 0
    for line in try Self.documents() {
      for match in line.matches(of: /[`“]:([a-z][a-z-]+)/) {
        seen += 1
        #expect(names.contains(String(match.1)), "\(line)")
      }
      guard line.hasPrefix("| `") || line.contains(" | `") else { continue }
      for match in line.matches(of: /`([^`\s]+)`/) {
        let key = String(match.1)
        guard key.count == 1 || key.contains(/^(ctrl|shift|alt)-[a-z]+$|^g.$/) else { continue }
        guard key.allSatisfy(\.isASCII) else { continue }
        seen += 1
        #expect(keys.contains(key), "\(key) in: \(line)")
      }
    }
    #expect(seen > 130)
  }

  @Test("The manual page has every command with its keys, and every option of every command")
  func manual() async throws {
    let page = try await Program().run("manual").output
      .replacingOccurrences(of: "\\-", with: "-").replacingOccurrences(of: "\\e", with: "\\")
      .replacingOccurrences(of: "\\(dq", with: "\"").replacingOccurrences(of: "\\&", with: "")
    for command in try await listed() {
      #expect(page.contains("(\(command.name))"), "\(command.name)")
      if !command.keys.isEmpty {
        #expect(page.contains(command.keys.joined(separator: "  ")), "\(command.name)")
      }
    }
    let said = Self.options(in: page)
    for command in Self.subcommands {
      for option in try await options(of: command) {
        #expect(said.contains(option), "\(command) --\(option)")
      }
    }
  }

  @Test("The completions of each shell know every command")
  func completions() async throws {
    for shell in ["bash", "zsh", "fish"] {
      let script = try await Program().run("--generate-completion-script", shell).output
      for command in Self.subcommands { #expect(script.contains(command), "\(shell): \(command)") }
    }
  }
}

import ArgumentParser
import Basics
import DatastoreBrowser
import Foundation

/// `datastore manual`: the manual pages, generated from the arguments and commands. `make install` writes
/// them.
struct Manual: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the manual page, in the format of man.", shouldDisplay: false)

  @Option(
    help: ArgumentHelp(
      "Write it into a folder instead, with a page for each command.", valueName: "folder"))
  var into: String?

  func run() async throws {
    guard let into else {
      print(Self.page.roff, terminator: "")
      return
    }
    let folder = URL(filePath: into, directoryHint: .isDirectory)
    func write(_ page: ManualPage, as name: String) throws {
      let file = folder.appending(path: "\(name).1")
      do {
        try page.roff.write(to: file, atomically: true, encoding: .utf8)
      } catch {
        throw Failure(
          .cannotCreate, "\(file.path) could not be written: \(error.localizedDescription)")
      }
    }
    try write(Self.page, as: "datastore")
    for command in Datastore.listed {
      try write(Self.page(of: command), as: "datastore-\(command._commandName)")
    }
  }

  private static func page(of command: any ParsableCommand.Type) -> ManualPage {
    let name = "datastore-\(command._commandName)"
    var page = ManualPage(name: name, section: 1, version: Versions.program)
    page.section("NAME")
    page.text("\(name) - \(command.configuration.abstract)")
    page.section("DESCRIPTION")
    page.verbatim(Datastore.helpMessage(for: command, columns: 76))
    page.section("SEE ALSO")
    page.text("datastore(1)")
    return page
  }

  private static var page: ManualPage {
    var page = ManualPage(name: "datastore", section: 1, version: Versions.program)
    page.section("NAME")
    page.text("datastore - browse and query SQLite files, and load data into them")
    page.section("SYNOPSIS")
    page.verbatim(
      ([Datastore.self] + Datastore.listed).map { command in
        Quoting.substituting("Usage: ", with: "", in: Datastore.usageString(for: command))
      }.joined(separator: "\n"))
    page.section("DESCRIPTION")
    page.verbatim(Datastore.configuration.discussion)
    page.section("COMMANDS")
    for command in Datastore.listed {
      page.subsection("datastore \(command._commandName)")
      page.verbatim(Datastore.helpMessage(for: command, columns: 76))
    }
    page.section("EXIT STATUS")
    for status in ExitStatus.allCases { page.item("\(status.rawValue)", status.meaning) }
    page.section("KEYS OF THE BROWSER")
    var place = ""
    for entry in CommandOverview.all(.standard) {
      if entry.place != place {
        place = entry.place
        page.subsection(place)
      }
      page.item(entry.keys.joined(separator: "  "), "\(entry.help) (\(entry.name))")
    }
    page.section("FILES")
    page.item(
      "~/.config/datastore/config.yaml",
      "The configuration: the theme, and keys by command names, which are in parentheses above."
    )
    page.item("~/.config/datastore/themes", "Schemes of base16 or base24 to choose from.")
    page.item("~/.local/share/datastore", "The stores of the sample data.")
    page.item("~/.local/state/datastore", "The log, and what the browser remembers.")
    return page
  }
}

extension Datastore {
  static var listed: [any ParsableCommand.Type] {
    configuration.subcommands.filter { $0.configuration.shouldDisplay }
  }
}

/// A manual page in the macros of man(7), as far as this program needs them.
struct ManualPage {
  private(set) var roff: String

  init(name: String, section: Int, version: String) {
    roff = ".TH \(name.uppercased()) \(section) \"\" \"\(version)\"\n"
  }

  mutating func section(_ title: String) { roff += ".SH \"\(Quoting.manualText(title))\"\n" }

  mutating func subsection(_ title: String) { roff += ".SS \"\(Quoting.manualText(title))\"\n" }

  mutating func text(_ text: String) { roff += Self.lines(text) }

  /// Adds text with its lines unchanged.
  mutating func verbatim(_ text: String) { roff += ".nf\n" + Self.lines(text) + ".fi\n" }

  /// Adds a term and its explanation.
  mutating func item(_ term: String, _ text: String) {
    roff += ".TP\n" + Self.lines(term.isEmpty ? "(no key)" : term) + Self.lines(text)
  }

  private static func lines(_ text: String) -> String {
    text.lines().map { line in
      let escaped = Quoting.manualText(String(line))
      // At the beginning of a line, a dot or an apostrophe would start a request.
      return (escaped.begins(with: ".") || escaped.begins(with: "'") ? "\\&" : "") + escaped + "\n"
    }.joined()
  }

}

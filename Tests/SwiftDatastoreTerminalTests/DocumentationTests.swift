import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal
import Testing

/// The code of the page of SwiftDatastoreTerminal: the contact book is `Tests/ContactBook`, which
/// `ContactBookTests` runs; the other pieces are here, to the letter.
@MainActor
@Suite struct DocumentationTests {
  private final class View: TerminalView {
    var texts: [String] = []

    var body: [any Widget] {
      for text in texts { Line(text) }
    }

    var commands: [Command] {
      [
        Command("a") { [self] terminal in
          let texts = await terminal.ask("New", ["Name": "", "Phone": "", "Email": ""])
          self.texts = texts ?? []
        }
      ]
    }
  }

  @Test func keysAndPictures() async throws {
    let view = View()

    let application = TerminalApplication(view)
    await application.send("a")
    await application.type("Ann\n555\n\n")
    let picture = await application.picture(columns: 40, rows: 12)

    #expect(picture.prefix(2) == ["Ann", "555"])
  }

  @Test func everyPieceIsCompiled() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/SwiftDatastoreTerminal/SwiftDatastoreTerminal.docc/SwiftDatastoreTerminal.md"),
      encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    let program = try String(
      contentsOf: root.appendingPathComponent("Tests/ContactBook/main.swift"), encoding: .utf8)
    #expect(blocks.count == 2 && blocks.first == program)
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 81)
    let examples = normalised(try String(contentsOf: here, encoding: .utf8))
    for block in blocks.dropFirst() {
      #expect(examples.contains("\n" + normalised(block) + "\n"), "not here:\n\(block)")
    }
  }

  /// Text without the white space at the start and end of its lines, and without empty lines.
  private func normalised(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

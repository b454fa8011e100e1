import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor @Suite("Core Data stores on the screen") struct CoreDataScreenTests {
  /// The screen with an entity after some keys.
  private func picture(
    of entity: String = "Company", _ keys: [KeySequence] = [],
    _ change: (inout CoreDataSample) -> Void = { _ in }
  ) async throws -> [String] {
    let folder = try TemporaryDirectory()
    let url = folder.file("Office.storedata")
    var sample = CoreDataSample.office()
    change(&sample)
    try sample.write(to: url)
    let datastore = try SwiftDatastore(opening: url)
    defer { try? datastore.close() }
    let terminal = MemoryTerminal(size: Size(columns: 120, rows: 36))
    let browser = Browser(
      datastore, terminal: terminal, options: BrowserOptions(entity: entity))
    try browser.start()
    await browser.idle()
    for key in keys.flatMap(\.keys) {
      terminal.press(key)
      await browser.idle()
    }
    return terminal.picture
  }

  @Test("Entities, relationships and their members are shown by the names of the model")
  func names() async throws {
    let picture = try await picture()
    for text in [
      "Employee", "Trainee", "archive", "staff", "→ Ann", "read-only: a Core Data store",
    ] {
      #expect(picture.contains { $0.contains(text) }, "\(text)")
    }
    #expect(!picture.contains { $0.contains("ZCOMPANY") })
  }

  @Test("An edit is refused at its first key, with the way out", arguments: ["e", "a", "D"])
  func refusal(key: String) async throws {
    let picture = try await picture([KeySequence(stringLiteral: key)])
    #expect(picture.contains { $0.contains("datastore copy FILE --into NEW.sqlite") })
  }

  @Test("Without a model, the screen says that its entities are guessed")
  func withoutModel() async throws {
    let picture = try await picture { $0.cache = .null }
    #expect(picture.contains { $0.contains("Acme") })
    #expect(picture.contains { $0.contains("has no model in it") })
  }

  @Test("The history says who has changed what, when, and which properties")
  func history() async throws {
    let picture = try await picture(["gj"]) { $0.hasHistory = true }
    func line(_ word: String) -> String { picture.first { $0.contains(word) } ?? "" }
    for text in ["2023-03-08", "Employee", "Bob", "name, title", "ann"] {
      #expect(line("update").contains(text), "\(text): \(picture)")
    }
    #expect(line("delete").contains("9, gone"), "\(picture)")
    #expect(line("insert").contains("Acme") && line("insert").contains("com.example"))
  }

  @Test("A change leads to the object, unless that is gone")
  func changedObject() async throws {
    let bob = try await picture(["gj", "/", "Bob", "enter", "enter"]) { $0.hasHistory = true }
    #expect(bob.contains { $0.contains("▌Bob") || $0.contains("Employee") }, "\(bob)")
    #expect(!bob.contains { $0.contains("the history of this store") }, "\(bob)")
  }

  @Test("A store without history says so")
  func noHistory() async throws {
    let picture = try await picture(["gj"])
    #expect(picture.contains { $0.contains("Only Core Data stores record such a history") })
  }

  @Test("What a transformer made is shown as a tree")
  func archive() {
    let value = Value.blob(Data(CoreDataSample.archivedNote()))
    let text = ValueText(value, ValueFormat(type: .data), form: nil, width: 80)
    #expect(text.form == .tree && text.forms == [.tree, .bytes])
    #expect(text.lines.map { String($0.text) }.first == "NSDictionary, 3 entries")
  }
}

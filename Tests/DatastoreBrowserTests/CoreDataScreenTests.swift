import DatastoreTestSupport
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

  @Test("Without a model, the screen says why there are only tables")
  func withoutModel() async throws {
    let picture = try await picture(of: "ZCOMPANY") { $0.cache = .null }
    #expect(picture.contains { $0.contains("ZCOMPANY") })
    #expect(picture.contains { $0.contains("has no model in it") })
  }
}

import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The requests of the browser, by the names of the effects and in their order.
@MainActor
struct RequestTests {
  /// Presses keys in a copy of a state, and returns the requests of the last one.
  private func names(_ keys: Key..., in browser: BrowserDriver) -> [String] {
    var state = browser.browser.state
    return keys.map { state.update(UserInput(.key($0))).map(\.name) }.last ?? []
  }

  /// Counting may take long, so the shown rows are requested before it.
  @Test func theTableIsReadBeforeAnythingIsCounted() async throws {
    let browser = try await BrowserDriver(.company())
    let shown = browser.browser.state
    var state = BrowserState(
      schema: shown.schema, storeName: shown.storeName, size: shown.size, keymap: shown.keymap)
    let counts = Array(repeating: "count", count: shown.schema.entities.count)
    #expect(
      state.begin(BrowserOptions()).map(\.name)
        == ["fetch"] + counts + ["readFilterMemory", "findRecovery"])
    #expect(state.takeRequests().isEmpty, "what was handed over is not done again")
  }

  /// Missing rows are requested after the effects of the key itself.
  @Test func whatIsRequestedStartsInItsOrder() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    #expect(names("s", in: browser).first == "fetch")
    #expect(names("down", in: browser) == ["watch"])
    #expect(names("r", in: browser).starts(with: ["fetch", "count"]))
    #expect(names("q", in: browser) == ["quit"])
  }
}

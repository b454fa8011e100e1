import Foundation
import Testing

@Suite("Pictures of the README", .enabled(if: TmuxSession.isPresent, TmuxSession.absence))
struct ScreenshotTests {
  @Test("README.md shows the screens as the browser draws them")
  func pictures() async throws {
    let script = Program.sampleData.deletingLastPathComponent().appending(path: ".ci/screenshots")
    let outcome = try await Program().shell(
      "exec bash '\(script.path)' --check '\(Program.executable.path)'")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}

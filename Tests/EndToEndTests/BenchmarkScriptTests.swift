import Foundation
import Testing

/// The scripts that measure the program find the texts for which they wait in its pictures and its output.
@Suite("Scripts of Benchmarks")
struct BenchmarkScriptTests {
  private static func measure(_ script: String, _ options: String) async throws -> Program.Outcome {
    let scripts = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Benchmarks").path
    return try await Program().shell(
      "python3 '\(scripts)/\(script)' --program '\(Program.executable.path)' \(options)")
  }

  @Test("The browser goes through all measured steps")
  func browser() async throws {
    let outcome = try await Self.measure("browser.py", "--rows 10000 --runs 1 --peers none")
    #expect(outcome.status == 0, "\(outcome.errors)")
    for step in ["launch to first rows", "group with counts", "line down during an import"] {
      #expect(outcome.output.contains(step), "\(outcome.output)")
    }
  }

  @Test("Files are loaded and written as the sqlite3 program does")
  func files() async throws {
    let outcome = try await Self.measure("files.py", "--rows 10000 --runs 1")
    #expect(outcome.status == 0, "\(outcome.errors)")
    for step in ["load", "csv"] {
      #expect(outcome.output.localizedCaseInsensitiveContains(step), "\(outcome.output)")
    }
  }
}

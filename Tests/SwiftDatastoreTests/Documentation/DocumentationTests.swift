import Foundation
import Testing

/// Every piece of Swift in the documents stands in a file of this folder, which is compiled and run.
@Suite struct DocumentationTests {
  private var root: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  }

  @Test func everyExampleOfTheReadmeIsCompiled() throws {
    let blocks = try swiftBlocks(of: root.appendingPathComponent("README.md"))
    #expect(blocks.count >= 7)
    let compiled = try compiledExamples()
    for block in blocks where !block.hasPrefix(".package(") {
      #expect(compiled.contains(normalised(block)), "not compiled by a test:\n\(block)")
    }
  }

  private func compiledExamples() throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "DocumentationTests.swift" }
    return try files.map { normalised(try String(contentsOf: $0, encoding: .utf8)) }.joined()
  }

  /// Text without the white space at the start and end of its lines.
  private func normalised(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  private func swiftBlocks(of file: URL) throws -> [String] {
    let text = try String(contentsOf: file, encoding: .utf8)
    var blocks: [String] = []
    var current: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```swift" {
        current = []
      } else if line == "```", let lines = current {
        blocks.append(lines.joined(separator: "\n"))
        current = nil
      } else {
        current?.append(line)
      }
    }
    return blocks
  }
}

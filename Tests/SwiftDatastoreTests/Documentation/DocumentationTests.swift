import Foundation
import Testing

/// Every piece of Swift in the documents stands in a file of this folder, which is compiled and run: that of
/// `Queries.md` in `QueriesExamples.swift`, and so on; of README.md in `LibraryExamples.swift`, as its code
/// is part of the tour; of the compatibility products beside their tests. Programs of systems that are not
/// here begin with their import.
@Suite struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The documents, by path from the root, each with the folder of its examples.
  private static func documents() throws -> [(path: String, folder: URL)] {
    let tests = [
      "SwiftDatastore": "SwiftDatastoreTests/Documentation",
      "SwiftDatastorePostgreSQL": "DatastorePostgreSQLTests",
      "CoreStoreCompatibility": "CoreStoreCompatibilityTests",
      "CoreValueCompatibility": "CoreValueCompatibilityTests",
    ]
    let inside =
      try tests
      .flatMap { module, examples in
        let catalogue = "Sources/\(module)/\(module).docc"
        let examples = root.appendingPathComponent("Tests/\(examples)", isDirectory: true)
        return try FileManager.default.subpathsOfDirectory(
          atPath: root.appendingPathComponent(catalogue).path
        ).map { ("\(catalogue)/\($0)", examples) }
      }
    let outside = try ["", "Documentation/"].flatMap { place in
      try FileManager.default.contentsOfDirectory(atPath: root.path + "/" + place)
        .map { (place + $0, folder) }
    }
    return (inside + outside).filter { $0.0.hasSuffix(".md") }.sorted { $0.0 < $1.0 }
  }

  private static let otherSystems: Set = [
    "import CoreData", "import CoreStore", "import CoreValue", "import FluentKit",
    "import SwiftData",
  ]

  @Test func everyExampleIsCompiled() throws {
    var count = 0
    for (document, folder) in try Self.documents() {
      let blocks = try swiftBlocks(of: Self.root.appendingPathComponent(document))
        .filter { block in
          let first = block.prefix { $0 != "\n" }
          return !Self.otherSystems.contains(String(first)) && !first.hasPrefix(".package(")
        }
      if blocks.isEmpty { continue }
      count += blocks.count
      let name = URL(fileURLWithPath: document).deletingPathExtension().lastPathComponent
      let file = "\(name == "README" ? "Library" : name)Examples.swift"
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      let compiled = "\n" + normalised(text) + "\n"
      for block in blocks {
        #expect(
          compiled.contains("\n" + normalised(block) + "\n"),
          "\(document): not in \(file):\n\(block)")
      }
    }
    #expect(count > 150, "the documents must be found")
  }

  /// Text without the white space at the start and end of its lines, and without empty lines and those that
  /// check what the ones before have done.
  private func normalised(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#expect(") }
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

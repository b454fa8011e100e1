import Foundation
import Testing

/// Which block of CoreValue's document is which snippet, or why it is none.
@Suite struct DocumentBlockTests {
  /// Every block of the document: the line of its first fence, the line after it, and why it is no snippet.
  private static let blocks: [(line: Int, begins: String, exception: String?)] = [
    (30, "struct Shop: CVManagedPersistentStruct {", nil),
    (60, "// Get all shops (`[Shop]` is required for the type checker to get your intent!)", nil),
    (90, "// With Sort Descriptors", nil),
    (110, "struct Counter: BoxingStruct", nil),
    (132, "struct Counter: BoxingPersistentStruct", nil),
    (151, "struct Employee: BoxingPersistentStruct {", nil),
    (
      178, "struct Counter: UnboxingStruct",
      "reads by valueForKey and NSNumber, of the Objective-C runtime; the same struct is at 193"
    ),
    (193, "struct Counter: UnboxingStruct", nil),
    (243, "enum CarType: String {", nil),
    (275, "struct Employee: CVManagedPersistentStruct {", nil),
    (333, "/// Name of the Identifier in the CoreData (e.g: 'id')", nil),
    (343, "struct Author: CVManagedUniqueStruct {", nil),
    (381, "pod 'CoreValue'", "a Podfile"),
    (387, "use_frameworks!", "a Podfile"),
    (399, "github \"terhechte/CoreValue\" ~> 0.3.0", "a Cartfile"),
  ]

  /// The lines that the snippets name.
  private static func snippets() throws -> Set<Int> {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("CoreValueDocument.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    var lines: Set<Int> = []
    for piece in text.components(separatedBy: "CoreValue.md:").dropFirst() {
      let list = piece.prefix { $0.isNumber || $0 == "," || $0 == " " }
      lines.formUnion(
        list.split(separator: ",").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) })
    }
    return lines
  }

  @Test func everyBlockIsASnippetOrHasAReason() throws {
    let snippets = try Self.snippets()
    let expected = Set(Self.blocks.filter { $0.exception == nil }.map(\.line))
    #expect(snippets == expected)
    #expect(Self.blocks.map(\.line) == Self.blocks.map(\.line).sorted())
  }

  /// If the document is there, the list is that of its blocks.
  @Test func theListIsThatOfTheDocument() throws {
    guard let path = ProcessInfo.processInfo.environment["COREVALUE_DOCUMENT"] else { return }
    let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
    var found: [(Int, String)] = []
    var isOpen = false
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if !isOpen {
        let first = lines[(index + 1)...].first { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
        found.append((index + 1, first ?? ""))
      }
      isOpen.toggle()
    }
    #expect(found.map(\.0) == Self.blocks.map(\.line))
    #expect(found.map(\.1) == Self.blocks.map(\.begins))
  }
}

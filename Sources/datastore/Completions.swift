import ArgumentParser
import Basics
import DatastoreBrowser
import DatastoreCore
import DatastoreImport
import Foundation
import Gates
import SwiftDatastore

/// Completions that depend on the command line. They are silent, and quick for any file.
extension CompletionKind {
  /// The entities of the file on the line.
  static var entities: CompletionKind {
    completing { line in CompletedFile(line.operands.first)?.entities ?? [] }
  }

  /// The entities of the store after `--into`.
  static var entitiesOfStore: CompletionKind {
    completing { line in CompletedFile(line.value(of: "--into"))?.entities ?? [] }
  }

  /// The properties of the entity on the line, also within a list or a condition.
  static var columns: CompletionKind {
    completing { line in
      let operands = line.operands
      let entity = line.value(of: "--entity") ?? operands.dropFirst().first
      let names = CompletedFile(operands.first)?.columns(of: entity) ?? []
      let end = line.beginning.lastIndex { " ,(".contains($0) }
      let before = end.map { line.beginning[...$0] } ?? ""
      return names.map { before + SortDescriptor([$0]).description }
    }
  }

  /// The columns of the file to load.
  static var fields: CompletionKind {
    completing { line in CompletedFile(line.operands.first)?.columns(of: nil) ?? [] }
  }

  /// The names of themes, and scheme files.
  static var themes: CompletionKind {
    completing { line in
      let names = ThemeFile.names
      let path = line.beginning
      let folder = path.lastPlace(of: "/").map { String(path.text(through: $0)) } ?? ""
      let files =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
      return names
        + files.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().map {
          folder + $0
        }
    }
  }

  private static func completing(
    _ names: @escaping @Sendable (CompletionLine) -> [String]
  ) -> CompletionKind {
    .custom { (words: [String], index: Int, beginning: String) -> [String] in
      Self.beQuickAndSilent()
      let line = CompletionLine(words, index, beginning)
      return names(line).filter { $0.hasPrefix(line.beginning) && !$0.isEmpty }
        .compactMap(literal)
    }
  }

  /// Exits after 1.5 seconds: the shell waits for completions, and a file may be locked or on an unreachable
  /// disk.
  private static func beQuickAndSilent() {
    let null = open("/dev/null", O_WRONLY)
    if null >= 0 { dup2(null, STDERR_FILENO) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) { _exit(0) }
  }

  /// A word in the form that the shell inserts literally; nil if it contains control characters.
  private static func literal(_ word: String) -> String? {
    if word.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value }) {
      return nil
    }
    switch CompletionShell.requesting {
    // `compgen -W` expands words: it would run `$(…)` in the name of a table.
    case .bash: return Quoting.shellWord(word)
    // `_describe` reads the text after a colon as a description.
    case .zsh:
      return word.unicodeScalars.map { [":", "\\"].contains($0) ? "\\\($0)" : String($0) }.joined()
    default: return word
    }
  }
}

/// The names in a file, for completion.
struct CompletedFile {
  /// The names of its entities, with the names of their properties.
  private let content: [(entity: String, columns: [String])]

  /// nil if there is no file that can be read quickly; servers are not asked.
  init?(_ path: String?) {
    guard let path, FileManager.default.fileExists(atPath: path), !ReadableFile.isPipe(path),
      let content = try? Self.content(of: path)
    else { return nil }
    self.content = content
  }

  private static func content(of path: String) throws -> [(String, [String])] {
    if BrowsedRows.hasRows(path) {
      var reading = ReadingOptions()
      reading.csv.repairsHeader = true
      let plan = try LoadPlan(tables: [path], entity: nil, reading: reading)
      return try plan.sources.compactMap { source in
        guard case .entity(let content) = source.content else { return nil }
        var reader = try source.makeReader()
        if let csv = reader as? CSVReader { return (content.entity, csv.columns) }
        var names: [String] = []
        for _ in 0..<100 {
          guard let record = try? reader.next() else { break }
          names += record.fields.map(\.name).filter { !names.contains($0) }
        }
        return (content.entity, names)
      }
    }
    let store = try SwiftDatastore.store(
      opening: URL(fileURLWithPath: path), readOnly: true, options: SwiftDatastore.Options())
    defer { try? store.close() }
    return store.schema.entities.map { ($0.name, $0.properties.map(\.name)) }
  }

  var entities: [String] { content.map(\.entity) }

  /// The columns of an entity; without one, those of the first entity.
  func columns(of entity: String?) -> [String] {
    guard let entity else { return content.first?.columns ?? [] }
    return content.first { $0.entity == entity }?.columns ?? content.first?.columns ?? []
  }
}

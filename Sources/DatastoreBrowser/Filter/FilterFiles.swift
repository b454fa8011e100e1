package import Foundation
import Gates
import TerminalUI
import Yams

/// The files of filters, in a format that people can read and write.
///
/// Saved filters are YAML: a list of `name` and `where` for each entity, with `file` if a filter is for one
/// file only. A file that cannot be read is never overwritten; one that was edited by hand is kept beside the
/// new one with the extension `.bak`. Used off the main actor, since it waits for the disk.
package actor FilterFiles {
  nonisolated let savedFile: URL
  nonisolated let historyFile: URL
  /// The most bytes that are read of a file.
  private static let longest = 1 << 24

  /// - Parameters:
  ///   - saved: the file of the saved filters; it need not exist.
  ///   - history: the file of the used filters.
  package init(saved: URL, history: URL) {
    savedFile = saved
    historyFile = history
  }

  /// - Throws: `FilterFileFault`, as do the other methods.
  func history() throws -> [String: [String]] {
    guard let root = try Self.compose(historyFile) else { return [:] }
    var history: [String: [String]] = [:]
    for (entity, texts) in try Self.entries(root, in: historyFile) {
      history[entity] = try texts.map { node in
        guard let text = node.string else {
          throw FilterFileFault(historyFile, line: node.mark?.line, "a condition is expected")
        }
        return text
      }
    }
    return history
  }

  /// Adds a filter to the history, and keeps those that other runs have added meanwhile.
  func keepHistory(_ text: String, entity: String) throws {
    var all = try history()
    all[entity] = FilterMemory.adding(text, to: all[entity] ?? [])
    try Self.write(all, to: historyFile)
  }

  func saved() throws -> [SavedFilter] {
    guard let root = try Self.compose(savedFile) else { return [] }
    return try Self.entries(root, in: savedFile).flatMap { entity, nodes in
      try nodes.map { node in
        guard let name = node["name"]?.string, let text = node["where"]?.string else {
          throw FilterFileFault(
            savedFile, line: node.mark?.line, "a filter needs a name and a where")
        }
        return SavedFilter(entity: entity, name: name, text: text, file: node["file"]?.string)
      }
    }
  }

  func change(_ body: (inout FilterMemory) -> Void) throws -> [SavedFilter] {
    var memory = FilterMemory()
    memory.apply(try saved())
    let before = try Self.text(Self.document(memory.saved), for: savedFile)
    if let old = try Self.contents(savedFile), old != before {
      let backup = savedFile.appendingPathExtension("bak")
      do {
        try NewFile.write(old.utf8, to: backup.path)
      } catch {
        throw FilterFileFault(backup, "cannot be written: \(error.reason)")
      }
    }
    body(&memory)
    try Self.write(Self.document(memory.saved), to: savedFile)
    return memory.saved
  }

  private static func document(_ filters: [SavedFilter]) -> [String: [[String: String]]] {
    Dictionary(grouping: filters, by: \.entity).mapValues { filters in
      filters.map { filter in
        var entry = ["name": filter.name, "where": filter.text]
        entry["file"] = filter.file
        return entry
      }
    }
  }

  private static func contents(_ file: URL) throws -> String? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    do {
      let bytes = try ReadableFile.contents(of: file.path, atMost: Self.longest)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw FilterFileFault(file, "is not UTF-8 text")
      }
      return text
    } catch let fault as FileFault {
      throw FilterFileFault(file, "cannot be read: \(fault.reason)")
    }
  }

  private static func compose(_ file: URL) throws -> Node? {
    guard let text = try contents(file) else { return nil }
    do {
      return try YAMLText.compose(text)
    } catch {
      throw FilterFileFault(file, "is not YAML: \(YAMLFault.reason(error))")
    }
  }

  private static func entries(_ root: Node, in file: URL) throws -> [(String, [Node])] {
    if root.null != nil { return [] }
    guard let mapping = root.mapping else {
      throw FilterFileFault(file, line: root.mark?.line, "the names of entities are expected")
    }
    return try mapping.map { key, value in
      guard let entity = key.string, let nodes = value.sequence else {
        throw FilterFileFault(
          file, line: key.mark?.line, "the name of an entity and a list are expected")
      }
      return (entity, Array(nodes))
    }
  }

  private static func text(_ value: some Encodable, for file: URL) throws -> String {
    let encoder = YAMLEncoder()
    encoder.options.sortKeys = true
    encoder.options.allowUnicode = true
    encoder.options.width = -1
    do {
      return try encoder.encode(value)
    } catch {
      throw FilterFileFault(file, "cannot be written: \(error)")
    }
  }

  private static func write(_ value: some Encodable, to file: URL) throws {
    let text = try text(value, for: file)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try NewFile.write(text.utf8, to: file.path)
    } catch let fault as FileFault {
      throw FilterFileFault(file, "cannot be written: \(fault.reason)")
    } catch {
      throw FilterFileFault(file, "cannot be written: \(error.localizedDescription)")
    }
  }
}

/// Why a file of filters cannot be used, as a sentence.
struct FilterFileFault: Error, CustomStringConvertible {
  let description: String

  init(_ file: URL, _ reason: String) {
    description = "\(file.path) \(reason). It was left as it is."
  }

  init(_ file: URL, line: Int?, _ reason: String) {
    let place = line.map { ", line \($0)" } ?? ""
    description = "\(file.path)\(place): \(reason). Correct it there; it was left as it is."
  }
}

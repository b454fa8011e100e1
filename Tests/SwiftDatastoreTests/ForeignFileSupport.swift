import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// A file made, read and changed by SQLite's own command line: another program, another process.
final class ForeignDatabase: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let directory: TemporaryDirectory
  var folder: URL { directory.url }
  let url: URL

  init(_ sql: String) throws {
    directory = try TemporaryDirectory()
    url = directory.file("foreign.db")
    try run(sql)
  }

  /// Runs statements; the answer is one line a row, values between bars.
  @discardableResult
  func run(_ sql: String) throws -> String {
    let output = folder.appendingPathComponent("output-\(UUID().uuidString)")
    let errors = output.appendingPathExtension("errors")
    defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
    let status = try spawn(
      "/usr/bin/env", ["sqlite3", "-batch", "-bail", url.path, sql], output: output,
      errors: errors)
    guard status == 0 else {
      throw Failure(description: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }

  func open() throws -> SwiftDatastore { try SwiftDatastore(opening: url) }

  /// Another process that has run the statements and keeps its transaction open until it is released.
  func hold(_ sql: String) throws -> HeldTransaction {
    try HeldTransaction(url, sql)
  }
}

final class HeldTransaction {
  private let program: SQLiteProgram

  init(_ url: URL, _ sql: String) throws {
    program = try SQLiteProgram(url)
    let answer = program.run(sql)
    guard answer.isEmpty else {
      throw ForeignDatabase.Failure(description: answer.joined(separator: "\n"))
    }
  }

  func release() throws {
    let answer = program.run("COMMIT")
    guard answer.isEmpty else {
      throw ForeignDatabase.Failure(description: answer.joined(separator: "\n"))
    }
  }
}

extension SwiftDatastore {
  /// Works in a new context and waits for it.
  func inContext<Result: Sendable>(
    _ block: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Result
  ) async throws -> Result {
    try await newContext().perform { context in
      let result = try block(context)
      #expect(context.core.graph.brokenInvariants() == [])
      return result
    }
  }
}

extension SwiftDatastoreContext.Closure {
  func all(_ entity: String, by name: String? = nil) throws -> [DynamicObject] {
    try fetch(
      FetchRequest(
        entity: entity, sortDescriptors: name.map { [SortDescriptor([$0])] } ?? []))
  }

  func one(_ entity: String, _ name: String, _ value: Value) throws -> DynamicObject {
    let found: [DynamicObject] = try fetch(
      FetchRequest(
        entity: entity,
        predicate: .comparison(.init(.keyPath([name]), .equal, .value(value)))))
    return try #require(found.first, "\(entity) has no row whose \(name) is \(value)")
  }
}

// Foundation has types of the same names.
typealias Predicate = DatastoreCore.Predicate
typealias SortDescriptor = DatastoreCore.SortDescriptor

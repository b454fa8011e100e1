import DatastoreTestSupport
import Foundation
import Testing

/// Compiles pieces of code against the library as it was just built, in Swift 6 mode by default.
struct SnippetCompiler {
  /// The folder of the build: the one the tests run from.
  private let build: URL
  private let root: URL
  private let languageMode: String

  init(languageMode: String = "6") throws {
    self.languageMode = languageMode
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    build = URL(fileURLWithPath: executable).deletingLastPathComponent()
    root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  }

  /// The compiler's errors in a piece of code; empty if it compiles.
  func errors(in code: String) throws -> [String] {
    try inFolder { folder in
      let output = folder.appendingPathComponent("output")
      let status = try compile(code, in: folder, ["-typecheck"], output: output)
      let text = try String(contentsOf: output, encoding: .utf8)
      let errors = text.split(separator: "\n").map(String.init).filter { $0.contains(": error: ") }
      #expect(errors.isEmpty == (status == 0), Comment(rawValue: text))
      return errors
    }
  }

  /// The output of a program, on both streams.
  func run(_ code: String) throws -> String {
    try inFolder { folder in
      let output = folder.appendingPathComponent("output")
      let program = folder.appendingPathComponent("program")
      // The objects linked into the first program, except its own: the library.
      let objects = try String(
        contentsOf: build.appendingPathComponent("FirstProgram.product/Objects.LinkFileList"),
        encoding: .utf8
      ).split(separator: "\n").map { String($0).replacing("'", with: "") }
        .filter { !$0.contains("/FirstProgram.build/") }
      let status = try compile(
        code, in: folder, objects + ["-lsqlite3", "-o", program.path], output: output)
      let errors = try String(contentsOf: output, encoding: .utf8)
      try #require(status == 0, Comment(rawValue: errors))
      _ = try spawn(
        program.path, [], output: output, errors: folder.appendingPathComponent("errors"))
      return try String(contentsOf: output, encoding: .utf8)
        + String(contentsOf: folder.appendingPathComponent("errors"), encoding: .utf8)
    }
  }

  private func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try TemporaryDirectory()
    return try withExtendedLifetime(folder) { try body(folder.url) }
  }

  private func compile(
    _ code: String, in folder: URL, _ options: [String], output: URL
  ) throws -> Int32 {
    let file = folder.appendingPathComponent("main.swift")
    try Data(code.utf8).write(to: file)
    let checkouts = build.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("checkouts")
    var arguments = [
      "swiftc", "-swift-version", languageMode,
      "-I", build.appendingPathComponent("Modules").path,
      "-I", checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite").path,
      "-I", root.appendingPathComponent("Sources/CZlib").path,
      file.path,
    ]
    for target in ["CSlots", "CSQLiteShims"] {
      arguments += [
        "-Xcc", "-fmodule-map-file=\(build.path)/\(target).build/module.modulemap",
        "-Xcc", "-I\(root.path)/Sources/\(target)/include",
      ]
    }
    return try spawn(
      "/usr/bin/env", arguments + options, output: URL(fileURLWithPath: "/dev/null"),
      errors: output)
  }
}

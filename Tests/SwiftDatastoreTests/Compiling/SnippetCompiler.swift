import DatastoreTestSupport
import Foundation
import Testing

/// Type-checks pieces of code against the library as it was just built, in Swift 6 mode.
struct SnippetCompiler {
  /// The folder of the build: the one the tests run from.
  private let build: URL
  private let root: URL

  init() throws {
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    build = URL(fileURLWithPath: executable).deletingLastPathComponent()
    root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  }

  /// What the compiler says of a piece of code; empty when it is content.
  func errors(in code: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("snippet.swift")
    let output = folder.appendingPathComponent("output")
    try Data(code.utf8).write(to: file)
    let checkouts = build.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("checkouts")
    var arguments = [
      "swiftc", "-typecheck", "-swift-version", "6",
      "-I", build.appendingPathComponent("Modules").path,
      "-I", checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite").path,
      file.path,
    ]
    for target in ["CSlots", "CSQLiteShims"] {
      arguments += [
        "-Xcc", "-fmodule-map-file=\(build.path)/\(target).build/module.modulemap",
        "-Xcc", "-I\(root.path)/Sources/\(target)/include",
      ]
    }
    let status = try spawn(
      "/usr/bin/env", arguments, output: URL(fileURLWithPath: "/dev/null"), errors: output)
    let text = try String(contentsOf: output, encoding: .utf8)
    let errors = text.split(separator: "\n").map(String.init).filter { $0.contains("error:") }
    #expect(errors.isEmpty == (status == 0), Comment(rawValue: text))
    return errors
  }
}

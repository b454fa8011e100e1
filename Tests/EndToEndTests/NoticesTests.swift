import DatastoreTestSupport
import Foundation
import Testing

/// The licences of the program's parts, and the versions that it prints.
@Suite("Notices")
struct NoticesTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The packages that targets outside of the tests name as `.product(name:package:)`.
  private static func linkedPackages() throws -> Set<String> {
    let manifest = try text("Package.swift")
    let sources = try #require(manifest.components(separatedBy: "DatastoreTestSupport\",").first)
    let expression = try Regex(#"\.product\(name: "[^"]+", package: "([^"]+)"\)"#)
    return Set(
      sources.matches(of: expression).compactMap { $0.output[1].substring.map(String.init) })
  }

  @Test("Each package that is linked has its whole licence in the notices")
  func licences() async throws {
    let packages = try Self.linkedPackages()
    #expect(packages.count >= 5 && packages.contains("GRDB.swift"))
    let notices = try Self.text("NOTICES")
    let outcome = try await Program().run("notices")
    #expect(outcome == Program.Outcome(status: 0, output: notices, errors: ""))
    for package in packages {
      #expect(notices.contains(package))
      let checkout = ".build/checkouts/\(package)"
      let files = try FileManager.default.contentsOfDirectory(
        atPath: Self.root.appending(path: checkout).path
      ).filter { $0.hasPrefix("LICENSE") || $0.hasPrefix("NOTICE") }
      #expect(!files.isEmpty)
      for file in files {
        let licence = try Self.text("\(checkout)/\(file)")
          .trimmingCharacters(in: .newlines)
        #expect(notices.contains(licence), "\(package)/\(file)")
      }
    }
    // A part of Yams that has another licence.
    #expect(notices.contains("Copyright (c) 2006-2016 Kirill Simonov"))
  }

  private struct Resolved: Decodable {
    struct Pin: Decodable {
      struct State: Decodable {
        let version: String?
      }

      let location: URL
      let state: State
    }

    let pins: [Pin]
  }

  @Test("The version says what the program was built from, and what it runs with")
  func versions() async throws {
    let program = try Program()
    let said = try await program.run("--version").output
    let commit = try await program.shell(
      "git -C '\(Program.sampleData.path)' rev-parse --short=12 HEAD")
    if commit.status == 0 {
      #expect(said.hasPrefix("datastore 0.1.0, commit \(commit.output)"))
    }
    let resolved = try JSONDecoder().decode(
      Resolved.self, from: Data(Self.text("Package.resolved").utf8))
    // The build has written them down. OpenCombine is the library's only.
    for package in try Self.linkedPackages().subtracting(["OpenCombine"]) {
      let pin = try #require(
        resolved.pins.first {
          $0.location.deletingPathExtension().lastPathComponent == package
            || $0.location.lastPathComponent == package
        })
      let version = try #require(pin.state.version)
      #expect(said.contains("\(package) \(version)"))
    }
    let sqlite = try SQLiteFile.values(
      "SELECT sqlite_version()", in: program.directory.url.appending(path: "v.sqlite"))
    #expect(said.contains("SQLite \(sqlite[0])"))
    #expect(said.contains("ncurses"))
  }

  @Test("What make install puts there, make uninstall removes")
  func installation() throws {
    #expect(
      try Self.text(".ci/stage").contains(
        "install -m 644 \"$top/LICENSE\" \"$top/NOTICES\" \"$share/doc/datastore/\""))
    let makefile = try Self.text("Makefile")
    #expect(makefile.contains("\"$(DESTDIR)$(PREFIX)/share/doc/datastore\"\n"))
  }
}

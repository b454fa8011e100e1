import Foundation

// Promise: tests run another program than users → end-to-end tests run the release build, refuse one that
// is missing or older than a source file that it is linked of.
/// Which programs the tests run: release builds, which users have, not those of the debug build that the
/// tests are part of.
enum BuiltProgram {
  /// A program that cannot be run, and what to do.
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// The folder of the debug build, where the tests are, and programs that only tests need.
  static let debugFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  /// The Makefile builds programs in a folder of their own, `.build/program`, laid out as that of the tests.
  private static let releaseFolder: URL = {
    let platform = debugFolder.deletingLastPathComponent()
    return platform.deletingLastPathComponent()
      .appending(path: "program/\(platform.lastPathComponent)/release")
  }()

  /// Another program in the place of `datastore`, such as an installed one.
  private static let named = ProcessInfo.processInfo.environment["DATASTORE_PROGRAM"]
    .map { URL(fileURLWithPath: $0) }

  /// The browser and its commands: the result of `make build`, or the program that `DATASTORE_PROGRAM` names.
  static let datastore = named ?? releaseFolder.appending(path: "datastore")
  /// Breaks rules of the library: `Tests/BrokenRules`.
  static let brokenRules = releaseFolder.appending(path: "BrokenRules")

  /// Looked at once in a run of the tests.
  private static let missing = [datastore, brokenRules].reduce(into: [:]) { missing, program in
    missing[program] = whatIsMissing(program)
  }

  /// - Throws: `Missing` if the program does not exist, or a source file has changed since it was built.
  static func require(_ program: URL) throws {
    if let missing = missing[program] { throw missing }
  }

  private static func whatIsMissing(_ program: URL) -> Missing? {
    let advice = "run “make test-programs”, which builds what the tests run"
    guard let built = changed(program) else {
      return Missing(description: "There is no program \(program.path); \(advice).")
    }
    if program == named { return nil }
    let newer = sources(of: program).first { changed($0).map { $0 > built } ?? false }
    return newer.map {
      Missing(
        description:
          "\(program.path) was built before \($0.lastPathComponent) was changed; \(advice).")
    }
  }

  /// The source files of the targets that are linked into a program, by the linker's list; of all targets
  /// without such a list.
  private static func sources(of program: URL) -> [URL] {
    let list = releaseFolder.appending(
      path: "\(program.lastPathComponent).product/Objects.LinkFileList")
    let objects = try? String(contentsOf: list, encoding: .utf8)
    let root = Program.sampleData.deletingLastPathComponent()
    return ["Sources", "Tests/BrokenRules"].map { root.appending(path: $0) }.flatMap { folder in
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
        .compactMap { $0 as? URL } ?? []
    }.filter { file in
      guard file.pathExtension == "swift" else { return false }
      guard let objects else { return true }
      let target = file.path.dropFirst(root.path.count).split(separator: "/")[1]
      return objects.contains("/\(target).build/")
    }
  }

  private static func changed(_ file: URL) -> Date? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return attributes?[.modificationDate] as? Date
  }
}

import Foundation
import PackagePlugin

/// Writes down which packages a program is built from, with the versions that SwiftPM has resolved, since
/// packages do not know their own, and from which commit: `--version` says them.
@main struct PackageVersions: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let linked = Set(target.recursiveTargetDependencies.map(\.id))
    let packages = context.package.dependencies.map(\.package).filter { package in
      package.targets.contains { linked.contains($0.id) }
    }
    let entries = packages.map {
      "    (name: \"\(name(of: $0))\", version: \"\(version(of: $0))\"),"
    }
    let text = """
      /// The packages that are compiled in, by name.
      enum LinkedPackages {
        static let all = [
      \(entries.sorted().joined(separator: "\n"))
        ]
      }

      """
    let file = context.pluginWorkDirectoryURL.appending(path: "LinkedPackages.swift")
    // The text is an argument, so that another version makes the file again.
    return [
      .buildCommand(
        displayName: "Writing down the versions of packages",
        executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", #"printf '%s' "$1" > "$2""#, "sh", text, file.path],
        outputFiles: [file]),
      commit(context),
    ]
  }

  /// Asks git, whenever its log has a line more. Sources that are in no repository have no commit.
  private func commit(_ context: PluginContext) -> Command {
    let package = context.package.directoryURL
    let file = context.pluginWorkDirectoryURL.appending(path: "BuiltCommit.swift")
    // Shell: a name in quotes, or nil.
    let script =
      #"commit=$(git -C "$1" rev-parse --short=12 HEAD 2>/dev/null) && commit="\"$commit\"" "#
      + #"|| commit=nil; printf '%s\nenum BuiltCommit {\n  static let id: String? = %s\n}\n' "#
      + #"'/// The commit that the program was built from.' "$commit" > "$2""#
    let logs = [".git/HEAD", ".git/logs/HEAD"].map { package.appending(path: $0) }
    return .buildCommand(
      displayName: "Writing down the commit", executable: URL(filePath: "/bin/sh"),
      arguments: ["-c", script, "sh", package.path, file.path],
      inputFiles: logs.filter { FileManager.default.fileExists(atPath: $0.path) },
      outputFiles: [file])
  }

  /// The last part of the address: `GRDB.swift`.
  private func name(of package: Package) -> String {
    guard case .repository(let url, _, _) = package.origin,
      let last = url.split(separator: "/").last
    else { return package.displayName }
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : String(last)
  }

  private func version(of package: Package) -> String {
    switch package.origin {
    case .repository(_, let version, _): version
    case .registry(_, let version): version
    default: "of this machine"
    }
  }
}

import Foundation
import PackagePlugin

/// Writes down which packages a program is built from, with the versions that SwiftPM has resolved, since
/// packages do not know their own: `--version` says them.
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
        outputFiles: [file])
    ]
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

import Basics
import DatastoreCore
import Foundation

struct PathCompletion: Hashable, Sendable {
  /// The path with the common beginning of all names.
  var path: String
  /// The names that the path can be completed to.
  var names: [String]
}

/// An overlay with a path that Tab completes.
protocol PathCompleting: Overlay {
  /// The typed path; nil if there is none.
  var typedPath: String? { get }
  /// Applies a completion of a path, which may have changed since the request.
  mutating func apply(_ completion: PathCompletion, of path: String)
}

extension PathCompleting {
  func complete(_ state: inout BrowserState) {
    if let typedPath { state.request(.completePath(typedPath)) }
  }
}

extension Effect {
  static func completePath(_ path: String) -> Effect {
    .work { runner in
      runner.perform { runner in
        let completion = await BlockingWork.run { PathCompletion(completing: path) }
        runner.send(
          StateChange { state in
            for index in state.overlays.indices {
              guard var overlay = state.overlays[index] as? any PathCompleting else { continue }
              overlay.apply(completion, of: path)
              state.overlays[index] = overlay
            }
          })
      }
    }
  }
}

extension PathCompletion {
  /// A path with `~` replaced by the home directory.
  static func expanded(_ path: String) -> String {
    path == "~" || path.hasPrefix("~/")
      ? (ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()) + path.dropFirst()
      : path
  }

  /// Reads the directory of the path. O(its files).
  init(completing path: String) {
    let slash = path.lastPlace(of: "/")
    let folder = slash.map { String(path.text(through: $0)) } ?? ""
    let beginning = slash.map { String(path.text(after: $0)) } ?? path
    let real = folder.isEmpty ? "." : Self.expanded(folder)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: real)) ?? []
    let names = all.filter { name in
      name.hasPrefix(beginning) && (beginning.begins(with: ".") || !name.begins(with: "."))
    }.map { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: real + "/" + name, isDirectory: &isFolder)
      return isFolder.boolValue ? name + "/" : name
    }.sorted()
    var shared = names.first ?? beginning
    for name in names { shared = shared.commonPrefix(with: name) }
    self.init(path: folder + shared, names: names)
  }
}

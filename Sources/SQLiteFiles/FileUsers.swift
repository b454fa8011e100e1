import Basics
import Glibc

/// The other processes that have a file open, as far as this user may see.
package struct FileUsers: Sendable {
  package struct User: Sendable, Hashable {
    package let process: Int32
    /// The name of its program; nil if this user may not see it.
    package let program: String?
  }

  /// By ascending process identifiers.
  package private(set) var others: [User] = []
  /// Processes whose open files this user may not see.
  package private(set) var hiddenProcesses = 0

  /// O(open files of all processes); opens none of them.
  package init(of path: String) {
    let real = FileIdentity.realPath(path)
    let processes = (Self.names(in: "/proc") ?? []).compactMap { Int32($0) }.sorted()
    for process in processes where process != getpid() {
      let folder = "/proc/\(process)/fd"
      guard let files = Self.names(in: folder) else {
        // A process that has ended does not count.
        if errno == EACCES { hiddenProcesses += 1 }
        continue
      }
      guard files.contains(where: { Self.target(of: "\(folder)/\($0)") == real }) else { continue }
      others.append(User(process: process, program: Self.program(of: process)))
    }
  }

  /// The identifiers of other processes, ascending. O(open files of all processes).
  package static func others(of path: String) -> [Int32] {
    FileUsers(of: path).others.map(\.process)
  }

  /// nil if this user may not read it, with the reason in `errno`.
  private static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.begins(with: ".") { names.append(name) }
    }
    return names
  }

  private static func program(of process: Int32) -> String? {
    target(of: "/proc/\(process)/exe")?.words(at: "/").last.map(String.init)
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

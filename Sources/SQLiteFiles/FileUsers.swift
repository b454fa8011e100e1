import Glibc

/// Which processes have a file open, as far as this user may see it.
package enum FileUsers {
  /// The numbers of other processes, ascending. O(open files of all processes); opens none of them.
  package static func others(of path: String) -> [Int32] {
    let real = FileIdentity.realPath(path)
    return names(in: "/proc").compactMap { Int32($0) }.filter { process in
      guard process != getpid() else { return false }
      let folder = "/proc/\(process)/fd"
      return names(in: folder).contains { target(of: "\(folder)/\($0)") == real }
    }.sorted()
  }

  /// Empty where this user may not look.
  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

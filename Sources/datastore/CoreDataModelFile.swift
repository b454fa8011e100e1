import DatastoreSQLite
import Foundation
import Gates

/// A file or a folder with versions of a Core Data model: `.mom` and `.momd` as programs contain them,
/// `.xcdatamodel` and `.xcdatamodeld` as Xcode edits them.
struct CoreDataModelFile {
  struct Version {
    let name: String
    fileprivate let path: String
  }

  /// The versions, ordered by name.
  let versions: [Version]
  /// The index of the version that programs use.
  let current: Int

  private static let kinds = ["mom", "momd", "xcdatamodel", "xcdatamodeld"]

  /// Whether the extension of a path is that of a model.
  static func isNamed(_ path: String) -> Bool {
    kinds.contains(URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  /// Finds the versions without reading them.
  ///
  /// - Throws: `CoreDataModelFault`.
  init(_ path: String) throws {
    let url = URL(fileURLWithPath: path)
    let name = url.deletingPathExtension().lastPathComponent
    switch url.pathExtension.lowercased() {
    case "momd": (versions, current) = try Self.versions(in: url, ".mom")
    case "xcdatamodeld": (versions, current) = try Self.versions(in: url, ".xcdatamodel")
    default: (versions, current) = ([Version(name: name, path: path)], 0)
    }
  }

  private static func versions(in folder: URL, _ ending: String) throws -> ([Version], Int) {
    let found: [String]
    do {
      found = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw CoreDataModelFault(reason: "its folder cannot be read")
    }
    let names = found.filter { $0.hasSuffix(ending) }.sorted {
      $0.compare($1, options: .numeric) == .orderedAscending
    }
    if names.isEmpty { throw CoreDataModelFault(reason: "there is no version of it in the folder") }
    let versions = names.map {
      Version(
        name: String($0.dropLast(ending.count)), path: folder.appendingPathComponent($0).path)
    }
    let said = currentName(in: folder).map { $0.hasSuffix(ending) ? $0 : $0 + ending }
    // Without such information, it is the only version, or the last one.
    return (versions, said.flatMap { names.firstIndex(of: $0) } ?? names.count - 1)
  }

  /// The name of the current version, from a small property list in the folder.
  private static func currentName(in folder: URL) -> String? {
    for (file, key) in [
      (".xccurrentversion", "_XCCurrentVersionName"),
      ("VersionInfo.plist", "NSManagedObjectModel_CurrentVersionName"),
    ] {
      guard
        let bytes = try? ReadableFile.contents(
          of: folder.appendingPathComponent(file).path, atMost: 1 << 20),
        let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
        let name = (list as? [String: Any])?[key] as? String
      else { continue }
      return name
    }
    return nil
  }

  /// Reads the version that programs use.
  ///
  /// - Throws: `CoreDataModelFault`.
  func model() throws -> CoreDataModel { try model(of: versions[current]) }

  /// Reads one of the versions.
  ///
  /// - Throws: `CoreDataModelFault`.
  func model(of version: Version) throws -> CoreDataModel {
    var path = version.path
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      path += "/contents"
    }
    let bytes: [UInt8]
    do {
      bytes = try ReadableFile.contents(of: path, atMost: CoreDataModel.mostBytes)
    } catch {
      throw CoreDataModelFault(reason: "\(path) cannot be read: \(error.reason)")
    }
    return bytes.starts(with: "bplist".utf8)
      ? try CoreDataModel(archive: bytes) : try CoreDataModel(source: bytes)
  }
}

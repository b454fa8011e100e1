import ArgumentParser
import DatastoreImport
import Foundation

/// The sample data, loaded into a store in the user's data directory.
struct SampleStore {
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case company, world

    static var names: String { allCases.map(\.rawValue).joined(separator: " or ") }

    /// The first view of the data: an entity and the path of its sections.
    var firstView: (entity: String, groupBy: [String]) {
      switch self {
      case .company: ("Employee", ["position"])
      case .world: ("Country", ["continent", "name"])
      }
    }
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// The URL of the store, which is loaded the first time.
  ///
  /// - Throws: `Failure`, or errors of the load.
  func prepared() async throws -> URL {
    let directory = UserDirectory.data
    let url = directory.appendingPathComponent("\(kind.rawValue).sqlite")
    if FileManager.default.fileExists(atPath: url.path) { return url }
    guard let samples = SharedFiles.folder("sample-data") else {
      throw Failure(
        .noInput, "The sample data was not found beside the program; name a file to browse.")
    }
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .cannotCreate, "\(directory.path) could not be created: \(error.localizedDescription)")
    }
    Message.write("loading the sample data into \(url.path)")
    let plan = try LoadPlan(paths: [samples.appendingPathComponent(kind.rawValue).path])
    let display = LoadDisplay(isTerminal: Message.isTerminal, isQuiet: false)
    defer { display.finish() }
    do {
      _ = try await Load.load(plan, into: LoadDestination(url), faults: .stop, display: display)
    } catch LoadError.storeAppeared {
      // Another browser was faster; its store serves as well.
    }
    return url
  }
}

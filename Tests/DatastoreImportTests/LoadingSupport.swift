import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore

/// Files and a store in a directory of their own.
final class LoadFixture: Sendable {
  let directory: TemporaryDirectory
  let store: URL

  init() throws {
    directory = try TemporaryDirectory()
    store = directory.url.appendingPathComponent("store.sqlite")
  }

  /// Runs a load and returns its report with the reported faults.
  @discardableResult
  func load(
    _ paths: [String], entity: String? = nil, key: String? = nil,
    faults: LoadOptions.FaultHandling = .stop, batchSize: Int = 3
  ) async throws -> (report: LoadReport, faults: [LoadFault]) {
    let plan = try LoadPlan(paths: paths, entity: entity, key: key)
    return try await load(plan, faults: faults, batchSize: batchSize)
  }

  @discardableResult
  func load(
    _ plan: LoadPlan, faults: LoadOptions.FaultHandling = .stop, batchSize: Int = 3
  ) async throws -> (report: LoadReport, faults: [LoadFault]) {
    var options = LoadOptions()
    options.faults = faults
    options.batchSize = batchSize
    let told = Told()
    let report = try await StoreLoader(plan, into: store, options: options, models: sampleModels)
      .run(told.take)
    return (report, told.faults)
  }

  /// Runs a load that must fail, and returns the sentence.
  func failure(
    _ paths: [String], entity: String? = nil, key: String? = nil,
    faults: LoadOptions.FaultHandling = .stop
  ) async throws -> String {
    do {
      try await load(paths, entity: entity, key: key, faults: faults)
    } catch {
      return "\(error)".replacingOccurrences(of: directory.url.path + "/", with: "")
    }
    return "(loaded)"
  }

  func contents() async throws -> StoreContents { try await StoreContents(of: store) }

  var exists: Bool { FileManager.default.fileExists(atPath: store.path) }

  static let sampleData = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "sample-data")
}

let sampleModels: StoreLoader.Models = [
  "company": { try SwiftDatastoreModel.sampleCompanies() }
]

/// Records the events of a load.
final class Told: Sendable {
  private let events = Lock<[LoadEvent]>([])

  func take(_ event: LoadEvent) { events.withLock { $0.append(event) } }

  var faults: [LoadFault] {
    events.withLock { events in
      events.compactMap { event in
        if case .fault(let fault) = event { return fault }
        return nil
      }
    }
  }

  var progress: [LoadProgress] {
    events.withLock { events in
      events.compactMap { event in
        if case .progress(let progress) = event { return progress }
        return nil
      }
    }
  }
}

import Basics
import DatastoreCore
import SwiftDatastore

import struct Foundation.URL

/// Starts the work of effects: reads the store off the main actor and sends the results as events.
///
/// Every piece of work is registered before it starts, so that `isIdle` is never true too early. Features
/// keep their data between effects in services.
@MainActor
final class EffectRunner {
  let datastore: SwiftDatastore
  let view: SwiftDatastoreViewContext
  let environment: EffectEnvironment
  /// The labels of objects.
  var labels: Labels
  var schema: Schema { datastore.schema }
  /// Receives the results.
  var send: (any BrowserEvent) -> Void = { _ in }
  /// Called whenever the last piece of work has ended.
  var becameIdle: () -> Void = {}

  private var work: [Int: Task<Void, Never>] = [:]
  private var lastWork = 0
  /// The last piece of work of each lane, running or ended.
  private var lanes: [Lane: (number: Int, task: Task<Void, Never>)] = [:]
  private var services: [ObjectIdentifier: any EffectService] = [:]

  init(_ datastore: SwiftDatastore, _ environment: EffectEnvironment = EffectEnvironment()) {
    self.datastore = datastore
    self.environment = environment
    view = datastore.sharedViewContext
    labels = Labels(datastore.schema, datastore.annotations)
  }

  /// Whether no work is running.
  var isIdle: Bool { work.isEmpty }

  /// Starts a piece of work and keeps it until it ends; returns its number.
  func register(
    in lane: Lane?, _ body: @escaping @MainActor (EffectRunner) async -> Void
  ) -> Int {
    lastWork += 1
    let number = lastWork
    let task = Task { @MainActor in
      await body(self)
      work[number] = nil
      if work.isEmpty { becameIdle() }
    }
    work[number] = task
    if let lane { lanes[lane] = (number, task) }
    return number
  }

  /// Cancels a piece of work; it stays registered until it ends.
  func cancel(_ number: Int) { work[number]?.cancel() }

  /// The latest work of a lane, running or ended.
  func latest(in lane: Lane) -> Task<Void, Never>? { lanes[lane]?.task }

  /// Starts an effect that is not for the terminal.
  func start(_ effect: Effect) {
    switch effect {
    case .work(_, let start): start(self)
    case .terminal: trap("the owner of the terminal carries out effects on it")
    }
  }

  /// The service of a feature, created on first use.
  func service<Service: EffectService>(_ type: Service.Type) -> Service {
    if let service = services[ObjectIdentifier(type)] as? Service { return service }
    let service = Service(self)
    services[ObjectIdentifier(type)] = service
    return service
  }

  /// Cancels all work except in lanes that complete at the end.
  func stop() {
    let kept = Set(lanes.filter { $0.key.atEnd == .completed }.map(\.value.number))
    for (number, task) in work where !kept.contains(number) { task.cancel() }
    for service in services.values { service.stop() }
  }

  /// Returns when all work has ended that must be waited for, including the work that it starts.
  func finish() async {
    while let task = lanes.first(where: { $0.key.atEnd != .abandoned && isRunning($0.value.number) }
    )?
    .value.task {
      await task.value
    }
  }

  private func isRunning(_ number: Int) -> Bool { work[number] != nil }
}

/// The options of the browser that effects use.
struct EffectEnvironment: Sendable {
  /// The subject of all data that is kept between runs; nil to keep none.
  var subject: KeptSubject?
  /// The shown database, if it is in a server.
  var server: KeptServer?
  /// The paths of the files that saving writes, if the store is only a copy of their rows.
  var sourceFiles: [String] = []
  /// The states of these files when their rows were read.
  var sourceStates: [String] = []
  /// The directory of the data that is kept between runs; nil to keep none.
  var stateDirectory: URL?
  /// Whether annotations of the file are kept between runs.
  var keepsAnnotations = true
  /// The files of saved and of recently used filters; nil to keep filters for this run only.
  var filterFiles: (saved: URL, history: URL)?
  /// The folders of the scheme files to choose from.
  var themeFolders: [URL] = []
  /// Lists with more rows are read only around the visible rows; a million by default.
  var mostKeys: Int?
}

/// The data of a feature between its effects, one of each kind in a runner.
@MainActor
protocol EffectService: AnyObject {
  init(_ runner: EffectRunner)
  /// Called when the browser is left, or continues with another runner.
  func stop()
}

extension EffectService {
  func stop() {}
}

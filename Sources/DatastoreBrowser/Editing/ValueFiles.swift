import Basics
import DatastoreCore
import Foundation
import Gates
import SQLiteFiles
import SwiftDatastore

extension Effect {
  /// Writes the bytes of a property to a file.
  static func saveValue(_ target: EditTarget, path: String, replacing: Bool) -> Effect {
    .work { $0.saveValue(of: target, to: path, replacing: replacing) }
  }

  /// Sets a property to the bytes of a file.
  static func loadValue(_ target: EditTarget, path: String, asText: Bool) -> Effect {
    .work { $0.loadValue(of: target, from: path, asText: asText) }
  }
}

/// Reading values from files and writing them to files.
extension EffectRunner {
  /// The longest value that SQLite stores.
  private nonisolated static let longestValue = 1_000_000_000

  fileprivate func saveValue(of target: EditTarget, to path: String, replacing: Bool) {
    perform { runner in
      do {
        guard let object = try await runner.view.load(target.object) else {
          throw StagingRefusal("This object is no longer in the store.")
        }
        let data: Data
        switch object.shownValue(at: target.slot) {
        case .blob(let bytes): data = bytes
        case .text(var text): data = text.withStoredUTF8 { Data($0) }
        default: throw StagingRefusal("There are no bytes here that could be saved.")
        }
        let url = URL(fileURLWithPath: PathCompletion.expanded(path))
        let isThere = try await BlockingWork.run { () throws -> Bool in
          if FileHeader.isPartOfDatabase(url.path) {
            throw StagingRefusal(
              "\(path) is a SQLite database, or part of one, and is not replaced; choose another name."
            )
          }
          if !replacing, FileManager.default.fileExists(atPath: url.path) { return true }
          try NewFile.write(data, to: url.path, mode: 0o666)
          return false
        }
        runner.send(
          isThere
            ? ValueFileEvent.exists(target, path) : ValueFileEvent.saved(path, count: data.count))
      } catch let refusal as StagingRefusal {
        runner.send(ValueFileEvent.failed(refusal.reason))
      } catch let fault as FileFault {
        runner.send(ValueFileEvent.failed("The file could not be written: \(fault.reason)"))
      } catch {
        let reason = "The file could not be written: \(error.localizedDescription)"
        runner.send(ValueFileEvent.failed(reason))
      }
    }
  }

  fileprivate func loadValue(of target: EditTarget, from path: String, asText: Bool) {
    perform { runner in
      let url = URL(fileURLWithPath: PathCompletion.expanded(path))
      do {
        let data = try await BlockingWork.run { () throws -> Data in
          if FileHeader.isPartOfDatabase(url.path), FileHeader.isOpenHere(url.path) {
            throw StagingRefusal(
              "\(path) is the database that is open here, or part of it; copy it, and use the copy."
            )
          }
          if let unreadableReason = ReadableFile.unreadableReason(url.path) {
            throw StagingRefusal("\(path) cannot be read: \(unreadableReason).")
          }
          let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
          guard size <= Self.longestValue else {
            throw StagingRefusal(
              "\(path) has \(CountText.bytes(size)); SQLite stores at most 1 GB.")
          }
          return try Data(contentsOf: url)
        }
        let text = asText ? String(validating: data, as: UTF8.self) : nil
        if asText, text == nil {
          throw StagingRefusal("\(path) is not UTF-8, so it cannot become a text.")
        }
        runner.send(ValueFileEvent.loaded(path))
        runner.stage(
          .assign([target.object], slot: target.slot, text.map { .text($0) } ?? .blob(data)))
      } catch let refusal as StagingRefusal {
        runner.send(ValueFileEvent.failed(refusal.reason))
      } catch {
        let reason = "The file could not be read: \(error.localizedDescription)"
        runner.send(ValueFileEvent.failed(reason))
      }
    }
  }
}

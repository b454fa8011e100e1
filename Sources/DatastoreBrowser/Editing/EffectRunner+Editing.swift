import DatastoreCore
import Foundation
import SwiftDatastore

extension Effect {
  /// Prepares a property of one object, or of many, for editing.
  static func beginEdit(_ target: EditTarget, _ bulk: BulkTarget?) -> Effect {
    .work { runner in
      runner.answerStaging { runner in
        let object = try await runner.load([target.object])[0]
        guard object.key == target.object.key else {
          throw StagingRefusal("Someone else has moved this row; press the key again.")
        }
        if let reason = runner.reasonNotWritable(object, target.slot) {
          throw StagingRefusal(reason)
        }
        var subject = runner.subject(object, target)
        subject.bulk = bulk
        return subject
      } then: { (state: inout BrowserState, subject: EditSubject) in
        state.answerCame(for: .editor(subject.target)) { $0.open(subject) }
      }
    }
  }

  static func planDeletion(_ objects: [ObjectReference]) -> Effect {
    .work { runner in
      runner.answerStaging { runner in
        let shown = try await runner.shown(objects)
        let loaded = try await runner.load(shown)
        let forecast = try await runner.forecastDeletion(
          of: loaded, limit: DeletionForecast.limit
        ).forecast
        return (shown, forecast)
      } then: { (state: inout BrowserState, planned: ([ObjectReference], DeletionForecast)) in
        state.answerCame(for: .deletion(planned.0)) { $0.askToDelete(planned.0, planned.1) }
      }
    }
  }

  /// Edits the value of a property in the user's own editor.
  static func editExternally(_ subject: EditSubject, _ text: String) -> Effect {
    .editExternally(
      ExternalEdit(
        text: text, suffix: subject.property.attribute?.type == .coded ? "json" : "txt",
        ended: { outcome in StateChange { $0.apply(outcome, for: subject) } }))
  }
}

extension EffectRunner {
  fileprivate func subject(_ object: DynamicObject, _ target: EditTarget) -> EditSubject {
    let link = object.entity.links[target.slot]
    let isToMany = link?.kind.isToMany ?? false
    // The edit applies to the row that the editor shows.
    let reference = ObjectReference(
      entity: target.object.entity, key: target.object.key, seen: presentRow(of: object))
    let shown = EditTarget(object: reference, slot: target.slot, panel: target.panel)
    return EditSubject(
      target: shown, entity: object.entity.name,
      property: object.entity.properties[target.slot],
      value: isToMany ? .null : object[target.slot],
      allowed: object.entity.properties[target.slot].attribute?.cases?.map(\.value)
        ?? view.allowedValues(of: target.slot, in: object.entity),
      destination: link?.destination, today: Self.today)
  }

  private static var today: String {
    let day = (Date().timeIntervalSinceReferenceDate / 86_400).rounded(.down) * 86_400
    return ISODate.format(day).map { String($0.prefix(10)) } ?? ""
  }
}

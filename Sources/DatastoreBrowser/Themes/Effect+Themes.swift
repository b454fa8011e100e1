import SwiftDatastore

extension Effect {
  /// Reads the scheme files of the theme folders.
  static var listThemes: Effect {
    .work { runner in
      let folders = runner.environment.themeFolders
      runner.perform { runner in
        let choices = await BlockingWork.run { ThemeChoice.all(in: folders) }
        runner.send(
          StateChange { state in
            let seen = state
            state.changeOverlay(as: ThemePicker.self) { $0.apply(choices, in: seen) }
          })
      }
    }
  }
}

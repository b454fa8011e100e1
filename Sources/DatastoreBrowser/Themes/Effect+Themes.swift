import SwiftDatastore

extension Effect {
  /// Reads the scheme files of the theme folders.
  static var listThemes: Effect {
    .work { runner in
      let folders = runner.environment.themeFolders
      runner.perform { runner in
        runner.send(ThemesRead(choices: await BlockingWork.run { ThemeChoice.all(in: folders) }))
      }
    }
  }
}

struct ThemesRead: BrowserEvent {
  let choices: [ThemeChoice]

  func apply(to state: inout BrowserState) {
    let seen = state
    state.changeOverlay(as: ThemePicker.self) { $0.apply(choices, in: seen) }
  }
}

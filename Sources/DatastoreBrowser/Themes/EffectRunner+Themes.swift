extension EffectRunner {
  /// Reads the scheme files of the theme folders, off the main thread.
  func listThemes() {
    let folders = themeFolders
    perform { runner in
      let choices = await Task.detached { ThemeChoice.all(in: folders) }.value
      runner.send(.themesRead(choices))
    }
  }
}

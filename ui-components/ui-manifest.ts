// The contract between the build and a server: what `dist/browser/manifest.json` of @keelson/ui says.

/** The shared browser files, as `@keelson/ui-build` wrote them and a server needs to know them. */
export interface UiManifest {
  /** Bare name → file: the import map. */
  readonly imports: Readonly<Record<string, string>>
  /** The module that starts the shell, and those it needs at once. */
  readonly shell: string
  readonly preload: readonly string[]
  readonly styles: string
  readonly icon: string
}

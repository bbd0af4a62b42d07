// The types of transpile-folder.mjs.

/** What a run of `transpileFolder` did. */
export interface Transpiled {
  /** Sources in the folder. */
  readonly sources: number
  /** Sources that were transpiled now. */
  readonly written: number
}

/**
 * Transpiles the TypeScript of a folder into its `dist`, as far as it is not current, and copies
 * `plugin.json`. Checks no types.
 *
 * @throws Error naming the file and the place of a syntax error
 */
export function transpileFolder(
  folder: string,
  options?: { readonly except?: readonly string[] }
): Transpiled

// One mistake of an author, and what the answer to it must name.

/** One mistake in the folder of the plugin alpha. */
export interface AuthorMistake {
  /** Reads after "The mistake:". */
  readonly what: string
  /** Keys of plugin.json, over those of a plugin that does nothing; a string is the whole file. */
  readonly manifest?: object | string
  /** index.js. Default: registers nothing. */
  readonly source?: string
  readonly files?: Readonly<Record<string, unknown>>
  /** More of the command line than `check --start`. */
  readonly args?: readonly string[]
  readonly code: string
  /** Where: a part of `path`. */
  readonly path: string
  /** Parts of the message: the value or name that is wrong, and what to do. */
  readonly says: readonly string[]
}

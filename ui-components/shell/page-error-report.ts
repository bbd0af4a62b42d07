// What the shell sends to the server when a page fails.

/** An error of a page. */
export interface PageErrorReport {
  /** Id of the plugin. */
  readonly plugin: string
  /** Id of the page. */
  readonly page: string
  /** `module`: it could not be loaded; `element`: it does not define the element; `page`: the page threw. */
  readonly kind: 'module' | 'element' | 'page'
  /** Message of the error; empty for `element`. */
  readonly message: string
}

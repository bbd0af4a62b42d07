// What the server says about a document, in its config blob.
import type { Nav } from './nav.ts'

export interface ShellConfig {
  /** Mount that this document was served for. */
  readonly mountPath: string
  readonly apiBase: string
  readonly title: string
  /** `alone`: a page without the navigation. */
  readonly view: 'shell' | 'sign-in' | 'alone'
  /** Status of the document: 200, 403 or 404. */
  readonly status: number
  /** Words below the sign-in form. */
  readonly hint?: string | undefined
  /** The navigation of a standalone shell; without it the shell asks `/shell/nav`. */
  readonly nav?: Nav | undefined
}

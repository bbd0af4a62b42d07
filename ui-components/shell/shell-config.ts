// What the server says about a document, in its config blob.
import type { Nav } from './nav.ts'

/** How people sign out. */
export interface SignOut {
  readonly address: string
  /** `GET`: a page to go to. `POST`: called, then the sign-in is shown. */
  readonly method: 'GET' | 'POST'
}

/** The application that a person signs in for. */
export interface SignInPurpose {
  readonly name: string
  readonly host?: string | undefined
  /** Address of its logo, on this origin. */
  readonly logo?: string | undefined
}

/** What the server tells the shell in the document. */
export interface ShellConfig {
  /** Mount that this document was served for. */
  readonly mountPath: string
  readonly apiBase: string
  /** The name of the platform, above the navigation and in window titles. */
  readonly title: string
  /** `alone`: a page without the navigation. */
  readonly view: 'shell' | 'sign-in' | 'alone'
  /** Status of the document: 200, 403 or 404. */
  readonly status: number
  /** Words below the sign-in form. */
  readonly hint?: string | undefined
  /** Of the sign-in form. */
  readonly purpose?: SignInPurpose | undefined
  /** Address of the start page. Default `/`. */
  readonly start?: string | undefined
  /** Where the navigation is. Default `/shell/nav`. */
  readonly navAddress?: string | undefined
  /** Where errors of pages are reported. Absent: they stay in the browser. */
  readonly pageErrors?: string | undefined
  /** Where people sign in; it takes `?next=`. Absent: sign-in is not configured. */
  readonly signIn?: string | undefined
  /** How people sign out; absent: not here. */
  readonly signOut?: SignOut | undefined
  /** The navigation of a standalone shell; without it the shell asks `navAddress`. */
  readonly nav?: Nav | undefined
}

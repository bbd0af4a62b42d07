// Types of embedded pages for JSX, to be added to a framework's own table of elements. Types alone.
import type { NavigateEvent, PageErrorEvent, SignInEvent, TitleEvent } from './page.ts'

/** What a page's element takes as attributes, and as event handlers in frameworks that know `on…`. */
export interface PageAttributes {
  /** The plugin's mount: `https://platform.example/telemetry`. */
  readonly 'api-base'?: string
  /** The prefix of the platform, where it has one: `/platform`. */
  readonly 'api-prefix'?: string
  /**
   * A language tag for numbers and dates; default: that of the document. Texts are English, except where
   * `registerCatalog` has the language.
   */
  readonly locale?: string
  /** Default: that of the document. */
  readonly 'color-scheme'?: 'light' | 'dark'
  /** Where people who are signed out can sign in; without it the page shows no link. */
  readonly 'sign-in'?: string
  /** The page's title changed. */
  readonly 'onkeelson-title'?: (event: TitleEvent) => void
  /** The page asks to go somewhere; `event.preventDefault()` says that the host does it. */
  readonly 'onkeelson-navigate'?: (event: NavigateEvent) => void
  /** The page cannot go on. */
  readonly 'onkeelson-error'?: (event: PageErrorEvent) => void
  /** The page says that the viewer is signed out. */
  readonly 'onkeelson-sign-in'?: (event: SignInEvent) => void
}

/**
 * The elements of pages by tag. `Base` is what the framework gives to every element.
 *
 * @example In a React app, in one declaration file:
 * declare module 'react' {
 *   namespace JSX {
 *     interface IntrinsicElements
 *       extends PageElements<'telemetry-dashboard-events', React.HTMLAttributes<HTMLElement>> {}
 *   }
 * }
 */
export type PageElements<Tag extends string, Base extends object = object> = {
  [Name in Tag]: Base & PageAttributes
}

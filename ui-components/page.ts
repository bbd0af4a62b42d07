// The contract between a page and its host: the shell, or another admin UI.
import type { Format } from './format.ts'

/** The major version of the page contract. A page shows a notice when its host speaks another. */
export const PAGE_CONTRACT = 1

/** What a page gets from its host, in the property `host`. */
export interface PageHost {
  /** `PAGE_CONTRACT` of the host. */
  readonly version: number
  /**
   * Calls an API. A text is relative to the mount of the page's plugin: `/api/records?limit=50`. A URL is called as
   * it is: see `at`. It is aborted when the page goes away, unless `keepalive` is set.
   */
  fetch(path: string | URL, init?: RequestInit): Promise<Response>
  /**
   * Where the host has an address that a manifest declares with `at`, of any plugin: `/admin/mailer/api/flows`. For
   * `fetch` and for links to files. It does not depend on the mount of the page's plugin.
   */
  at(address: string): URL
  /** Goes to an address of this host (`/telemetry/events?range=7d`). */
  navigate(href: string, options?: { readonly replace?: boolean }): void
  /**
   * Whether the viewer may call a route: `POST /api/views` of the page's own plugin, or
   * `mailer:POST /api/flows` of another. Computed from the declarations that the server enforces.
   */
  can(routeId: string): boolean
  /** Numbers and dates in the page's language. */
  readonly format: Format
  /** A message of the catalogs, or the key itself when there is none. */
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  /** Aborted when the page goes away. */
  readonly signal: AbortSignal
  /** Where people who are signed out can sign in; undefined: the page shows no link. */
  readonly signIn?: string | undefined
}

/** The address of the page, in the property `route`. It holds every state of the screen. */
export interface PageRoute {
  /** The path of the address. */
  readonly path: string
  /** What comes after the page's own path: `''` or `/abc`. */
  readonly sub: string
  readonly params: URLSearchParams
  /** With its `#`, or empty. */
  readonly hash: string
}

/** What the shell sets on a page's element, beside the attributes `api-base`, `locale`, `color-scheme`. */
export interface PageElement extends HTMLElement {
  host?: PageHost
  route?: PageRoute
  /** The public part of the plugin's config. */
  settings?: unknown
  /** Parameters of the address that the navigation takes along to other pages of the plugin. */
  readonly kept?: readonly string[]
  /** Called after a navigation by link or address: moves the focus to the heading. */
  focusHeading?(): void
  /**
   * Called before the shell shows another address: true, or whether the viewer goes there, once what was typed is saved
   * or given up. `isByPage`: the page asked for it with `navigate`.
   */
  mayLeave?(to: URL, isByPage: boolean): true | Promise<boolean>
}

/** Options of every event that leaves a page. */
const OUTWARD = { bubbles: true, composed: true } as const

/** Asks to go somewhere. A host that handles it calls `preventDefault`. */
export class NavigateEvent extends CustomEvent<{
  readonly href: string
  readonly replace: boolean
}> {
  static readonly type = 'keelson-navigate'
  constructor(href: string, replace = false) {
    super(NavigateEvent.type, { ...OUTWARD, cancelable: true, detail: { href, replace } })
  }
}

/** Says what the page shows, for the window's title: `account.signed_up · Events`. */
export class TitleEvent extends CustomEvent<{ readonly title: string }> {
  static readonly type = 'keelson-title'
  constructor(title: string) {
    super(TitleEvent.type, { ...OUTWARD, detail: { title } })
  }
}

/** The page cannot go on. The shell takes it away and offers to try again. */
export class PageErrorEvent extends CustomEvent<{ readonly error: unknown }> {
  static readonly type = 'keelson-error'
  constructor(error: unknown) {
    super(PageErrorEvent.type, { ...OUTWARD, cancelable: true, detail: { error } })
  }
}

/** The page itself says that the viewer is signed out, and offers to sign in. */
export class SignInEvent extends CustomEvent<null> {
  static readonly type = 'keelson-sign-in'
  constructor() {
    super(SignInEvent.type, OUTWARD)
  }
}

/** The page starts or ends waiting for something: the shell shows a thin bar at the top. */
export class BusyEvent extends CustomEvent<{ readonly busy: boolean }> {
  static readonly type = 'keelson-busy'
  constructor(busy: boolean) {
    super(BusyEvent.type, { ...OUTWARD, detail: { busy } })
  }
}

/** The meaning of a message: its colour. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad'

/** A short message that goes away by itself. */
export interface ToastOptions {
  readonly text: string
  readonly tone?: Tone
  /** Milliseconds; default 6,000. 0: stays until closed. */
  readonly duration?: number
  readonly action?: { readonly label: string; run(): void }
}

/** Asks the shell for a toast. Use `toast(element, …)`, which also works without a shell. */
export class ToastEvent extends CustomEvent<ToastOptions> {
  static readonly type = 'keelson-toast'
  constructor(options: ToastOptions) {
    super(ToastEvent.type, { ...OUTWARD, cancelable: true, detail: options })
  }
}

/** A question with two answers. */
export interface ConfirmOptions {
  readonly heading: string
  readonly text?: string
  /** What the button does: `Revoke key`. */
  readonly action: string
  /** What the other button says. Default: Cancel. */
  readonly keep?: string
  readonly tone?: 'neutral' | 'bad'
}

/** Asks the shell for a dialog. Use `confirm(element, …)`, which also works without a shell. */
export class ConfirmEvent extends CustomEvent<
  ConfirmOptions & { answer(isConfirmed: boolean): void }
> {
  static readonly type = 'keelson-confirm'
  constructor(options: ConfirmOptions, answer: (isConfirmed: boolean) => void) {
    super(ConfirmEvent.type, { ...OUTWARD, cancelable: true, detail: { ...options, answer } })
  }
}

// The host that the shell gives to its pages.
import { createFormat } from '../format.ts'
import { type MessageValues, translate } from '../locales/catalog.ts'
import { PAGE_CONTRACT, type PageHost } from '../page.ts'
import { addressAt, apiBaseOf, type Nav, type NavPage } from './nav.ts'

export interface ShellHostOptions {
  readonly page: NavPage
  readonly nav: Nav
  readonly language: string
  readonly timeZone: string
  readonly signal: AbortSignal
  navigate(href: string, isReplacing: boolean): void
  /** An answer was 401. */
  onSignedOut(): void
  /** Where to sign in and come back; undefined when it is not configured. */
  signIn(): string | undefined
}

/** Makes the `host` of a page. */
export function createShellHost(options: ShellHostOptions): PageHost {
  const { page, nav, language, signal } = options
  const base = apiBaseOf(page)
  const routes = nav.routes === undefined ? undefined : new Set(nav.routes)
  return {
    version: PAGE_CONTRACT,
    get signIn() {
      return options.signIn()
    },
    signal,
    format: createFormat(language, options.timeZone),
    t: (key: string, values?: MessageValues) => translate(language, key, values),
    can: (routeId) => routes?.has(fullRouteId(page.plugin, routeId)) ?? true,
    at: (address) => addressAt(nav, page, address),
    navigate: (href, { replace = false } = {}) => options.navigate(href, replace),
    async fetch(path, init = {}) {
      const address = path instanceof URL ? path.href : `${base}/${path.replace(/^\//, '')}`
      const response = await fetch(address, {
        credentials: page.api === undefined ? 'same-origin' : 'include',
        ...init,
        signal: signalOf(init, signal)
      })
      if (response.status === 401) options.onSignedOut()
      return response
    }
  }
}

/** A call with `keepalive` goes on when the page is left. */
function signalOf({ signal, keepalive }: RequestInit, gone: AbortSignal): AbortSignal | null {
  if (keepalive === true) return signal ?? null
  return signal ? AbortSignal.any([signal, gone]) : gone
}

const OPERATION_ID = /^[a-z][a-z0-9-]*(\.[A-Za-z0-9-]+)+$/

/**
 * The id of an operation, as `mailer.flows.list`, is the same from every page. Of other routes
 * `POST /api/views` is the page's own plugin's; `mailer:POST /api/flows` names another.
 */
export function fullRouteId(plugin: string, routeId: string): string {
  if (OPERATION_ID.test(routeId)) return routeId
  return /^[a-z][a-z0-9-]*:/.test(routeId) ? routeId : `${plugin}:${routeId}`
}

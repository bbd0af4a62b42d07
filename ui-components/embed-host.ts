// The host of a page that is embedded in plain HTML: made from its attributes.
import { BlockedError } from './elements/error/message.ts'
import { createFormat } from './format.ts'
import { type MessageValues, translate } from './locales/catalog.ts'
import { NavigateEvent, PAGE_CONTRACT, type PageHost } from './page.ts'

export interface EmbedHostOptions {
  readonly element: HTMLElement
  /** The plugin's mount: an absolute address, or a path of this origin. */
  readonly apiBase: string
  /** The prefix of the platform at that origin; empty for none. */
  readonly apiPrefix: string
  readonly language: string
  readonly timeZone: string
  readonly signal: AbortSignal
  readonly signIn?: string
  /** Gives the access token of a call, which is then sent in place of cookies. */
  readonly getToken?: (() => string | Promise<string>) | undefined
  /** Shows another state of the same page. */
  show(url: URL): void
}

/** Calls the API with credentials; moves inside the page, and leaves it by the platform's address. */
export function createEmbedHost(options: EmbedHostOptions): PageHost {
  const { element, language, signal, getToken } = options
  const base = new URL(`${options.apiBase.replace(/\/$/, '')}/`, location.href)
  return {
    version: PAGE_CONTRACT,
    signal,
    format: createFormat(language, options.timeZone),
    t: (key: string, values?: MessageValues) => translate(language, key, values),
    at: (address) => new URL(`${options.apiPrefix}${address}`, base),
    // The server decides; an embedded page does not know the viewer.
    can: () => true,
    ...(options.signIn !== undefined && { signIn: options.signIn }),
    async fetch(path, init = {}) {
      if (options.apiBase === '') throw new Error(translate(language, 'error.noBase'))
      const url = path instanceof URL ? path : new URL(path.replace(/^\//, ''), base)
      const headers = new Headers(init.headers)
      if (getToken) headers.set('authorization', `Bearer ${await getToken()}`)
      try {
        return await fetch(url, {
          credentials: getToken ? 'omit' : 'include',
          ...init,
          headers,
          signal: init.signal ?? (init.keepalive === true ? null : signal)
        })
      } catch (error) {
        // A browser does not say whether a server is down or does not allow this origin.
        const isBlocked = error instanceof TypeError && base.origin !== location.origin
        throw isBlocked ? new BlockedError(base.origin, location.origin, error) : error
      }
    },
    navigate(href, { replace = false } = {}) {
      if (!element.dispatchEvent(new NavigateEvent(href, replace))) return
      const url = new URL(href, location.href)
      if (url.pathname === location.pathname) options.show(url)
      else location.assign(new URL(href, base))
    }
  }
}

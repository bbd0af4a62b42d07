// The host of a page that stands in plain HTML: made from its attributes.
import { createFormat } from './format.ts'
import { type MessageValues, translate } from './locales/catalog.ts'
import { NavigateEvent, PAGE_CONTRACT, type PageHost } from './page.ts'

export interface EmbedHostOptions {
  readonly element: HTMLElement
  /** The plugin's mount: an absolute address, or a path of this origin. */
  readonly apiBase: string
  readonly language: string
  readonly signal: AbortSignal
  /** Shows another state of the same page. */
  show(url: URL): void
}

/** Calls the API with credentials; moves inside the page, and leaves it by the platform's address. */
export function createEmbedHost(options: EmbedHostOptions): PageHost {
  const { element, language, signal } = options
  const base = new URL(`${options.apiBase.replace(/\/$/, '')}/`, location.href)
  return {
    version: PAGE_CONTRACT,
    signal,
    format: createFormat(language),
    t: (key: string, values?: MessageValues) => translate(language, key, values),
    // The server decides; an embedded page does not know the viewer.
    can: () => true,
    fetch: (path, init = {}) =>
      fetch(new URL(path.replace(/^\//, ''), base), {
        credentials: 'include',
        ...init,
        signal: init.signal ?? signal
      }),
    navigate(href, { replace = false } = {}) {
      if (!element.dispatchEvent(new NavigateEvent(href, replace))) return
      const url = new URL(href, location.href)
      if (url.pathname === location.pathname) options.show(url)
      else location.assign(new URL(href, base))
    }
  }
}

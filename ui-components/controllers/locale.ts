// Language and time zone of an element: those of the nearest ancestor with `lang` and `data-time-zone`, across
// shadow roots.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { createFormat, type Format } from '../format.ts'
import { type MessageValues, translate, whenLoaded } from '../locales/catalog.ts'

const followers = new Set<Locale>()
const formats = new Map<string, Format>()
let isObserving = false

/** Gives an element `format` and `t` in the language and time zone around it, and updates it when that changes. */
export class Locale implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement
  language = 'en'
  timeZone = 'UTC'

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {
    followers.add(this)
    if (!isObserving) observeLanguage()
    this.refresh()
  }

  hostDisconnected(): void {
    followers.delete(this)
  }

  /** Looks again at the elements around the host. `hasNewMessages`: draws it again in any case. */
  refresh(hasNewMessages = false): void {
    const language = nearest(this.#host, 'lang') || 'en'
    const timeZone = nearest(this.#host, 'data-time-zone') || 'UTC'
    if (language === this.language && timeZone === this.timeZone && !hasNewMessages) return
    this.language = language
    this.timeZone = timeZone
    this.#host.requestUpdate()
  }

  get format(): Format {
    const key = `${this.language} ${this.timeZone}`
    const known = formats.get(key)
    if (known !== undefined) return known
    const made = createFormat(this.language, this.timeZone)
    formats.set(key, made)
    return made
  }

  t(key: string, values?: MessageValues): string {
    return translate(this.language, key, values)
  }
}

function refreshAll(hasNewMessages = false): void {
  for (const follower of followers) follower.refresh(hasNewMessages)
}

function observeLanguage(): void {
  isObserving = true
  whenLoaded(() => refreshAll(true))
  const observer = new MutationObserver(() => refreshAll())
  const options = { attributes: true, attributeFilter: ['lang', 'data-time-zone'], subtree: true }
  observer.observe(document.documentElement, options)
}

function nearest(element: Element, attribute: string): string {
  for (let at: Element | null = element; at !== null; ) {
    const found: Element | null = at.closest(`[${attribute}]`)
    if (found !== null) return found.getAttribute(attribute) ?? ''
    const root = at.getRootNode()
    at = root instanceof ShadowRoot ? root.host : null
  }
  return ''
}

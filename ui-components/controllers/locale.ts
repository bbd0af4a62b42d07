// Language of an element: that of the nearest ancestor with `lang`, across shadow roots.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { createFormat, type Format } from '../format.ts'
import { type MessageValues, translate } from '../locales/catalog.ts'

const followers = new Set<Locale>()
const formats = new Map<string, Format>()
let isObserving = false

/** Gives an element `format` and `t` in the language around it, and updates it when that changes. */
export class Locale implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement
  language = 'en'

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

  /** Looks again at the elements around the host. */
  refresh(): void {
    const language = languageOf(this.#host)
    if (language === this.language) return
    this.language = language
    this.#host.requestUpdate()
  }

  get format(): Format {
    const known = formats.get(this.language)
    if (known !== undefined) return known
    const made = createFormat(this.language)
    formats.set(this.language, made)
    return made
  }

  t(key: string, values?: MessageValues): string {
    return translate(this.language, key, values)
  }
}

function observeLanguage(): void {
  isObserving = true
  const observer = new MutationObserver(() => {
    for (const follower of followers) follower.refresh()
  })
  const options = { attributes: true, attributeFilter: ['lang'], subtree: true }
  observer.observe(document.documentElement, options)
}

function languageOf(element: Element): string {
  for (let at: Element | null = element; at !== null; ) {
    const found: Element | null = at.closest('[lang]')
    if (found !== null) return found.getAttribute('lang') || 'en'
    const root = at.getRootNode()
    at = root instanceof ShadowRoot ? root.host : null
  }
  return 'en'
}

// Whether a part of a page has come into view: what it shows is loaded then.
import type { KeelsonPage } from '@keelson/ui'
import type { ReactiveController } from 'lit'

/** Draws the page again when what matches the selector is seen for the first time. */
export class WhenSeen implements ReactiveController {
  readonly #page: KeelsonPage
  readonly #selector: string
  readonly #observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    this.isSeen = true
    this.#observer.disconnect()
    this.#page.requestUpdate()
  })
  isSeen = false

  constructor(page: KeelsonPage, selector: string) {
    this.#page = page
    this.#selector = selector
    page.addController(this)
  }

  hostUpdated(): void {
    const part = this.isSeen ? null : this.#page.renderRoot.querySelector(this.#selector)
    if (part !== null) this.#observer.observe(part)
  }

  hostDisconnected(): void {
    this.#observer.disconnect()
  }
}

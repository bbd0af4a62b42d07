// What all elements share: the language around them.
import { LitElement } from 'lit'
import { Locale } from '../controllers/locale.ts'
import type { Format } from '../format.ts'
import type { MessageValues } from '../locales/catalog.ts'

/** Base of the elements: a Lit element with texts and formats in the language around it. */
export class KeelsonElement extends LitElement {
  readonly #locale = new Locale(this)

  /** Numbers and dates in the language of the nearest `lang`. */
  get format(): Format {
    return this.#locale.format
  }

  /** A message in the language of the nearest `lang`. Bound: it can be handed on as it is. */
  readonly t = (key: string, values?: MessageValues): string => this.#locale.t(key, values)

  /** Looks again for the language, when an attribute of the element itself changed. */
  protected refreshLocale(): void {
    this.#locale.refresh()
  }

  /** Sends an event that leaves the shadow root. False when a listener called `preventDefault`. */
  protected send<T>(type: string, detail: T, cancelable = false): boolean {
    return this.dispatchEvent(
      new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable })
    )
  }
}

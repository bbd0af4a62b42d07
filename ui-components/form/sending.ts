// A change that a page sends: whether it is on its way, and why it was refused.
import { type FieldError, RequestError } from '../elements/error/message.ts'
import type { KeelsonPage } from '../keelson-page.ts'

/** One change at a time; the page is drawn again when it begins and ends. */
export class Sending {
  readonly #page: KeelsonPage
  readonly #words: (error: unknown) => string
  isSending = false
  /** Why the last change was refused; empty when it went through. */
  problem = ''
  /** The fields that the server refused with it. */
  faults: readonly FieldError[] = []

  /** `words` says what an error is. */
  constructor(page: KeelsonPage, words: (error: unknown) => string) {
    this.#page = page
    this.#words = words
  }

  /** Forgets the last refusal, when another form opens. */
  readonly clear = (): void => {
    this.refuse('')
  }

  /** Says why the form cannot be sent as it is. */
  refuse(problem: string): void {
    this.problem = problem
    this.faults = []
    this.#page.requestUpdate()
  }

  /** Sends it; undefined when it was refused. */
  async send<T>(change: () => Promise<T>): Promise<T | undefined> {
    if (this.isSending) return undefined
    this.isSending = true
    this.clear()
    try {
      return await change()
    } catch (error) {
      this.problem = this.#words(error)
      if (error instanceof RequestError) this.faults = error.fields
      return undefined
    } finally {
      this.isSending = false
      this.#page.requestUpdate()
    }
  }
}

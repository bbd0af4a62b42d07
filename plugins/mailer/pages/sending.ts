// A change that a page sends: whether it is on its way, and why it was refused.
import type { KeelsonPage } from '@keelson/ui'
import type { MailApi } from './mail-api.ts'

/** One change at a time; the page is drawn again when it begins and ends. */
export class Sending {
  readonly #page: KeelsonPage
  readonly #api: MailApi
  isSending = false
  /** Why the last change was refused; empty when it went through. */
  problem = ''

  constructor(page: KeelsonPage, api: MailApi) {
    this.#page = page
    this.#api = api
  }

  /** Forgets the last refusal, when another form opens. */
  readonly clear = (): void => {
    this.problem = ''
    this.#page.requestUpdate()
  }

  /** Says why the form cannot be sent as it is. */
  refuse(problem: string): void {
    this.problem = problem
    this.#page.requestUpdate()
  }

  /** Sends it; undefined when it was refused. */
  async send<T>(change: () => Promise<T>): Promise<T | undefined> {
    if (this.isSending) return undefined
    this.isSending = true
    this.problem = ''
    this.#page.requestUpdate()
    try {
      return await change()
    } catch (error) {
      this.problem = this.#api.words(error)
      return undefined
    } finally {
      this.isSending = false
      this.#page.requestUpdate()
    }
  }
}

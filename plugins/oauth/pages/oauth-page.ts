// What every page of this plugin starts from: its API, and errors in the API's own words.
import { errorText, KeelsonPage, RequestError, type Shortcut, Shortcuts } from '@keelson/ui'

/** The API says what is wrong in `error_description`, as the standard has it. */
export function inItsWords(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error
  const { error_description: message } = error.detail
  if (typeof message !== 'string') return error
  return new RequestError(error.status, { ...error.detail, message })
}

export class OAuthPage extends KeelsonPage {
  constructor() {
    super()
    new Shortcuts(this, () => this.shortcuts)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.setTitle(this.windowTitle)
  }

  /** What the window is called. */
  protected get windowTitle(): string {
    return ''
  }

  /** Keys of the whole page. */
  protected get shortcuts(): readonly Shortcut[] {
    return []
  }

  /** Reads from the API. */
  protected read<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#ask<T>(path, signal === undefined ? {} : { signal })
  }

  /** Changes something through the API. */
  protected act<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#ask<T>(path, { method, ...(body !== undefined && { json: body }) })
  }

  /** One sentence about an error. */
  protected words(error: unknown): string {
    return errorText(error, (key, values) => this.t(key, values))
  }

  async #ask<T>(path: string, init: RequestInit & { readonly json?: unknown }): Promise<T> {
    try {
      return await this.json<T>(path, init)
    } catch (error) {
      throw inItsWords(error)
    }
  }
}

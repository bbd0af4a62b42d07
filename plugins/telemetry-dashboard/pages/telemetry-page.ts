// What every page of the dashboard starts from: the registry, and errors in the API's own words.
import { KeelsonPage, Load } from '@keelson/ui'
import type { RegistryAnswer } from './registry.ts'

/** The API says what is wrong in `error`: a sentence, where others send a code. */
function inItsWords(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.includes(' ') ? new Error(code, { cause: error }) : error
}

export class TelemetryPage extends KeelsonPage {
  protected readonly registry = new Load(this, {
    args: () => [],
    run: (_args, signal) => this.read<RegistryAnswer>('/api/registry', signal)
  })

  /** The address of another page of the dashboard. */
  protected pageHref(path: string, params: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams(params).toString()
    return `${this.apiBase.replace(/\/$/, '')}/${path}${query === '' ? '' : `?${query}`}`
  }

  /** Reads from the API. */
  protected async read<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#ask<T>(path, signal === undefined ? {} : { signal })
  }

  /** Changes something through the API. */
  protected async post<T>(path: string, body?: unknown): Promise<T> {
    return this.#ask<T>(path, { method: 'POST', ...(body !== undefined && { json: body }) })
  }

  async #ask<T>(path: string, init: RequestInit & { readonly json?: unknown }): Promise<T> {
    try {
      return await this.json<T>(path, init)
    } catch (error) {
      throw inItsWords(error)
    }
  }
}

// What every page of the dashboard starts from: the registry, saved views, errors in the API's own words.
import { KeelsonPage, Load, type Shortcut, Shortcuts } from '@keelson/ui'
import type { TemplateResult } from 'lit'
import { DEFAULT_RANGE } from './address.ts'
import type { RegistryAnswer } from './registry.ts'
import { ViewsControl } from './views/views-control.ts'

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
  readonly #views = new ViewsControl({
    element: this,
    page: () => this.pageId,
    usualRange: () => this.usualRange,
    href: (page, params) => this.pageHref(page, params),
    act: (method, path, body) => this.act(method, path, body)
  })

  constructor() {
    super()
    new Shortcuts(this, () => this.shortcuts)
  }

  /** This page among the pages that views can be of; empty for one that has none. */
  protected get pageId(): string {
    return ''
  }

  /** What is looked at when the address names no range. */
  protected get usualRange(): string {
    return DEFAULT_RANGE
  }

  /** Keys of the whole page. */
  protected get shortcuts(): readonly Shortcut[] {
    if (this.pageId === '') return []
    return [{ keys: 'v', label: this.t('view.open'), run: () => void this.#views.open() }]
  }

  /** The button that opens the views, with their dialog. */
  protected viewsButton(): TemplateResult {
    return this.#views.render()
  }

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
  protected async act<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#ask<T>(path, { method, ...(body !== undefined && { json: body }) })
  }

  async #ask<T>(path: string, init: RequestInit & { readonly json?: unknown }): Promise<T> {
    try {
      return await this.json<T>(path, init)
    } catch (error) {
      throw inItsWords(error)
    }
  }
}

// A page without a browser: an address that changes, updates that run controllers, toasts that are kept.
import type { ReactiveController } from 'lit'
import type { KeelsonPage } from '../keelson-page.ts'
import { addedParams, type ParamChanges } from '../param-changes.ts'

export class FakePage extends EventTarget {
  params: URLSearchParams
  format = { locale: 'en' }
  /** Addresses that were gone to; a replaced one begins with `!`. */
  readonly visited: string[] = []
  readonly toasts: string[] = []
  readonly requests: { readonly path: string; readonly init: object }[] = []
  readonly #controllers: ReactiveController[] = []
  #isUpdateDue = false
  answer: () => Promise<unknown> = async () => undefined

  constructor(query = '') {
    super()
    this.params = new URLSearchParams(query)
  }

  /** The page as controllers take it. */
  get page(): KeelsonPage {
    return this as unknown as KeelsonPage
  }

  addController(controller: ReactiveController): void {
    this.#controllers.push(controller)
  }

  requestUpdate(): void {
    if (this.#isUpdateDue) return
    this.#isUpdateDue = true
    queueMicrotask(() => this.update())
  }

  /** Updates at once, as Lit does before it draws. */
  update(): void {
    this.#isUpdateDue = false
    for (const controller of this.#controllers) controller.hostUpdate?.()
  }

  connect(): void {
    for (const controller of this.#controllers) controller.hostConnected?.()
    this.update()
  }

  disconnect(): void {
    for (const controller of this.#controllers) controller.hostDisconnected?.()
  }

  address(changes: ParamChanges = {}): string {
    const params = { ...Object.fromEntries(this.params), ...changes }
    return `/page?${new URLSearchParams(addedParams(params))}`
  }

  go(changes: ParamChanges, { replace = false }: { readonly replace?: boolean } = {}): void {
    const href = this.address(changes)
    this.visited.push(`${replace ? '!' : ''}${href}`)
    this.params = new URL(href, 'http://page.test').searchParams
    this.update()
  }

  t(key: string): string {
    return key
  }

  toast({ text }: { readonly text: string }): void {
    this.toasts.push(text)
  }

  json(path: string, init: object): Promise<unknown> {
    this.requests.push({ path, init })
    return this.answer()
  }
}

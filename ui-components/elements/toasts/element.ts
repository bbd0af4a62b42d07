// Short messages at the edge of the window, spoken by screen readers, gone after a while.
import { html, nothing, type TemplateResult } from 'lit'
import { controls } from '../../controls.ts'
import { icon } from '../../icons.ts'
import type { ToastOptions } from '../../page.ts'
import { KeelsonElement } from '../element.ts'
import { toastsStyles } from './styles.ts'

const DURATION = 6000
const MOST = 4

interface Toast extends ToastOptions {
  readonly id: number
}

/** The live region of messages. Pages reach it with `toast(element, options)`. */
export class KeelsonToasts extends KeelsonElement {
  static readonly tag = 'keelson-toasts'
  static override readonly styles = [controls, toastsStyles]
  static override readonly properties = { _toasts: { state: true } }
  declare _toasts: readonly Toast[]
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>()
  #last = 0

  constructor() {
    super()
    this._toasts = []
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  /** Shows a message and returns what takes it away. */
  show(options: ToastOptions): () => void {
    this.#last += 1
    const id = this.#last
    this._toasts = [...this._toasts, { ...options, id }].slice(-MOST)
    this.#wait(id)
    return () => this.#remove(id)
  }

  #wait(id: number): void {
    const duration = this._toasts.find((toast) => toast.id === id)?.duration ?? DURATION
    if (duration === 0) return
    this.#timers.set(
      id,
      setTimeout(() => this.#remove(id), duration)
    )
  }

  #hold(id: number): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  #remove(id: number): void {
    this.#hold(id)
    this._toasts = this._toasts.filter((toast) => toast.id !== id)
  }

  override render(): TemplateResult {
    return html`<div role="log" aria-live="polite" aria-relevant="additions">
      <ol>
        ${this._toasts.map((toast) => this.#toast(toast))}
      </ol>
    </div>`
  }

  #toast({ id, text, tone = 'neutral', action }: Toast): TemplateResult {
    const button = html`<button
      class="btn quiet"
      @click=${() => {
        this.#remove(id)
        action?.run()
      }}
    >${action?.label}</button>`
    return html`<li
      class=${tone}
      @pointerenter=${() => this.#hold(id)}
      @pointerleave=${() => this.#wait(id)}
      @focusin=${() => this.#hold(id)}
      @focusout=${() => this.#wait(id)}
    >
      ${tone === 'neutral' ? nothing : icon(tone === 'good' ? 'check' : 'alert')}
      <span>${text}</span>
      ${action === undefined ? nothing : button}
      <button class="btn quiet icon" aria-label=${this.t('ui.dismiss')} @click=${() => this.#remove(id)}>
        ${icon('close', 14)}
      </button>
    </li>`
  }
}

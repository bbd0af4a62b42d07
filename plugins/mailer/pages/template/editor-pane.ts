// The element around the code editor: loads it, keeps text and findings in step with the page.
import { controls, KeelsonElement } from '@keelson/ui'
import { css, html, nothing, type PropertyValues, render, type TemplateResult } from 'lit'
import type { CodeEditor } from './code-editor.ts'
import { noteStyles } from './finding-note.ts'
import type { Finding } from './findings.ts'

/** Sends `editor-text` with the new text. */
export class EditorPane extends KeelsonElement {
  static readonly tag = 'mailer-editor-pane'
  static override readonly styles = [
    controls,
    noteStyles,
    css`
    :host { display: block; min-block-size: 0; }
    .place { block-size: 100%; overflow: hidden; }
    textarea { block-size: 100%; inline-size: 100%; box-sizing: border-box; border: 0; padding: 8px 14px; font: var(--_text-sm) / 1.6 var(--_mono); color: var(--_ink); background: var(--_surface); resize: none; }
  `
  ]
  static override readonly properties = {
    text: {},
    label: {},
    findings: { attribute: false },
    names: { attribute: false },
    active: { attribute: false },
    note: { attribute: false },
    _isPlain: { state: true }
  }
  declare text: string
  declare label: string
  declare findings: readonly Finding[]
  declare names: readonly string[]
  /** The finding that is shown below its line. */
  declare active: Finding | undefined
  declare note: ((finding: Finding) => TemplateResult) | undefined
  /** The editor could not be loaded: a plain field takes its place. */
  declare _isPlain: boolean
  #editor: CodeEditor | undefined
  readonly #note = document.createElement('div')

  constructor() {
    super()
    this.text = ''
    this.label = ''
    this.findings = []
    this.names = []
    this._isPlain = false
  }

  /** Writes at the cursor. */
  insert(text: string): void {
    if (this.#editor === undefined) this.#tell(this.text + text)
    else this.#editor.insert(text)
  }

  /** Shows a place. */
  goTo(place: { readonly from: number; readonly to: number }): void {
    this.#editor?.goTo(place)
  }

  protected override firstUpdated(): void {
    void this.#open()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#editor?.close()
    this.#editor = undefined
  }

  async #open(): Promise<void> {
    try {
      const { openCodeEditor } = await import('./code-editor.ts')
      const parent = this.renderRoot.querySelector<HTMLElement>('.place')
      if (parent === null || !this.isConnected) return
      this.#editor = openCodeEditor({
        parent,
        root: this.renderRoot as ShadowRoot,
        text: this.text,
        label: this.label,
        names: () => this.names,
        onChange: (text) => this.#tell(text)
      })
      this.#editor.setFindings(this.findings)
      this.#showNote()
    } catch {
      this._isPlain = true
    }
  }

  #tell(text: string): void {
    this.text = text
    this.send('editor-text', { text })
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('text')) this.#editor?.setText(this.text)
    if (changed.has('findings')) this.#editor?.setFindings(this.findings)
    if (changed.has('active') || changed.has('note')) this.#showNote()
  }

  #showNote(): void {
    const { active, note } = this
    render(active === undefined || note === undefined ? nothing : note(active), this.#note)
    const at = active?.at?.from
    this.#editor?.showNote(at === undefined ? undefined : { at, element: this.#note })
  }

  override render(): TemplateResult {
    if (!this._isPlain) return html`<div class="place"></div>`
    return html`<textarea aria-label=${this.label} spellcheck="false" .value=${this.text}
      @input=${(event: Event) => this.#tell((event.target as HTMLTextAreaElement).value)}></textarea>`
  }
}

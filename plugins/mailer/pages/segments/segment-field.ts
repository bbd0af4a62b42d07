// The filters of a segment as a field of a form: edited by the builder of broadcasts, sent by the hidden input inside.
import { controls, define, KeelsonElement, Load, registerCatalog } from '@keelson/ui'
import { css, html, type TemplateResult } from 'lit'
import type { SegmentFilter } from '../../audience/segments/segment-schema.ts'
import { isComplete } from '../broadcast/segment.ts'
import { type NamedSegment, segmentBuilder } from '../broadcast/segment-builder.ts'
import texts from '../broadcast/texts.en.json' with { type: 'json' }
import type { MailApi } from '../mail-api.ts'
import { segmentStyles } from './styles.ts'

/** Holds one `<input type="hidden">`, whose value is a segment as JSON: `{"filters":[]}`. */
class SegmentField extends KeelsonElement {
  static readonly tag = 'mailer-segment-field'
  static override readonly styles = [
    controls,
    segmentStyles,
    css`:host { display: block; } .pad { padding: 0; } .filter .pick { flex: 1 1 120px; } .filter { display: flex; gap: 6px; align-items: center; }`
  ]
  static override readonly properties = { api: { attribute: false }, _filters: { state: true } }
  declare api: MailApi
  declare _filters: readonly SegmentFilter[] | undefined
  readonly #named = new Load(this, {
    quiet: true,
    args: () => (this.api === undefined ? null : ([] as const)),
    run: (_args, signal) => this.api.read<readonly NamedSegment[]>('/segments', signal)
  })

  get #input(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  get #filters(): readonly SegmentFilter[] {
    const { filters = [] }: { filters?: readonly SegmentFilter[] } = JSON.parse(
      this.#input?.value || '{}'
    )
    return this._filters ?? filters
  }

  #edit(filters: readonly SegmentFilter[]): void {
    this._filters = filters
    const input = this.#input
    if (input === null) return
    input.value = JSON.stringify({ filters })
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  }

  override render(): TemplateResult {
    const filters = this.#filters
    return html`<slot></slot>${segmentBuilder({
      t: this.t,
      filters,
      named: this.#named.value ?? [],
      onFilters: (next) => this.#edit(next)
    })}
    ${isComplete(filters) ? '' : html`<p class="problem" role="status">${this.t('broadcast.incomplete')}</p>`}`
  }
}

/** Registers texts and the element; cheap to call again. */
export function defineSegmentField(): void {
  registerCatalog('en', texts, {
    de: () => import('../broadcast/texts.de.json', { with: { type: 'json' } })
  })
  define(SegmentField)
}

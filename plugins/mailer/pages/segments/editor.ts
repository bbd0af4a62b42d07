// The fields of a named segment: its name, and its filters, as the audience of a broadcast has them. Loaded for a dialog.
import { formField, registerCatalog } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { SegmentFilter } from '../../audience/segments/segment-schema.ts'
import { isComplete } from '../broadcast/segment.ts'
import { segmentBuilder } from '../broadcast/segment-builder.ts'
import texts from '../broadcast/texts.en.json' with { type: 'json' }
import { nameFields } from '../name-fields.ts'

export { isComplete }

/** What the form shows and does. */
export interface SegmentEditor {
  readonly t: (key: string, values?: Readonly<Record<string, string | number>>) => string
  /** Undefined for a new segment, which has a slug to choose. */
  readonly name: string | undefined
  readonly filters: readonly SegmentFilter[]
  onFilters(filters: readonly SegmentFilter[]): void
}

/** Adds the texts; cheap to call again. */
export function registerTexts(): void {
  registerCatalog('en', texts, {
    de: () => import('../broadcast/texts.de.json', { with: { type: 'json' } })
  })
}

/** The form. A named segment holds no other. */
export function segmentEditor({ t, name, filters, onFilters }: SegmentEditor): TemplateResult {
  const named =
    name === undefined
      ? nameFields(t)
      : formField(
          t('mail.name'),
          html`<input class="field" name="name" maxlength="200" autocomplete="off" .value=${name} />`
        )
  return html`${named} ${segmentBuilder({ t, filters, named: [], onFilters })}
    ${isComplete(filters) ? '' : html`<p class="problem" role="status">${t('segments.incomplete')}</p>`}`
}

// What a new mail starts from: examples, an empty mail, or code. Loaded while there is nothing yet.
import { registerCatalog } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { drawShape } from '../../draw-shape.ts'
import type { Fields } from '../answers.ts'
import texts from './example-texts.en.json' with { type: 'json' }
import { EMPTY, EXAMPLES, type ExampleId, exampleMjml } from './examples.ts'

/** What the gallery shows and does. */
export interface StartGallery {
  readonly kind: Fields['kind']
  t(key: string): string
  /** Begins with a source. */
  onStart(mjml: string): void
  /** Begins with an empty mail, and asks for its first block. */
  onEmpty(mjml: string): void
  onCode(): void
}

const SHAPES: Readonly<Record<ExampleId, string>> = {
  newsletter: 'M3 2.500h7M3 5h10M3 7.500h4.200v5H3zM8.800 7.500H13v5H8.800z',
  announcement: 'M3 3h10v4.500H3zM4.500 10h7M6 12.500h4',
  letter: 'M3 3h4M3 5.500h10M3 8h10M3 10.500h10M3 13h5',
  notice: 'M3 3h7M3 5.500h10M3 8h8M3 10.500h5.500v2.500H3z',
  receipt: 'M3 3h6M3 6h10M3 8.500h6M11 8.500h2M3 11h6M11 11h2'
}

/** The gallery. */
export function startGallery({ kind, t, onStart, onEmpty, onCode }: StartGallery): TemplateResult {
  registerCatalog('en', texts, {
    de: () => import('./example-texts.de.json', { with: { type: 'json' } })
  })
  return html`<section class="start" aria-label=${t('example.title')}>
    <h2>${t('example.title')}</h2>
    <div class="examples">${EXAMPLES[kind].map(
      (id) => html`<button class="example" @click=${() => onStart(exampleMjml(id, t))}>
        ${drawShape(SHAPES[id])}<b>${t(`example.${id}`)}</b><span>${t(`example.${id}Note`)}</span></button>`
    )}</div>
    <p class="row"><button class="btn" @click=${() => onEmpty(EMPTY)}>${t('block.add')}</button>
      <button class="btn quiet" @click=${onCode}>${t('example.code')}</button></p>
  </section>`
}

// The panel of the selected block: what can be done with it, and its attributes, the unknown ones too.
import { type IconName, icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Field, fieldsOf } from './block-kinds.ts'
import { attributeValue } from './edit-blocks.ts'
import type { Block } from './read-blocks.ts'

/** What the panel shows and does. */
export interface BlockPanel {
  readonly block: Block
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  onAttribute(name: string, value: string): void
  /** Asks for a picture; undefined: none can be chosen here. */
  readonly onImage: (() => void) | undefined
  onMove(by: -1 | 1): void
  onDuplicate(): void
  onDelete(): void
}

/** The panel. */
export function blockPanel(panel: BlockPanel): TemplateResult {
  const { block, t, onMove, onDuplicate, onDelete } = panel
  const kind = t(`block.kind.${block.kind}`)
  const fields = fieldsOf(block.kind)
  const known = new Set(fields.map(({ name }) => name))
  const others = block.attributes.filter(({ name }) => !known.has(name))
  const act = (name: string, sign: IconName, run: () => void) =>
    html`<button class="btn icon quiet" aria-label=${t(`block.${name}`)} title=${t(`block.${name}`)} @click=${run}>${icon(sign, 14)}</button>`
  return html`<section class="panel" aria-label=${t('block.panel', { kind })}>
    <header><b>${kind}</b>
      <span class="push"></span>
      ${act('up', 'arrow-up', () => onMove(-1))} ${act('down', 'arrow-down', () => onMove(1))}
      ${act('duplicate', 'copy', onDuplicate)} ${act('delete', 'close', onDelete)}
    </header>
    <div class="fields">
      ${fields.length === 0 && others.length === 0 ? html`<p class="quiet">${t('block.noFields')}</p>` : nothing}
      ${fields.map((field) => labelled(panel, field))}
      ${others.length === 0 ? nothing : html`<h3>${t('block.other')}</h3>`}
      ${others.map(({ name }) => html`<label><span class="mono">${name}</span>${written(panel, { name, type: 'text' })}</label>`)}
    </div>
  </section>`
}

function labelled(panel: BlockPanel, field: Field): TemplateResult {
  const { t } = panel
  const label = t(`block.field.${field.name}`)
  if (field.name === 'src' && panel.onImage !== undefined)
    return html`<label><span>${label}</span>${written(panel, field)}</label>
      <button class="btn" @click=${panel.onImage}>${t('block.chooseImage')}</button>`
  if (field.type === 'choice')
    return html`<label><span>${label}</span>${chosen(panel, field)}</label>`
  if (field.type === 'text')
    return html`<label><span>${label}</span>${written(panel, field)}</label>`
  const value = attributeValue(panel.block, field.name)
  return html`<div class="part"><label><span>${label}</span>${written(panel, field)}</label>
    <input type="color" aria-label=${t('block.choose', { name: label })} .value=${/^#[\da-f]{6}$/i.test(value) ? value : '#ffffff'}
      @change=${(event: Event) => panel.onAttribute(field.name, (event.target as HTMLInputElement).value)} />
  </div>`
}

const written = ({ block, onAttribute }: BlockPanel, { name, example = '' }: Field) =>
  html`<input class="field" name=${name} .value=${attributeValue(block, name)} placeholder=${example} autocomplete="off"
    @input=${(event: Event) => onAttribute(name, (event.target as HTMLInputElement).value)} />`

function chosen({ block, t, onAttribute }: BlockPanel, { name, options = [] }: Field) {
  const value = attributeValue(block, name)
  const all = value === '' || options.includes(value) ? options : [value, ...options]
  const label = (option: string) => {
    const text = t(`block.option.${option}`)
    return text.startsWith('block.') ? option : text
  }
  return html`<select class="field" name=${name} @change=${(event: Event) => onAttribute(name, (event.target as HTMLSelectElement).value)}>
    <option value="" ?selected=${value === ''}>${t('block.notSet')}</option>
    ${all.map((option) => html`<option value=${option} ?selected=${option === value}>${label(option)}</option>`)}
  </select>`
}

// The look of a sender on the Settings page: what it is, and the form that changes it.
import { formDialog, formField, formText, type Sending } from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import type { Brand } from '../../ledger/brand-row.ts'

/** The look of one sender, as the admin API answers it. */
export interface SenderBrand {
  readonly sender: string
  readonly isOwn: boolean
  readonly brand: Brand
}

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

const COLOURS = ['accent', 'background', 'surface', 'ink', 'muted'] as const
const FONTS = [
  'Helvetica, Arial, sans-serif',
  'Verdana, Geneva, sans-serif',
  'Georgia, Times New Roman, serif',
  'Courier New, Courier, monospace'
]

/** Draws a colour without an inline style in markup. */
const swatch = (colour: string) =>
  html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="3" fill=${colour} /></svg>`

/** The senders, each with its look and the way to change it. */
export function brandCard(
  brands: readonly SenderBrand[],
  { t, hrefOf }: { readonly t: T; hrefOf(sender: string): string }
): TemplateResult {
  const line = ({ sender, isOwn, brand }: SenderBrand) => html`<li>
    <span class="grow"><b>${sender === 'default' ? t('settings.brandDefault') : sender}</b>
      ${isOwn || sender === 'default' ? nothing : html`<span class="quiet">${t('settings.brandAsDefault')}</span>`}
      <small class="quiet">${[brand.name, brand.font.split(',')[0]].filter(Boolean).join(' · ')}</small></span>
    <span class="swatches">${COLOURS.map((name) => swatch(brand[name]))}</span>
    <a class="link" href=${hrefOf(sender)} aria-label=${t('settings.brandEditOf', { sender })}>${t('settings.brandEdit')}</a>
  </li>`
  return html`<section class="card" aria-label=${t('settings.brand')}>
    <header><h2>${t('settings.brand')}</h2><span class="quiet">${t('settings.brandNote')}</span></header>
    <ul class="lines brands">${brands.map(line)}</ul>
  </section>`
}

/** The form of one look. */
export function brandDialog(
  { sender, brand }: SenderBrand,
  {
    t,
    sending: { isSending, problem },
    onClose,
    onSave
  }: { readonly t: T; readonly sending: Sending; onClose(): void; onSave(brand: Brand): void }
): TemplateResult {
  const line = (name: 'logoUrl' | 'name' | 'unsubscribe', hint = '') =>
    formField(
      t(`settings.brand.${name}`),
      html`<input class="field" name=${name} .value=${brand[name]} autocomplete="off" />`,
      hint
    )
  const fonts = FONTS.includes(brand.font) ? FONTS : [brand.font, ...FONTS]
  const body = html`<p class="quiet">${t('settings.brandText')}</p>
    <div class="colours">${COLOURS.map((name) => html`<label class="part"><span>${t(`settings.brand.${name}`)}</span><input type="color" name=${name} .value=${brand[name]} /></label>`)}</div>
    ${formField(
      t('settings.brand.font'),
      html`<select class="field" name="font">${fonts.map((font) => html`<option value=${font} ?selected=${font === brand.font}>${font}</option>`)}</select>`
    )}
    ${line('name')} ${line('logoUrl', t('settings.brand.logoHint'))}
    ${formField(
      t('settings.brand.logoWidth'),
      html`<input class="field" type="number" min="16" max="600" name="logoWidth" .value=${String(brand.logoWidth)} />`
    )}
    ${formField(
      t('settings.brand.footer'),
      html`<textarea class="field" name="footer" rows="3" .value=${brand.footer}></textarea>`,
      t('settings.brand.footerHint')
    )}
    ${line('unsubscribe')}`
  return formDialog({
    isSending,
    problem,
    t,
    onClose,
    heading: t('settings.brandHeading', {
      sender: sender === 'default' ? t('settings.brandDefault') : sender
    }),
    action: t('mail.save'),
    body,
    onSubmit: (form) => onSave(brandOf(form))
  })
}

function brandOf(form: HTMLFormElement): Brand {
  const text = (name: keyof Brand) => formText(form, name)
  return {
    accent: text('accent'),
    background: text('background'),
    surface: text('surface'),
    ink: text('ink'),
    muted: text('muted'),
    font: text('font'),
    logoUrl: text('logoUrl'),
    logoWidth: Number(text('logoWidth')),
    name: text('name'),
    footer: String(new FormData(form).get('footer') ?? ''),
    unsubscribe: text('unsubscribe')
  }
}

/** Styles of the card and the form. */
export const brandStyles = css`
  .lines.brands > li { align-items: center; }
  .swatches { display: flex; gap: 3px; align-self: center; }
  .swatch { inline-size: 18px; block-size: 18px; border: 1px solid var(--_hair-strong); border-radius: 4px; }
  .card .lines small { display: block; }
  .colours { display: grid; grid-template-columns: repeat(auto-fill, minmax(96px, 1fr)); gap: 10px; }
  .colours input { inline-size: 100%; block-size: 32px; padding: 2px; border: 1px solid var(--_hair-strong); border-radius: var(--_radius); background: var(--_surface); }
`

// Writes the look of a sender into a template before it is compiled: `{{brand.accent}}`, `{{> brandFooter}}`. Pure.

import { bodySource } from '../../ledger/body-source.ts'
import type { Brand } from '../../ledger/brand-row.ts'
import type { TemplateFields } from '../../ledger/template-rows.ts'

/** The look of a sender that has chosen none. */
export const DEFAULT_BRAND: Brand = {
  accent: '#0b6e8f',
  background: '#f1f3f6',
  surface: '#ffffff',
  ink: '#1d2430',
  muted: '#5b6474',
  font: 'Helvetica, Arial, sans-serif',
  logoUrl: '',
  logoWidth: 120,
  name: '',
  footer: '{{senderAddress}}',
  unsubscribe: 'Unsubscribe'
}

const VALUE = /\{\{\{?\s*brand\.(\w+)\s*\}\}\}?/g
const PART = /\{\{>\s*(brandHeader|brandFooter)\s*\}\}/g

/** Whether a text asks for the look of its sender. */
const asksForBrand = (text: string): boolean =>
  new RegExp(`${VALUE.source}|${PART.source}`).test(text)

/** Texts are escaped; their slots stay slots. */
const escaped = (text: string): string =>
  text
    .replace(/&(?!#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const lines = (text: string): string => escaped(text.trim()).replace(/\r?\n/g, '<br />')

interface Parts {
  readonly format: 'mjml' | 'html'
  readonly kind: TemplateFields['kind']
}

function header({ logoUrl, logoWidth, name, ink }: Brand, { format }: Parts): string {
  const [address, words] = [escaped(logoUrl), escaped(name)]
  if (address + words === '') return ''
  if (format === 'html')
    return address === ''
      ? `<p style="font-size:18px;font-weight:700;color:${ink}">${words}</p>`
      : `<p><img src="${address}" alt="${words}" width="${logoWidth}" /></p>`
  const inside =
    address === ''
      ? `<mj-text font-size="18px" font-weight="700" color="${ink}">${words}</mj-text>`
      : `<mj-image src="${address}" alt="${words}" width="${logoWidth}px" align="left" />`
  return `<mj-section><mj-column>${inside}</mj-column></mj-section>`
}

/** Marketing mail ends with the way to leave. */
function footer({ footer: text, unsubscribe, muted }: Brand, { format, kind }: Parts): string {
  const leave = `<a href="{{unsubscribeUrl}}" style="color:${muted}">${escaped(unsubscribe)}</a>`
  const written = [lines(text), ...(kind === 'marketing' ? [leave] : [])].filter(
    (one) => one !== ''
  )
  if (written.length === 0) return ''
  if (format === 'html')
    return `<p style="font-size:12px;color:${muted}">${written.join('<br />')}</p>`
  const blocks = written.map(
    (one) => `<mj-text font-size="12px" line-height="1.5" color="${muted}">${one}</mj-text>`
  )
  return `<mj-section><mj-column>${blocks.join('')}</mj-column></mj-section>`
}

/** Names that are unknown stay: the check then says so. */
function withBrand(text: string, brand: Brand, parts: Parts): string {
  const values = brand as unknown as Readonly<Record<string, string | number>>
  return text
    .replace(PART, (_all, part: string) =>
      part === 'brandHeader' ? header(brand, parts) : footer(brand, parts)
    )
    .replace(VALUE, (all, name: string) => {
      return Object.hasOwn(brand, name) ? lines(String(values[name])) : all
    })
}

type Content = Pick<TemplateFields, 'body' | 'kind'>

/** Whether the source of a template asks for the look of its sender. */
export function usesBrand({ body }: Pick<TemplateFields, 'body'>): boolean {
  const picked = bodySource(body)
  return picked.ok && asksForBrand(picked.source + body.plainText)
}

/** The same fields with the look written into the source that is compiled. */
export function brandedFields<T extends Content>(fields: T, brand: Brand): T {
  const { body, kind } = fields
  const picked = bodySource(body)
  if (!picked.ok) return fields
  const { format, source } = picked
  const plain = withBrand(body.plainText, brand, { format: 'html', kind }).replace(/<[^>]*>/g, '')
  const written = { mjml: '', html: '', [format]: withBrand(source, brand, { format, kind }) }
  return { ...fields, body: { ...body, editorJson: null, ...written, plainText: plain } }
}

// What mends a finding for sure, as a change of the template. Pure.
import type { Fields } from './answers.ts'
import type { Finding } from './findings.ts'

/** A change that mends a finding. */
export interface Fix {
  /** Of the text of its button, `template.fix.<name>`. */
  readonly name: 'unsubscribe' | 'address' | 'https' | 'declare' | 'darkMode'
  readonly changes: Partial<Fields>
}

/** What a fix is made for. */
export interface FixTarget {
  readonly fields: Fields
  readonly language: 'mjml' | 'html'
  /** The words of an unsubscribe link. */
  readonly unsubscribe: string
}

type Rewrite = (source: string, target: FixTarget) => string | undefined

const SMALL = 'font-size="12px" color="#5b6474"'

/** The line break and indentation before a place. */
const gapBefore = (source: string, at: number): string =>
  /\r?\n[ \t]*$/.exec(source.slice(0, at))?.[0] ?? '\n'

const spliced = (source: string, at: number, text: string): string =>
  source.slice(0, at) + text + source.slice(at)

/** Adds a small line at the foot of the mail, beside the other one that marketing mail needs. */
function withFootLine(source: string, content: string, { language }: FixTarget) {
  const beside =
    /<mj-text\b[^>]*>(?:(?!<\/mj-text>)[\s\S])*\{\{\{?\s*(?:unsubscribeUrl|senderAddress)\b/i
  if (language === 'html') {
    const end = source.search(/<\/body\s*>(?![\s\S]*<\/body\s*>)/i)
    const at = end === -1 ? source.length : end
    return spliced(source, at, `<p style="font-size:12px;color:#5b6474">${content}</p>\n`)
  }
  const line = `<mj-text ${SMALL}>${content}</mj-text>`
  const found = beside.exec(source)
  if (found !== null) return spliced(source, found.index, line + gapBefore(source, found.index))
  const end = source.search(/<\/mj-body\s*>(?![\s\S]*<\/mj-body\s*>)/i)
  if (end === -1) return undefined
  const [outer] = /[ \t]*$/.exec(source.slice(0, end)) ?? ['']
  const lines = ['<mj-section>', '  <mj-column>', `    ${line}`, '  </mj-column>', '</mj-section>']
  const added = lines.map((one) => `\n${outer}  ${one}`).join('')
  return `${source.slice(0, end).trimEnd()}${added}\n${outer}${source.slice(end)}`
}

const META = '<meta name="color-scheme" content="light dark">'

function withColourScheme(source: string, { language }: FixTarget): string | undefined {
  const raw = language === 'mjml' ? `<mj-raw>${META}</mj-raw>` : META
  const head = language === 'mjml' ? /<mj-head\b[^>/]*>/i : /<head\b[^>]*>/i
  const found = head.exec(source)
  if (found !== null) {
    const at = found.index + found[0].length
    return spliced(source, at, `${gapBefore(source, found.index)}  ${raw}`)
  }
  const root = language === 'mjml' ? /<mjml\b[^>]*>/i : /<html\b[^>]*>/i
  const opened = root.exec(source)
  if (opened === null) return undefined
  const at = opened.index + opened[0].length
  const [open, close] = language === 'mjml' ? ['<mj-head>', '</mj-head>'] : ['<head>', '</head>']
  return spliced(source, at, `\n  ${open}${raw}${close}`)
}

const REWRITES: Readonly<Record<string, readonly [name: Fix['name'], rewrite: Rewrite]>> = {
  missing_unsubscribe_tag: [
    'unsubscribe',
    (source, target) =>
      withFootLine(source, `<a href="{{unsubscribeUrl}}">${target.unsubscribe}</a>`, target)
  ],
  missing_sender_address: [
    'address',
    (source, target) => withFootLine(source, '{{senderAddress}}', target)
  ],
  insecure_link: [
    'https',
    (source) => source.replace(/(\shref\s*=\s*["']?\s*)http:\/\//gi, '$1https://')
  ],
  dark_mode: ['darkMode', withColourScheme]
}

/** The fix of a finding; undefined where a person must decide. */
export function fixOf({ rule, message }: Finding, target: FixTarget): Fix | undefined {
  const { fields, language } = target
  if (rule === 'unknown_variable') {
    const name = /vars\.(\w+)/.exec(message)?.[1]
    const { variablesSchema } = fields
    if (name === undefined) return undefined
    return {
      name: 'declare',
      changes: { variablesSchema: { ...variablesSchema, [name]: { type: 'string' } } }
    }
  }
  const [name, rewrite] = REWRITES[rule] ?? []
  const source = fields[language]
  const text = source === '' ? undefined : rewrite?.(source, target)
  return name === undefined || text === undefined || text === source
    ? undefined
    : { name, changes: { [language]: text } }
}

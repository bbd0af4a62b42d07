// The text part of a mail, made from its HTML: slots stay, links are named, pictures are what they say in a link.
import { convert, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'
import { replaceSlots } from './slot-spans.ts'

// Slots are one word each while lines are broken: characters of private use, with a number between.
const OPEN = '\uE000'
const CLOSE = '\uE001'
const TOKEN = /\uE000(\d+)\uE001/g

const heading = (selector: string) => ({ selector, options: { uppercase: false } })
const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 }
const block = (options: object) => (selector: string) => ({ selector, format: 'block', options })

/** Blocks that the converter does not know by itself. */
const LINES = [
  'li',
  'dt',
  'dd',
  'figcaption',
  'caption',
  'summary',
  'legend',
  'address',
  'center',
  'option',
  'optgroup',
  'hgroup',
  'tbody',
  'thead',
  'tfoot',
  'dialog',
  'search'
]
const PARAGRAPHS = ['dl', 'figure', 'details', 'fieldset']

/** An address as mail clients follow it: without line breaks, a blank within it is `%20`. */
const addressOf = (href = ''): string =>
  href
    .replace(/[\t\n\r]/g, '')
    .trim()
    .replace(/ /g, '%20')
    .replace(/^mailto:/i, '')

/** More of a link's words is not needed to know whether they are its address. */
const MOST_WORDS = 2_000

/** The words of a link, pictures by their alternative text. */
function wordsOf(link: DomNode): string {
  const waiting = [...(link.children ?? [])].reverse()
  let words = ''
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (words.length > MOST_WORDS) return words
    if (node.type === 'text') words += node.data ?? ''
    else if (node.name === 'img') words += node.attribs?.['alt'] ?? ''
    waiting.push(...[...(node.children ?? [])].reverse())
  }
  return words.trim()
}

const bare = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')

/** A link's words, then its address; the address alone where the words are the address. */
const link: FormatCallback = (element, walk, builder) => {
  const href = addressOf(element.attribs?.['href'])
  if (href === '' || href.startsWith('#')) return walk(element.children, builder)
  const words = wordsOf(element)
  if (words === '' || bare(words) === bare(href)) {
    builder.addInline(href, { noWordTransform: true })
    return
  }
  walk(element.children, builder)
  builder.addInline(` [${href}]`, { noWordTransform: true })
}

/** A picture says something where it is a link, and nothing elsewhere. */
const picture: FormatCallback = (element, _walk, builder) => {
  const alt = element.attribs?.['alt'] ?? ''
  if (alt !== '' && isLinked(element)) builder.addInline(` ${alt} `)
}

function isLinked(element: DomNode): boolean {
  for (let one = element.parent; one; one = one.parent)
    if (one.name === 'a') return one.attribs?.['href'] !== undefined
  return false
}

const OPTIONS: HtmlToTextOptions = {
  wordwrap: 80,
  formatters: { link, picture },
  selectors: [
    { selector: 'img', format: 'picture' },
    { selector: '[style*="display:none"]', format: 'skip' },
    { selector: '[style*="display: none"]', format: 'skip' },
    { selector: 'a', format: 'link' },
    { selector: 'menu', format: 'unorderedList' },
    ...LINES.map(block(line)),
    ...PARAGRAPHS.map(block({ leadingLineBreaks: 2, trailingLineBreaks: 2 })),
    { selector: 'tr', format: 'block', options: line },
    { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
    { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(heading)
  ]
}

/** Text of 80 columns, slots counted as one short word. */
export function plainText(html: string): string {
  const slots: string[] = []
  const words = replaceSlots(html.replace(/[\uE000\uE001]/g, ''), (slot) => {
    // Equal slots are equal words: a link that shows its own address is recognised.
    const known = slots.indexOf(slot)
    return `${OPEN}${known >= 0 ? known : slots.push(slot) - 1}${CLOSE}`
  })
  const text = convert(words, OPTIONS)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    // Braces that were written as entities are text, not a slot.
    .replace(/\{(?=\{)/g, '\\{')
  return text.replace(TOKEN, (_token, number: string) => slots[Number(number)] ?? '')
}

// The text part of a mail, made from its HTML: slots stay, images go, links are named.
import { convert, type HtmlToTextOptions } from 'html-to-text'
import { replaceSlots } from './slot-spans.ts'

// Slots are one word each while lines are broken: characters of private use, with a number between.
const OPEN = '\uE000'
const CLOSE = '\uE001'
const TOKEN = /\uE000(\d+)\uE001/g

const heading = (selector: string) => ({ selector, options: { uppercase: false } })
const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 }

const OPTIONS: HtmlToTextOptions = {
  wordwrap: 80,
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: '[style*="display:none"]', format: 'skip' },
    { selector: '[style*="display: none"]', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
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

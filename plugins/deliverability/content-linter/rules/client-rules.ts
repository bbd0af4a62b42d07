// Hints about mail clients: what they clip, do not support, or show differently in dark mode. Pure.
import type { LintedMail, LintRule } from '../contracts.ts'

const none: readonly [] = []
/** Gmail shows this much of the HTML, then a link to the rest. */
const CLIP_BYTES = 102 * 1024
/** Gmail ignores style sheets that are longer together. */
const STYLE_BYTES = 16 * 1024

interface Feature {
  readonly isUsed: (mail: LintedMail) => boolean
  readonly message: string
}

const usesTag =
  (...names: readonly string[]): Feature['isUsed'] =>
  ({ tags }) =>
    names.some((name) => tags.has(name))
const usesCss =
  (pattern: RegExp): Feature['isUsed'] =>
  ({ css }) =>
    pattern.test(css)

const FEATURES: readonly Feature[] = [
  {
    isUsed: usesTag('form', 'input', 'button', 'select', 'textarea'),
    message: 'Forms do not work in Outlook and in many other clients. Link to a page.'
  },
  {
    isUsed: usesTag('video', 'audio'),
    message: 'Video and audio play in Apple Mail alone. Link an image to a page.'
  },
  { isUsed: usesTag('iframe', 'object', 'embed'), message: 'Clients remove embedded pages.' },
  { isUsed: usesTag('svg'), message: 'Gmail and Outlook do not show inline SVG. Use PNG or JPEG.' },
  {
    isUsed: ({ tags, shownHtml }) =>
      tags.has('link') && /<link[^>]{1,300}stylesheet/i.test(shownHtml),
    message: 'Gmail ignores linked style sheets. Write styles into the mail.'
  },
  { isUsed: usesCss(/@import\b/i), message: 'Gmail ignores @import.' },
  {
    isUsed: usesCss(/@font-face\b/i),
    message: 'Gmail and Outlook ignore web fonts. Name a system font as well.'
  },
  {
    isUsed: usesCss(/display\s*:\s*(inline-)?(flex|grid)\b/i),
    message: 'Outlook for Windows ignores flex and grid. Use tables for columns.'
  },
  {
    isUsed: usesCss(/position\s*:\s*(absolute|fixed|sticky)\b/i),
    message: 'Gmail and Outlook ignore position.'
  },
  {
    isUsed: usesCss(/background(-image)?\s*:[^;}]{0,500}url\(/i),
    message: 'Outlook for Windows shows no background images. Set a background colour as well.'
  },
  {
    isUsed: ({ images }) => images.some(({ src }) => /\.(webp|avif|svg)(\?|$)/i.test(src)),
    message: 'Outlook for Windows shows neither WebP, AVIF nor SVG. Use PNG, JPEG or GIF.'
  },
  {
    isUsed: ({ images }) => images.some(({ src }) => /^data:/i.test(src)),
    message: 'Gmail shows no images that are written into the HTML. Link to them.'
  }
]

export const clientRules: readonly LintRule[] = [
  {
    id: 'gmail_clip',
    severity: 'info',
    check: ({ html }) => {
      const bytes = Buffer.byteLength(html)
      if (bytes <= CLIP_BYTES) return none
      const size = `${Math.round(bytes / 1024)} KB`
      return [
        {
          facts: { size },
          message: `Gmail clips mails over 102 KB: the HTML has ${size}.`,
          hint: 'Shorten it: what is clipped holds the unsubscribe link.'
        }
      ]
    }
  },
  {
    id: 'gmail_style_limit',
    severity: 'info',
    check: ({ shownHtml: html }) =>
      sheetBytes(html) <= STYLE_BYTES
        ? none
        : [{ message: 'Gmail ignores style sheets of more than 16 KB.' }]
  },
  {
    id: 'dark_mode',
    severity: 'info',
    check: ({ shownHtml, css }) => {
      const hasColours = /(background(-color)?|color)\s*:/i.test(css) || /bgcolor=/i.test(shownHtml)
      const isPrepared =
        /prefers-color-scheme|color-scheme\s*:/i.test(css) ||
        /<meta[^>]{0,200}color-scheme/i.test(shownHtml)
      return !hasColours || isPrepared
        ? none
        : [
            {
              message: 'Colours are set, and the mail does not say how it looks in dark mode.',
              hint: 'Add <meta name="color-scheme" content="light dark"> and test both.'
            }
          ]
    }
  },
  {
    id: 'client_support',
    severity: 'info',
    check: (mail) =>
      FEATURES.filter(({ isUsed }) => isUsed(mail)).map(({ message }) => ({ message }))
  }
]

/** Bytes between `<style` and `</style`, all together. */
function sheetBytes(html: string): number {
  const lower = html.toLowerCase()
  let bytes = 0
  for (let start = lower.indexOf('<style'); start >= 0; ) {
    const end = lower.indexOf('</style', start)
    if (end < 0) return bytes
    bytes += Buffer.byteLength(html.slice(start, end))
    start = lower.indexOf('<style', end)
  }
  return bytes
}

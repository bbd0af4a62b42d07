// The document in which a page shows a mail with its pictures: of an origin of its own, with a policy of its own.
import { hashSource } from '@keelson/ui/server'
import type { RouteOptions } from 'fastify'

/**
 * Draws what its parent sends: `html` without style sheets and scripts, whose inline styles are in
 * `data-mail-style`, and `sheets`. It says `ready` first.
 */
const SCRIPT = `addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.html !== 'string') return
  const parsed = new DOMParser().parseFromString(data.html, 'text/html')
  document.replaceChild(document.importNode(parsed.documentElement, true), document.documentElement)
  for (const one of document.querySelectorAll('[data-mail-style]')) one.style.cssText = one.dataset.mailStyle
  document.adoptedStyleSheets = data.sheets.map((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
})
parent.postMessage('ready', '*')`

/**
 * Nothing but this script runs, whatever is sent, and nothing but pictures is fetched. Any page may frame it:
 * it holds no data, and its sandbox takes the origin of the platform from it, so it reads none.
 */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashSource(SCRIPT)}`,
  "style-src 'unsafe-inline'",
  'img-src http: https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox allow-scripts'
].join('; ')

const DOCUMENT = `<!doctype html><html><head><meta charset="utf-8"><title>Mail</title></head><body><script>${SCRIPT}</script></body></html>`

/** The route. Its address says nothing about a mail. */
export const mailFrameRoute: RouteOptions = {
  method: 'GET',
  url: '/mail-frame',
  handler: async (_request, reply) =>
    reply
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .header('x-robots-tag', 'noindex')
      .header('cache-control', 'public, max-age=3600')
      .type('text/html; charset=utf-8')
      .send(DOCUMENT)
}

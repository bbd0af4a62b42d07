// Rewrites the links of a Markdown file for the site: to pages, and to files that are copied beside them.
import { posix } from 'node:path'
import { addressOf } from './site-pages.mjs'

/** Anchors as GitHub makes them. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/**
 * Where a link of `file` leads on the site, and the file to copy for it. Links to folders without a page lead
 * nowhere on the site: `href` is undefined. Throws for a link to nothing.
 */
export function resolveLink(href, file, { pages, tracked, folders }) {
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(href)) return { href }
  const [path, hash = ''] = href.split('#')
  const target = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '')
  const page = pages.has(target) ? target : [`${target}/README.md`].find((each) => pages.has(each))
  const end = hash === '' ? '' : `#${hash}`
  if (page !== undefined) return { href: `${relative(file, addressOf(page))}${end}`, page, hash }
  if (tracked.has(target)) return { href: relative(file, `files/${target}`), copy: target }
  if (folders.has(target)) return { href: undefined }
  throw new Error(`${file} links to ${href}, which does not exist.`)
}

/** From the address of a page to another address of the site. */
export function relative(file, address) {
  const path = posix.relative(addressOf(file) || '.', address || '.')
  const end = address === '' || address.endsWith('/') ? '/' : ''
  return path === '' ? './' : `${path}${end}`
}

/** Pictures and links that Markdown files write as HTML. */
const IN_HTML = /\b(src|srcset|href)="([^"]+)"/g

/** A rule of markdown-it: `resolve(href)` answers as `resolveLink` does. */
export function rewriteLinks(markdown, resolveOf) {
  markdown.core.ruler.push('site-links', (state) => {
    const resolve = resolveOf(state.env)
    for (const token of state.tokens) {
      if (token.type === 'html_block') token.content = inHtml(token.content, resolve)
      if (token.children !== null) token.children = inline(token.children, resolve)
    }
  })
}

const inHtml = (html, resolve) =>
  html.replace(IN_HTML, (_all, name, href) => `${name}="${resolve(href).href ?? href}"`)

function inline(tokens, resolve) {
  const kept = []
  const open = []
  for (const token of tokens) {
    if (token.type === 'html_inline') token.content = inHtml(token.content, resolve)
    if (token.type === 'image') token.attrSet('src', resolve(token.attrGet('src')).href)
    if (token.type === 'link_open') {
      const { href } = resolve(decodeURI(token.attrGet('href')))
      open.push(href !== undefined)
      if (href !== undefined) token.attrSet('href', href)
    }
    const isKept =
      token.type === 'link_open' ? open.at(-1) : token.type === 'link_close' ? open.pop() : true
    if (isKept) kept.push(token)
  }
  return kept
}

// The document of a shared page, for an iframe: it shows the page with the token behind the # of its address. Pure.
import { escapeHtml, hashSource } from '@keelson/ui/server'
import type { ShellPage } from './page.ts'

/**
 * The page calls the API with the token and never with cookies, and reads its parameters from the address of the
 * frame. It stays there: other pages need a sign-in. The module before this one has defined the element.
 */
const SCRIPT = `const { element, base, prefix } = document.body.dataset
const page = document.createElement(element)
const token = location.hash.slice(1)
page.getToken = () => token
page.setAttribute('api-base', base)
if (prefix) page.setAttribute('api-prefix', prefix)
const show = ({ pathname, searchParams }) => {
  page.route = { path: pathname, sub: '', params: searchParams, hash: '' }
}
page.addEventListener('keelson-navigate', (event) => {
  const url = new URL(event.detail.href, location)
  if (url.pathname === location.pathname) show(url)
  else event.preventDefault()
})
show(new URL(location.href))
document.body.append(page)
`
const STYLE = 'body{margin:0}'

/** Anyone may frame it: without a token it shows nothing, and with one it reads what the token opens. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' ${hashSource(SCRIPT)}`,
    `style-src 'self' ${hashSource(STYLE)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *'
  ].join('; '),
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff'
}

/** What a document differs by. `module` and `apiBase` are addresses of this platform. */
export interface EmbeddedPage extends Pick<ShellPage, 'title' | 'element' | 'apiBase'> {
  readonly module: string
  readonly prefix: string
  readonly locale: string
}

/** The document and its headers. */
export function embedDocument(page: EmbeddedPage) {
  const { title, element, module, apiBase, prefix, locale } = page
  const data = `data-element="${escapeHtml(element)}" data-base="${escapeHtml(apiBase)}" data-prefix="${escapeHtml(prefix)}"`
  const html = `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<script type="module" src="${escapeHtml(module)}"></script>
<script type="module">${SCRIPT}</script>
</head>
<body ${data}></body>
</html>
`
  return { html, headers: HEADERS }
}

// The HTML of the standalone shell and the policy that goes with it: text from data, nothing else.
import { createHash } from 'node:crypto'

/** A page as the shell knows it. */
export interface ShellPage {
  readonly id: string
  readonly title: string
  readonly element: string
  /** Module, relative to the document's base. */
  readonly module: string
  /** Whether the bar names it; the others are reached by links. */
  readonly isListed: boolean
}

export interface DocumentOptions {
  /** The path that the browser sees, without a slash at its end; empty for the root. */
  readonly mountPath: string
  /** Where the browser finds the API: a path, or an absolute address. */
  readonly apiBase: string
  readonly title: string
  readonly pages: readonly ShellPage[]
  /** Bare name → module, relative to the base. */
  readonly imports: Readonly<Record<string, string>>
  readonly script: string
  readonly styles: string
  readonly icon: string
}

export interface ShellDocument {
  readonly html: string
  /** For the header `content-security-policy`. */
  readonly policy: string
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

/** JSON that cannot end the script element that it stands in. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** Origin of an absolute address; undefined for a path. */
function foreignOrigin(address: string): string | undefined {
  return /^https?:\/\//i.test(address) ? new URL(address).origin : undefined
}

/** Everything is referenced relatively: one build works at any mount path. */
export function renderDocument(options: DocumentOptions): ShellDocument {
  const { mountPath, apiBase, title, pages, script, styles, icon } = options
  const imports = Object.entries(options.imports).map(([name, file]) => [name, `./${file}`])
  const importMap = scriptJson({ imports: Object.fromEntries(imports) })
  const hash = createHash('sha256').update(importMap).digest('base64')
  const api = foreignOrigin(apiBase)
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'sha256-${hash}'`,
    `connect-src 'self'${api === undefined ? '' : ` ${api}`}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'"
  ]
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${escapeHtml(mountPath)}/">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${escapeHtml(icon)}">
<link rel="stylesheet" href="${escapeHtml(styles)}">
<script type="application/json" id="dashboard-config">${scriptJson({ mountPath, apiBase, title, pages })}</script>
<script type="importmap">${importMap}</script>
<script type="module" src="${escapeHtml(script)}"></script>
</head>
<body><noscript>${escapeHtml(title)} needs JavaScript.</noscript></body>
</html>
`
  return { html, policy: policy.join('; ') }
}

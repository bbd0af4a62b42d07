// The HTML of the shell's documents. Pure.
import type { UiManifest } from '@keelson/ui'
import { ASSETS, importMap } from './import-map.ts'

export interface DocumentOptions {
  readonly ui: UiManifest
  readonly title: string
  readonly locale: string
  /** Mount of the plugin the document is served for; `/` for the shell's own. */
  readonly mountPath: string
  readonly view: 'shell' | 'sign-in' | 'alone'
  readonly status: number
  /** Title of the page, before the script sets it. */
  readonly page?: string | undefined
  readonly hint?: string | undefined
}

/** The document. Everything in it is a file of this host, named relative to the mount. */
export function htmlDocument(options: DocumentOptions): string {
  const { ui, view } = options
  const element = view === 'sign-in' ? 'keelson-sign-in' : 'keelson-shell'
  const title = [options.page, options.title].filter(Boolean).join(' · ')
  const preload = ui.preload.map((file) => `<link rel="modulepreload" href="${ASSETS}/${file}">`)
  return `<!doctype html>
<html lang="${escapeHtml(options.locale)}">
<head>
<meta charset="utf-8">
<base href="${escapeHtml(withSlash(options.mountPath))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${ASSETS}/${ui.icon}">
<link rel="stylesheet" href="${ASSETS}/${ui.styles}">
<script type="importmap">${importMap(ui)}</script>
${preload.join('\n')}
<script type="module" blocking="render" src="${ASSETS}/${ui.shell}"></script>
<script type="application/json" id="keelson-config">${configBlob(options)}</script>
</head>
<body>
<${element}></${element}>
<noscript>${escapeHtml(options.title)} needs JavaScript.</noscript>
</body>
</html>
`
}

function configBlob(options: DocumentOptions): string {
  const { mountPath, title, view, status, hint } = options
  const apiBase = `${mountPath === '/' ? '' : mountPath}/api`
  // `<` could end the script element; as an escape it is the same JSON.
  return JSON.stringify({ mountPath, apiBase, title, view, status, hint }).replaceAll(
    '<',
    '\\u003c'
  )
}

const withSlash = (mount: string): string => (mount.endsWith('/') ? mount : `${mount}/`)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

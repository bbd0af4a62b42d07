// The HTML of a shell's documents. Pure.
import type { ShellConfig } from '../shell/shell-config.ts'
import type { UiManifest } from '../ui-manifest.ts'
import { escapeHtml, scriptJson } from './html.ts'

/** Where the files are served, below each mount: every document has its mount as base address. */
export const ASSETS = '_assets'

/** The text of the import map. It is the same in every document, and so is its hash. */
export function importMap(ui: UiManifest): string {
  const imports = Object.entries(ui.imports).map(([name, file]) => [name, `./${ASSETS}/${file}`])
  return scriptJson({ imports: Object.fromEntries(imports) })
}

export interface DocumentOptions {
  /** BCP 47. */
  readonly locale: string
  /** What the script reads. `mountPath` is the base of every address in the document. */
  readonly config: ShellConfig
  /** Title of the page, before the script sets it. */
  readonly page?: string | undefined
}

/** Makes documents from the browser files of one build; their part of the text is prepared. */
export function documentTemplate(ui: UiManifest): (options: DocumentOptions) => string {
  const preload = ui.preload.map((file) => `<link rel="modulepreload" href="${ASSETS}/${file}">`)
  const files = `<link rel="icon" type="image/svg+xml" href="${ASSETS}/${ui.icon}">
<link rel="stylesheet" href="${ASSETS}/${ui.styles}">
<script type="importmap">${importMap(ui)}</script>
${preload.join('\n')}
<script type="module" blocking="render" src="${ASSETS}/${ui.shell}"></script>`
  return ({ locale, config, page }) => {
    const { mountPath, title, view } = config
    const element = view === 'sign-in' ? 'keelson-sign-in' : 'keelson-shell'
    return `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head>
<meta charset="utf-8">
<base href="${escapeHtml(withSlash(mountPath))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml([page, title].filter(Boolean).join(' · '))}</title>
${files}
<script type="application/json" id="keelson-config">${scriptJson(config)}</script>
</head>
<body>
<${element}></${element}>
<noscript>${escapeHtml(title)} needs JavaScript.</noscript>
</body>
</html>
`
  }
}

const withSlash = (mount: string): string => (mount.endsWith('/') ? mount : `${mount}/`)

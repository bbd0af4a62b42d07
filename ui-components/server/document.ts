// The HTML of a shell's documents. Pure.
import type { ShellConfig } from '../shell/shell-config.ts'
import type { UiManifest } from '../ui-manifest.ts'
import { escapeHtml, scriptJson } from './html.ts'
import { LANGUAGES, pickLanguage } from './languages.ts'

/** Where the files are served, below each mount: every document has its mount as base address. */
export const ASSETS = '_assets'

/**
 * The text of the import map. It is the same in every document, and so is its hash.
 * `assets` is where the files are. Default: below the mount.
 */
export function importMap(ui: UiManifest, assets = `./${ASSETS}`): string {
  const imports = Object.entries(ui.imports).map(([name, file]) => [name, `${assets}/${file}`])
  return scriptJson({ imports: Object.fromEntries(imports) })
}

/** What differs between documents of one shell. */
export interface DocumentOptions {
  /** BCP 47. */
  readonly locale: string
  /** Of all dates: `UTC` (default), or an IANA name. */
  readonly timeZone?: string | undefined
  /** What the script reads. `mountPath` is the base of every address in the document. */
  readonly config: ShellConfig
  /** Title of the page, before the script sets it. */
  readonly page?: string | undefined
}

/**
 * Makes documents from the browser files of one build; their part of the text is prepared. `assets` is
 * where the files are. Default: below the mount.
 */
export function documentTemplate(
  ui: UiManifest,
  assets?: string
): (options: DocumentOptions) => string {
  const from = assets ?? ASSETS
  const preload = ui.preload.map((file) => `<link rel="modulepreload" href="${from}/${file}">`)
  const files = `<link rel="icon" type="image/svg+xml" href="${from}/${ui.icon}">
<link rel="stylesheet" href="${from}/${ui.styles}">
<script type="importmap">${importMap(ui, assets)}</script>
${preload.join('\n')}
<script type="module" blocking="render" src="${from}/${ui.shell}"></script>`
  return ({ locale, timeZone = 'UTC', config, page }) => {
    const { mountPath, title, view } = config
    const element = view === 'sign-in' ? 'keelson-sign-in' : 'keelson-shell'
    return `<!doctype html>
<html lang="${escapeHtml(locale)}" data-time-zone="${escapeHtml(timeZone)}">
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
<noscript>${escapeHtml(title)} ${NEEDS_SCRIPT[pickLanguage(locale, LANGUAGES) ?? 'en']}</noscript>
</body>
</html>
`
  }
}

const NEEDS_SCRIPT = { de: 'braucht JavaScript.', en: 'needs JavaScript.' }

const withSlash = (mount: string): string => (mount.endsWith('/') ? mount : `${mount}/`)

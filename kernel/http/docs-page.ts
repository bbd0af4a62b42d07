// The page of the API: the OpenAPI document as plain HTML, made on the server, with no script.
import { escapeHtml } from '@keelson/ui/server'
import { below } from '../platform/kernel-addresses.ts'

interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
  }[]
  readonly requestBody?: unknown
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Where the page is, and the document it shows when that is served too. */
export interface DocsAddresses {
  readonly docs: string
  readonly openapi: string | undefined
}

interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

export const DOCS_STYLES = `:root { color-scheme: light dark; --ink: light-dark(#161b26, #e7ebf2); --dim: light-dark(#5b6677, #9aa5b6);
  --hair: light-dark(#dfe3ea, #272f3c); --surface: light-dark(#fff, #161b24); --canvas: light-dark(#f6f7f9, #0f131a); --accent: light-dark(#0b6e8f, #4db6d6) }
* { box-sizing: border-box } body { margin: 0; font: 14px/1.5 ui-sans-serif, system-ui, sans-serif; color: var(--ink); background: var(--canvas) }
main { max-width: 960px; margin: 0 auto; padding: 24px 16px 64px } h1 { font-size: 20px } h2 { font-size: 15px; margin: 28px 0 8px }
a { color: var(--accent) } .dim { color: var(--dim) }
details { background: var(--surface); border: 1px solid var(--hair); border-radius: 6px; margin: 6px 0 } summary { padding: 8px 12px; cursor: pointer; overflow-wrap: anywhere }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px } code { font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace }
.method { display: inline-block; min-width: 58px; font-weight: 650; color: var(--accent); text-transform: uppercase } .more { padding: 0 12px 10px }
form { display: flex; gap: 8px; margin: 16px 0 } input { flex: 1; min-width: 0 } input, button { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--hair); border-radius: 6px; padding: 5px 10px }
input:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px }
table { border-collapse: collapse } td, th { text-align: left; padding: 2px 16px 2px 0; font-weight: 400 } th { color: var(--dim) }`

/** Operations that are shown open when a search finds so few. */
const FEW = 3

/** Renders the operations that a search finds; all without one. Everything that comes from outside is escaped. */
export function docsPage(
  document: OpenApiDocument,
  { docs, openapi }: DocsAddresses,
  search = ''
): string {
  const all = entriesOf(document)
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = all.filter((entry) => words.every((word) => textOf(entry).includes(word)))
  const isOpen = words.length > 0 && found.length <= FEW
  const tags = [...new Set(found.map(tagOf))].sort((a, b) => a.localeCompare(b))
  const body = tags
    .map((tag) => {
      const entries = found.filter((entry) => tagOf(entry) === tag)
      return groupHtml(tag, entries, isOpen)
    })
    .join('\n')
  const { title, version } = document.info
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${escapeHtml(below(docs, '/docs.css'))}"></head>
<body><main><h1>${escapeHtml(title)}</h1>
<p class="dim">Version ${escapeHtml(version)}. ${openapi === undefined ? '' : `For programs: <a href="${escapeHtml(openapi)}">${escapeHtml(openapi)}</a>.`}</p>
${searchHtml(docs, search)}
<p class="dim" role="status">${countText(found.length, all.length, words.length > 0)}</p>
${body}
</main></body></html>
`
}

function searchHtml(docs: string, search: string): string {
  return `<form role="search" action="${escapeHtml(docs)}"><input type="search" name="q" value="${escapeHtml(search)}" aria-label="Search operations" placeholder="Search by path, method or plugin" maxlength="200"><button>Search</button></form>`
}

function countText(found: number, all: number, isSearched: boolean): string {
  if (!isSearched) return `${all} operations`
  return found === 0 ? 'No operations match your search.' : `${found} of ${all} operations`
}

const tagOf = ({ operation }: Entry): string => operation.tags?.[0] ?? 'kernel'

const textOf = (entry: Entry): string =>
  `${entry.method} ${entry.path} ${entry.operation.summary ?? ''} ${tagOf(entry)}`.toLowerCase()

function entriesOf(document: OpenApiDocument): readonly Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined
      return operation === undefined ? [] : [{ method, path, operation }]
    })
  )
}

function groupHtml(tag: string, entries: readonly Entry[], isOpen: boolean): string {
  const list = entries.map((entry) => entryHtml(entry, isOpen)).join('\n')
  return `<section><h2>${escapeHtml(tag)}</h2>\n${list}</section>`
}

function entryHtml({ method, path, operation }: Entry, isOpen: boolean): string {
  const head = `<span class="method">${method}</span> <code>${escapeHtml(path)}</code>`
  return `<details${isOpen ? ' open' : ''}><summary>${head} <span class="dim">${escapeHtml(operation.summary ?? '')}</span></summary>
<div class="more">${parametersHtml(operation)}${responsesHtml(operation)}</div></details>`
}

function parametersHtml({ parameters = [], requestBody }: Operation): string {
  const rows = parameters.map(
    ({ name, in: place, required }) =>
      `<tr><td><code>${escapeHtml(name ?? '')}</code></td><th>${escapeHtml(place ?? '')}${required === true ? ', required' : ''}</th></tr>`
  )
  if (requestBody !== undefined) rows.push('<tr><td><code>body</code></td><th>JSON</th></tr>')
  return rows.length === 0 ? '' : `<table>${rows.join('')}</table>`
}

function responsesHtml({ responses = {} }: Operation): string {
  const rows = Object.entries(responses).map(
    ([status, { description = '' }]) =>
      `<tr><td><code>${escapeHtml(status)}</code></td><th>${escapeHtml(description)}</th></tr>`
  )
  return `<table>${rows.join('')}</table>`
}

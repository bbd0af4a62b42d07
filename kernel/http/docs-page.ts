// The page of the API: the OpenAPI document as plain HTML, made on the server, with no script.
import { escapeHtml } from '@keelson/ui/server'
import { below } from '../platform/kernel-addresses.ts'
import type { ApiContent, ApiOperation } from './api-operations.ts'
import { curlExample } from './curl-example.ts'
import { isSentByLink, tryForm } from './docs-forms.ts'

/** Where the page is, and the document it shows when that is served too. */
export interface DocsAddresses {
  readonly docs: string
  readonly openapi: string | undefined
}

/** What the page shows. */
export interface DocsView {
  readonly search?: string
  /** The key of the only operation that is shown. */
  readonly only?: string
  /** Of the host, for the commands. */
  readonly origin: string
}

export const DOCS_STYLES = `:root { color-scheme: light dark; --ink: light-dark(#161b26, #e7ebf2); --dim: light-dark(#5b6677, #9aa5b6);
  --hair: light-dark(#dfe3ea, #272f3c); --surface: light-dark(#fff, #161b24); --canvas: light-dark(#f6f7f9, #0f131a); --accent: light-dark(#0b6e8f, #4db6d6) }
* { box-sizing: border-box } body { margin: 0; font: 14px/1.5 ui-sans-serif, system-ui, sans-serif; color: var(--ink); background: var(--canvas) }
main { max-width: 960px; margin: 0 auto; padding: 24px 16px 64px } h1 { font-size: 20px } h2 { font-size: 15px; margin: 28px 0 8px }
a { color: var(--accent) } .dim { color: var(--dim) }
details { background: var(--surface); border: 1px solid var(--hair); border-radius: 6px; margin: 6px 0 } summary { padding: 8px 12px; cursor: pointer; overflow-wrap: anywhere }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px } code { font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace }
.method { display: inline-block; min-width: 58px; font-weight: 650; color: var(--accent); text-transform: uppercase } .more { padding: 0 12px 10px }
form { display: flex; gap: 8px; margin: 16px 0 } input { flex: 1; min-width: 0 } input, select, button { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--hair); border-radius: 6px; padding: 5px 10px }
input:focus-visible, select:focus-visible, button:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px }
table { border-collapse: collapse } td, th { text-align: left; padding: 2px 16px 2px 0; font-weight: 400 } th { color: var(--dim) }
.try { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)) } .try label { display: flex; flex-direction: column } .try p { grid-column: 1 / -1; margin: 0 }
pre { margin: 10px 0 0; padding: 10px; overflow-x: auto; background: var(--canvas); border: 1px solid var(--hair); border-radius: 6px; user-select: all } pre + table { margin-top: 10px }`

/** Operations that are shown open, with their examples, when a search finds so few. */
const FEW = 3

/**
 * Renders the operations that a search finds; all without one. Everything that comes from outside is escaped. A
 * closed operation has a link to its example: with all of them the page would be several times as large.
 */
export function docsPage(api: ApiContent, addresses: DocsAddresses, view: DocsView): string {
  const { title, version } = api
  const { docs, openapi } = addresses
  const { search = '', only } = view
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = [...api.operations.values()]
  const found = all.filter(({ key, text }) =>
    only === undefined ? words.every((word) => text.includes(word)) : key === only
  )
  const isNarrowed = only !== undefined || words.length > 0
  const isOpen = isNarrowed && found.length <= FEW
  const entry = (operation: ApiOperation) =>
    isOpen ? openHtml(operation, docs, view.origin) : closedHtml(operation, docs)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${escapeHtml(below(docs, '/docs.css'))}"></head>
<body><main><h1>${escapeHtml(title)}</h1>
<p class="dim">Version ${escapeHtml(version)}. ${openapi === undefined ? '' : `For programs: <a href="${escapeHtml(openapi)}">${escapeHtml(openapi)}</a>.`}</p>
${searchHtml(docs, search)}
<p class="dim" role="status">${countText(found.length, all.length, isNarrowed)}${isNarrowed ? ` <a href="${escapeHtml(docs)}">Show all</a>` : ''}</p>
${groupsHtml(found, entry)}
</main></body></html>
`
}

function searchHtml(docs: string, search: string): string {
  return `<form role="search" action="${escapeHtml(docs)}"><input type="search" name="q" value="${escapeHtml(search)}" aria-label="Search operations" placeholder="Search by path, method or plugin" maxlength="200"><button>Search</button></form>`
}

function countText(found: number, all: number, isNarrowed: boolean): string {
  if (!isNarrowed) return `${all} operations`
  return found === 0 ? 'No operations match your search.' : `${found} of ${all} operations`
}

function groupsHtml(
  operations: readonly ApiOperation[],
  entry: (operation: ApiOperation) => string
): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort((a, b) => a.localeCompare(b))
  return tags
    .map((tag) => {
      const list = operations.filter((one) => one.tag === tag).map(entry)
      return `<section><h2>${escapeHtml(tag)}</h2>\n${list.join('\n')}</section>`
    })
    .join('\n')
}

function closedHtml(operation: ApiOperation, docs: string): string {
  const address = `${docs}?${new URLSearchParams({ op: operation.key })}`
  const text = isSentByLink(operation) ? 'Try it' : 'Example'
  const more = `${parametersHtml(operation)}${responsesHtml(operation)}<a href="${escapeHtml(address)}">${text}</a>`
  return `<details>${partsHtml(operation, more)}</details>`
}

/** A form names the parameters itself. */
function openHtml(operation: ApiOperation, docs: string, origin: string): string {
  const parameters = isSentByLink(operation)
    ? tryForm(operation, below(docs, '/try'))
    : parametersHtml(operation)
  const command = escapeHtml(curlExample(operation, origin))
  const more = `${parameters}<pre tabindex="0" aria-label="curl command"><code>${command}</code></pre>${responsesHtml(operation)}`
  return `<details open>${partsHtml(operation, more)}</details>`
}

function partsHtml({ method, path, summary }: ApiOperation, more: string): string {
  const head = `<span class="method">${method}</span> <code>${escapeHtml(path)}</code>`
  return `<summary>${head} <span class="dim">${escapeHtml(summary)}</span></summary>
<div class="more">${more}</div>`
}

function parametersHtml({ parameters, body }: ApiOperation): string {
  const rows = parameters.map(
    ({ name, place, isRequired }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><th>${escapeHtml(place)}${isRequired ? ', required' : ''}</th></tr>`
  )
  if (body !== undefined)
    rows.push(`<tr><td><code>body</code></td><th>${escapeHtml(body.type)}</th></tr>`)
  return rows.length === 0 ? '' : `<table>${rows.join('')}</table>`
}

function responsesHtml({ responses }: ApiOperation): string {
  const rows = responses.map(
    ([status, description]) =>
      `<tr><td><code>${escapeHtml(status)}</code></td><th>${escapeHtml(description)}</th></tr>`
  )
  return `<table>${rows.join('')}</table>`
}

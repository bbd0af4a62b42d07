// Views of MCP Apps (specification of 2026-01-26): their addresses, their documents, and which tools have one.
import type { McpView, McpViews } from '@keelson/sdk/contracts/mcp-views'
import { READ_VIEW } from './read-view-tool.ts'
import type { ListedResource } from './resources.ts'
import type { ServedTool } from './served-tool.ts'
import { type ViewParts, viewScript } from './view-script.ts'

/** The extension, as capabilities name it. */
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui'
const VIEW_TYPE = 'text/html;profile=mcp-app'

const addressOf = ({ name }: McpView): string => `ui://keelson/${name}`

/** A tool as it is listed, with its view. */
export function withView(listed: ServedTool['listed'], views: McpViews): ServedTool['listed'] {
  const view = views.find(({ tools }) => tools.includes(listed.name))
  return view === undefined
    ? listed
    : { ...listed, _meta: { ui: { resourceUri: addressOf(view) } } }
}

/** The views as resources. */
export const viewResources = (views: McpViews): ListedResource[] =>
  views.map((view) => ({
    uri: addressOf(view),
    name: view.title,
    mimeType: VIEW_TYPE,
    description: `Shows the page ${view.title} beside the answers of ${view.tools.join(', ')}.`
  }))

/** Where the platform is for browsers. */
export interface ViewOrigin {
  readonly origin: string
  /** The prefix of the platform; empty for none. */
  readonly prefix: string
}

/** What a view is read as; undefined for any other address. */
export function readView(uri: string, views: McpViews, { origin, prefix }: ViewOrigin) {
  const view = views.find((one) => addressOf(one) === uri)
  if (view === undefined) return undefined
  const { name, title, element, mount, path, sub, params } = view
  const parts: ViewParts = {
    name,
    title,
    element,
    path,
    tool: READ_VIEW,
    module: `${origin}${prefix}${view.module}`,
    apiBase: `${origin}${mount}`,
    params: params ?? {},
    ...(sub !== undefined && { sub })
  }
  return {
    uri,
    mimeType: VIEW_TYPE,
    text: documentOf(parts),
    // Scripts come from the platform; nothing is asked of it but by the assistant.
    _meta: { ui: { csp: { resourceDomains: [origin] }, prefersBorder: true } }
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const documentOf = (parts: ViewParts): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(parts.title)}</title></head>
<body style="margin:0">
<script type="module">${viewScript(parts)}</script>
</body>
</html>
`

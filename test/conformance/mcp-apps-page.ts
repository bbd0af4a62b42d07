// The page of an assistant, in a browser: MCP's own client and the bridge of `@modelcontextprotocol/ext-apps`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  AppBridge,
  getToolUiResourceUri,
  PostMessageTransport
} from '@modelcontextprotocol/ext-apps/app-bridge'

const ASSISTANT = { name: 'Assistant', version: '1.0.0' }
const READY = 'ui/notifications/sandbox-proxy-ready'

/** What the assistant calls and shows. */
export interface Shown {
  readonly mcp: string
  readonly token: string
  readonly tool: string
  readonly args: Record<string, unknown>
  /** The page of another origin that holds the view. */
  readonly sandbox: string
}

interface Policy {
  readonly csp?: { readonly resourceDomains?: readonly string[] }
}

/** Calls the tool and shows its view; resolves when the view has what the tool was called with. */
async function show({ mcp, token, tool, args, sandbox }: Shown): Promise<void> {
  const client = new Client(ASSISTANT, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit }))
  const { tools } = await client.listTools()
  const listed = tools.find(({ name }) => name === tool)
  const uri = listed && getToolUiResourceUri(listed)
  if (uri === undefined) throw new Error(`${tool} has no view`)
  const result = await client.callTool({ name: tool, arguments: args })
  if (result.isError) throw new Error(JSON.stringify(result.content))
  const [resource] = (await client.readResource({ uri })).contents
  if (resource === undefined || !('text' in resource)) throw new Error(`${uri} has no text`)
  const { csp } = (resource._meta?.['ui'] ?? {}) as Policy
  const frame = await sandboxed(sandbox, csp)
  const hostContext = { theme: 'dark', locale: 'en-US' } as const
  const bridge = new AppBridge(
    client,
    ASSISTANT,
    { openLinks: {}, serverTools: {}, serverResources: {} },
    { hostContext }
  )
  let sizes = 0
  bridge.addEventListener('sizechange', () => {
    sizes += 1
    Object.assign(globalThis, { sizes })
  })
  const started = new Promise<void>((resolve) =>
    bridge.addEventListener('initialized', () => resolve())
  )
  await bridge.connect(new PostMessageTransport(frame, frame))
  await bridge.sendSandboxResourceReady({ html: resource.text, ...(csp && { csp: csp as object }) })
  await started
  await bridge.sendToolInput({ arguments: args })
  await bridge.sendToolResult(result as Parameters<typeof bridge.sendToolResult>[0])
}

/** The frame of another origin, when it listens. */
async function sandboxed(address: string, csp: Policy['csp']): Promise<Window> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  frame.style.cssText = 'width: 1000px; height: 800px'
  const ready = new Promise<void>((resolve) =>
    addEventListener('message', ({ data }) => {
      if (data?.method === READY) resolve()
    })
  )
  frame.src = `${address}?csp=${encodeURIComponent(JSON.stringify(csp ?? {}))}`
  document.body.append(frame)
  await ready
  return frame.contentWindow as Window
}

Object.assign(globalThis, { show })

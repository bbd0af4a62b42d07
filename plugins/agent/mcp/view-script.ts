// Runs in the assistant's frame: shows the embedded page, and asks the assistant for what the page reads.

/** What the script shows, and where it comes from. */
export interface ViewParts {
  readonly name: string
  readonly title: string
  readonly element: string
  readonly module: string
  readonly apiBase: string
  readonly path: string
  readonly sub?: string
  readonly params: Readonly<Record<string, string>>
  /** The tool that reads for the page. */
  readonly tool: string
}

type Values = Readonly<Record<string, unknown>>

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Values
  readonly result?: Values
  readonly error?: { readonly message?: string }
}

interface Channel {
  ask(method: string, params: object): Promise<Values>
  tell(method: string, params: object): void
  on(method: string, heard: (params: Values) => void): void
}

/** JSON-RPC with the assistant, by messages between frames. */
function openChannel(): Channel {
  const waiting = new Map<number, (answer: Message) => void>()
  const listeners = new Map<string, (params: Values) => void>()
  let last = 0
  const send = (message: object) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
    if (source !== parent) return
    const { id, method, params = {} } = data
    if (method === undefined) waiting.get(id ?? 0)?.(data)
    else if (id === undefined) listeners.get(method)?.(params)
    // `ping` and `ui/resource-teardown`: there is nothing to save.
    else send({ id, result: {} })
  })
  return {
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        last += 1
        const id = last
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id)
          if (result === undefined) reject(new Error(error?.message ?? 'refused'))
          else resolve(result)
        })
        send({ id, method, params })
      }),
    tell: (method, params) => send({ method, params }),
    on: (method, heard) => listeners.set(method, heard)
  }
}

/** `fetch` of the page: each call of the platform's API is one of the tool that reads. */
function fetchBy({ ask }: Channel, { name, tool, apiBase }: ViewParts): typeof fetch {
  const platform = new URL(`${apiBase}/`).origin
  return async (input, init) => {
    const request = new Request(input, init)
    const { origin, pathname, search } = new URL(request.url)
    if (origin !== platform) throw new TypeError(`no connection to ${origin}`)
    const text = await request.text()
    const call = { view: name, method: request.method, path: pathname + search }
    const { structuredContent } = await ask('tools/call', {
      name: tool,
      arguments: text === '' ? call : { ...call, body: JSON.parse(text) }
    })
    const { status, body, nextCursor } = (structuredContent ?? { status: 502 }) as {
      readonly status: number
      readonly body?: unknown
      readonly nextCursor?: string
    }
    const headers = new Headers({ 'content-type': 'application/json' })
    if (nextCursor !== undefined) headers.set('x-next-cursor', nextCursor)
    return new Response(JSON.stringify(body ?? null), { status, headers })
  }
}

/** Makes the page; `show` sets its address. */
function openPage({ element, apiBase, path, sub, params }: ViewParts, { ask }: Channel) {
  const page = document.createElement(element) as HTMLElement & { route?: object }
  const show = (rest: string, query: URLSearchParams) => {
    page.route = { path, sub: rest, params: query, hash: '' }
    if (!page.isConnected) document.body.append(page)
  }
  page.setAttribute('api-base', apiBase)
  page.addEventListener('keelson-navigate', (event) => {
    event.preventDefault()
    const { href } = (event as CustomEvent<{ readonly href: string }>).detail
    const url = new URL(href, `${apiBase}/`)
    const isHere = `${url.pathname}/`.startsWith(`${path}/`)
    if (isHere) show(url.pathname.slice(path.length), url.searchParams)
    else ask('ui/open-link', { url: url.href }).catch(() => undefined)
  })
  return {
    showCall(args: Values) {
      const query = new URLSearchParams()
      for (const [argument, param] of Object.entries(params)) {
        if (args[argument] !== undefined) query.set(param, String(args[argument]))
      }
      const one = sub === undefined ? undefined : args[sub]
      show(one === undefined ? '' : `/${encodeURIComponent(String(one))}`, query)
    },
    dress({ theme, locale }: Values) {
      if (typeof locale === 'string') page.setAttribute('locale', locale)
      if (typeof theme !== 'string') return
      page.setAttribute('color-scheme', theme)
      document.documentElement.style.colorScheme = theme
    }
  }
}

async function startView(parts: ViewParts): Promise<void> {
  const channel = openChannel()
  globalThis.fetch = fetchBy(channel, parts)
  await import(parts.module)
  const page = openPage(parts, channel)
  channel.on('ui/notifications/tool-input', (params) =>
    page.showCall((params['arguments'] ?? {}) as Values)
  )
  channel.on('ui/notifications/host-context-changed', page.dress)
  const { hostContext } = await channel.ask('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: parts.name, title: parts.title, version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] }
  })
  page.dress((hostContext ?? {}) as Values)
  channel.tell('ui/notifications/initialized', {})
  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement
    channel.tell('ui/notifications/size-changed', { width, height })
  }).observe(document.body)
}

/** The source text that a frame runs: the functions use nothing but each other. */
export const viewScript = (parts: ViewParts): string => {
  const functions = [openChannel, fetchBy, openPage, startView].map(String).join('\n')
  return `${functions}\nstartView(${JSON.stringify(parts).replaceAll('<', '\\u003c')})`
}

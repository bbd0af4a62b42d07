// The demo as the traffic drives it: signed in as its administrator, over HTTP, with a time that can be moved.

/** What the demo answered. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any route, of which the caller knows the shape
  readonly body: any
  /** Where a redirect leads. */
  readonly location: string | undefined
}

/** A demo that runs. */
export interface Platform {
  readonly url: string
  /** Calls as the administrator. @throws when the answer is neither a success nor one of `expected` */
  call(method: string, path: string, body?: unknown, expected?: readonly number[]): Promise<Answer>
  /** Takes the time of the demo there, and waits until it has done what is due; null: back to now. */
  moveTo(at: Date | null): Promise<void>
}

/** Drives a demo with the cookie of its administrator. */
export function openPlatform(url: string, cookie: string): Platform {
  const cookies = new Map([cookie.split('=', 2) as [string, string]])
  const call: Platform['call'] = async (method, path, body, expected = []) => {
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: url,
      // After a change of the settings a kept connection may lead to the process that ends, whose clock is its own.
      connection: 'close',
      ...(body !== undefined && { 'content-type': JSON_TYPE })
    }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await fetch(`${url}${path}`, { method, headers, redirect: 'manual', ...sent })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const text = await reply.text()
    if (reply.status >= 400 && !expected.includes(reply.status)) {
      throw new Error(`${method} ${path} answered ${reply.status}: ${text.slice(0, 300)}`)
    }
    const location = reply.headers.get('location') ?? undefined
    return { status: reply.status, body: parsed(text), location }
  }
  return {
    url,
    call,
    async moveTo(at) {
      await call('PUT', '/demo/clock', { at: at?.toISOString() ?? null })
    }
  }
}

const JSON_TYPE = 'application/json'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// What the messages of a request ask for, before a server answers them. Pure.
import type { ServedTool, Tools } from './served-tool.ts'

/** A message as far as the server must look into it before it answers. */
interface Message {
  readonly method?: unknown
  readonly params?: {
    readonly name?: unknown
    readonly uri?: unknown
    readonly _meta?: { readonly progressToken?: unknown }
  }
}

const messagesOf = (body: unknown) =>
  (Array.isArray(body) ? body : [body]).map((message) => (message ?? {}) as Message)

function calledTool({ method, params }: Message, tools: Tools): ServedTool | undefined {
  const name = method === 'tools/call' ? params?.name : undefined
  return typeof name === 'string' ? tools.get(name) : undefined
}

/** Views are the same for everyone: what they show is asked for with a token. */
const isMailRead = ({ method, params }: Message): boolean =>
  method === 'resources/read' && !String(params?.uri).startsWith('ui://')

/** The scopes that a request's messages need. A tool that is unknown needs a token only. */
export function scopesOfMessages(body: unknown, tools: Tools): readonly string[] {
  const needed = messagesOf(body).flatMap((message) =>
    isMailRead(message) ? ['mail:read'] : (calledTool(message, tools)?.scopes ?? [])
  )
  return [...new Set(needed)]
}

/** Whether a client waits for progress: then the answer is a stream of events. */
export const wantsProgress = (body: unknown, tools: Tools): boolean =>
  messagesOf(body).some(
    (message) =>
      message.params?._meta?.progressToken !== undefined && calledTool(message, tools)?.isLong
  )

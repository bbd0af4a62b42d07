// The one legacy query that is answered: the handshake. It becomes an ordinary command.
import { Int32 } from 'bson'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import { isDoc } from '../bson/value.ts'
import { ERROR_CODES } from '../errors.ts'
import type { CommandMessage, QueryMessage } from '../wire/message.ts'

const HANDSHAKES: ReadonlySet<string> = new Set(['hello', 'isMaster', 'ismaster'])

/** The handshake as a command; `undefined` for any other query, and for bytes that are not a document. */
export function asHandshake(
  { requestId, namespace, query }: QueryMessage,
  decode: (bytes: Uint8Array) => Doc
): CommandMessage | undefined {
  if (!namespace.endsWith('.$cmd')) return undefined
  let body: Doc
  try {
    body = decode(query)
  } catch {
    return undefined
  }
  const inner = body.get('$query') ?? body.get('query')
  const command: Doc = new Map(isDoc(inner) ? inner : body)
  const [name] = command.keys()
  if (name === undefined || !HANDSHAKES.has(name)) return undefined
  command.set('$db', namespace.slice(0, -'.$cmd'.length))
  return {
    kind: 'command',
    requestId,
    body: encodeDoc(command),
    sequences: new Map(),
    moreToCome: false
  }
}

/** The answer to any other legacy query. */
export function unsupportedQuery(namespace: string): Uint8Array {
  const fields: Doc = new Map()
  fields.set('ok', new Int32(0))
  fields.set('errmsg', `Unsupported OP_QUERY on ${namespace}; use OP_MSG`)
  fields.set('code', new Int32(ERROR_CODES.UnsupportedOpQueryCommand))
  fields.set('codeName', 'UnsupportedOpQueryCommand')
  return encodeDoc(fields)
}

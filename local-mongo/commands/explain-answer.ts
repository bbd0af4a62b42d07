// What an explained command answers: the engine's plan, and who made it.
import { hostname } from 'node:os'
import { Int32 } from 'bson'
import type { Doc } from '../bson/value.ts'
import { MODULE, VERSION } from './build-info.ts'
import type { Answer, Call } from './command.ts'

/** The answer to an explained command. */
export function explainAnswer({ body }: Pick<Call, 'body'>, explained: Doc): Answer {
  const fields: Doc = new Map(explained)
  fields.set('command', withoutGeneric(body))
  const server: Doc = new Map()
  server.set('host', hostname())
  server.set('port', new Int32(0))
  server.set('version', VERSION)
  server.set('gitVersion', MODULE)
  fields.set('serverInfo', server)
  return { fields }
}

/** The explained command itself, without its session and the like. */
function withoutGeneric(body: Doc): Doc {
  const inner = body.get('explain')
  const command = inner instanceof Map ? inner : body
  return new Map([...command].filter(([name]) => name !== 'lsid' && !name.startsWith('$')))
}

// The explain command: reads the command inside it as that command would, and asks for its plan.
import type { Doc, Value } from '../bson/value.ts'
import type { ExplainRequest, Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'
import { readAggregate } from './aggregate.ts'
import type { Command } from './command.ts'
import { explainAnswer } from './explain-answer.ts'
import { document, oneOf, readCommand } from './fields.ts'
import type { Asked } from './find.ts'
import { readCount, readDistinct, readFind } from './find.ts'
import { readFindAndModify } from './find-and-modify.ts'
import { namespaceOf } from './namespace.ts'
import { readDeletes, readUpdates } from './write.ts'

interface Explained {
  readonly namespace: Namespace
  readonly request: ExplainRequest
}

/** The commands that can be explained, by each of their names. */
const READERS: ReadonlyMap<string, (asked: Asked) => ExplainRequest> = new Map([
  ['find', (asked) => ({ command: 'find', request: readFind(asked).request })],
  ['count', (asked) => ({ command: 'count', request: readCount(asked) })],
  ['distinct', (asked) => ({ command: 'distinct', request: readDistinct(asked) })],
  ['findAndModify', explainFindAndModify],
  ['findandmodify', explainFindAndModify],
  [
    'update',
    (asked) => ({ command: 'update', request: single(readUpdates(asked).updates, 'update') })
  ],
  [
    'delete',
    (asked) => ({ command: 'delete', request: single(readDeletes(asked).deletes, 'delete') })
  ]
])

function explainFindAndModify(asked: Asked): ExplainRequest {
  return { command: 'findAndModify', request: readFindAndModify(asked) }
}

function single<T>(statements: readonly T[], name: string): T {
  const [only, second] = statements
  if (only !== undefined && second === undefined) return only
  throw commandError('InvalidOptions', `explained write batches of ${name} must be of size 1`)
}

const EXPLAIN = { verbosity: oneOf('queryPlanner', 'executionStats', 'allPlansExecution') }

const explain: Command = {
  name: 'explain',
  endsWithClient: true,
  isStable: true,
  async run(call) {
    const { verbosity = 'allPlansExecution' } = readCommand(call, EXPLAIN)
    const { namespace, request } = readExplained(
      document.read(call.body.get(call.name) as Value, 'explain'),
      call.db
    )
    const { engine } = call.services
    const explained = await engine.explain(namespace, request, verbosity, call.context)
    return explainAnswer(call, explained)
  }
}

function readExplained(body: Doc, db: string): Explained {
  const [name] = body.keys()
  const asked: Asked = { name: name ?? '', body, db }
  if (name === 'aggregate') {
    const { namespace, request } = readAggregate(asked)
    return { namespace, request: { command: 'aggregate', request } }
  }
  const reader = READERS.get(asked.name)
  if (!reader) {
    throw commandError('CommandNotFound', `Explain failed due to unknown command: ${asked.name}`)
  }
  return { namespace: namespaceOf(asked), request: reader(asked) }
}

export const EXPLAIN_COMMANDS: readonly Command[] = [explain]

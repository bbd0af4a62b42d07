// The program of a thread that reads report files, one at a time.
import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { KeelsonError } from '@keelson/sdk'
import type { AggregateRecord } from '../aggregate/report.ts'
import type { FromReader, ToReader } from './messages.ts'
import { readFile } from './read-file.ts'

if (parentPort) serve(parentPort)

function serve(port: MessagePort): void {
  port.on('message', (asked: ToReader) => {
    if (asked.type === 'next') return
    void answer(port, asked).then((message) => port.postMessage(message))
  })
}

async function answer(
  port: MessagePort,
  asked: Exclude<ToReader, { readonly type: 'next' }>
): Promise<FromReader> {
  try {
    if (asked.type === 'read') return { type: 'read', reading: await readFile(asked.file) }
    const { index, batch } = asked
    const take = async (records: readonly AggregateRecord[]) => {
      const next = once(port, 'message')
      port.postMessage({ type: 'batch', records } satisfies FromReader)
      await next
    }
    await readFile(asked.file, { wanted: { index, batch, take } })
    return { type: 'end' }
  } catch (error) {
    if (KeelsonError.is(error)) return { type: 'failed', code: error.code, details: error.details }
    const problem = error instanceof Error ? error.message : String(error)
    return { type: 'failed', code: 'DMR_READING', details: { name: asked.file.filename, problem } }
  }
}

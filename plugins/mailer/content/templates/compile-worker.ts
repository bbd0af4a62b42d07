// The program of a thread that compiles bodies of templates, one after another.
import { parentPort } from 'node:worker_threads'
import { type BodyOutcome, type BodyRequest, compileBody } from './compile-body.ts'

parentPort?.on('message', (request: BodyRequest) => {
  void outcomeOf(request).then((outcome) => parentPort?.postMessage(outcome))
})

// Its modules are loaded: what it takes from here on is the template's time.
parentPort?.postMessage('ready')

async function outcomeOf(request: BodyRequest): Promise<BodyOutcome> {
  try {
    return await compileBody(request)
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

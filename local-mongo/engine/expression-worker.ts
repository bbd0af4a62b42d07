// The program of a thread that evaluates long expressions, one after another.
import { parentPort } from 'node:worker_threads'
import { answerRequest } from '../aggregate/answer-request.ts'
import { stopClock } from '../expressions/turn-clock.ts'

stopClock()
parentPort?.on('message', (request: Uint8Array) => {
  const outcome = answerRequest(request)
  parentPort?.postMessage(outcome, outcome.value ? [outcome.value.buffer as ArrayBuffer] : [])
})

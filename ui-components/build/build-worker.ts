// A worker thread of the build: takes one task after another and answers each.
import { parentPort } from 'node:worker_threads'
import type { BuildAnswer, BuildTask } from './build-all.ts'
import { buildPage } from './pages.ts'
import { buildUi } from './ui.ts'

parentPort?.on('message', (task: BuildTask) => {
  answer(task).then((message) => parentPort?.postMessage(message))
})

async function answer(task: BuildTask): Promise<BuildAnswer> {
  try {
    if (task.kind === 'ui') await buildUi()
    else await buildPage(task)
    return {}
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

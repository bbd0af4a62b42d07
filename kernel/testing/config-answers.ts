// What a host answers to a mistake in its config: it is started on what the mistake says.
import { join } from 'node:path'
import { Type } from '@keelson/sdk'
import Fastify from 'fastify'
import { writeFiles } from '../cli/testing/platform-folder.ts'
import { connectStorage, createKernel } from '../index.ts'
import type { ConfigMistake } from './config-mistakes.ts'
import { fakeSeams, samplePlugin } from './fake-host.ts'
import { sampleRoute } from './sample-manifest.ts'

/** What people read. */
export interface Answer {
  readonly code: string
  readonly message: string
  readonly remedy: string
}

const keepDays = Type.Optional(Type.Integer({ minimum: 1 }))
const token = Type.String({ secret: true })

const SAMPLES = {
  alpha: () =>
    samplePlugin(
      'alpha',
      { routes: [sampleRoute('GET', '/ping')] },
      { config: Type.Object({ keepDays, token: Type.Optional(token) }) }
    ),
  orders: () => samplePlugin('orders', { routes: [sampleRoute('GET', '/ping')] }),
  needy: () => samplePlugin('needy', { requires: { alpha: '^2.0.0' } }),
  sender: () => samplePlugin('sender', { uses: ['mailer.core/v1'] }),
  locked: () => samplePlugin('locked', {}, { config: Type.Object({ token }) })
}

/** Writes the files of a mistake to an empty folder and starts a host there; undefined when it starts. */
export async function answerToConfig(
  folder: string,
  mistake: ConfigMistake
): Promise<Answer | undefined> {
  const { config = {}, file = 'keelson.config.json', files = {}, env = {} } = mistake
  await writeFiles(folder, { [file]: config, ...files })
  const ids = (mistake.plugins ?? ['alpha']) as readonly (keyof typeof SAMPLES)[]
  const options = {
    config: join(folder, file),
    plugins: ids.map((id) => SAMPLES[id]()),
    ...mistake.options
  }
  const connect = config instanceof Object && 'storage' in config ? connectStorage : undefined
  const seams = { ...fakeSeams(), env, ...(connect !== undefined && { connect }) }
  const app = Fastify()
  try {
    app.register(createKernel(options as object, seams))
    await app.ready()
    return undefined
  } catch (error) {
    return error as Answer
  } finally {
    await app.close()
  }
}

// The web client as a page loads it: one minified module.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const INPUT = fileURLToPath(new URL('../clients/web/index.js', import.meta.url))

export async function webBundle(): Promise<string> {
  const bundle = await rolldown({ input: INPUT, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  await bundle.close()
  return output[0].code
}

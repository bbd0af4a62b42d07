// The web client as a page loads it: one minified module.
import { fileURLToPath } from 'node:url'
import { minify } from 'oxc-minify'
import { rollup } from 'rollup'

const INPUT = fileURLToPath(new URL('../clients/web/index.js', import.meta.url))

export async function webBundle(): Promise<string> {
  const bundle = await rollup({ input: INPUT })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  const { code } = await minify('web.js', output[0].code, { module: true })
  return code
}

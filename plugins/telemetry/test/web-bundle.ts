// The web client as a page loads it: one minified module.
import { fileURLToPath } from 'node:url'
import terser from '@rollup/plugin-terser'
import { rollup } from 'rollup'

// The types say the function is the module; it is its default export.
const minify = terser as unknown as typeof terser.default
const INPUT = fileURLToPath(new URL('../clients/web/index.js', import.meta.url))

export async function webBundle(): Promise<string> {
  const bundle = await rollup({ input: INPUT, plugins: [minify({ module: true, ecma: 2020 })] })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output[0].code
}

// Compiles, bundles and serves this admin UI on its own origin: PORT (4005), KEELSON_URL (http://127.0.0.1:3000).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { compile } from 'svelte/compiler'

const keelson = process.env['KEELSON_URL'] ?? 'http://127.0.0.1:3000'
const svelte = {
  name: 'svelte',
  transform: {
    filter: { id: /\.svelte$/ },
    handler: (source, filename) => compile(source, { filename, css: 'injected' }).js
  }
}
const bundle = await rolldown({
  input: fileURLToPath(new URL('admin.js', import.meta.url)),
  platform: 'browser',
  plugins: [svelte]
})
const { output } = await bundle.generate({ format: 'es' })
const html = readFileSync(new URL('index.html', import.meta.url), 'utf8')
const page = { type: 'text/html', text: html.replaceAll('KEELSON', keelson) }
const script = { type: 'text/javascript', text: output[0].code }

const server = createServer((request, response) => {
  const { type, text } = request.url === '/admin.js' ? script : page
  response.setHeader('content-type', `${type}; charset=utf-8`)
  response.end(text)
})
server.listen(Number(process.env['PORT'] ?? 4005), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})

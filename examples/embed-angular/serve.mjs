// Bundles and serves this admin UI on its own origin: PORT (4004), KEELSON_URL (http://127.0.0.1:3000).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const keelson = process.env['KEELSON_URL'] ?? 'http://127.0.0.1:3000'
const bundle = await rolldown({
  input: fileURLToPath(new URL('admin.ts', import.meta.url)),
  platform: 'browser',
  transform: { decorator: { legacy: true } }
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
server.listen(Number(process.env['PORT'] ?? 4004), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})

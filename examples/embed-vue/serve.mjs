// Serves this admin UI on its own origin: PORT (4003), KEELSON_URL (http://127.0.0.1:3000).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const keelson = process.env['KEELSON_URL'] ?? 'http://127.0.0.1:3000'
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const vue = createRequire(import.meta.url).resolve('vue/dist/vue.esm-browser.prod.js')
const files = new Map([
  ['/admin.js', { type: 'text/javascript', text: read('admin.js') }],
  ['/vue.js', { type: 'text/javascript', text: readFileSync(vue, 'utf8') }]
])
const page = { type: 'text/html', text: read('index.html').replaceAll('KEELSON', keelson) }

const server = createServer((request, response) => {
  const { type, text } = files.get(new URL(request.url, 'http://admin').pathname) ?? page
  response.setHeader('content-type', `${type}; charset=utf-8`)
  response.end(text)
})
server.listen(Number(process.env['PORT'] ?? 4003), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})

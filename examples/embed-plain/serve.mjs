// Serves this admin UI on its own origin: PORT (4001), KEELSON_URL (http://127.0.0.1:3000).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const keelson = process.env['KEELSON_URL'] ?? 'http://127.0.0.1:3000'
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const files = new Map([
  ['/admin.js', { type: 'text/javascript', text: read('admin.js') }],
  ['/admin.css', { type: 'text/css', text: read('admin.css') }]
])
const page = { type: 'text/html', text: read('index.html').replaceAll('KEELSON', keelson) }

const server = createServer((request, response) => {
  const { type, text } = files.get(new URL(request.url, 'http://admin').pathname) ?? page
  response.setHeader('content-type', `${type}; charset=utf-8`)
  response.end(text)
})
server.listen(Number(process.env['PORT'] ?? 4001), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})

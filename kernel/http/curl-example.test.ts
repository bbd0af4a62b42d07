// curl commands of operations, read by a real shell.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { test } from 'tap'
import { readApi } from './api-operations.ts'
import { curlExample, shellQuoted } from './curl-example.ts'

/** The arguments that a shell passes on. */
function argumentsOf(command: string): readonly string[] {
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`])
  return printed.toString().split('\0').slice(0, -1)
}

const ORIGIN = 'https://a.example'
const object = (properties: object) => ({ type: 'object', properties })

const { operations } = readApi({
  info: { title: 'A', version: '1' },
  components: {
    securitySchemes: {
      viewer: { type: 'apiKey', in: 'cookie' },
      machine: { type: 'http' }
    }
  },
  paths: {
    '/p/items/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true },
          { name: 'of', in: 'query', required: true },
          { name: 'limit', in: 'query' }
        ]
      },
      put: {
        security: [{ viewer: [] }],
        requestBody: {
          content: {
            'application/json': { schema: object({ name: { const: "Ann's" } }) }
          }
        }
      }
    },
    '/token': {
      post: {
        security: [{ machine: [] }],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': { schema: object({ scope: { const: 'a b' } }) }
          }
        }
      }
    }
  }
})

function command(key: string): readonly string[] {
  const operation = operations.get(key)
  if (operation === undefined) throw new Error(key)
  return argumentsOf(curlExample(operation, ORIGIN))
}

test('quoted text reaches the command as it is', async (t) => {
  const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0'))
  const shellText = fc.string({ unit: fc.constantFrom(...`'"\\$\`\n !*~{};&|<>#ab`) })
  fc.assert(
    fc.property(fc.array(fc.oneof(text, shellText), { minLength: 1 }), (texts) => {
      const read = argumentsOf(`curl ${texts.map(shellQuoted).join(' ')}`)
      if (JSON.stringify(read) !== JSON.stringify(texts)) throw new Error(JSON.stringify(texts))
    }),
    { numRuns: 40 }
  )
  t.end()
})

test('a read names its placeholders and needs no options', async (t) => {
  t.same(command('get /p/items/{id}'), [`${ORIGIN}/p/items/{id}?of={of}`])
})

test('a change by a session has its cookie, the origin of the host and an example body', async (t) => {
  const [address, ...options] = command('put /p/items/{id}')
  t.equal(address, `${ORIGIN}/p/items/{id}`)
  t.same(options, [
    ...['-X', 'PUT', '-H', 'cookie: SESSION_COOKIE', '-H', `origin: ${ORIGIN}`],
    ...['-H', 'content-type: application/json', '-d', JSON.stringify({ name: "Ann's" }, null, 2)]
  ])
})

test('other callers send a token, and forms are encoded', async (t) => {
  t.same(command('post /token').slice(1), [
    ...['-X', 'POST', '-H', 'authorization: Bearer TOKEN'],
    ...['-H', 'content-type: application/x-www-form-urlencoded', '-d', 'scope=a+b']
  ])
})

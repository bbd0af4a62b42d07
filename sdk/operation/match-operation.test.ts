// Which operation an address means.
import { test } from 'tap'
import { operationMatcher } from './match-operation.ts'
import type { BoundOperation } from './operation.ts'

const at = (method: string, path: string, base?: string) =>
  ({ operation: { id: path, method, path, base }, host: undefined }) as unknown as BoundOperation

const match = operationMatcher(
  [
    at('GET', '/flows/:id'),
    at('GET', '/flows/new'),
    at('PUT', '/flows/:id'),
    at('GET', '/flows/:id/runs/:run'),
    at('GET', '/rules', '/alerts')
  ],
  '/mailer'
)
const found = (method: string, path: string) => {
  const { bound, params } = match(method, path) ?? {}
  return bound && [bound.operation.method, bound.operation.path, params]
}

test('an address means the operation of its method, with decoded parameters', async (t) => {
  t.same(found('PUT', '/mailer/flows/a%20b'), ['PUT', '/flows/:id', { id: 'a b' }])
  t.same(found('GET', '/mailer/flows/a/runs/7'), [
    'GET',
    '/flows/:id/runs/:run',
    { id: 'a', run: '7' }
  ])
})

test('a word comes before a parameter, whatever the order of operations', async (t) => {
  t.same(found('GET', '/mailer/flows/new'), ['GET', '/flows/new', {}])
  t.same(found('GET', '/mailer/flows/news'), ['GET', '/flows/:id', { id: 'news' }])
})

test('an operation with its own base is found below that base', async (t) => {
  t.same(found('GET', '/alerts/rules'), ['GET', '/rules', {}])
  t.equal(found('GET', '/mailer/rules'), undefined)
})

test('other addresses mean none', async (t) => {
  const others = ['/mailer/flows', '/mailer/flows/', '/mailer/flows/a/', '/flows/a', '', '/']
  for (const path of [...others, '/mailer/flows/%E0%A4%A', '/mailer/flows/a/runs']) {
    t.equal(match('GET', path), undefined, path)
  }
  t.equal(match('DELETE', '/mailer/flows/a'), undefined)
  t.equal(match('get', '/mailer/flows/a'), undefined)
})

// The OpenAPI document of routes.
import { test } from 'tap'
import { Type } from '../typebox.ts'
import { operation } from './define-operation.ts'
import { type DescribedRoute, describedOperation, openApiDocument } from './openapi-document.ts'

const FACTS = { title: 'Shop', version: '1.0.0' }

const route = (facts: Partial<DescribedRoute>): DescribedRoute => ({
  operationId: 'shop.one',
  method: 'POST',
  path: '/orders/:id',
  summary: 'One order',
  answers: { 200: { description: 'Success.' } },
  ...facts
})

interface Printed {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>
}

function printed(facts: Partial<DescribedRoute>): Readonly<Record<string, unknown>> {
  const [[path, methods] = []] = Object.entries(
    (openApiDocument(FACTS, [route(facts)]) as Printed).paths
  )
  return { path, ...Object.values(methods ?? {})[0] }
}

test('each part of a path is a parameter, described or not', (t) => {
  const id = Type.String({ description: 'The order.', maxLength: 9 })
  const { path, parameters } = printed({
    path: '/orders/:id/:line/*',
    params: Type.Object({ id })
  }) as { path: string; parameters: unknown }
  t.equal(path, '/orders/{id}/{line}/{*}')
  t.match(parameters, [
    { name: 'id', in: 'path', required: true, description: 'The order.', schema: { maxLength: 9 } },
    { name: 'line', in: 'path', required: true, schema: { type: 'string' } },
    { name: '*', in: 'path', required: true }
  ])
  t.end()
})

test('fields of a query and of headers are parameters', (t) => {
  const query = Type.Object({ limit: Type.Optional(Type.Integer()), day: Type.String() })
  const headers = Type.Object({ 'x-shop': Type.String() })
  t.match(printed({ path: '/', query, headers }), {
    parameters: [
      { name: 'limit', in: 'query', required: false },
      { name: 'day', in: 'query', required: true },
      { name: 'x-shop', in: 'header', required: true }
    ]
  })
  t.end()
})

test('a body names its content types, and is required when one of its fields is', (t) => {
  const body = Type.Object({ name: Type.String() })
  const form = 'application/x-www-form-urlencoded'
  t.match(printed({ body, bodyTypes: [form] }), {
    requestBody: { required: true, content: { [form]: { schema: { type: 'object' } } } }
  })
  t.notOk('required' in (printed({ body: Type.Object({}) })['requestBody'] as object))
  t.notOk('requestBody' in printed({ method: 'GET', body }))
  t.end()
})

test('an answer without a schema, or of null, has no content', (t) => {
  const answers = {
    200: { description: 'Success.', schema: Type.Object({}) },
    204: { description: 'Success.', schema: Type.Null() },
    '4xx': { description: 'Error.' }
  }
  t.match(printed({ answers }), {
    responses: {
      200: { content: { 'application/json': {} } },
      204: { content: undefined },
      '4XX': { description: 'Error.', content: undefined }
    }
  })
  t.end()
})

test('an operation says what it needs and how it is refused', (t) => {
  const read = operation({
    id: 'shop.read',
    method: 'GET',
    path: '/orders/:id',
    summary: 'One order',
    access: { auth: 'bearer', scopes: ['shop:read'] },
    effect: 'read',
    params: Type.Object({ id: Type.String() }),
    answer: Type.Object({ id: Type.String() }),
    errors: {
      not_found: { status: 404, message: 'The order is unknown.', fix: 'Check the id.' },
      gone: { status: 404, message: 'The order was deleted.', fix: 'Read the list.' }
    },
    run: async () => ({ id: '1' })
  })
  const said = { security: 'token', refusals: {} }
  t.match(printed(describedOperation(read, said)), {
    operationId: 'shop.read',
    description: 'Scopes: shop:read.',
    security: [{ token: [] }],
    responses: {
      200: { description: 'Success.' },
      400: { description: 'validation_failed: The request is invalid.' },
      404: { description: 'not_found: The order is unknown. gone: The order was deleted.' }
    }
  })
  t.end()
})

// Titled schemas of an OpenAPI document are kept once.
import { test } from 'tap'
import { sharedSchemas } from './shared-schemas.ts'

const person = { title: 'Person', type: 'object', properties: { name: { type: 'string' } } }
const answer = (schema: object) => ({ content: { 'application/json': { schema } } })

test('a titled schema is kept under components, and its places refer to it', async (t) => {
  const team = { title: 'Team', type: 'array', items: person }
  const document = { info: { title: 'API' }, paths: { '/a': answer(person), '/b': answer(team) } }
  t.same(sharedSchemas(document), {
    info: { title: 'API' },
    components: {
      schemas: {
        Person: person,
        Team: { title: 'Team', type: 'array', items: { $ref: '#/components/schemas/Person' } }
      }
    },
    paths: {
      '/a': answer({ $ref: '#/components/schemas/Person' }),
      '/b': answer({ $ref: '#/components/schemas/Team' })
    }
  })
})

test('two schemas of one title that differ have two names', async (t) => {
  const other = { title: 'Person', type: 'object', properties: {} }
  const paths = { '/a': answer(person), '/b': answer(other) }
  const { components } = sharedSchemas({ paths }) as { components: { schemas: object } }
  t.same(Object.keys(components.schemas), ['Person', 'Person2'])
})

test('a property that is called title names no schema', async (t) => {
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const { components } = sharedSchemas({ paths: { '/a': answer(schema) } }) as {
    components: { schemas: object }
  }
  t.same(components.schemas, {})
})

// Entries of operations in plugin.json: written from the code, and compared both ways.
import { test } from 'tap'
import { Type } from '../typebox.ts'
import { operation } from './define-operation.ts'
import { manifestRouteOf, operationDrift, withOperations } from './manifest-routes.ts'

const make = (id: string) =>
  operation({
    id,
    method: 'POST',
    path: '/things',
    base: '/admin/api',
    summary: 'Makes a thing',
    access: { auth: 'admin', permission: 'notes.write', tenants: '${adminTenants}' },
    effect: 'change',
    answer: Type.Object({}),
    run: () => ({})
  })

test('the entry of an operation says who may call it, and what it does', async (t) => {
  t.same(manifestRouteOf(make('notes.things.make')), {
    id: 'notes.things.make',
    method: 'POST',
    at: '/admin/api/things',
    auth: 'admin',
    permission: 'notes.write',
    tenants: '${adminTenants}',
    effect: 'change',
    summary: 'Makes a thing'
  })
})

test('entries that were written from the code agree with it, and other routes stay', async (t) => {
  const file = { method: 'GET', path: '/files/*', auth: 'public', summary: 'Files' } as const
  const operations = [make('notes.things.make')]
  const written = withOperations([file, manifestRouteOf(make('notes.things.gone'))], operations)
  t.same(written, [file, manifestRouteOf(make('notes.things.make'))])
  t.same(operationDrift(written, operations), [])
})

test('a changed, a missing and a strange entry are each named', async (t) => {
  const changed = { ...manifestRouteOf(make('notes.a.make')), effect: 'read' } as const
  const drift = operationDrift(
    [changed, manifestRouteOf(make('notes.c.make'))],
    [make('notes.a.make'), make('notes.b.make')]
  )
  t.same(drift, [
    {
      id: 'notes.a.make',
      path: 'routes[0].effect',
      problem: 'is "read" in plugin.json and "change" in the code'
    },
    { id: 'notes.b.make', path: 'routes', problem: 'is missing in plugin.json' },
    { id: 'notes.c.make', path: 'routes[1]', problem: 'is no operation of the code' }
  ])
})

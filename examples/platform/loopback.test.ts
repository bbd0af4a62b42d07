// Which addresses count as this machine alone.
import { test } from 'tap'
import { isLoopback } from './loopback.ts'

test('loopback addresses and the name localhost are this machine', async (t) => {
  for (const host of ['127.0.0.1', '127.8.9.10', '::1', 'localhost']) t.ok(isLoopback(host), host)
})

test('every other address is not', async (t) => {
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.test', '127.0.0.1.example.test']) {
    t.notOk(isLoopback(host), host)
  }
})

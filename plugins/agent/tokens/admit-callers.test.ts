// Wrong tokens end by address, and a right one is taken all the same.
import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { createAdmission } from './admit-callers.ts'
import type { TokenResolver } from './token-resolver.ts'

test('wrong tokens of one network end, and a right one is still taken', async (t) => {
  const caller = { actor: 'agent:a', scopes: [] }
  const tokens = {
    callerOf: async (authorization?: string) =>
      authorization === 'Bearer right' ? caller : undefined
  } as unknown as TokenResolver
  let now = new Date('2030-01-01T00:00:00Z')
  const admit = createAdmission(tokens, { now: () => now } as never)
  const from = async (ip: string, authorization = 'Bearer wrong') => {
    const admitted = await admit({ ip, headers: { authorization } } as FastifyRequest)
    return admitted.ok ? 'ok' : admitted.refused.code
  }
  const answers = await Promise.all(
    Array.from({ length: 130 }, (_, at) => from(`2001:db8::${at + 1}`))
  )
  t.equal(answers.filter((code) => code === 'unauthorized').length, 120)
  t.equal(answers.at(-1), 'too_many_requests')
  t.equal(await from('2001:db8::1', 'Bearer right'), 'ok')
  t.equal(await from('192.0.2.1'), 'unauthorized', 'another network')
  now = new Date(now.getTime() + 60_001)
  t.equal(await from('2001:db8::1'), 'unauthorized')
})

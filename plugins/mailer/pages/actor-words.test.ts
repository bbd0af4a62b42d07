import { test } from 'tap'
import { actorWords } from './actor-words.ts'

const t = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
  `${key} ${values['name']}`

test('people are named alone, and programs with what they are', async (t2) => {
  t2.equal(actorWords('human:ada@acme.test', t), 'ada@acme.test')
  t2.equal(actorWords('agent:deploy', t), 'actor.agent deploy')
  t2.equal(actorWords('oauth:client-1:u-ada', t), 'actor.oauth u-ada')
  t2.equal(actorWords('system:mailer', t), 'actor.system mailer')
  t2.equal(
    actorWords('system:circuit-breaker:my-shop.test', t),
    'actor.system circuit breaker my-shop.test'
  )
  t2.equal(
    actorWords('circuit-breaker:my-shop.test', t),
    'actor.system circuit breaker my-shop.test'
  )
})

// What a step settles reaches the batch by one way.
import type { BatchRun, ItemResult } from '@keelson/sdk'
import { test } from 'tap'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { CampaignRules } from './campaign-rules.ts'
import { openBatch } from './open-batch.ts'
import type { AnsweredMail } from './ready-mail.ts'
import { settleKnown, settleSome } from './step.ts'

const sendOf = (_id: string) => ({ _id, broadcastId: 'b1' }) as SendRow
const done: ItemResult = { state: 'done' }

const batchOf = () =>
  openBatch({
    context: {} as MailerContext,
    run: {} as BatchRun,
    campaigns: {} as CampaignRules,
    outlets: new Map(),
    journal: undefined,
    lastRead: { read: undefined, startedAt: 0 },
    freshMs: 0
  })

test('a step parts its mails: each goes on or is settled, in its order', (t) => {
  const mails = ['a', 'b', 'c'].map(sendOf)
  const known = settleKnown(mails, new Map([['b', done]]))
  t.same(known, { go: [sendOf('a'), sendOf('c')], settled: [{ send: sendOf('b'), result: done }] })
  const facts = mails.map((send) => ({ send }))
  const some = settleSome(facts, (_one, { _id }) => (_id === 'a' ? { result: done } : undefined))
  t.same(some.go, facts.slice(1))
  t.end()
})

test('a batch takes what a step settled, and goes on with the others', (t) => {
  const batch = batchOf()
  const [held, answered, back] = [sendOf('held'), sendOf('answered'), sendOf('back')]
  const pause = { gate: 'linter', error: 'spam', message: 'It looks like spam.' }
  const answer = { ready: { send: answered } } as AnsweredMail
  const go = batch.settle({
    go: [sendOf('next')],
    settled: [
      { send: held, result: done, pause },
      { send: answered, result: done, answered: answer },
      { send: back, result: done, recovered: back }
    ]
  })
  t.same(go, [sendOf('next')])
  t.same([...batch.results.keys()], ['held', 'answered', 'back'])
  t.same([...batch.pauses], [['b1', pause]])
  t.same([batch.answered, [...batch.unwritten], batch.recovered], [[answer], [answered], [back]])
  t.end()
})

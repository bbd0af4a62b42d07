// An SMTP server that breaks the dialogue at any stage: the mail is never doubled, and never called sent in vain.
import { type Test, test } from 'tap'
import { sampleMail, sampleSend } from '../test/sample-mail.ts'
import { type ScriptedSmtp, type Stage, type Step, scriptedSmtp } from '../test/scripted-smtp.ts'
import { createSmtpProvider } from './smtp-provider.ts'

type Script = Partial<Record<Stage, Step | readonly Step[]>>
type Sent = 'accepted' | 'rejected' | 'unknown' | 'thrown'

async function deliver(t: Test, script: Script, mail = sampleMail) {
  const server = await scriptedSmtp(t, script)
  const provider = createSmtpProvider({ url: server.url })
  t.teardown(() => provider.close?.())
  const timeOut = new AbortController()
  void server.hanging.then(() => timeOut.abort(new Error('30 s have passed')))
  const send = sampleSend({ signal: timeOut.signal })
  const result = await provider.send(mail, send).then(
    (answer) => ({ status: answer.status as Sent, text: JSON.stringify(answer) }),
    (error: Error & { code?: string }) => ({
      status: 'thrown' as Sent,
      text: `${error.code} ${error.message}`
    })
  )
  return { server, provider, ...result }
}

const oneMail = (server: ScriptedSmtp) => server.mails.length

const BEFORE_THE_DOT: readonly Stage[] = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA']
for (const stage of BEFORE_THE_DOT) {
  for (const step of ['close', 'reset', 'hang', '421 closing'] as const) {
    test(`a server that answers ${step} at ${stage} does not have the mail`, async (t) => {
      const { status, text, server } = await deliver(t, {
        [stage]: step
      })
      t.equal(status, 'thrown', text)
      t.match(text, /MLR_MAIL_NOT_TAKEN/)
      t.equal(oneMail(server), 0)
    })
  }
}

for (const step of ['close', 'reset', 'hang'] as const) {
  test(`a connection that ends with ${step} behind the final dot leaves the outcome unknown`, async (t) => {
    const { status, server } = await deliver(t, { end: step })
    t.equal(status, 'unknown')
    t.equal(oneMail(server), 1, 'the mail was not handed over a second time')
  })
}

const LARGE = { ...sampleMail, text: `${'x'.repeat(70)}\n`.repeat(250_000) }
for (const step of ['close', 'reset'] as const) {
  test(`a connection that ends with ${step} within the data does not have the mail`, async (t) => {
    const { status, text, server } = await deliver(t, { body: step }, LARGE)
    t.equal(status, 'thrown', text)
    t.equal(oneMail(server), 0)
  })
}

const replies: readonly (readonly [string, Script, Sent])[] = [
  ['a sender refused for now', { MAIL: '451 try later' }, 'thrown'],
  ['a recipient refused for now', { RCPT: '450 greylisted' }, 'thrown'],
  ['data refused for now', { DATA: '451 no space' }, 'thrown'],
  ['a mail refused for now', { end: '452 no space' }, 'thrown'],
  ['a mail answered with 421', { end: '421 closing' }, 'thrown'],
  ['a sender refused', { MAIL: '550 5.7.1 not your address' }, 'rejected'],
  ['a recipient refused', { RCPT: '550 5.1.1 no such user' }, 'rejected'],
  ['a mail refused', { end: '554 5.7.1 looks like spam' }, 'rejected'],
  ['a sender who must log in', { MAIL: '530 5.7.0 authentication required' }, 'thrown'],
  ['a server that refuses everyone', { greeting: '554 no service' }, 'thrown'],
  ['a command out of sequence', { RCPT: '503 bad sequence' }, 'thrown'],
  ['a greeting that is not SMTP', { greeting: 'HTTP/1.1 400 Bad Request' }, 'thrown'],
  ['a reply to RCPT that is not SMTP', { RCPT: 'whatever' }, 'thrown'],
  ['a reply to the mail that is not SMTP', { end: 'whatever' }, 'unknown'],
  ['a reply to the mail that says nothing', { end: '354 go on' }, 'unknown'],
  ['a mail accepted', {}, 'accepted']
]
for (const [name, script, expected] of replies) {
  test(`${name}: ${expected}`, async (t) => {
    const { status, text } = await deliver(t, script)
    t.equal(status, expected, text)
  })
}

test('a refused mailbox is a hard bounce, a refused sender is none', async (t) => {
  const { text: mailbox } = await deliver(t, { RCPT: '550 5.1.1 no such user' })
  t.match(mailbox, '"bounce":"hard"')
  const { text: sender } = await deliver(t, { end: '550 5.7.515 not authenticated' })
  t.match(sender, '"status":"rejected"')
  t.notMatch(sender, '"bounce":')
  t.match(sender, '"bounceClass":"policy"')
})

test('a reply without an end does not fill the memory', async (t) => {
  const { status } = await deliver(t, { end: `250-${'x'.repeat(2_000_000)}` })
  t.equal(status, 'unknown')
})

test('the reason says what the server said, on one line', async (t) => {
  const { text } = await deliver(t, { RCPT: '550-5.1.1 no such\r\n550 user' })
  t.match(text, /550-5\.1\.1 no such 550 user/)
})

test('a mail after one that was refused goes over the same connection', async (t) => {
  const { provider, server } = await deliver(t, { RCPT: '550 no' })
  await provider.send(sampleMail, sampleSend())
  t.equal(server.stages.filter((stage) => stage === 'greeting').length, 1)
})

test('a pooled connection that the server ended in between is replaced, and the mail goes out once', async (t) => {
  for (const step of ['close', 'reset', '421 idle too long'] as const) {
    const { provider, server, status } = await deliver(t, { MAIL: ['250 ok', step] })
    t.equal(status, 'accepted')
    const second = await provider.send({ ...sampleMail, subject: 'second' }, sampleSend())
    t.match(second, { status: 'accepted' }, step)
    t.equal(server.mails.filter((mail) => mail.includes('Subject: second')).length, 1)
    t.equal(oneMail(server), 2)
  }
})

test('a hand-over that was given up does not hold up others', async (t) => {
  const { provider, server } = await deliver(t, { DATA: 'hang' })
  const gone = AbortSignal.abort(new Error('closing'))
  await t.rejects(provider.send(sampleMail, sampleSend({ signal: gone })), {
    code: 'MLR_MAIL_NOT_TAKEN'
  })
  t.equal(oneMail(server), 0)
})

test('a server that is not there throws', async (t) => {
  const provider = createSmtpProvider({ url: 'smtp://user:hunter2@127.0.0.1:1' })
  const error = await provider.send(sampleMail, sampleSend()).catch((error: Error) => error)
  t.match(error, { code: 'MLR_MAIL_NOT_TAKEN', message: /ECONNREFUSED/ })
  t.notMatch(JSON.stringify(error) + String(error), /hunter2/)
})

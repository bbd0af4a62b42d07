// The cases of every provider, by SMTP.
import { providerCases, type Situation } from '../test/provider-cases.ts'
import { type Stage, type Step, scriptedSmtp } from '../test/scripted-smtp.ts'
import { createSmtpProvider } from './smtp-provider.ts'

const scripts: Readonly<Record<Situation, Partial<Record<Stage, Step>>>> = {
  taken: {},
  refused: { RCPT: '550 5.1.1 no such user hunter2' },
  busy: {},
  unavailable: { greeting: '421 hunter2 is not available' },
  gone: {},
  cut: { end: 'reset' },
  silent: { end: 'hang' }
}

providerCases({
  name: 'SMTP',
  secrets: ['hunter2'],
  skip: { busy: 'SMTP has no Retry-After' },
  async stage(t, situation) {
    const server = await scriptedSmtp(t, scripts[situation])
    const url = situation === 'gone' ? 'smtp://127.0.0.1:1' : server.url
    const provider = createSmtpProvider({ url: url.replace('//', '//ann:hunter2@') })
    t.teardown(() => provider.close?.())
    return { provider, silent: server.hanging, received: () => server.mails }
  }
})

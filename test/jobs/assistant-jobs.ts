// Jobs with assistants: a client for one, allowing it, ending its access.
import { createHash, randomBytes } from 'node:crypto'
import type { Job, Stage } from './stage.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'

/** A client that asks for access; returns the address of its request. */
async function asking(stage: Stage): Promise<string> {
  const made = await stage.call('POST', '/oauth/admin/clients', {
    name: stage.named('Desk assistant'),
    redirectUris: [CALLBACK],
    allowedScopes: ['mail:read', 'mail:write'],
    type: 'public',
    tokenEndpointAuthMethod: 'none'
  })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: made.client.clientId,
    redirect_uri: CALLBACK,
    scope: 'mail:read mail:write',
    resource: stage.address('/mcp'),
    state: 'job',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256'
  })
  return `/oauth/authorize?${query}`
}

export const assistantJobs: readonly Job[] = [
  {
    name: 'OAuth client for an assistant',
    async run(hand, stage) {
      await stage.open('/admin/oauth/clients')
      await hand.press('New client')
      await hand.choose('Start from', 'Claude')
      await hand.type('Name', stage.named('Assistant'))
      await hand.press('Create client')
      await hand.see('Client created')
      await hand.press(/^(Done|I have copied it)$/)
      await hand.see(stage.named('Assistant'))
    }
  },
  {
    name: 'Consent, connected apps, revoke',
    async run(hand, stage) {
      // What listens there is the assistant's program.
      await hand.page.route('http://127.0.0.1:33418/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<h1>Connected</h1>' })
      )
      await stage.open(await asking(stage))
      await hand.page.locator('.answer[data-calm]').waitFor()
      await hand.see('Publish templates, switch flows on, send broadcasts')
      await hand.press('Allow')
      await hand.page.waitForURL(/33418\/callback/)
      await stage.open('/account/grants')
      await hand.press(`End access of ${stage.named('Desk assistant')}`)
      await hand.press('End access')
      await hand.see(`${stage.named('Desk assistant')} no longer has access.`)
    }
  }
]

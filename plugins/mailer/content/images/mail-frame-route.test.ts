// The document for pictures: what it may do.
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { publicApp } from '../../test/public-app.ts'
import { testContext } from '../../test/test-context.ts'

test('nothing runs in the document for pictures but its own script, without an origin', async (t) => {
  const { context } = await testContext(t)
  const app = await publicApp(t, context)
  const { statusCode, headers, body } = await app.inject({ url: '/m/mail-frame' })
  t.equal(statusCode, 200)
  const policy = String(headers['content-security-policy'])
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(body) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  t.match(policy, `script-src 'sha256-${hash}';`)
  t.match(policy, /^default-src 'none';/)
  t.match(policy, /sandbox allow-scripts$/)
  t.notMatch(policy, /allow-same-origin|unsafe-eval|script-src[^;]*unsafe/)
  t.equal(headers['set-cookie'], undefined)
})

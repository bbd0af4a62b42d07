// The standalone shell of the dashboard: what createDashboard makes of it.
import { test } from 'tap'
import { dashboardApp, fakeStore } from './fake-store.ts'

test('every path outside /api is the shell, without a redirect', async (t) => {
  const app = await dashboardApp(fakeStore())
  for (const path of ['', '/', '/events', '/some/deep/path']) {
    const answer = await app.inject(`/telemetry${path}`)
    t.equal(answer.statusCode, 200, path)
    t.match(answer.headers['content-security-policy'], "default-src 'self'")
    t.match(answer.body, '<base href="/telemetry/">')
    t.match(answer.body, '"mountPath":"/telemetry","apiBase":"/telemetry/api","title":"Telemetry"')
  }
  t.equal((await app.inject('/telemetry/_assets/none.js')).statusCode, 404)
})

// A Vue admin UI with two screens; one of them is a Keelson page.
import { createApp, ref } from '/vue.js'

const keelson = document.documentElement.dataset.keelson
const path = ref(location.pathname)
addEventListener('popstate', () => {
  path.value = location.pathname
})

const app = createApp({
  setup: () => ({
    path,
    apiBase: `${keelson}/telemetry`,
    follow(event) {
      document.title = `${event.detail.title} · Shop admin`
    }
  }),
  template: `
    <header><strong>Shop admin</strong> <a href="/">Orders</a> <a href="/events">Events</a></header>
    <main>
      <telemetry-dashboard-events
        v-if="path === '/events'" :api-base="apiBase" @keelson-title="follow" />
      <h1 v-else>Orders</h1>
    </main>`
})
// With a build step this stands in the options of the compiler.
app.config.compilerOptions.isCustomElement = (tag) => tag.startsWith('telemetry-dashboard-')
app.mount('#root')

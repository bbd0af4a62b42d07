// The page: a custom element that the shell, or any other admin UI, can show.
const TAG = 'third-party-plugin-status'

class StatusPage extends HTMLElement {
  #host
  #message = document.createElement('p')
  #list = document.createElement('ul')

  /** The shell sets it: `fetch` is relative to the mount of the plugin. */
  set host(host) {
    this.#host = host
    if (this.isConnected) this.#load()
  }

  connectedCallback() {
    const heading = document.createElement('h1')
    heading.textContent = 'Third party plugin'
    this.#message.setAttribute('role', 'status')
    this.replaceChildren(heading, this.#message, this.#list)
    if (this.#host) this.#load()
  }

  async #load() {
    const response = await this.#host.fetch('/api/status')
    if (!response.ok) {
      this.#message.textContent = 'The status could not be read.'
      return
    }
    const { words, latest } = await response.json()
    const held = latest.length === 0 ? 'nothing was held' : 'held lately:'
    this.#message.textContent = `${words.length} words are watched for; ${held}`
    this.#list.replaceChildren(
      ...latest.map(({ at, word }) => {
        const item = document.createElement('li')
        item.textContent = `${new Date(at).toLocaleString()}: ${word}`
        return item
      })
    )
  }
}

customElements.get(TAG) ?? customElements.define(TAG, StatusPage)

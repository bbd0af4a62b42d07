// A page on the UI kit, as a plain module: the shell shares Lit and the kit.
import { apiOf, controls, definePage, KeelsonPage, Load } from '@keelson/ui'
import { html, nothing } from 'lit'

class GreetPage extends KeelsonPage {
  static override readonly styles = [controls]
  readonly #api = apiOf(this)
  readonly #greeting = new Load(this, {
    args: () => ['Ada'] as const,
    run: ([name], signal) =>
      this.#api.read<{ readonly text: string }>(`/hello?name=${name}`, signal)
  })

  protected override get windowTitle(): string {
    return 'Greetings'
  }

  protected override content(): unknown {
    return html`<p>${this.#greeting.value?.text ?? nothing}</p>`
  }
}

definePage('greetings-greet', GreetPage)

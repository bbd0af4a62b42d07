// The Plugins page: what is installed and how it is; switching and configuring it, and how far that is.
import {
  apiOf,
  definePage,
  icon,
  KeelsonDialog,
  KeelsonDrawer,
  type KeelsonListPage,
  type ListDialog,
  Load,
  listPage,
  type Messages,
  RequestError,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { readSettingForm, settingForm, UnreadableSetting } from '@keelson/ui/settings'
import { html, nothing, type TemplateResult } from 'lit'
import type { FieldAnswer, PluginAnswer, StateAnswer } from '../../answers.ts'
import { pluginPanel } from './panel.ts'
import { pageStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

type Page = KeelsonListPage<PluginAnswer>

/** While a change is under way. */
const LOOK_MS = 1_000

const TONES: Readonly<Record<PluginAnswer['state'], string>> = {
  ready: 'tag good',
  degraded: 'tag warn',
  failed: 'tag bad',
  disabled: 'tag'
}

/** What the page knows and does. */
class Plugins {
  readonly #page: Page
  readonly api
  state: StateAnswer | undefined
  /** The revision that was running when the page changed something. */
  #from: number | undefined
  #look: ReturnType<typeof setTimeout> | undefined
  readonly fields: Load<readonly [string, number], { readonly fields: readonly FieldAnswer[] }>

  constructor(page: Page) {
    this.#page = page
    this.api = apiOf(page)
    this.fields = new Load(page, {
      args: () => {
        const id = page.params.get('plugin')
        return page.params.get('dialog') === 'settings' && id !== null
          ? ([id, this.state?.wanted ?? 0] as const)
          : null
      },
      run: ([id], signal) =>
        this.api.read(`/api/plugins/${encodeURIComponent(id)}/settings`, signal)
    })
  }

  async read(signal?: AbortSignal): Promise<readonly PluginAnswer[]> {
    try {
      this.state = await this.api.read<StateAnswer>('/api/plugins', signal)
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 403) throw error
      throw new Error(this.#page.t('plugins.refused'), { cause: error })
    }
    this.#lookAgain()
    return this.state.plugins
  }

  /** A process that runs with the newest settings takes over by itself. */
  #lookAgain(): void {
    clearTimeout(this.#look)
    if (!this.isApplying || !this.#page.isConnected) return
    this.#look = setTimeout(() => void this.#page.list.load.reload(), LOOK_MS)
  }

  get isApplying(): boolean {
    const { isServed, running, wanted } = this.state ?? {}
    return isServed === true && running !== wanted
  }

  when(): string {
    return this.#page.t(this.state?.isServed === true ? 'plugins.served' : 'plugins.notServed')
  }

  tag({ id, state, enabled }: PluginAnswer): TemplateResult {
    const { t } = this.#page
    const isUp = state === 'ready' || state === 'degraded'
    const { running, wanted, isServed, last } = this.state ?? {}
    const isTurning = running !== wanted && last?.plugin === id && isUp !== enabled
    if (!isTurning) return html`<span class=${TONES[state]}>${t(`plugins.state.${state}`)}</span>`
    const word = enabled ? 'plugins.starting' : 'plugins.stopping'
    return html`<span class="tag info">${t(isServed === true ? word : 'plugins.waits')}</span>`
  }

  async switch({ id, name, enabled }: PluginAnswer): Promise<void> {
    const { t } = this.#page
    const word = enabled ? 'disable' : 'enable'
    const isSure = await this.#page.confirm({
      heading: t(`plugins.${word}Heading`, { name }),
      text: t(`plugins.${word}Text`, { when: this.when() }),
      action: t(`plugins.${word}`),
      ...(enabled && { tone: 'bad' as const })
    })
    if (!isSure) return
    const path = `/api/plugins/${encodeURIComponent(id)}/${word}`
    if (await this.api.attempt(() => this.api.act('POST', path))) await this.#changed()
  }

  async configure(id: string, form: HTMLFormElement): Promise<void> {
    const { t } = this.#page
    try {
      const settings = readSettingForm(new FormData(form), this.fields.value?.fields ?? [])
      if (settings.length === 0) throw new Error(t('plugins.unchanged'))
      await this.api.act('POST', `/api/plugins/${encodeURIComponent(id)}/settings`, { settings })
    } catch (error) {
      if (!(error instanceof UnreadableSetting)) throw error
      throw new Error(t('plugins.notJson', { path: error.path }), { cause: error })
    }
    await this.#changed()
  }

  async #changed(): Promise<void> {
    this.#from = this.state?.running
    this.#page.toast({ text: this.#page.t('plugins.saved'), tone: 'good' })
    await this.#page.list.reload()
  }

  /** How far the newest change is. */
  news(): TemplateResult | typeof nothing {
    const { t } = this.#page
    const { last, isServed, running, wanted } = this.state ?? {}
    if (last === undefined) return nothing
    const { revision, plugin, failure } = last
    const values = { revision, plugin, action: t(`plugins.action.${last.action}`) }
    if (failure !== undefined) {
      const { where, message } = failure
      return html`<p class="card news problem" role="alert">${t('plugins.failed', { revision, where, message })}</p>`
    }
    if (running === wanted && this.#from === undefined) return nothing
    const word = running === wanted ? 'applied' : isServed === true ? 'applying' : 'pending'
    return html`<p class="card news" role="status">${t(`plugins.${word}`, values)}</p>`
  }

  settingsDialog(): ListDialog | undefined {
    const page = this.#page
    const { t } = page
    const plugin = this.state?.plugins.find(({ id }) => id === page.params.get('plugin'))
    if (plugin === undefined) return undefined
    const fields = this.fields.isPending ? undefined : this.fields.value?.fields
    const word = (name: string) => t(`setting.${name}`)
    const words = {
      reset: word('reset'),
      secret: word('secret'),
      secretSet: word('secretSet'),
      secretUnset: word('secretUnset'),
      json: word('json'),
      secretJson: word('secretJson'),
      unset: word('unset'),
      on: word('on'),
      off: word('off')
    }
    const known = new Set(fields?.map(({ path }) => path))
    return {
      heading: t('plugins.configureHeading', { name: plugin.name }),
      action: t('plugins.save'),
      width: 560,
      isLocked: fields === undefined || fields.length === 0,
      body:
        fields === undefined
          ? html`<p class="dim">${t('plugins.notLoaded')}</p>`
          : fields.length === 0
            ? html`<p>${t('plugins.noSettings')}</p>`
            : html`<p class="quiet">${this.when()}</p>${settingForm(fields, words, page.faults)}`,
      places: ({ path }) => known.has(path),
      send: async (form) => {
        await this.configure(plugin.id, form)
        return {}
      }
    }
  }
}

function columns(page: Page, plugins: Plugins): TableColumn<PluginAnswer>[] {
  const { t } = page
  return [
    { id: 'name', header: t('plugins.name'), cell: ({ name }) => name },
    {
      id: 'description',
      header: t('plugins.about'),
      quiet: true,
      hideBelow: 760,
      cell: ({ description }) => description,
      hint: ({ description }) => description
    },
    {
      id: 'version',
      header: t('plugins.version'),
      width: 84,
      quiet: true,
      hideBelow: 480,
      cell: ({ version }) => version
    },
    {
      id: 'state',
      header: t('plugins.state'),
      width: 132,
      cell: (plugin) => plugins.tag(plugin)
    },
    {
      id: 'act',
      header: t('plugins.act'),
      width: 108,
      align: 'end',
      cell: (plugin) => switchButton(page, plugins, plugin)
    }
  ]
}

function switchButton(
  page: Page,
  plugins: Plugins,
  plugin: PluginAnswer
): TemplateResult | typeof nothing {
  const { enabled, isKept, name } = plugin
  if (enabled && isKept) return nothing
  const word = enabled ? 'disable' : 'enable'
  return html`<button class="link" aria-label=${page.t(`plugins.${word}Of`, { name })}
    @click=${() => void plugins.switch(plugin)}>${page.t(`plugins.${word}`)}</button>`
}

const PluginsPage = listPage<PluginAnswer>({
  styles: pageStyles,
  uses: [KeelsonDrawer, KeelsonDialog],
  open(page) {
    const plugins = new Plugins(page)
    return {
      texts: 'plugins',
      source: {
        idOf: ({ id }) => id,
        read: (_narrowing, _position, signal) => plugins.read(signal)
      },
      header: () =>
        html`<button class="btn" @click=${() => void page.list.reload()}>${icon('refresh', 14)}${page.t('ui.refresh')}</button>`,
      above: () => plugins.news(),
      columns: () => columns(page, plugins),
      panel: {
        param: 'plugin',
        width: 420,
        label: (plugin) =>
          page.t('plugins.label', { name: plugin?.name ?? page.list.openId ?? '' }),
        view: (plugin) =>
          pluginPanel({
            plugin,
            tag: plugins.tag(plugin),
            t: page.t,
            onSwitch: () => void plugins.switch(plugin),
            onConfigure: () => page.go({ dialog: 'settings' })
          })
      },
      dialogs: { settings: () => plugins.settingsDialog() }
    }
  }
})

/** The elements bring English along. */
const elements: Messages = {}

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('platform-plugins', PluginsPage)

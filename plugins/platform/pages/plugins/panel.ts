// One plugin beside the list: how it is, what it asks for, what can be done with it.
import { html, nothing, type TemplateResult } from 'lit'
import type { PluginAnswer } from '../../answers.ts'

export interface PluginPanelOptions {
  readonly plugin: PluginAnswer
  readonly tag: TemplateResult
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  onSwitch(): void
  onConfigure(): void
}

export function pluginPanel(options: PluginPanelOptions): TemplateResult {
  const { plugin, tag, t } = options
  const { name, version, description, reason, remedy } = plugin
  return html`<div slot="header" class="panel-head">
      <h2>${name}</h2>
      <p class="row">${tag}<span class="dim">${version}</span></p>
    </div>
    ${acts(options)}
    <section class="panel-part">
      <p>${description}</p>
      ${reason === undefined || !plugin.enabled ? nothing : html`<p class="problem">${reason} ${remedy ?? ''}</p>`}
      ${plugin.isKept && plugin.enabled ? html`<p class="dim">${t('plugins.kept', { id: plugin.id })}</p>` : nothing}
    </section>
    ${asks(options)}`
}

function acts({ plugin, t, onSwitch, onConfigure }: PluginPanelOptions): TemplateResult {
  const { enabled, isKept } = plugin
  return html`<section class="panel-part row">
    <button class="btn" @click=${onConfigure}>${t('plugins.configure')}</button>
    ${
      isKept && enabled
        ? nothing
        : html`<button class="btn push" @click=${onSwitch}>${t(enabled ? 'plugins.disable' : 'plugins.enable')}</button>`
    }
  </section>`
}

function asks({ plugin, t }: PluginPanelOptions): TemplateResult {
  const { uses, network, permissions, routes, jobs, collections, pages } = plugin.asks
  const lines = (values: readonly string[]) =>
    values.length === 0
      ? html`<span class="dim">${t('plugins.nothing')}</span>`
      : html`<ul class="lines mono">${values.map((value) => html`<li>${value}</li>`)}</ul>`
  return html`<section class="panel-part">
    <h3>${t('plugins.asks')}</h3>
    <dl class="facts">
      <dt>${t('plugins.uses')}</dt><dd>${lines(uses)}</dd>
      <dt>${t('plugins.network')}</dt><dd>${lines(network)}</dd>
      <dt>${t('plugins.permissions')}</dt><dd>${lines(permissions)}</dd>
      <dt>${t('plugins.parts')}</dt><dd>${t('plugins.partsText', { routes, pages, jobs, collections })}</dd>
      ${plugin.neededBy.length === 0 ? nothing : html`<dt>${t('plugins.neededBy')}</dt><dd>${lines(plugin.neededBy)}</dd>`}
    </dl>
  </section>`
}

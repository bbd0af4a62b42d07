// Chooses an uploaded picture, or uploads one. Loaded when a picture is chosen.
import { controls, define, KeelsonElement, Load, registerCatalog } from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import type { MailApi } from '../mail-api.ts'
import texts from './image-texts.en.json' with { type: 'json' }

/** A picture, as the admin API answers it. */
interface Picture {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly width: number
  readonly height: number
}

const TYPES = 'image/png,image/jpeg,image/gif,image/webp'

/** Sends `image-chosen` with the picture. */
class ImagePicker extends KeelsonElement {
  static readonly tag = 'mailer-image-picker'
  static override readonly styles = [
    controls,
    css`
    :host { display: grid; gap: 12px; }
    p { margin: 0; }
    .pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(112px, 1fr)); gap: 10px; margin: 0; padding: 0; list-style: none; max-block-size: 46vh; overflow: auto; }
    .picture { display: grid; gap: 4px; inline-size: 100%; padding: 6px; border: 1px solid var(--_hair); border-radius: var(--_radius); background: var(--_surface); color: var(--_ink); font: var(--_text-sm) / 1.3 var(--_font); text-align: start; cursor: pointer; }
    .picture:hover { border-color: var(--_accent); }
    .picture img { inline-size: 100%; block-size: 84px; object-fit: contain; background: var(--_sunken); }
    .picture span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .problem { color: var(--_bad); }
  `
  ]
  static override readonly properties = {
    api: { attribute: false },
    _problem: { state: true },
    _isBusy: { state: true }
  }
  declare api: MailApi
  declare _problem: string
  declare _isBusy: boolean
  readonly #pictures = new Load(this, {
    quiet: true,
    args: () => (this.api === undefined ? null : ([] as const)),
    run: (_args, signal) => this.api.read<readonly Picture[]>('/images', signal)
  })

  constructor() {
    super()
    this._problem = ''
    this._isBusy = false
  }

  async #try(act: () => Promise<unknown>): Promise<void> {
    this._problem = ''
    this._isBusy = true
    try {
      await act()
    } catch (error) {
      this._problem = this.api.words(error)
    }
    this._isBusy = false
  }

  async #upload(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? []
    if (file === undefined) return
    await this.#try(async () => {
      const body = new Blob([file], { type: 'application/octet-stream' })
      const path = `/images?${new URLSearchParams({ name: file.name.slice(0, 200) })}`
      this.#choose(await this.api.act<Picture>('POST', path, body))
    })
    input.value = ''
  }

  #choose(picture: Picture): void {
    this.send('image-chosen', picture)
  }

  #delete({ id }: Picture): Promise<void> {
    return this.#try(async () => {
      await this.api.act('DELETE', `/images/${id}`)
      await this.#pictures.reload()
    })
  }

  override render(): TemplateResult {
    const { t } = this
    const { value, missing } = this.#pictures
    return html`<p class="quiet">${t('image.note')}</p>
      <label class="part"><span>${t('image.upload')}</span>
        <input type="file" accept=${TYPES} ?disabled=${this._isBusy} @change=${(event: Event) => void this.#upload(event.target as HTMLInputElement)} /></label>
      ${this._problem === '' ? nothing : html`<p class="problem" role="alert">${this._problem}</p>`}
      ${missing === undefined ? nothing : html`<p class="problem">${this.api.words(missing)}</p>`}
      ${value?.length === 0 ? html`<p class="quiet">${t('image.none')}</p>` : html`<ul class="pictures">${value?.map((one) => this.#picture(one))}</ul>`}`
  }

  /** It is read from where this page reads everything. */
  #picture(picture: Picture): TemplateResult {
    const { name, url, width, height } = picture
    const file = url.slice(url.lastIndexOf('/') + 1)
    const src = new URL(`image/${file}`, this.api.pictureFrame()).href
    return html`<li><button class="picture" @click=${() => this.#choose(picture)}>
        <img src=${src} alt="" loading="lazy" /><span>${name}</span><span class="quiet">${width} × ${height}</span></button>
      <button class="btn quiet" aria-label=${this.t('image.deleteOf', { name })} ?disabled=${this._isBusy} @click=${() => void this.#delete(picture)}>${this.t('image.delete')}</button></li>`
  }
}

/** Registers texts and the element; cheap to call again. */
export function defineImagePicker(): void {
  registerCatalog('en', texts, {
    de: () => import('./image-texts.de.json', { with: { type: 'json' } })
  })
  define(ImagePicker)
}

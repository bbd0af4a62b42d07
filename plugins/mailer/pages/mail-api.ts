// The admin API of the mailer as its pages call it.
import {
  addedParams,
  type DocumentsApi,
  documentsApiOf,
  type KeelsonPage,
  type ParamChanges
} from '@keelson/ui'
import { registerRefusals } from './refusals.ts'

/** Where the API is: of plugin.json. */
const AT = '/admin/mailer/api'

/** Calls of a page. Paths are those of the API: `/flows`. */
export interface MailApi extends DocumentsApi {
  /** Where the platform answers the document that shows a mail with its pictures. */
  pictureFrame(): URL
}

/** Where the API answers a path: for `fetch`, and for links that save a file. */
export const apiAddress = ({ page }: KeelsonPage, path: string): URL => page.at(`${AT}${path}`)

/** A query of what is set. */
export const queryOf = (values: ParamChanges): string =>
  new URLSearchParams(addedParams(values)).toString()

/** The calls that a page makes. */
export function mailApi(page: KeelsonPage): MailApi {
  registerRefusals()
  return { ...documentsApiOf(page, AT), pictureFrame: () => page.page.at('/m/mail-frame') }
}

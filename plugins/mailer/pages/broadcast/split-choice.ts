// What an A/B test tries: subjects of one template, or two templates. Pure.
import type { Broadcast } from '../broadcasts/answers.ts'

export type SplitTest = NonNullable<Broadcast['splitTest']>
export type Variant = SplitTest['variants'][number]

/** Arms of a test of subjects. */
export const MOST_SUBJECTS = 3
export const ARM_NAMES = ['A', 'B', 'C'] as const

/** A template as it is sent without a subject of the broadcast. */
export interface OwnTexts {
  readonly subject: string
  readonly preheader: string
}

/** Whether all arms have one template. */
export const isSubjectTest = (split: SplitTest | null | undefined): boolean =>
  split != null && new Set(split.variants.map(({ templateSlug }) => templateSlug)).size === 1

/** The arms of a new test of subjects: that of the template, and one that is still to be written. */
export const newSubjects = (templateSlug: string, { subject }: OwnTexts): Variant[] => [
  { name: 'A', templateSlug, ...(subject !== '' && { subject }) },
  { name: 'B', templateSlug }
]

/** Without an arm; the others are named in their order. */
export const withoutArm = (variants: readonly Variant[], at: number): Variant[] =>
  renamed(variants.filter((_, index) => index !== at))

/** With one arm more, that is still to be written. */
export const withArm = (variants: readonly Variant[], templateSlug: string): Variant[] =>
  renamed([...variants, { name: '', templateSlug }])

const renamed = (variants: readonly Variant[]): Variant[] =>
  variants.map((one, at) => ({ ...one, name: ARM_NAMES[at] ?? one.name }))

/** With a text of one arm; an empty one is that of the template. */
export function withText(
  variants: readonly Variant[],
  at: number,
  key: 'subject' | 'preheader',
  text: string
): Variant[] {
  return variants.map((one, index) => {
    if (index !== at) return one
    const { [key]: _, ...rest } = one
    return text === '' ? rest : { ...rest, [key]: text }
  })
}

/** Whether recipients of two arms would read the same. */
export function isDistinct(variants: readonly Variant[], own: OwnTexts): boolean {
  const read = variants.map(({ templateSlug, subject, preheader }) =>
    JSON.stringify([templateSlug, subject ?? own.subject, preheader ?? own.preheader])
  )
  return new Set(read).size === variants.length
}

/** The test with another template of the broadcast. */
export const movedTo = (split: SplitTest, from: string, to: string): SplitTest | null => {
  const variants = split.variants.map((one) =>
    one.templateSlug === from ? { ...one, templateSlug: to } : one
  )
  const mails = new Set(variants.map(({ name: _, ...mail }) => JSON.stringify(mail)))
  return mails.size < variants.length ? null : { ...split, variants }
}

import { fullName, type PersonName } from '#server/features/catalogue/names.ts'
import type { GivenSeries } from '#server/features/catalogue/series-names.ts'

/** Bidirectional controls such as U+202E could make a title look like another one. */
export function hiddenIn(what: string, text: string): string | undefined {
  const [found] =
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u.exec(text) ?? []
  return found === undefined
    ? undefined
    : `The ${what} holds a character that can’t be seen (${codePointOf(found)}) and may turn it round. Remove it.`
}

interface NamedIn {
  readonly authors: readonly PersonName[]
  readonly narrators: readonly PersonName[]
  readonly translator?: PersonName | null | undefined
  readonly publisher?: string | null | undefined
  readonly series?: readonly GivenSeries[]
}

export function hiddenInNames({
  authors,
  narrators,
  translator,
  publisher,
  series = [],
}: NamedIn): string | undefined {
  const names: readonly (readonly [string, string])[] = [
    ...authors.map((author) => ['author’s name', fullName(author)] as const),
    ...narrators.map((narrator) => ['narrator’s name', fullName(narrator)] as const),
    ['translator’s name', translator ? fullName(translator) : ''],
    ['publisher’s name', publisher ?? ''],
    ...series.map(({ title }) => ['name of the series', title] as const),
  ]
  return names.map(([what, text]) => hiddenIn(what, text)).find((reason) => reason !== undefined)
}

/** A title must neither move a terminal's cursor nor reverse text: replaces such characters by code points. */
export const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu,
    (character) => (character === '\n' || character === '\t' ? character : codePointOf(character)),
  )

export const codePointOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

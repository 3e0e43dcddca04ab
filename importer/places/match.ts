import { namesIn, personOf, slugOf } from '../names.ts'

export interface OwnTitle {
  readonly slug: string
  readonly title: string
  readonly authors: readonly string[]
}

/**
 * Finds the listener's title by its name, with or without subtitle, and by an author's surname if one is given.
 *
 * @returns the title, or the reason why there is no match
 */
export function matchTitle(
  own: readonly OwnTitle[],
  { title, author }: { readonly title: string; readonly author: string | undefined },
): OwnTitle | string {
  const whole = own.filter((each) => keyOf(each.title) === keyOf(title))
  const short = own.filter((each) => keyOf(shortOf(each.title)) === keyOf(shortOf(title)))
  const named = whole.length > 0 ? whole : short
  if (named.length === 0) return 'no audiobook of this name is in their library here'
  const surnames = new Set(author === undefined ? [] : namesIn(author).map(surnameOf))
  const fitting =
    surnames.size === 0
      ? named
      : named.filter(
          ({ authors }) => authors.length === 0 || authors.some((name) => surnames.has(surnameOf(name))),
        )
  const [one, more] = fitting
  if (!one) return `here it is by ${named[0]!.authors.join(' and ')}, there by ${author}`
  return more ? 'several titles of this name are in their library here' : one
}

const keyOf = (title: string): string => slugOf(title) || title.toLowerCase().trim()
const shortOf = (title: string): string => title.split(/:\s/, 1)[0]!
const surnameOf = (name: string): string => keyOf(personOf(name).lastName)

export interface PersonName {
  readonly firstName: string
  readonly lastName: string
  readonly nationality?: string
}

/** Splits a name from a tag: `Edda Marlow`, `Marlow, Edda`, or a single word. */
export function personOf(name: string): PersonName {
  const turned = /^([^,]+),\s*([^,]+)$/.exec(name)
  if (turned) return { firstName: turned[2]!.trim(), lastName: turned[1]!.trim() }
  const words = name.trim().split(/\s+/)
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' }
}

/** Splits a list of people: `Ida Frost & Niall Garvey`, `Ida Frost, Niall Garvey`, `Frost, Ida; Garvey, Niall`. */
export function namesIn(text: string): string[] {
  return text.split(/\s*;\s*|\s+&\s+|\s+and\s+/i).flatMap((part) => {
    const names = part.split(',').map((name) => name.trim())
    // With a single comma and only one word before or after it, the text is one name, “Last, First”.
    const isTurned = names.length === 2 && !names.every((name) => name.includes(' '))
    return (isTurned ? [part.trim()] : names).filter(Boolean)
  })
}

export const wholeName = (person: Partial<PersonName> & Pick<PersonName, 'lastName'>): PersonName => ({
  firstName: '',
  ...person,
})

export const fullName = ({ firstName, lastName }: PersonName): string => `${firstName} ${lastName}`.trim()

export const nameKey = (person: PersonName): string =>
  fullName(person).normalize('NFC').replace(/\s+/g, ' ').toLowerCase()

const SPELT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  '&': ' and ',
}

/** `The Lamplighter’s Ledger` → `the-lamplighters-ledger`; empty if the text has no Latin letters. */
export function slugOf(text: string): string {
  const spelt = Array.from(text.toLowerCase(), (character) => SPELT[character] ?? character).join('')
  const slug = spelt
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug.length <= 120 ? slug : slug.slice(0, 121).replace(/-[^-]*$/, '')
}

/** `01 - the_tide-table.mp3` → `the tide-table`; a name that is only a number becomes `Chapter 1`. */
export function chapterNameOf(file: string): string {
  const bare = file
    .slice(file.lastIndexOf('/') + 1)
    .replace(/\.[a-z0-9]+$/i, '')
    .replaceAll('_', ' ')
  const name = bare
    .replace(/^\s*(?:(?:cd|disc|track|chapter|part)[-\s]*)?\d+(?:\s*[-–—.)]\s*|\s+|$)/i, '')
    .trim()
  if (/\p{L}/u.test(name)) {
    const words = name.includes(' ') ? name : name.replaceAll('-', ' ')
    return words[0]!.toUpperCase() + words.slice(1)
  }
  const number = /\d+/.exec(bare)?.[0]
  return number ? `Chapter ${Number(number)}` : bare.trim()
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** 2 before 10, CD 2 before CD 10, and a folder's own files before those of its subfolders. */
export function naturalOrder(first: string, second: string): number {
  const [one, two] = [first.split('/'), second.split('/')]
  for (let depth = 0; depth < Math.min(one.length, two.length); depth++) {
    const deeper = Number(one.length - 1 > depth) - Number(two.length - 1 > depth)
    // Names that differ only in case or accents also need the same order on every machine.
    const order = deeper || names.compare(one[depth]!, two[depth]!) || compare(one[depth]!, two[depth]!)
    if (order !== 0) return order
  }
  return one.length - two.length
}

const compare = (first: string, second: string): number => (first < second ? -1 : first > second ? 1 : 0)

export function publisherOf(name: string | undefined): { slug: string; name: string } | undefined {
  const slug = slugOf(name ?? '')
  return name && slug ? { slug, name } : undefined
}

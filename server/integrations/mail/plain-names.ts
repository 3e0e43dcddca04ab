/** A name, not a message. */
const LONGEST = 40
/** By the field of a mail's data: what stands there where nothing of the name is left. */
const NAMES: Readonly<Record<string, string>> = { firstName: 'reader', giverName: 'A friend' }

/**
 * The data of a mail with its names as names: whoever registers chooses one, and whoever they like is sent it. Nothing in
 * it becomes a link, and it is no longer than a name.
 */
export function withPlainNames(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  const plain: Record<string, unknown> = { ...data }
  for (const [field, nobody] of Object.entries(NAMES))
    if (typeof plain[field] === 'string') plain[field] = plainName(plain[field]) || nobody
  return plain
}

/** A message in which nothing becomes a link: its words and lines stay, addresses go. */
export const withoutLinks = (message: string): string =>
  message.replaceAll(LINK, '…').replaceAll(NAME_OF_A_SITE, '. ')

const LINK = /\S*(?:[a-z]:\/\/|mailto:|tel:|[\p{L}\p{N}]@[\p{L}\p{N}]|\.\p{L}{2,}\/)\S*/giu
/** Mail programs turn `evil.example` into a link, but not `evil. example`. */
const NAME_OF_A_SITE = /\.(?=\p{L}{2})/gu

function plainName(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !/[:/\\@<>]/.test(word))
  const unlinked = words.join(' ').replaceAll(NAME_OF_A_SITE, '. ')
  const letters = Array.from(unlinked)
  return letters.length <= LONGEST
    ? unlinked
    : `${letters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`
}
